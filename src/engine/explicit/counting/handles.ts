// The handles that main keeps in memory, and the threads that it has joined: runs of consecutive numbers, so that ten
// thousand of them in an array cost as much as one.
import type { Value } from '../../../xcfa/index.js'

/** Cells at address, address + step, ... hold value, value + 1, ... */
interface Run {
  readonly address: number
  readonly step: number
  readonly value: number
  readonly count: number
}

/** The newest run comes last, and counts. */
export type Handles = readonly Run[]

export const handleAt = (handles: Handles, address: number): number | undefined => {
  for (let i = handles.length - 1; i >= 0; i--) {
    const run = handles[i]!
    const distance = address - run.address
    if (distance === 0) return run.value
    if (distance > 0 && distance % run.step === 0 && distance / run.step < run.count)
      return run.value + distance / run.step
  }
  return undefined
}

export const withHandle = (handles: Handles, address: number, stored: Value): Handles => {
  const value = Number(stored)
  const last = handles.at(-1)
  const distance = last ? address - last.address : 0
  const follows =
    last &&
    value === last.value + last.count &&
    distance > 0 &&
    (last.count === 1 || distance === last.step * last.count)
  const run: Run = follows
    ? { ...last, step: last.count === 1 ? distance : last.step, count: last.count + 1 }
    : { address, step: 1, value, count: 1 }
  const before = follows ? handles.slice(0, -1) : handles
  return [...before.filter((other) => !covers(run, other)), run]
}

/** All cells of the other one are in this one. */
const covers = (run: Run, other: Run): boolean =>
  run.address === other.address && (other.count === 1 || (run.step === other.step && run.count >= other.count))

/** First and last numbers, in order, that do not touch. */
export type Numbers = readonly (readonly [number, number])[]

export const hasNumber = (numbers: Numbers, number: number): boolean =>
  numbers.some(([first, last]) => first <= number && number <= last)

export const withNumber = (numbers: Numbers, number: number): Numbers => {
  const before = numbers.filter(([, last]) => last < number - 1)
  const after = numbers.filter(([first]) => first > number + 1)
  const touching = numbers.filter(([first, last]) => last >= number - 1 && first <= number + 1)
  const first = Math.min(number, ...touching.map(([low]) => low))
  const last = Math.max(number, ...touching.map(([, high]) => high))
  return [...before, [first, last], ...after]
}
