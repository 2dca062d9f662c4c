// One engine on one program: front end, engine, a look at what it claims, the report. Where it runs (a process, a worker
// of a page) is the caller's business: nothing here knows files, processes or terminals.

import { ENGINES, type Env, type Options, type Task, verifyAsSequential, verifyWithOrders } from '../engine/index.js'
import { ATOMIC_RECORD, InputError, MACHINE_ORDER, WEAK_ORDER } from '../frontend/c/index.js'
import { firstPrimitive } from '../frontend/cooperative/index.js'
import type { Property } from '../property/index.js'
import type { LoadWasm, SmtKind } from '../smt/index.js'
import type { Report, Result } from '../verdict/index.js'
import { reportOf, unproved, unsupportedReason } from '../verdict/index.js'
import { inconclusive } from '../verdict/reason.js'
import { unknown } from '../verdict/result.js'
import { Unsupported } from '../xcfa/index.js'
import { type Facts, factsOf } from '../xcfa/passes/index.js'
import type { Outcome, Request } from './call/request.js'
import { crossChecked } from './cross-check.js'
import { Decided, firstLook } from './first-look.js'
import { earlierReport, keepResult, suggestionsFrom } from './kept/earlier.js'
import type { KeptResults } from './kept/results.js'
import { diagnosticLine } from './program/compile-options.js'
import type { Loaded, LoadOptions } from './program/load.js'
import type { LoadedModel } from './program/memory-models.js'

export interface Place {
  readonly env: Env
  readonly load: (request: Request, options: LoadOptions) => Promise<Loaded>
  readonly onFacts: (facts: Facts, warnings: readonly string[]) => void
  /** How the solver's WASM is found, where there is no package to take it from. */
  readonly loadWasm?: LoadWasm
  /** How a memory model other than sc, tso and pso is found by its name or file. */
  readonly loadModel?: (name: string) => Promise<LoadedModel>
  /** Results of earlier runs, and where to keep this one. */
  readonly kept?: KeptResults
}

/** `proved`: by the engine; the report may still know why that is no proof. */
const verify = async (
  request: Request,
  compiled: Loaded,
  { env, loadWasm, loadModel, kept }: Place,
): Promise<{ readonly report: Report; readonly proved: boolean }> => {
  const began = Date.now()
  const engine = await ENGINES.find((e) => e.name === request.engine)!.load()
  const options: Options = Object.fromEntries(
    Object.entries(engine.options).map(([name, spec]) => [name, request.engineOptions[name] ?? spec.default]),
  )
  const scheduled = engine.name === 'esst' ? undefined : firstPrimitive(compiled.program)
  if (scheduled)
    throw new Unsupported(`${scheduled.api} in the engine ${engine.name}, for --engine esst`, scheduled.edge.position)
  const { arith, solver, spuriousWakeups } = request
  const usesWeakOrders = compiled.notes.includes(WEAK_ORDER)
  const byOrders =
    request.byOrders === true && usesWeakOrders && loadModel !== undefined && C11_PROPERTIES.includes(request.property)
  const memoryModel = byOrders ? 'rc11' : request.memoryModel
  if (memoryModel !== 'sc' && compiled.notes.includes(ATOMIC_RECORD))
    throw new Unsupported(
      `an atomic operation on a record under the memory model ${memoryModel}`,
      compiled.program.main.position,
    )
  // Other engines go by way of sequential consistency: violations count, and proofs of programs without races.
  const decidesModels = (engine.name === 'bmc' && options['encoding'] !== 'interleaving') || engine.name === 'graphs'
  const isSequential = memoryModel === 'rc11' && !decidesModels
  const loaded = ['sc', 'tso', 'pso'].includes(memoryModel) || isSequential ? undefined : await loadModel?.(memoryModel)
  if (loaded?.kind === 'wrong')
    throw new InputError([{ severity: 'error', position: loaded.error.at, text: loaded.error.message }])
  const suggestions = kept ? suggestionsFrom(kept) : []
  const task: Task = {
    ...(loaded && { model: loaded.model }),
    ...(suggestions.length > 0 && { suggestions }),
    raw: compiled.program,
    ...(compiled.watched && { watchesFreed: true }),
    property: request.property as Property,
    settings: { arith, solver, memoryModel: isSequential ? 'sc' : memoryModel, spuriousWakeups },
    ...(engine.needsSolver && { smt: await (await import('../smt/index.js')).createSmt(solver as SmtKind, loadWasm) }),
  }
  const isInterleaving = loaded === undefined && memoryModel === 'sc' && !usesWeakOrders
  const tellsFacts = (isInterleaving || loaded !== undefined) && !compiled.cut && !unproved(task.property, task)
  const {
    result: decided,
    raw,
    ordersDecided,
  } = (isSequential ? verifyAsSequential : verifyWithOrders)(
    engine,
    task,
    options,
    tellsFacts ? env : withoutFacts(env),
  )
  const isByMachine = loaded !== undefined && compiled.notes.includes(MACHINE_ORDER)
  const counted = isByMachine ? withoutViolation(decided) : decided
  const claimed = isSequential && !ordersDecided ? withoutProof(counted, usesWeakOrders) : counted
  const result = crossChecked(claimed, {
    ...{ raw, property: task.property, smt: task.smt, took: Date.now() - began, now: Date.now },
    ...{ deadline: request.deadline, walks: request.crossCheck === true },
  })
  const ordersCount = loaded !== undefined || byOrders || ordersDecided === true
  const report = reportOf(result, {
    ...{ raw, property: task.property, file: request.files[0]!, engine: engine.name, options },
    // Under a model the orders are what they are.
    ...(usesWeakOrders && !ordersCount && { weakOrders: true }),
    notes: compiled.notes.filter((note) => note !== MACHINE_ORDER && (!ordersCount || note !== WEAK_ORDER)),
    ...{ memoryModel, spuriousWakeups, mallocMayFail: request.mallocMayFail },
    time_ms: Date.now() - began,
  })
  if (kept) keepResult(kept, { request, compiled, result, report, raw })
  const { headersOf } = compiled
  return {
    report: { ...report, ...(headersOf && { headersOf }) },
    proved: result.verdict === 'true' || (result.verdict === 'unknown' && result.forAll === true),
  }
}

