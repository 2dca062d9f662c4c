// Bounded model checking of the unrolled program as one formula over a partial order of events, with a bound that
// grows until an error is found, no thread can go on beyond the bound, or time is up.
import { type Model, not, or, type Term } from '../../../logic/index.js'
import type { Property } from '../../../property/index.js'
import type { Trace } from '../../../semantics/index.js'
import type { Smt, Solver, Status } from '../../../smt/index.js'
import type { Assumption, Result } from '../../../verdict/index.js'
import type { Program } from '../../../xcfa/index.js'
import { createEncoding, type Encoding } from '../../../xcfa/terms/index.js'
import type { Env } from '../../engine.js'
import { deadlockGoal, dependsOnChoices } from './deadlocks.js'
import { type Encoded, encode } from './encode.js'
import { raceGoal } from './races.js'
import { traceOf } from './trace.js'
import { type Node, type UnrolledEdge, type Unrolling, unroll } from './unroll.js'

const SLICE_MS = 1500
const BOUNDS = [1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 29, 38, 50, 65, 85, 110, 145, 190, 250]

/** A formula that would be larger is not built: time is better spent elsewhere. */
const MOST_EVENTS = 4000

/** `depth`: loop iterations a thread at the most, beyond what counting loops take. */
export const partialOrder = (
  program: Program,
  property: Property,
  smt: Smt,
  arith: 'int' | 'bv',
  env: Env,
  depth = BOUNDS.at(-1)!,
): Result => {
  const atTheEnd = property === 'no-data-race' || property === 'no-deadlock'
  const encoding = createEncoding(arith, { pointerWidth: program.dataModel === 'ilp32' ? 32 : 64 })
  const stats: Record<string, number> = { solver_calls: 0, depth: 0, nodes: 0, conflicts: 0, decisions: 0 }
  const unknown = (reason: string): Result => ({ verdict: 'unknown', reason, stats, assumptions: [] })
  for (const bound of [...BOUNDS.filter((b) => b < depth), depth]) {
    const unrolling = unroll(program, bound, atTheEnd)
    if (!unrolling.exactNumbers && countsThreads(program)) return unknown('threads that start threads, with signals')
    const encoded = encode(unrolling, encoding, atTheEnd)
    if (property === 'no-deadlock' && dependsOnChoices(unrolling, encoded)) return unknown('deadlock with choices')
    stats['depth'] = bound
    stats['nodes'] = encoded.execution.events.length
    if (encoded.execution.events.length > MOST_EVENTS) return unknown(`bound ${bound}`)
    env.progress('unrolled', { bound, events: encoded.execution.events.length })
    const solver = smt.solver({ logic: 'QF_ABV', timeoutMs: SLICE_MS * 1000 })
    try {
      for (const constraint of encoded.constraints) solver.add(constraint)
      const question = questionFor(property, unrolling, encoded)
      const found = search(solver, question, program, unrolling, encoded, encoding, stats)
      if (found === 'unknown') return unknown(env.stopped() ?? solver.reason())
      if (found !== 'unsat') return { verdict: 'false', trace: found, stats, assumptions: [] }
      const complete = reachable(solver, unrolling.cuts, encoded, stats)
      if (complete === 'unknown') return unknown(env.stopped() ?? solver.reason())
      if (complete === 'unsat') return provedResult(solver, encoded, stats, bound)
    } finally {
      solver.dispose()
    }
    const stopped = env.stopped()
    if (stopped) return unknown(stopped)
  }
  return unknown(`bound ${depth}`)
}

const countsThreads = (program: Program): boolean =>
  program.globals.some((v) => v.name.startsWith('__heddle_thread_count'))

const check = (solver: Solver, goal: Term, stats: Record<string, number>): Status => {
  solver.push()
  solver.add(goal)
  stats['solver_calls'] = (stats['solver_calls'] ?? 0) + 1
  return solver.check()
}

const reachedOf = (nodes: readonly Node[], { execution }: Encoded): Term =>
  or(nodes.map((n) => execution.reached.get(n)!))

/** What to look for, and in a model of it the error location where the execution ends. */
interface Question {
  readonly goal: Term
  end(model: Model): Node | undefined
}

const errorQuestion = (unrolling: Unrolling, encoded: Encoded): Question => {
  const errors = unrolling.instances.flatMap((i) => i.nodes.filter((n) => n.location.kind === 'error'))
  const isTaken = (model: Model, e: UnrolledEdge): boolean => model.get(encoded.execution.taken.get(e)!) === true
  return {
    goal: reachedOf(errors, encoded),
    end: (model) => errors.find((n) => n.incoming.some((e) => isTaken(model, e))),
  }
}

const questionFor = (property: Property, unrolling: Unrolling, encoded: Encoded): Question => {
  switch (property) {
    case 'no-data-race':
      return { goal: raceGoal(unrolling, encoded), end: () => undefined }
    case 'no-deadlock':
      return { goal: deadlockGoal(unrolling, encoded), end: () => undefined }
    default:
      return errorQuestion(unrolling, encoded)
  }
}

const search = (
  solver: Solver,
  { goal, end }: Question,
  program: Program,
  unrolling: Unrolling,
  encoded: Encoded,
  encoding: Encoding,
  stats: Record<string, number>,
): Trace | 'unsat' | 'unknown' => {
  const status = check(solver, goal, stats)
  if (status === 'sat') {
    const model = solver.model()
    return traceOf(program, unrolling, encoded, encoding, model, end(model))
  }
  solver.pop()
  return status
}

/** Whether any of these nodes can be reached. */
const reachable = (solver: Solver, nodes: readonly Node[], encoded: Encoded, stats: Record<string, number>): Status => {
  if (nodes.length === 0) return 'unsat'
  const status = check(solver, reachedOf(nodes, encoded), stats)
  solver.pop()
  return status
}

const provedResult = (solver: Solver, encoded: Encoded, stats: Record<string, number>, bound: number): Result => {
  const { obligations, mayBeInvalid } = encoded.execution
  const assumptions: Assumption[] = []
  if (obligations.length > 0) {
    const status = check(solver, or(obligations.map(not)), stats)
    solver.pop()
    if (status !== 'unsat') return { verdict: 'unknown', reason: 'signed overflow is possible', stats, assumptions: [] }
    assumptions.push({ what: 'no signed overflow', status: 'discharged' })
  }
  if (mayBeInvalid) assumptions.push({ what: 'valid dereferences', status: 'open' })
  return {
    verdict: 'true',
    certificate: { kind: 'bounded', data: { bound, encoding: 'partial-order' } },
    stats,
    assumptions,
  }
}
