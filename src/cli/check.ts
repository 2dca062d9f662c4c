// heddle check: whether a certificate that verify wrote proves what it claims about this program. The claim must be about
// this very text. A labelled graph: src/check, with a fresh solver. A bounded proof: safety and completeness formulas are
// built and solved again. Any other: all interleavings are explored by the independent interpreter, without reduction, as
// far as time goes.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { checkGraph, GRAPH_KIND, graphCertificate, mayRaceSomewhere, Rejected, Undecided } from '../check/index.js'
import { ENGINES, type Options, type Task } from '../engine/index.js'
import { InputError } from '../frontend/c/index.js'
import { errorsOf, isProperty, type Property } from '../property/index.js'
import { type OracleResult, oracle, STATE_PROPERTIES } from '../semantics/index.js'
import { createSmt, type Smt, type SmtKind, SolverError } from '../smt/index.js'
import type { Report } from '../verdict/index.js'
import { type Program, Unsupported } from '../xcfa/index.js'
import { prepare } from '../xcfa/passes/index.js'
import { CHECK_OPTIONS } from './check-options.js'
import { diagnosticLine, loadProgram } from './load.js'
import { milliseconds, parseArguments, UsageError } from './options.js'
import { STATUS } from './verify.js'

type Answer =
  | { readonly kind: 'accepted'; readonly how: string }
  | { readonly kind: 'rejected'; readonly place: string }
  | { readonly kind: 'unknown'; readonly reason: string }

export const check = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, CHECK_OPTIONS)
  const [file, ...files] = [parsed.files.at(-1), ...parsed.files.slice(0, -1)]
  if (file === undefined || files.length === 0)
    throw new UsageError('heddle check FILE... CERTIFICATE: a program and what heddle verify wrote with --certificate')
  const report = certificateFrom(file)
  const deadline = Date.now() + milliseconds(parsed.options.get('timeout')?.[0] ?? '60s')
  try {
    const solver = parsed.options.get('solver')?.[0] ?? 'auto'
    return tell(await answerFor(report, files, { deadline, solver }))
  } catch (error) {
    if (error instanceof Unsupported) return tell({ kind: 'unknown', reason: error.message })
    if (!(error instanceof InputError)) throw error
    for (const diagnostic of error.diagnostics) console.error(diagnosticLine(diagnostic))
    return STATUS.wrongInput
  }
}

const tell = (answer: Answer): number => {
  switch (answer.kind) {
    case 'accepted':
      console.log(`✓ ${answer.how}\n\nCHECK: ACCEPTED`)
      return STATUS.true
    case 'rejected':
      console.log(`✗ ${answer.place}\n\nCHECK: REJECTED`)
      return STATUS.false
    case 'unknown':
      console.log(`? ${answer.reason}\n\nCHECK: UNKNOWN`)
      return STATUS.unknown
  }
}

const certificateFrom = (file: string): Report => {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    if (typeof report?.verdict === 'string' && typeof report.property === 'string') return report
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code) throw new UsageError(`${file}: ${code}`)
  }
  throw new UsageError(`${file}: not a certificate of heddle verify`)
}

interface Limits {
  readonly deadline: number
  readonly solver: string
}

const answerFor = async (report: Report, files: readonly string[], limits: Limits): Promise<Answer> => {
  const rejected = (place: string): Answer => ({ kind: 'rejected', place })
  const { certificate, task, property, verdict } = report
  if (verdict !== 'true') return rejected(`verdict: it says ${verdict}, there is no proof`)
  if (!isProperty(property)) return rejected(`property: ${property} is none`)
  if (typeof certificate?.kind !== 'string') return rejected('certificate: there is none')
  if (!task || !Array.isArray(task.defines)) return rejected('task: it does not say how the program was read')
  if (task.files.length !== files.length)
    return rejected(`task.files: it is about ${task.files.length} files, here are ${files.length}`)
  for (const [i, file] of files.entries()) {
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
    if (task.hashes?.[i] !== hash) return rejected(`task.hashes[${i}]: it is about another text than ${file} has now`)
  }
  const { program } = await loadProgram({ ...task, files, property })
  const memoryModel = report.assumptions.find((a) => a.what.startsWith('the memory model'))
  if (memoryModel) return { kind: 'unknown', reason: `proofs under ${memoryModel.what} are not checked yet` }
  switch (certificate.kind) {
    case 'bounded':
      return solvedAgain(report, program, limits)
    case GRAPH_KIND:
      return labelsChecked(report, program, limits)
    case 'horn':
      return clausesChecked(report, program, limits)
    case 'termination':
      return endingChecked(report, program, limits)
    case 'forest':
      return forestChecked(report, program, limits)
    case 'locks':
      return locksChecked(report, program, limits)
    default:
      return explored(report, program, limits)
  }
}

