// The check of one certificate, by its kind. Shared with the engines are the front end, the passes over the program before
// any reduction, the meaning of single labels as formulas, and the solver; steps, dependence and reductions are the
// checker's own. A proof whose argument is not checked here (Horn clauses, bounded formulas, forests) is a claim only: the
// checker proves it by itself, with what the certificate suggests, or leaves it open.
import {
  type Certificate,
  type ExecutionsCertificate,
  type GraphCertificate,
  type HornCertificate,
  type ReducedCertificate,
  Rejected,
} from '../certificate/index.js'
import { SolverError } from '../smt/index.js'
import { type Program, Unsupported } from '../xcfa/index.js'
import { prepare, unsizedObjects } from '../xcfa/passes/index.js'
import { NotExpressible } from '../xcfa/terms/index.js'
import { mayShowAddresses } from './addresses.js'
import { type Answer, count, DEREFERENCES, type Task, TRUSTED_PASSES, undefinedIn } from './answer.js'
import { provedWithinBound } from './bounded/bounded.js'
import { checkReduced } from './commute/commute.js'
import { endingsOf } from './endings.js'
import { executionsOf } from './executions.js'
import { explored } from './explored.js'
import { forestExplored } from './forest.js'
import { provedByAbstraction } from './graph/abstraction.js'
import { checkGraph } from './graph/graph.js'
import { mayRaceSomewhere } from './locks.js'
import { Undecided } from './proof.js'

export const checkCertificate = (task: Task): Answer => answerOf(() => checked(task, task.file.certificate))

const answerOf = (check: () => Answer): Answer => {
  try {
    return check()
  } catch (problem) {
    if (problem instanceof Rejected) return { kind: 'rejected', place: problem.message }
    const isOpen = [Undecided, SolverError, Unsupported, NotExpressible].some((kind) => problem instanceof kind)
    if (isOpen) return { kind: 'unknown', reason: (problem as Error).message }
    // Formulas that are shared in many places may be deeper than their text.
    if (problem instanceof RangeError) return { kind: 'unknown', reason: `too large to look at: ${problem.message}` }
    throw problem
  }
}

const checked = (task: Task, certificate: Certificate): Answer => {
  if (task.memoryModel !== 'sc')
    return { kind: 'unknown', reason: `proofs under the memory model ${task.memoryModel} are not checked` }
  const shown = mayShowAddresses(task.raw)
  if (shown)
    return {
      kind: 'unknown',
      reason: `addresses of heap blocks are compared at ${shown.file}:${shown.line}: which ones malloc returns, and that it reuses them, is not modelled`,
    }
  switch (certificate.kind) {
    case 'labelled-graph':
      if ('tooLarge' in certificate.data) return explored(task, task.deadline)
      return labelsChecked(task, certificate.data)
    case 'reduced-product':
      if ('tooLarge' in certificate.data) return explored(task, task.deadline)
      return reductionChecked(task, certificate.data)
    case 'locks':
      return locksChecked(task)
    case 'forest':
      return forestExplored(task, certificate.data)
    case 'bounded':
      return provedAgain(task, [withinBound])
    case 'horn':
      return provedAgain(task, [byAbstraction(certificate.data), withinBound])
    case 'termination':
      return endingsChecked(task)
    case 'executions':
      return executionsChecked(task, certificate.data)
    case 'abstract-reachability':
    case 'exploration':
      return task.property === 'termination' ? endingsChecked(task) : explored(task, task.deadline)
  }
}

/** Places in interleavings that are looked at to count executions. */
const MAX_PLACES = 200_000

