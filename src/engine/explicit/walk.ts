// Random walks through the states, before the search: they reach the ends of programs that breadth-first search only
// comes to after a long time, and so show which values cells will have, how many threads and heap instances there
// are, and sometimes an error. The numbers are seeded: a run is the same twice.
import type { Step } from '../../semantics/index.js'
import type { Compiled } from './compile/generator.js'
import type { Layout } from './compile/layout.js'
import { LayoutTooSmall } from './compile/runtime.js'
import { atomicCounters, insideAtomic } from './search.js'

export interface Walks {
  /** The words of every state that was passed, one state after the other. */
  readonly words: Int32Array
  readonly count: number
  /** The way to an error, if one was met. */
  readonly error: readonly Step[] | undefined
}

const MAX_STEPS = 60_000
/** Of all states together: with large arrays a walk of some thousand steps tells as much as it can. */
const MAX_WORDS = 1 << 23
const MAX_WALKS = 600
const LONGEST = 3_000
/** States that are looked at for a race, once main has gone as far as it can: with many threads each takes long. */
const MAX_CHECKED = 3_000

export interface WalkOptions {
  /** By number of the compiled edge. */
  readonly isError: (edge: number) => boolean
  /** Whether a state in which no step is possible violates the property: a deadlock. */
  readonly violates?: (words: Int32Array, state: number) => boolean
  /** Whether any other state may violate it, too: a race. */
  readonly isAnywhere?: boolean
  /** Whether to ask for a larger layout where a walk needs one; otherwise it just ends there. */
  readonly mayGrow: boolean
  readonly maxWalks?: number
}

export const walk = (compiled: Compiled, initial: Int32Array, options: WalkOptions): Walks => {
  const { isError, violates, isAnywhere, mayGrow, maxWalks = MAX_WALKS } = options
  const { words: width } = compiled.layout
  const maxSteps = Math.min(MAX_STEPS, Math.max(LONGEST, Math.floor(MAX_WORDS / width)))
  const words = new Int32Array((maxSteps + 1) * width)
  const random = seeded(1)
  const walker = new Walker(compiled, words)
  const kinds = kindsOf(compiled.layout)
  const slots = compiled.layout.slots.length
  let count = 0
  // Steps that main makes before it waits for somebody, once it is known.
  let alone = 0
  let checked = 0
  for (let walks = 0; walks < maxWalks && count < maxSteps; walks++) {
    words.set(initial, count * width)
    const path: Step[] = []
    const order = orderOf(walks, kinds, slots, alone, random)
    for (let length = 0; length < LONGEST && count < maxSteps; length++) {
      const next = order(length)
      const taken = mayGrow ? walker.step(count, next, random) : walker.boundedStep(count, next, random)
      if (!taken) {
        if (violates?.(words, count)) return { words, count: count + 1, error: path }
        break
      }
      count++
      if (walks === slots && length === alone && taken.step?.thread === 0) alone++
      if (taken.step) path.push(taken.step)
      if (isError(taken.edge)) return { words, count: count + 1, error: path }
      if (isAnywhere && walks >= slots && checked++ < MAX_CHECKED && violates?.(words, count))
        return { words, count: count + 1, error: path }
    }
    count++
  }
  return { words, count: Math.min(count, maxSteps), error: undefined }
}

type Random = (below: number) => number

/** The slots that run the same code: where there are many of a kind, another kind must get its turn as often. */
const kindsOf = ({ slots }: Layout): readonly (readonly number[])[] => {
  const kinds = new Map<string, number[]>()
  for (const { number, templates } of slots) {
    const kind = templates.map(({ procedure }) => procedure.name).join()
    kinds.set(kind, [...(kinds.get(kind) ?? []), number])
  }
  return [...kinds.values()]
}

type Kinds = ReturnType<typeof kindsOf>

/** Threads in the order in which they are asked for a step, before step `length` of a walk. */
type Order = (length: number) => readonly number[]

