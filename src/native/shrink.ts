// From a schedule that fails to one that is easy to read: fewer switches first, then fewer steps, then smaller inputs.
// Every candidate is run; what counts is the schedule that the run itself reports.
import type { Choice, RunAnswer, Segment } from './events.js'
import { switches } from './schedule.js'

interface Candidate {
  readonly segments: readonly Segment[]
  readonly values: readonly Choice[]
}

export interface ShrinkOptions {
  /** Runs the candidate; the answer if it fails in the same way. */
  readonly attempt: (candidate: Candidate) => Promise<RunAnswer | undefined>
  readonly isOver: () => boolean
}

export const shrink = async (first: RunAnswer, { attempt, isOver }: ShrinkOptions): Promise<RunAnswer> => {
  let best = first
  const improves = async (candidate: Candidate): Promise<boolean> => {
    if (isOver()) return false
    const answer = await attempt(candidate)
    if (!answer || size(answer) >= size(best)) return false
    best = answer
    return true
  }
  await shortenPrefix(() => best, improves)
  for (let progress = true; progress && !isOver(); ) {
    progress = false
    for (let i = best.segments.length - 1; i >= 0 && !isOver(); i = Math.min(i, best.segments.length) - 1)
      for (const segments of rearranged(best.segments, i))
        if (await improves({ segments, values: best.values })) {
          progress = true
          break
        }
  }
  await smallerValues(() => best, improves)
  return best
}

/** Switches weigh most, then the sizes of inputs, then steps. */
const size = ({ segments, steps, values }: Pick<RunAnswer, 'segments' | 'steps' | 'values'>): number =>
  switches(segments) * 1e9 + values.reduce((sum, { value }) => sum + weight(value), 0) * 1e6 + Math.min(steps, 999_999)

const weight = (value: bigint): number =>
  Math.min(9, String(value < 0n ? -value : value).length - (value === 0n ? 1 : 0))

/** Much of a random schedule does not matter: what comes after its decisive part is left to the default order. */
const shortenPrefix = async (
  best: () => RunAnswer,
  improves: (candidate: Candidate) => Promise<boolean>,
): Promise<void> => {
  for (let part = 2; part <= 64; part *= 2)
    for (const keep of [1 / part, 1 - 1 / part]) {
      const { segments, values } = best()
      await improves({ segments: segments.slice(0, Math.floor(segments.length * keep)), values })
    }
}

/** Segment i joins another of its thread, or is left out. */
function* rearranged(segments: readonly Segment[], i: number): Generator<readonly Segment[]> {
  const { thread, steps } = segments[i]!
  const without = segments.filter((_, at) => at !== i)
  const later = segments.findIndex((s, at) => at > i && s.thread === thread)
  const earlier = segments.findLastIndex((s, at) => at < i && s.thread === thread)
  const added = (to: number): readonly Segment[] =>
    segments.flatMap((s, at) => (at === i ? [] : [at === to ? { thread, steps: s.steps + steps } : s]))
  if (later > 0) yield merged(added(later))
  if (earlier >= 0) yield merged(added(earlier))
  yield merged(without)
  if (i > 0) yield merged(segments.slice(0, i))
}

const merged = (segments: readonly Segment[]): readonly Segment[] => {
  const result: Segment[] = []
  for (const s of segments) {
    const last = result.at(-1)
    if (last?.thread === s.thread) result[result.length - 1] = { thread: s.thread, steps: last.steps + s.steps }
    else result.push(s)
  }
  return result
}

const smallerValues = async (
  best: () => RunAnswer,
  improves: (candidate: Candidate) => Promise<boolean>,
): Promise<void> => {
  for (let i = 0; i < best().values.length && i < 40; i++) {
    const { segments, values } = best()
    const { value } = values[i]!
    for (const smaller of new Set([0n, 1n, value / 2n]))
      if (
        smaller !== value &&
        (await improves({ segments, values: values.map((v, at) => (at === i ? { ...v, value: smaller } : v)) }))
      )
        break
  }
}