/** Initiation, consecution, covers, safety and what was left out, for every node of the graph. */
const labelsChecked = async (report: Report, raw: Program, { deadline, solver }: Limits): Promise<Answer> => {
  const property = report.property as Property
  if (!GRAPH_PROPERTIES.includes(property))
    return { kind: 'unknown', reason: `labelled graphs for ${property} are not checked yet` }
  const overflowOpen = report.assumptions.some(({ what, status }) => what === 'no signed overflow' && status === 'open')
  const stopped = (): string | undefined => (Date.now() > deadline ? 'time is up' : undefined)
  const smt = await createSmt(solver as SmtKind)
  try {
    const graph = graphCertificate(report.certificate!.data)
    const noRaces = property === 'no-data-race'
    const program = prepare(errorsOf(raw, property), { largeBlocks: graph.largeBlocks, slice: !noRaces })
    const questions = checkGraph(program, graph, { overflowOpen, noRaces }, smt, stopped)
    const counts = `${count(graph.nodes.length)} nodes, ${count(questions)} questions to ${smt.name}`
    return { kind: 'accepted', how: `initiation, consecution, covers, safety and reduction hold: ${counts}` }
  } catch (problem) {
    if (problem instanceof Rejected) return { kind: 'rejected', place: `certificate: ${problem.message}` }
    if (problem instanceof Undecided || problem instanceof SolverError)
      return { kind: 'unknown', reason: problem.message }
    throw problem
  } finally {
    smt.dispose()
  }
}

/** The clauses of the proof rule, made again from the program, hold under the solution. */
const clausesChecked = async (report: Report, raw: Program, limits: Limits): Promise<Answer> => {
  const { checkHornCertificate } = await import('../engine/redcomp/certificate.js')
  const data = report.certificate!.data as Parameters<typeof checkHornCertificate>[2]
  if (!data?.solution) return explored(report, raw, limits)
  const how = 'every clause of the proof rule holds under the solution'
  return bySolver(limits, how, (smt) => checkHornCertificate(raw, report.property as Property, data, smt))
}

/** Ranking functions, and the clauses that say that nobody is blocked for ever and that rounds decrease them. */
const endingChecked = async (report: Report, raw: Program, limits: Limits): Promise<Answer> => {
  const { checkTerminationCertificate } = await import('../engine/redcomp/termination.js')
  const data = report.certificate!.data as Parameters<typeof checkTerminationCertificate>[1]
  if (!Array.isArray(data?.steps)) return { kind: 'rejected', place: 'certificate.data.steps: there are none' }
  if (data.steps.some((step) => step.kind === 'solution' && step.unwritten)) return explored(report, raw, limits)
  const how = 'all loops decrease their ranking functions, and nobody is blocked for ever'
  return bySolver(limits, how, (smt) => checkTerminationCertificate(raw, data, smt))
}

/** A proof that a fresh solver is asked about: what is wrong with it, or nothing. */
const bySolver = async (
  { solver }: Limits,
  how: string,
  problemOf: (smt: Smt) => string | undefined,
): Promise<Answer> => {
  const smt = await createSmt(solver as SmtKind)
  try {
    const problem = problemOf(smt)
    if (problem?.endsWith('undecided')) return { kind: 'unknown', reason: problem }
    if (problem !== undefined) return { kind: 'rejected', place: `certificate: ${problem}` }
    return { kind: 'accepted', how: `${how}, by ${smt.name}` }
  } catch (problem) {
    if (problem instanceof Unsupported) throw problem
    if (problem instanceof SolverError) return { kind: 'unknown', reason: problem.message }
    return { kind: 'rejected', place: `certificate: ${(problem as Error).message}` }
  } finally {
    smt.dispose()
  }
}

/** Locks held, starts and joins, worked out once more; where that does not show it, brute force. */
const locksChecked = (report: Report, raw: Program, limits: Limits): Answer => {
  if (report.property !== 'no-data-race')
    return { kind: 'rejected', place: 'certificate.kind: locks prove no races only' }
  const program = prepare(errorsOf(raw, 'no-data-race'), { slice: false, largeBlocks: false })
  if (mayRaceSomewhere(program) !== undefined) return explored(report, raw, limits)
  return {
    kind: 'accepted',
    how: 'no two accesses that could race are made at the same time, by locks, starts and joins',
  }
}

/** Labels, covers and choices of the forest; where that is left open, brute force. */
const forestChecked = async (report: Report, raw: Program, { deadline, solver }: Limits): Promise<Answer> => {
  const { checkForest } = await import('../engine/esst/check.js')
  const data = report.certificate!.data as Parameters<typeof checkForest>[2]
  if (!Array.isArray(data?.nodes)) return scheduledAgain(report, raw)
  const overflowOpen = report.assumptions.some(({ what, status }) => what === 'no signed overflow' && status === 'open')
  const stopped = (): string | undefined => (Date.now() > deadline ? 'time is up' : undefined)
  const smt = await createSmt(solver as SmtKind)
  try {
    const problem = checkForest(raw, report.property as Property, data, smt, { overflowOpen, stopped })
    if (problem?.endsWith('undecided')) return scheduledAgain(report, raw)
    if (problem !== undefined) return { kind: 'rejected', place: `certificate: ${problem}` }
    return {
      kind: 'accepted',
      how: `labels, covers and choices of ${count(data.nodes.length)} nodes hold, by ${smt.name}`,
    }
  } catch (problem) {
    if (problem instanceof Unsupported) throw problem
    return { kind: 'rejected', place: `certificate: ${(problem as Error).message}` }
  } finally {
    smt.dispose()
  }
}