/** One thread after the other is kept back as long as others can move; then chance decides, every fourth time alone. */
const orderOf = (walk: number, kinds: Kinds, slots: number, alone: number, random: Random): Order => {
  if (walk < slots) {
    const order = [...Array.from({ length: slots }, (_, i) => i).filter((slot) => slot !== walk), walk]
    return () => order
  }
  if (walk === slots) return inTurns(slots)
  if (walk % 4 === 0) return anyOrder(slots, random)
  return byPriority(kinds, slots, walk % 4 === 1 ? 0 : alone, random)
}

/** Main as far as it goes, then the others in turns: all of them get as far as the others let them. */
const inTurns =
  (slots: number): Order =>
  (length) => [0, ...Array.from({ length: slots - 1 }, (_, i) => 1 + ((length + i) % (slots - 1)))]

const anyOrder =
  (slots: number, random: Random): Order =>
  () => {
    const first = random(slots)
    return Array.from({ length: slots }, (_, i) => (first + i) % slots)
  }

/**
 * Threads have priorities, and at a few steps those in front fall back behind all others (Burckhardt et al., A
 * Randomized Scheduler with Probabilistic Guarantees of Finding Bugs): most bugs need few changes of thread. Where main
 * comes first, as it must for all threads to meet, they come after its steps.
 */
const byPriority = (kinds: Kinds, slots: number, alone: number, random: Random): Order => {
  const order = Array.from({ length: slots }, (_, i) => i)
  const first = alone > 0 ? 1 : 0
  for (let i = slots - 1; i > first; i--) swap(order, i, first + random(i + 1 - first))
  const changes = new Set(Array.from({ length: random(5) }, () => alone + random(2 << random(alone > 0 ? 8 : 10))))
  return (length) => {
    if (!changes.has(length)) return order
    order.push(...order.splice(0, 1 + random(slots)))
    const kind = kinds[random(kinds.length)]!
    const next = kind[random(kind.length)]!
    order.splice(order.indexOf(next), 1)
    order.unshift(next)
    return order
  }
}

const swap = (items: number[], i: number, j: number): void => {
  const item = items[i]!
  items[i] = items[j]!
  items[j] = item
}

interface Taken {
  readonly edge: number
  /** Absent where undefined behaviour only stopped the thread. */
  readonly step: Step | undefined
}

class Walker {
  private readonly counters: Int32Array
  private readonly atomic: readonly Uint8Array[]

  constructor(
    private readonly compiled: Compiled,
    private readonly words: Int32Array,
  ) {
    this.counters = new Int32Array(compiled.layout.slots.length)
    this.atomic = atomicCounters(compiled.layout)
  }

  /** The same, where the layout allows it. */
  boundedStep(state: number, order: readonly number[], random: Random): Taken | undefined {
    try {
      return this.step(state, order, random)
    } catch (error) {
      if (!(error instanceof LayoutTooSmall)) throw error
      this.compiled.runtime.tracing = false
      return undefined
    }
  }

  /** A step of the first thread that has one, from a state to the place of the next; undefined if there is none. */
  step(state: number, order: readonly number[], random: Random): Taken | undefined {
    const { compiled, words, counters } = this
    const { runtime, layout, edges } = compiled
    const width = layout.words
    const base = state * width
    compiled.counters(words, base, counters)
    const inside = insideAtomic(counters, this.atomic)
    runtime.tracing = true
    for (const slot of order) {
      if (counters[slot] === 0 || (inside >= 0 && slot !== inside)) continue
      runtime.top = 0
      runtime.notes.length = 0
      // Sums of words are for the table, which walks do not have.
      compiled.expand[slot]!(words, base, 0, counters[slot]!)
      if (runtime.notes.length === 0) continue
      const chosen = random(runtime.notes.length)
      const at = chosen * (width + 2)
      words.set(runtime.out.subarray(at, at + width), base + width)
      const edge = runtime.out[at + width + 1]!
      const { choices, indeterminate } = runtime.notes[chosen]!
      runtime.tracing = false
      compiled.counters(words, base + width, counters)
      if (layout.slots[slot]!.locations[counters[slot]!] === undefined) return { step: undefined, edge }
      const step = { thread: slot, edge: edges[edge]!.edge, choices }
      return { step: indeterminate.length > 0 ? { ...step, indeterminate } : step, edge }
    }
    runtime.tracing = false
    return undefined
  }
}

/** xorshift32. */
const seeded = (seed: number): Random => {
  let state = seed
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
