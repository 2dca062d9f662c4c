// Reads the schedule back from what we wrote: a report (--json, --certificate) or a witness in either format.
import type { Report, Schedule } from '../../verdict/index.js'
import { SCHEDULE_MARK } from '../context.js'

export type WitnessRead =
  | { readonly kind: 'witness'; readonly schedule: Schedule; readonly property?: string; readonly report?: Report }
  | { readonly kind: 'wrong'; readonly reason: string }

export const readWitness = (text: string): WitnessRead => {
  if (/^\s*\{/.test(text)) return fromReport(text)
  const comment = new RegExp(`(?:#|<!--)\\s*${SCHEDULE_MARK}\\s*(\\{.*?\\})\\s*(?:-->)?\\s*$`, 'm').exec(text)
  if (!comment) return wrong('no schedule in it: only witnesses that heddle wrote can be replayed')
  const schedule = parsed(comment[1]!)
  if (!isSchedule(schedule)) return wrong('its schedule is damaged')
  const property = propertyOf(text)
  return { kind: 'witness', schedule, ...(property && { property }) }
}

const wrong = (reason: string): WitnessRead => ({ kind: 'wrong', reason })

const fromReport = (text: string): WitnessRead => {
  const report = parsed(text) as Report | undefined
  if (typeof report !== 'object' || report === null || typeof report.verdict !== 'string')
    return wrong('not a report of heddle verify --json')
  if (report.verdict !== 'false') return wrong(`its verdict is ${report.verdict}: there is no execution to replay`)
  const schedule: unknown = report.trace?.schedule
  if (!isSchedule(schedule)) return wrong('no schedule in it')
  return { kind: 'witness', schedule, property: report.property, report }
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
