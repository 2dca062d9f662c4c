// Reads the schedule back from what we wrote: a report (--json, --certificate) or a witness in either format.
import type { Report, Schedule } from '../../verdict/index.js'
import { SCHEDULE_MARK } from '../context.js'

export type WitnessRead =
  | {
      readonly kind: 'witness'
      readonly schedule: Schedule
      readonly property?: string
      readonly report?: Report
      /** SHA-256 of the program's files, as far as the witness names them. */
      readonly hashes: readonly string[]
    }
  | { readonly kind: 'wrong'; readonly reason: string }

export const readWitness = (text: string): WitnessRead => {
  if (/^\s*\{/.test(text)) return fromReport(text)
  const comment = new RegExp(`(?:#|<!--)\\s*${SCHEDULE_MARK}\\s*(\\{.*?\\})\\s*(?:-->)?\\s*$`, 'm').exec(text)
  if (!comment) return wrong('it holds no schedule: replay takes what heddle verify wrote with --json or --witness')
  const schedule = parsed(comment[1]!)
  if (!isSchedule(schedule)) return wrong('its schedule is damaged')
  const property = propertyOf(text)
  return { kind: 'witness', schedule, ...(property && { property }), hashes: hashesIn(text) }
}

const wrong = (reason: string): WitnessRead => ({ kind: 'wrong', reason })

const fromReport = (text: string): WitnessRead => {
  const report = parsed(text) as Report | undefined
  if (typeof report !== 'object' || report === null || typeof report.verdict !== 'string')
    return wrong('not a report that heddle verify --json wrote')
  if (report.verdict !== 'false') return wrong(`its verdict is ${report.verdict}: there is no execution to replay`)
  if (report.execution)
    return wrong('it holds an execution graph of a memory model, not an interleaving: heddle verify finds it again')
  const schedule: unknown = report.trace?.schedule
  if (!isSchedule(schedule)) return wrong('no schedule in it')
  const hashes: unknown = report.task?.hashes
  return { kind: 'witness', schedule, property: report.property, report, hashes: Array.isArray(hashes) ? hashes : [] }
}

/** GraphML names the first file's hash, YAML those of all files in their order. */
const hashesIn = (text: string): readonly string[] => {
  const list =
    /<data key="programhash">.*?<\/data>|input_file_hashes:(?:\s+.*?:\s*['"]?[0-9a-f]{64}['"]?)*/s.exec(text)?.[0] ?? ''
  return list.match(/\b[0-9a-f]{64}\b/g) ?? []
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isSchedule = (value: unknown): value is Schedule => {
  const steps = (value as Schedule | undefined)?.steps
  return Array.isArray(steps) && steps.every((s) => Number.isInteger(s?.thread) && Number.isInteger(s?.edge))
}

/** The property by its formula; `assert` and `unreach-call` are written alike, and replay decides both as `assert`. */
const propertyOf = (text: string): string | undefined => {
  const formula = /LTL\((.*)\)\s*\)/.exec(text)?.[1]?.replaceAll(' ', '')
  switch (formula) {
    case 'G!data-race':
      return 'no-data-race'
    case 'G!deadlock':
      return 'no-deadlock'
    case 'G!overflow':
      return 'no-overflow'
    case 'Fend':
      return 'termination'
    default:
      return formula?.startsWith('Gvalid') ? 'valid-memsafety' : formula ? 'assert' : undefined
  }
}
