// Which steps of an execution repeat each other, which a page or a terminal shows folded: iterations of a loop, and rounds
// in which each time the next one of many threads does the same.
import type { StepReport } from '../verdict/index.js'

/** The steps from `from` up to, but not including, `to` repeat the `period` steps before them `times` times. */
export interface Fold {
  readonly from: number
  readonly to: number
  readonly times: number
  readonly period: number
  /** Each round is about the next thread. */
  readonly isNextThread: boolean
}

const MAX_PERIOD = 16
/** With fewer repetitions a reader sees more without the fold. */
const MIN_TIMES = 4
const MIN_THREADS = 10

/** A step apart from the numbers of the threads that it is about; main is not numbered. */
interface Shape {
  readonly shape: string
  readonly numbers: readonly number[]
}

interface Repetition {
  readonly period: number
  readonly times: number
  readonly isNextThread: boolean
}

/** The first and the last of the equal rounds stay in sight. */
export const foldsOf = (steps: readonly StepReport[]): readonly Fold[] => {
  const shapes = steps.map(shapeOf)
  const folds: Fold[] = []
  for (let i = 0; i < shapes.length; ) {
    const best = longestRepetition(shapes, i)
    if (best) {
      const { period, times, isNextThread } = best
      folds.push({ from: i + period, to: i + period * (times - 1), times: times - 2, period, isNextThread })
      i += period * times
    } else i++
  }
  return folds
}

const shapeOf = ({ thread, file, line, text }: StepReport): Shape => {
  const numbers = thread === 0 ? [] : [thread]
  const named = text.replace(/\bT(\d+)\b/g, (_, number: string) => {
    numbers.push(Number(number))
    return 'T'
  })
  return { shape: `${thread === 0 ? 'main' : 'T'} ${file}:${line} ${named}`, numbers }
}

const longestRepetition = (shapes: readonly Shape[], start: number): Repetition | undefined => {
  let best: Repetition | undefined
  for (let period = 1; period <= MAX_PERIOD && start + period < shapes.length; period++)
    for (const isNextThread of [false, true]) {
      let end = start + period
      while (end < shapes.length && isAgain(shapes[end]!, shapes[end - period]!, isNextThread)) end++
      const times = Math.floor((end - start) / period)
      if (times < (isNextThread ? MIN_THREADS : MIN_TIMES)) continue
      if (!best || times * period > best.times * best.period) best = { period, times, isNextThread }
    }
  return best
}

const isAgain = (step: Shape, before: Shape, isNextThread: boolean): boolean =>
  step.shape === before.shape && step.numbers.every((n, i) => n === before.numbers[i]! + Number(isNextThread))