/** All interleavings are explored for the property; where that is possible, executions are counted again. */
const executionsChecked = (task: Task, { executions, blocked, digest }: ExecutionsCertificate): Answer => {
  const answer = explored(task, task.deadline)
  if (answer.kind !== 'accepted') return answer
  const program = prepare(task.errors, { slice: false, largeBlocks: false, resetDead: true })
  const reason = whyNotCounted(task, program)
  const stopped = (): boolean => task.now() > task.deadline
  const found = reason === undefined ? executionsOf(program, MAX_PLACES, stopped) : undefined
  if (!found) return { ...answer, how: `${answer.how}; executions were not counted again: ${reason ?? 'too many'}` }
  if (found.executions !== executions)
    throw new Rejected('certificate.data.executions', `there are ${count(found.executions)}`)
  // Where one of the two leaves out an access that makes no difference, executions have other texts. Which of the two is
  // right cannot be told.
  if (found.digest !== digest)
    throw new Undecided(`there are ${count(executions)} executions, but their digest is ${found.digest}`)
  // A loop that only waits has steps for ever: it is no end of an interleaving.
  const hasLoops = [...program.templates.values()].some(({ edges }) => edges.some(({ back }) => back))
  if (!hasLoops && found.blocked !== blocked)
    throw new Rejected('certificate.data.blocked', `there are ${count(found.blocked)}`)
  return { ...answer, how: `${answer.how}; ${count(executions)} executions counted again` }
}

/** Others are instrumented: what they read is counted, too. */
const COUNTED = ['assert', 'unreach-call', 'no-data-race', 'no-deadlock']

const CALLS_OF_SEVERAL = ['wait', 'wake', 'signal', 'broadcast', 'barrier']

/**
 * Some calls look at more than the one alternative that they take; inputs that nobody uses are no choices of the engine.
 */
const whyNotCounted = ({ property }: Task, program: Program): string | undefined => {
  if (!COUNTED.includes(property)) return `the property is ${property}`
  const edges = [...program.templates.values()].flatMap((template) => template.edges)
  if (edges.some(({ labels }) => labels.some(({ kind }) => kind === 'havoc'))) return 'the program has inputs'
  if (edges.some(({ sync }) => sync && CALLS_OF_SEVERAL.includes(sync.kind)))
    return 'it has condition variables or barriers'
  return undefined
}

/** That some thread comes to an error location, or that two are about to race. */
const GRAPH_PROPERTIES = ['assert', 'unreach-call', 'no-overflow', 'no-data-race']

const OVERFLOW = 'no signed overflow'

const leavesOverflowOpen = ({ assumptions }: Task['file']): boolean =>
  assumptions.some(({ kind, status }) => kind === 'no-overflow' && status === 'open')

/** Initiation, consecution, covers, safety and what was left out, for every node of the graph. */
const labelsChecked = (task: Task, graph: GraphCertificate): Answer => {
  const { property, errors, smt, file } = task
  if (!GRAPH_PROPERTIES.includes(property))
    return { kind: 'unknown', reason: `labelled graphs for ${property} are not checked` }
  // Whoever leaves it open does not have to show it, and the answer says so.
  const overflowOpen = leavesOverflowOpen(file)
  const noRaces = property === 'no-data-race'
  const program = prepare(errors, { largeBlocks: graph.largeBlocks, slice: !noRaces })
  const stopped = (): string | undefined => (task.now() > task.deadline ? 'time is up' : undefined)
  const questions = checkGraph(program, graph, { overflowOpen, noRaces }, smt, stopped)
  const counts = `${count(graph.nodes.length)} nodes, ${count(questions)} questions to ${smt.name}`
  return {
    kind: 'accepted',
    how: `initiation, consecution, covers, safety and reduction hold: ${counts}`,
    assumes: [...(overflowOpen ? [OVERFLOW] : []), ...undefinedIn(program)],
    trusted: TRUSTED_PASSES,
  }
}

const ERROR_PROPERTIES = ['assert', 'unreach-call', 'no-overflow']

/** Initiation, consecution, sleeping steps, covers and dead ends, for every node of the reduced product. */
const reductionChecked = (task: Task, reduced: ReducedCertificate): Answer => {
  const { property, errors, smt, file } = task
  if (!ERROR_PROPERTIES.includes(property))
    return { kind: 'unknown', reason: `reduced products for ${property} are not checked` }
  const overflowOpen = leavesOverflowOpen(file)
  const program = prepare(errors)
  const stopped = (): string | undefined => (task.now() > task.deadline ? 'time is up' : undefined)
  const questions = checkReduced(program, reduced, { overflowOpen }, smt, stopped)
  const counts = `${count(reduced.nodes.length)} nodes, ${count(questions)} questions to ${smt.name}`
  return {
    kind: 'accepted',
    how: `initiation, consecution, swaps of sleeping steps, covers and dead ends hold: ${counts}`,
    assumes: [...(overflowOpen ? [OVERFLOW] : []), ...undefinedIn(program)],
    trusted: unsizedObjects(program).size > 0 ? [...TRUSTED_PASSES, TRUSTED_SIZES] : TRUSTED_PASSES,
  }
}

