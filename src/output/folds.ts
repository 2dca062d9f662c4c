// Which steps of an execution repeat each other: iterations of loops, which a page or a terminal shows folded.
import type { StepReport } from '../verdict/index.js'

/** The steps from `from` up to, but not including, `to` repeat the `period` steps before them `times` times. */
export interface Fold {
  readonly from: number
  readonly to: number
  readonly times: number
  readonly period: number
}

const MAX_PERIOD = 16
/** With fewer repetitions a reader sees more without the fold. */
const MIN_TIMES = 4

/** The first and the last of the equal rounds stay in sight. */
export const foldsOf = (steps: readonly StepReport[]): readonly Fold[] => {
  const keys = steps.map(({ thread, file, line, text }) => `${thread} ${file}:${line} ${text}`)
  const folds: Fold[] = []
  for (let i = 0; i < keys.length; ) {
    const best = longestRepetition(keys, i)
    if (best && best.times >= MIN_TIMES) {
      const { period, times } = best
      folds.push({ from: i + period, to: i + period * (times - 1), times: times - 2, period })
      i += period * times
    } else i++
  }
  return folds
}

const longestRepetition = (
  keys: readonly string[],
  start: number,
): { readonly period: number; readonly times: number } | undefined => {
  let best: { period: number; times: number } | undefined
  for (let period = 1; period <= MAX_PERIOD && start + period < keys.length; period++) {
    let end = start + period
    while (end < keys.length && keys[end] === keys[end - period]) end++
    const times = Math.floor((end - start) / period)
    if (times >= MIN_TIMES && (!best || times * period > best.times * best.period)) best = { period, times }
  }
  return best
}
