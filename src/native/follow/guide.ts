// Where the schedule made from a trace does not show the violation, the trace is a guide: the turn is handed over a
// few steps earlier or later, or the schedule is followed for a while and then left to chance.
import type { RunAnswer, RunRequest, Segment } from '../events.js'
import type { Followed, Machine } from './follow.js'

export interface Guided {
  readonly request: RunRequest
  readonly answer: RunAnswer
  readonly tries: number
}

export interface GuideOptions {
  readonly isShown: (answer: RunAnswer) => boolean
  readonly isOver: () => boolean
}

const MAX_SHIFT = 4

export const guide = async (
  { base, run }: Machine,
  { segments, values }: Followed,
  { isShown, isOver }: GuideOptions,
): Promise<Guided | undefined> => {
  const random = randomNumbers(1)
  for (let tries = 1; !isOver(); tries++) {
    const wild = tries % 2 === 0
    const kept = wild ? segments.slice(0, random(segments.length + 1)) : segments
    const request: RunRequest = {
      ...base,
      segments: shifted(kept, random),
      values:
        random(4) === 0 ? values.map((v) => (random(values.length) === 0 ? { ...v, value: v.value ^ 1n } : v)) : values,
      ...(wild && { policy: random(2) === 0 ? 'random' : 'pct', seed: BigInt(random(1 << 30)) }),
      ...{ depth: 1 + random(3), length: 200, fill: random(3) === 0 ? 0xa5 : 0, reuse: random(3) === 0 },
    }
    const answer = await run(request)
    if (isShown(answer)) return { request, answer, tries }
  }
  return undefined
}

/** One to three turns begin a few steps earlier or later. */
const shifted = (segments: readonly Segment[], random: (n: number) => number): readonly Segment[] => {
  const result = segments.map((s) => ({ ...s }))
  if (result.length === 0) return result
  for (let n = 1 + random(3); n > 0; n--) {
    const at = result[random(result.length)]!
    at.steps = Math.max(0, at.steps + random(2 * MAX_SHIFT + 1) - MAX_SHIFT)
  }
  return result.filter(({ steps }) => steps > 0)
}

/** Repeatable: the same numbers for the same seed (Marsaglia's xorshift). */
const randomNumbers = (seed: number): ((n: number) => number) => {
  let x = seed * 2654435761 || 1
  return (n) => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) % Math.max(1, n)
  }
}