const TRUSTED_SIZES = 'which arrays need no bound on their size (src/xcfa/passes/unsized.ts)'

/** A way to prove the claim without the argument of the certificate; it throws `Undecided` where it does not. */
type Method = (task: Task, until: number) => Answer

/** One after the other, each with an equal part of the time that is left; at last brute force. */
const provedAgain = (task: Task, methods: readonly Method[]): Answer => {
  const reasons: string[] = []
  const all = ERROR_PROPERTIES.includes(task.property) ? [...methods, explored] : [explored]
  for (const [i, method] of all.entries()) {
    const until = task.now() + (task.deadline - task.now()) / (all.length - i)
    const answer = answerOf(() => method(task, until))
    if (answer.kind !== 'unknown') return answer
    reasons.push(answer.reason)
  }
  return {
    kind: 'unknown',
    reason: `this certificate has no argument that is checked by itself; ${reasons.join('; ')}`,
  }
}

/** Safety and completeness of a bound, by formulas of the checker's own. */
const withinBound: Method = ({ errors, smt, now }, until) => {
  const program = prepare(errors)
  const found = provedWithinBound(program, smt, { left: () => until - now() })
  if (found.kind === 'unsafe') return { kind: 'rejected', place: `certificate: ${found.why}` }
  const counts = `${count(found.events)} events, loops up to ${found.bound} times`
  return {
    kind: 'accepted',
    how: `no error within a bound, and nothing beyond it, by formulas of the checker's own: ${counts}, by ${smt.name}`,
    assumes: undefinedIn(program),
    trusted: TRUSTED_PASSES,
  }
}

/** All location vectors without reduction, with values and the predicates that the certificate suggests. */
const byAbstraction =
  ({ configuration, predicates = [] }: HornCertificate): Method =>
  ({ errors, smt, now }, until) => {
    const arithmetic = ARITHMETICS.find((each) => each === configuration['arithmetic']) ?? 'bv'
    const stopped = (): string | undefined => (now() > until ? 'time is up' : undefined)
    const program = prepare(errors)
    const states = provedByAbstraction(program, { arithmetic, predicates }, smt, stopped)
    return {
      kind: 'accepted',
      how: `no error in ${count(states)} abstract states of the checker's own, without reduction, by ${smt.name}`,
      assumes: undefinedIn(program),
      trusted: TRUSTED_PASSES,
    }
  }

/** That every execution ends, by brute force. */
const endingsChecked = ({ raw, property, now, deadline }: Task): Answer => {
  if (property !== 'termination') throw new Rejected('certificate.kind', 'it proves termination only')
  const found = endingsOf(raw, () => (now() > deadline ? 'time is up' : undefined))
  if (found.kind === 'not always') return { kind: 'rejected', place: `termination is violated: ${found.why}` }
  const how = `explored by the independent interpreter, every execution ends: ${count(found.states)} states`
  return { kind: 'accepted', how, assumes: ['no undefined behaviour'], trusted: [] }
}

const ARITHMETICS = ['int', 'wrapping', 'bv'] as const

/** Locks held, starts and joins, worked out once more; where that does not show it, brute force. */
const locksChecked = (task: Task): Answer => {
  if (task.property !== 'no-data-race') throw new Rejected('certificate.kind', 'locks prove no races only')
  const program = prepare(task.errors, { slice: false, largeBlocks: false })
  if (mayRaceSomewhere(program) !== undefined) return explored(task, task.deadline)
  return {
    kind: 'accepted',
    how: 'no two accesses that could race are made at the same time, by locks, starts and joins',
    assumes: [DEREFERENCES],
    trusted: TRUSTED_PASSES,
  }
}
