// Results that are kept from one run to the next. A result belongs to a program as engines see it: comments, layout,
// positions and functions that nothing calls do not matter, everything else does. Where the program is the same, its
// proof is; where it is not, an execution that violated the property may still do so, and replaying it tells.
import type { Trace } from '../semantics/trace.js'
import type { Edge, Procedure, Program } from '../xcfa/index.js'
import { namesLine } from './assumed.js'
import type { Report, Schedule } from './report.js'
import type { Assumption, Certificate, Result, Stats } from './result.js'
import { traceOfSchedule } from './schedule.js'

export type KeptResult = {
  readonly engine: string
  readonly options: Readonly<Record<string, string>>
  readonly stats: Stats
  readonly assumptions: readonly Assumption[]
} /** `objects`: their names, in which a proof may speak of them; those of the heap have lines in them. */ & (
  | {
      readonly verdict: 'true'
      readonly certificate: Certificate
      readonly objects: readonly string[]
      readonly ledger?: KeptLedger
    }
  | { readonly verdict: 'false'; readonly schedule: Schedule; readonly edges: readonly EdgeName[] }
)

/** All that the report assumed, with the notes of the front end that are a part of it. */
interface KeptLedger {
  readonly notes: readonly string[]
  readonly assumptions: readonly Assumption[]
}

/** An edge of a schedule by what it does, for a program whose edges have other numbers. */
interface EdgeName {
  readonly edge: number
  readonly template: string
  readonly text: string
  /** Among the edges of its template with this text. */
  readonly occurrence: number
}

/** What is kept of a result; nothing of one that no later run could use. */
export const keptOf = (
  result: Result,
  report: Report,
  raw: Program,
  notes: readonly string[],
): KeptResult | undefined => {
  if (report.verdict !== result.verdict) return undefined
  const { engine, options } = report
  const common = { engine, options, stats: result.stats, assumptions: result.assumptions }
  if (result.verdict === 'true') {
    const { assumptions } = report
    return {
      ...{ ...common, verdict: 'true', certificate: result.certificate, objects: objectNames(raw) },
      // Lines may be others now.
      ...(!assumptions.some(namesLine) && { ledger: { notes, assumptions } }),
    }
  }
  const schedule = report.trace?.schedule
  if (!schedule) return undefined
  const used = new Set(schedule.steps.map(({ edge }) => edge))
  return { ...common, verdict: 'false', schedule, edges: edgeNames(raw).filter(({ edge }) => used.has(edge)) }
}

/** The ledger of the same program's report, which takes longer to find out than everything else here. */
export const ledgerOfKept = (kept: KeptResult, notes: readonly string[]): readonly Assumption[] | undefined =>
  kept.verdict === 'true' && kept.ledger && JSON.stringify(kept.ledger.notes) === JSON.stringify(notes)
    ? kept.ledger.assumptions
    : undefined

/** The result for the same program. An execution is replayed by whoever reports it, as every other is. */
export const resultOfKept = (kept: KeptResult, raw: Program): Result | undefined => {
  const { stats, assumptions } = kept
  if (kept.verdict === 'true')
    return {
      verdict: 'true',
      certificate: renamed(kept.certificate, kept.objects, objectNames(raw)),
      stats,
      assumptions,
    }
  const trace = traceIn(raw, kept.schedule)
  return trace && { verdict: 'false', trace, stats, assumptions }
}

/** For another program: the same execution, edges found by what they do, if each is still there. */
export const candidateOfKept = (kept: KeptResult, raw: Program): Result | undefined => {
  if (kept.verdict === 'true') return undefined
  const here = new Map(edgeNames(raw).map((name) => [keyOf(name), name.edge]))
  const there = new Map(kept.edges.map((name) => [name.edge, here.get(keyOf(name))]))
  const steps = kept.schedule.steps.map((step) => ({ ...step, edge: there.get(step.edge) ?? -1 }))
  const trace = traceIn(raw, { ...kept.schedule, steps })
  return trace && { verdict: 'false', trace, stats: kept.stats, assumptions: kept.assumptions }
}

const objectNames = ({ objects }: Program): readonly string[] => objects.map(({ name }) => name)

/** The lines of allocations may be others now: `heap@12` is then called `heap@14` in every formula. */
const renamed = (certificate: Certificate, from: readonly string[], to: readonly string[]): Certificate => {
  const names = new Map(
    from.flatMap((name, i) => (name === to[i] || !LINE.test(name) ? [] : [[name, to[i]!] as const])),
  )
  if (names.size === 0) return certificate
  const rename = (text: string): string => text.replace(NAME_WITH_LINE, (name) => names.get(name) ?? name)
  return JSON.parse(JSON.stringify(certificate), (_, value) => (typeof value === 'string' ? rename(value) : value))
}

const LINE = /@\d+$/
const NAME_WITH_LINE = /\w+@\d+/g

const traceIn = (raw: Program, schedule: Schedule): Trace | undefined => {
  const read = traceOfSchedule(raw, schedule)
  return read.kind === 'trace' ? read.trace : undefined
}

const keyOf = ({ template, text, occurrence }: EdgeName): string => JSON.stringify([template, text, occurrence])

const edgeNames = (raw: Program): readonly EdgeName[] => [...raw.templates.values()].flatMap(edgeNamesOf)

const edgeNamesOf = ({ name: template, edges }: Procedure): readonly EdgeName[] => {
  const seen = new Map<string, number>()
  return edges.map(({ id, text }) => {
    const occurrence = seen.get(text) ?? 0
    seen.set(text, occurrence + 1)
    return { edge: id, template, text, occurrence }
  })
}

/**
 * The program as text, the same for two programs exactly if they differ in nothing but positions, lines in names of
 * objects and regions, and the text of their statements. It is made of all fields, so that one that is added later counts by itself.
 */
export const programText = (program: Program): string => {
  const parts: string[] = []
  const numbers = new Map<object, number>()
  const write = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) {
      parts.push(scalarText(value))
      return
    }
    const number = numbers.get(value)
    if (number !== undefined) {
      parts.push(`#${number}`)
      return
    }
    numbers.set(value, numbers.size)
    const isEdge = 'labels' in value && 'target' in value
    const isNamedByLine = 'storage' in value || 'slots' in value
    const entries =
      value instanceof Map || value instanceof Set || Array.isArray(value)
        ? [...value]
        : Object.entries(value).filter(
            ([name]) => name !== 'position' && !(isEdge && name === ('text' satisfies keyof Edge)),
          )
    parts.push('[')
    for (const entry of entries) {
      write(isNamedByLine && entry[0] === 'name' ? ['name', String(entry[1]).replace(LINES, '@')] : entry)
      parts.push(',')
    }
    parts.push(']')
  }
  write(program)
  return parts.join('')
}

const LINES = /@\d+/g

const scalarText = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'bigint' ? `${value}n` : Object.is(value, -0) ? '-0' : String(value)
}
