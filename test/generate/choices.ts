// Where generators take their decisions from. A program is a function of a sequence of numbers: a seed gives a random
// one; fast-check gives lists, whose shrinking (fewer and smaller numbers) makes the program smaller, since a missing
// number counts as 0 and 0 always picks the simplest alternative.
import fc from 'fast-check'

export interface Choices {
  /** A number from 0 to count - 1; 0 is the simplest. */
  below(count: number): number
  /** True one time in `outOf`; false is the simpler. */
  rarely(outOf: number): boolean
  /** One of a list; the first is the simplest. */
  pick<T>(list: readonly T[]): T
}

const choicesFrom = (next: () => number): Choices => ({
  below: (count) => next() % count,
  rarely: (outOf) => next() % outOf === outOf - 1,
  pick: (list) => list[next() % list.length]!,
})

/** mulberry32: small, seeded, good enough. */
export const seededChoices = (seed: number): Choices => {
  let state = seed >>> 0
  return choicesFrom(() => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % 0x10000
  })
}

const listedChoices = (list: readonly number[]): Choices => {
  let at = 0
  return choicesFrom(() => list[at++] ?? 0)
}

/** An arbitrary for whatever `make` builds from choices; failures shrink to small programs. */
export const arbitraryFrom = <T>(make: (choices: Choices) => T): fc.Arbitrary<T> =>
  fc
    .array(fc.nat({ max: 0xffff }), { minLength: 0, maxLength: 300, size: 'max' })
    .map((list) => make(listedChoices(list)))
