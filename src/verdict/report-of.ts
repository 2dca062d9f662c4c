// From an engine's result to a report: a counterexample is executed in the concrete semantics first, and is told as
// that execution. One that does not replay is never shown as FALSE: the verdict becomes UNKNOWN with the reason.
import { type Property, unprovedMemory } from '../property/index.js'
import { interpreterOf, minimise, replayWith, type Trace, type ViolationFound } from '../semantics/index.js'
import { type Expr, type Program, variablesOf } from '../xcfa/index.js'
import { factsOf } from '../xcfa/passes/index.js'
import { propagate } from '../xcfa/passes/propagate.js'
import { assumedOf } from './assumed.js'
import { type LedgerContext, ledgerOf } from './ledger.js'
import { inconclusive } from './reason.js'
import type { ProgramReport, Report } from './report.js'
import type { Assumption, Result } from './result.js'
import { tellTrace } from './tell.js'
import { wrappedOn } from './wrapped.js'

export interface RunContext extends LedgerContext {
  readonly raw: Program
  readonly property: Property
  readonly file: string
  readonly engine: string
  readonly options: Readonly<Record<string, string>>
  readonly time_ms: number
  /** All that a TRUE assumes, if that is known already. */
  readonly ledger?: readonly Assumption[]
}

export const reportOf = (result: Result, context: RunContext): Report => {
  const { property, file, engine, options, time_ms, raw } = context
  const common = {
    ...{ property, file, engine, options, time_ms, memory_mb: 0, stats: result.stats },
    assumptions: ledgerOf(result, context),
    program: programReport(raw),
  }
  switch (result.verdict) {
    case 'true': {
      const reason = unproved(property, context)
      if (reason) return { verdict: 'unknown', ...common, assumptions: [], reason: inconclusive(reason) }
      if (context.ledger)
        return { verdict: 'true', ...common, assumptions: context.ledger, certificate: result.certificate }
      const others = common.assumptions.filter(({ kind }) => kind !== 'valid-dereferences')
      const folded = propagate(raw, { keepAccesses: true })
      const assumptions = [
        ...others,
        ...(property === 'valid-memsafety' ? memoryLedger(folded) : [dereferences(folded)]),
        ...assumedOf({
          raw,
          folded,
          property,
          memoryModel: context.memoryModel,
          mallocMayFail: context.mallocMayFail,
          said: result.assumptions,
        }),
      ]
      return { verdict: 'true', ...common, assumptions, certificate: result.certificate }
    }
    case 'unknown':
      return { verdict: 'unknown', ...common, reason: result.reason }
    case 'false':
      if (result.execution) return { ...common, verdict: 'false', execution: result.execution }
      return withWraps(common, checkedViolation(result.trace, context))
  }
}

/** Why a completed search proves nothing here, if it does not. */
export const unproved = (
  property: Property,
  { raw, weakOrders }: Pick<RunContext, 'raw' | 'weakOrders'>,
): string | undefined => {
  if (property === 'valid-memsafety') return unprovedMemory(raw)
  if (property === 'no-data-race' && weakOrders)
    return 'atomic operations weaker than sequential consistency, which may not order what they order here'
  return undefined
}

/** What the checks of valid-memsafety show, and what they do not. */
const MEMORY: readonly Assumption[] = [
  { kind: 'valid-dereferences', status: 'discharged' },
  { kind: 'pointers-within-objects', status: 'open' },
  { kind: 'lost-only-at-the-end', status: 'open' },
]

/** Memory that a variable of another function or thread points to at an `exit` counts as tracked: others may see it as lost. */
const memoryLedger = ({ templates, objects }: Program): readonly Assumption[] => {
  const exits = [...templates.values()].some(({ edges }) =>
    edges.some(({ target: { reason } }) => reason?.kind === 'exit' && !reason.returns),
  )
  const isOpen = exits && objects.some(({ storage, automatic }) => storage === 'heap' && !automatic)
  return [...MEMORY, ...(isOpen ? [{ kind: 'tracked-at-exit', status: 'open' } as const] : [])]
}

/** Without these checks slices and variables made of memory hide some invalid accesses, even from exploration. */
const dereferences = (folded: Program): Assumption => ({
  kind: 'valid-dereferences',
  status: computesAddresses(folded) ? 'open' : 'discharged',
})

const computesAddresses = ({ templates, objects }: Program): boolean => {
  const library = objects.filter(({ role }) => role !== undefined)
  /** The library's own accesses are valid by construction: results of threads, by their numbers. */
  const isLibrarys = (address: Expr): boolean =>
    address.kind === 'binary' &&
    address.left.kind === 'const' &&
    library.some(({ base }) => address.left.kind === 'const' && base === address.left.value)
  return [...templates.values()].some(({ edges, self }) =>
    edges.some(({ labels }) =>
      labels.some(
        (label) =>
          (label.kind === 'load' || label.kind === 'store') &&
          [...variablesOf(label.address)].some((v) => v !== self) &&
          !isLibrarys(label.address),
      ),
    ),
  )
}

type Violated = Pick<Report, 'verdict' | 'trace' | 'reason' | 'violated'>

/** A counterexample says what undefined behaviour it relies on. */
const withWraps = <Common extends Pick<Report, 'assumptions'>>(
  common: Common,
  { wraps, ...violated }: Violated & { readonly wraps?: readonly Assumption[] },
): Common & Violated => ({ ...common, ...violated, assumptions: [...common.assumptions, ...(wraps ?? [])] })

const checkedViolation = (
  trace: Trace,
  { raw, property }: RunContext,
): Violated & { readonly wraps?: readonly Assumption[] } => {
  const interpreter = interpreterOf(raw)
  const replayed = replayWith(interpreter, trace, property)
  if (!replayed.reached)
    return { verdict: 'unknown', reason: { kind: 'no-replay', why: replayed.reason ?? 'no reason given' } }
  const limit = replayed.violation?.kind === 'error' ? replayed.violation.violation : undefined
  if (limit?.kind === 'limit')
    return { verdict: 'unknown', reason: { kind: 'unsupported', what: limit.text, isLimit: true } }
  const violated = memoryProperty(replayed.violation)
  const shown = minimise(interpreter, replayed, trace, property)
  return {
    verdict: 'false',
    ...(violated && { violated }),
    trace: tellTrace(shown, interpreter.layout),
    ...(property !== 'no-overflow' && { wraps: wrappedOn(shown, interpreter.layout) }),
  }
}

/** The part of valid-memsafety that is violated. */
const memoryProperty = (found: ViolationFound | undefined): string | undefined => {
  const kind = found?.kind === 'error' ? found.violation.kind : undefined
  return kind === 'deref' || kind === 'free' || kind === 'memtrack' ? `valid-${kind}` : undefined
}

const programReport = (raw: Program): ProgramReport => ({
  threads: threadCount(raw),
  ...(factsOf(raw).startsInLoop && { perhapsMore: true }),
  sharedVariables: sharedCount(raw),
})

const threadCount = (raw: Program): number =>
  1 + [...raw.templates.values()].flatMap((t) => t.edges).filter((e) => e.labels.some((l) => l.kind === 'start')).length

/** Globals, and objects that are not functions, literals or the library's own. */
const sharedCount = (raw: Program): number =>
  raw.globals.filter((v) => v.source !== undefined && v.role === undefined).length +
  raw.objects.filter((o) => o.storage === 'static' && !o.procedure && o.position && o.role === undefined).length
