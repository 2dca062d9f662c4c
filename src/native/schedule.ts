// A schedule: who goes on for how many steps, and which choices were made. It reproduces an execution of the same
// program, and is what a finding is kept as.
import type { Choice, RunRequest, Segment } from './events.js'

export interface Schedule {
  readonly format: 'heddle-schedule-1'
  /** `[thread, steps]`, in order. */
  readonly segments: readonly (readonly [number, number])[]
  /** `[thread, value]`, for each thread in order. */
  readonly values: readonly (readonly [number, string])[]
  readonly fill: number
  readonly reuse: boolean
  readonly spurious: number
  readonly mallocMayFail: boolean
  readonly checks: number
}

export const scheduleOf = (
  request: RunRequest,
  run: { readonly segments: readonly Segment[]; readonly values: readonly Pick<Choice, 'thread' | 'value'>[] },
): Schedule => ({
  format: 'heddle-schedule-1',
  segments: run.segments.map(({ thread, steps }) => [thread, steps]),
  values: run.values.map(({ thread, value }) => [thread, String(value)]),
  fill: request.fill,
  reuse: request.reuse,
  spurious: request.spurious,
  mallocMayFail: request.mallocMayFail,
  checks: request.checks,
})

/** The request that follows a schedule; after its end the running thread goes on as long as it can. */
export const replayRequest = (schedule: Schedule, base: RunRequest): RunRequest => ({
  ...base,
  policy: 'stay',
  seed: 0n,
  checks: schedule.checks,
  segments: schedule.segments.map(([thread, steps]) => ({ thread, steps })),
  values: schedule.values.map(([thread, value]) => ({ thread, value: BigInt(value) })),
  fill: schedule.fill,
  reuse: schedule.reuse,
  spurious: schedule.spurious,
  mallocMayFail: schedule.mallocMayFail,
})

/** From a schedule file, or from the report that holds one; otherwise what is wrong with the text. */
export const readSchedule = (text: string): Schedule | { readonly wrong: string } => {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    return { wrong: 'not a schedule: not JSON' }
  }
  const found = findSchedule(data)
  return found ?? { wrong: 'not a schedule: write one with heddle test --schedule FILE, or --json' }
}

const findSchedule = (data: unknown): Schedule | undefined => {
  if (typeof data !== 'object' || data === null) return undefined
  const record = data as Readonly<Record<string, unknown>>
  if (record['format'] === 'heddle-schedule-1' && isSchedule(record)) return record as unknown as Schedule
  return findSchedule(record['native'] ?? record['trace'])
}

const isPair = (pair: unknown, second: string): boolean =>
  Array.isArray(pair) && Number.isInteger(pair[0]) && pair[0] >= 0 && typeof pair[1] === second

const isSchedule = (record: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(record['segments']) &&
  record['segments'].every((pair) => isPair(pair, 'number') && Number.isInteger(pair[1]) && pair[1] >= 0) &&
  Array.isArray(record['values']) &&
  record['values'].every((pair) => isPair(pair, 'string') && /^-?\d{1,20}$/.test(pair[1])) &&
  ['fill', 'spurious', 'checks'].every((name) => Number.isInteger(record[name])) &&
  ['reuse', 'mallocMayFail'].every((name) => typeof record[name] === 'boolean')

/** How often the turn goes from one thread to another. */
export const switches = (segments: readonly Segment[]): number => Math.max(0, segments.length - 1)
