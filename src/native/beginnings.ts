// Parts of an execution as the beginning of another: steps in an order, and the choices that belong to them.
import type { Choice, RunAnswer, Segment } from './events.js'
import type { Unit } from './units.js'

export const joined = (segments: readonly Segment[], thread: number, steps: number): readonly Segment[] => {
  const last = segments.at(-1)
  return last?.thread === thread
    ? [...segments.slice(0, -1), { thread, steps: last.steps + steps }]
    : [...segments, { thread, steps }]
}

export const segmentsOf = (units: readonly Unit[], end: number, kept: readonly number[]): readonly Segment[] => {
  const result: Segment[] = []
  const add = ({ thread, steps }: Unit): void => {
    const last = result.at(-1)
    if (last?.thread === thread) result[result.length - 1] = { thread, steps: last.steps + steps }
    else result.push({ thread, steps })
  }
  for (let k = 0; k < end; k++) add(units[k]!)
  for (const k of kept) add(units[k]!)
  return result
}

export const preemptions = (units: readonly Unit[], end: number, kept: readonly number[], last: number): number => {
  let [count, before] = [0, -1]
  const visit = (k: number): void => {
    const { thread, enabled } = units[k]!
    if (before >= 0 && thread !== before && before < 64 && (enabled >> BigInt(before)) & 1n) count++
    before = thread
  }
  for (let k = 0; k < end; k++) visit(k)
  for (const k of kept) visit(k)
  visit(last)
  return count
}

/** The steps before a choice: its step included, which makes it. */
export const stepsUpTo = (units: readonly Unit[], step: number): { segments: readonly Segment[]; cost: number } => {
  const end = units.findIndex((u) => u.first >= step)
  const count = end < 0 ? units.length : end
  return { segments: segmentsOf(units, count, []), cost: preemptions(units, count, [], Math.max(0, count - 1)) }
}

export const valuesOf = (
  run: RunAnswer,
  units: readonly Unit[],
  isKept: (unit: number) => boolean,
): readonly Pick<Choice, 'thread' | 'value'>[] => {
  if (run.values.length === 0) return []
  const unitOfStep: number[] = []
  units.forEach((u, at) => {
    for (let s = 0; s < u.steps; s++) unitOfStep[u.first + s] = at
  })
  return run.values.filter(({ step }) => {
    const unit = unitOfStep[step - 1]
    return unit !== undefined && isKept(unit)
  })
}

export const threadsIn = (mask: bigint): readonly number[] => {
  const result: number[] = []
  for (let t = 0; t < 64; t++) if ((mask >> BigInt(t)) & 1n) result.push(t)
  return result
}