/** All configurations of a cooperative program, by brute force under its scheduler. */
const scheduledAgain = async (report: Report, raw: Program): Promise<Answer> => {
  const { bruteForce } = await import('../engine/esst/cooperative.js')
  const { SCHEDULERS } = await import('../engine/esst/schedulers/index.js')
  const { scheduler } = report.certificate!.data as { readonly scheduler?: unknown }
  const entry = Object.entries(SCHEDULERS).find(([name]) => name === scheduler)?.[1]
  if (!entry)
    return { kind: 'rejected', place: `certificate.data.scheduler: there is no scheduler ${String(scheduler)}` }
  const order = report.options['order'] === 'fixed' ? 'fixed' : 'anew'
  const found = bruteForce(raw, entry.create(order), report.property, 500_000)
  const explored = `${count(found.configurations)} configurations`
  switch (found.verdict) {
    case 'true':
      return { kind: 'accepted', how: `explored again under the scheduler ${String(scheduler)}: ${explored}` }
    case 'false':
      return { kind: 'rejected', place: `${report.property} is violated` }
    case 'unknown':
      return { kind: 'unknown', reason: `forest: explored again as far as it came, ${explored}: ${found.reason ?? ''}` }
  }
}

const count = (number: number): string => number.toLocaleString('en-US')

/** That some thread comes to an error location, or that two are about to race. */
const GRAPH_PROPERTIES: readonly Property[] = ['assert', 'unreach-call', 'no-overflow', 'no-data-race']

const MOST_STATES = 10_000_000

/**
 * All interleavings, without reduction, by the interpreter that no engine uses: of the raw program, and if that has too many
 * states for half of the time, of the program after the passes, which proofs by formulas are about, too.
 */
const explored = (report: Report, raw: Program, { deadline }: Limits): Answer => {
  const { property, certificate } = report
  if (!STATE_PROPERTIES.some((p) => p === property))
    return { kind: 'unknown', reason: `proofs of ${property} are not checked yet` }
  const visit = (program: Program, until: number): OracleResult =>
    oracle(program, property, {
      maxStates: MOST_STATES,
      paths: false,
      stopped: () => (Date.now() > until ? 'time is up' : undefined),
    })
  const seen = ({ states }: OracleResult): string => `${count(states)} states`
  const asItIs = visit(raw, (Date.now() + deadline) / 2)
  const isAboutErrors = property === 'assert' || property === 'unreach-call'
  const goesOn = asItIs.verdict === 'unknown' && isAboutErrors
  const found = goesOn ? visit(prepare(errorsOf(raw, property), { resetDead: true }), deadline) : asItIs
  const how = `explored again by the independent interpreter, without reduction${goesOn ? ', after the passes' : ''}`
  switch (found.verdict) {
    case 'true':
      return { kind: 'accepted', how: `${how}: ${seen(found)}` }
    case 'false': {
      const last = found.last?.edge.position
      return { kind: 'rejected', place: `${property} is violated${last ? ` at ${last.file}:${last.line}` : ''}` }
    }
    case 'unknown':
      return {
        kind: 'unknown',
        reason: `${certificate!.kind}: ${how}, as far as it came, ${seen(found)}, no violation: ${found.reason ?? ''}`,
      }
  }
}

/** The formulas of the bound, built and solved again: no error within it, and no execution goes beyond it. */
const solvedAgain = async (report: Report, raw: Program, { deadline, solver }: Limits): Promise<Answer> => {
  const entry = ENGINES.find((e) => e.name === report.engine)
  const data = report.certificate!.data as { readonly bound?: unknown; readonly depth?: unknown }
  if (!entry) return { kind: 'rejected', place: `engine: there is no engine ${report.engine}` }
  const engine = await entry.load()
  const options: Options = Object.fromEntries(
    Object.entries(engine.options).map(([name, spec]) => [name, report.options[name] ?? spec.default]),
  )
  const spuriousWakeups = report.task!.spuriousWakeups
  const task: Task = {
    ...{ raw, property: report.property as Task['property'], smt: await createSmt(solver as SmtKind) },
    settings: { arith: 'auto', solver, memoryModel: 'sc', spuriousWakeups },
  }
  const result = engine.verify(task, options, {
    stopped: () => (Date.now() > deadline ? 'timeout' : undefined),
    progress: () => {},
  })
  if (result.verdict === 'unknown') return { kind: 'unknown', reason: result.reason }
  if (result.verdict === 'false') return { kind: 'rejected', place: `${report.property} is violated` }
  const again = result.certificate.data as typeof data
  for (const key of ['bound', 'depth'] as const)
    if (data[key] !== again[key])
      return {
        kind: 'rejected',
        place: `certificate.data.${key}: it says ${String(data[key])}, the proof needs ${String(again[key])}`,
      }
  return { kind: 'accepted', how: `safety and completeness at bound ${String(data.bound ?? data.depth)} solved again` }
}
