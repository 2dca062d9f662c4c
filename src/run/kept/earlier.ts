// What an earlier run knew (--proofs) as the report of this one. A proof is taken where the program is the same; an
// execution that violates the property is replayed, in this program, before anything is said of it.
import { WEAK_ORDER } from '../../frontend/c/index.js'
import type { Property } from '../../property/index.js'
import {
  type Assumption,
  candidateOfKept,
  type KeptResult,
  keptOf,
  ledgerOfKept,
  programText,
  type Report,
  type Result,
  reportOf,
  resultOfKept,
} from '../../verdict/index.js'
import type { Program } from '../../xcfa/index.js'
import type { Request } from '../call/request.js'
import type { Loaded } from '../program/load.js'
import type { KeptResults } from './results.js'

export const earlierReport = (kept: KeptResults, request: Request, compiled: Loaded): Report | undefined => {
  if (!isKept(request, compiled)) return undefined
  const began = Date.now()
  const text = programText(compiled.program)
  const same = kept.find(text)
  if (same && mayAnswer(request, same))
    return reportFrom(resultOfKept(same, compiled.program), same, request, compiled, {
      began,
      ledger: ledgerOfKept(same, compiled.notes),
    })
  const other = kept.latest()
  if (!other || !mayAnswer(request, other)) return undefined
  return reportFrom(candidateOfKept(other, compiled.program), other, request, compiled, { began })
}

/** The formulas of the last proof for these files. */
export const suggestionsFrom = (kept: KeptResults): readonly string[] => {
  const last = kept.latest()
  if (last?.verdict !== 'true') return []
  const { kind, data } = last.certificate
  if (kind === 'labelled-graph') return 'tooLarge' in data ? [] : data.formulas
  return kind === 'horn' ? (data.predicates ?? []) : []
}

export const keepResult = (kept: KeptResults, { request, compiled, result, report, raw }: Decided): void => {
  // An engine that changed the program first has edges of its own.
  if (!isKept(request, compiled) || raw !== compiled.program) return
  const keeping = keptOf(result, report, raw, compiled.notes)
  if (keeping) kept.keep(programText(raw), keeping)
}

interface Decided {
  readonly request: Request
  readonly compiled: Loaded
  readonly result: Result
  readonly report: Report
  /** The program that the engine decided. */
  readonly raw: Program
}

/** Not what depends on a model of memory in a file, nor of a program that is read in part. */
const isKept = ({ memoryModel }: Request, { notes, cut }: Loaded): boolean =>
  ['sc', 'tso', 'pso'].includes(memoryModel) && !notes.includes(WEAK_ORDER) && cut === undefined

/** Whoever asks for an engine wants its answer. */
const mayAnswer = ({ crossCheck, engine, engineOptions }: Request, kept: KeptResult): boolean =>
  crossCheck === true ||
  (kept.engine === engine && Object.entries(engineOptions).every(([name, value]) => kept.options[name] === value))

const reportFrom = (
  result: Result | undefined,
  { engine, options }: KeptResult,
  request: Request,
  compiled: Loaded,
  { began, ledger }: { readonly began: number; readonly ledger?: readonly Assumption[] | undefined },
): Report | undefined => {
  if (!result) return undefined
  const { memoryModel, spuriousWakeups, mallocMayFail } = request
  const report = reportOf(result, {
    ...{ raw: compiled.program, property: request.property as Property, file: request.files[0]!, engine, options },
    ...{ notes: compiled.notes, memoryModel, spuriousWakeups, mallocMayFail, time_ms: Date.now() - began },
    ...(ledger && { ledger }),
  })
  if (report.verdict !== result.verdict) return undefined
  const { headersOf } = compiled
  return { ...report, kept: true, ...(headersOf && { headersOf }) }
}