/** Where a completed search would prove nothing, what a part of it shows is nothing certain, either. */
const withoutFacts = ({ known: _, ...env }: Env): Env => env

/** The properties for which rc11 says what weaker orders mean. */
const C11_PROPERTIES: readonly string[] = ['assert', 'unreach-call', 'no-data-race', 'no-deadlock']

const NO_RACE_FREEDOM = 'it holds under sequential consistency, but that there is no data race was not shown'

/** A proof under sequential consistency says nothing of a program with weaker orders, or with races. */
const withoutProof = (result: Result, usesWeakOrders: boolean): Result =>
  result.verdict === 'true'
    ? unknown(usesWeakOrders ? { kind: 'weaker-orders' } : inconclusive(NO_RACE_FREEDOM), result.stats)
    : result

/** An execution of a model that orders instructions of the machine less than the machine does need not be one. */
const withoutViolation = (result: Result): Result =>
  result.verdict === 'false'
    ? unknown(
        inconclusive('a violation that inline assembly may exclude, whose order is the machine’s own'),
        result.stats,
      )
    : result

/** A model's limit is reached, which hides what executions within it do: a violation among those counts. */
const withinLimits = async (request: Request, place: Place, limited: Report): Promise<Report> => {
  const compiled = await place.load(request, { cut: true, endsAtLimits: true })
  const { report } = await verify(request, compiled, place)
  return report.verdict === 'false' ? report : limited
}

/** What to do about functions without a definition, all of them at once. */
const adviceAboutExterns = (names: readonly string[]): string =>
  `add a file that defines ${names.join(', ')} (heddle stubs FILE... writes one to edit), or say --assume-pure ${names.join(',')} or --extern havoc`

const unsupportedReport = (request: Request, error: Unsupported, compiled: Loaded | undefined): Report => ({
  verdict: 'unknown',
  reason: unsupportedReason(error),
  ...(compiled &&
    compiled.undefinedFunctions.length > 0 &&
    error.lacks !== undefined && {
      hint: adviceAboutExterns(compiled.undefinedFunctions.map(({ name }) => name)),
    }),
  property: request.property,
  file: request.files[0]!,
  engine: request.engine,
  options: request.engineOptions,
  time_ms: 0,
  memory_mb: 0,
  stats: {},
  assumptions: [],
})

/** What the front end does not support no engine does; what an engine does not, another may. */
export const outcomeOf = async (request: Request, place: Place): Promise<Outcome> => {
  const { env, load, onFacts } = place
  let compiled: Loaded | undefined
  try {
    env.progress('front end', {})
    const look = firstLook(request, () => env.stopped() !== undefined)
    compiled = await load(request, { cut: true, look, watchesFreed: request.engine === 'explicit' })
    const warnings = compiled.undefinedFunctions.map(({ name, position }) =>
      diagnosticLine({ severity: 'warning', text: `function ${name} has no definition`, position }),
    )
    onFacts(factsOf(compiled.program), warnings)
    const earlier = place.kept && earlierReport(place.kept, request, compiled)
    if (earlier) return { kind: 'report', report: earlier, forAll: true }
    env.progress('passes before the engine', {})
    let { report, proved } = await verify(request, compiled, place)
    if (compiled.watched && report.reason?.kind === 'freed-address') {
      compiled = await load(request, { cut: true })
      ;({ report, proved } = await verify(request, compiled, place))
    }
    if (report.reason?.kind === 'unsupported' && report.reason.isLimit)
      report = await withinLimits(request, place, report)
    // No violation on the executions that were not cut: of the others nothing is known.
    if (report.verdict === 'true' && compiled.cut)
      return { kind: 'report', report: unsupportedReport(request, compiled.cut, compiled), forAll: true }
    return { kind: 'report', report, ...(proved && { forAll: true as const }) }
  } catch (error) {
    if (error instanceof Decided) return { kind: 'report', report: error.report, forAll: true }
    if (error instanceof InputError) return { kind: 'input-error', diagnostics: error.diagnostics.map(diagnosticLine) }
    if (!(error instanceof Unsupported)) throw error
    return {
      kind: 'report',
      report: unsupportedReport(request, error, compiled),
      ...(!compiled && { forAll: true as const }),
    }
  }
}
