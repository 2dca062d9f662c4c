// Bounded model checking of the unrolled program as one formula over a partial order of events, with a bound that
// grows until an error is found, no thread can go on beyond the bound, or time is up.

import { type Model as Assignment, and, FALSE, not, or, type Term } from '../../../logic/index.js'
import type { ExecutionView, Model } from '../../../memory-model/index.js'
import type { Property } from '../../../property/index.js'
import type { Smt, Solver, SolverOptions, Status } from '../../../smt/index.js'
import type { Assumption, Result } from '../../../verdict/index.js'
import { inconclusive, notExpressible, type Reason } from '../../../verdict/reason.js'
import { unknown } from '../../../verdict/result.js'
import type { Location, Program } from '../../../xcfa/index.js'
import { countsThreads } from '../../../xcfa/passes/index.js'
import {
  type Arithmetic,
  arithmeticsFor,
  createEncoding,
  NotExpressible,
  OBLIGATION_KINDS,
  type ObligationKind,
} from '../../../xcfa/terms/index.js'
import type { Env } from '../../engine.js'
import { atomicLocations, insideBlocks } from './blocks.js'
import { deadlockGoal } from './deadlocks.js'
import { type Encoded, encode } from './encode.js'
import type { OrderEncoding } from './order.js'
import { raceGoal } from './races.js'
import { rangesOf } from './ranges.js'
import { traceOf } from './trace.js'
import { type Node, type UnrolledEdge, type Unrolling, unroll } from './unroll.js'
import { encodeUnder } from './weak/encode.js'
import { isSearchedInPart, unsuitable } from './weak/suitable.js'
import { targetOf } from './weak/view.js'

const BOUNDS = [1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 29, 38, 50, 65, 85, 110, 145, 190, 250]

/** Iterations of counting loops: all of them if the program stays small, otherwise more with each bound. */
const MAX_COUNTED = 2000
const SMALL = 1000
const MAX_NODES = 20_000
const countedAt = (level: number): number => Math.min(8 * 4 ** level, MAX_COUNTED)

/** A formula that would be larger is not built: time is better spent elsewhere. */
const MAX_EVENTS = 4000

/** Steps of the solver for a turn of bit-vectors, and of integers: about a second each; four times as many the next time. */
const BIT_STEPS = 3_000_000
const INTEGER_STEPS = 700_000

/** What is a matter of single executions and their accesses. Termination is not, nor is which blocks of the heap are alive. */
const UNDER_MODELS: readonly Property[] = ['assert', 'unreach-call', 'no-overflow', 'no-data-race', 'no-deadlock']

/** Of a model whose executions may have such cycles, or depend on what is left of dependencies. */
const IN_PART =
  'no execution violates it in which (po | rf) has no cycle and all depends on earlier reads, but the memory model allows others'

export interface PartialOrderOptions {
  readonly arithmetic: Arithmetic | 'auto'
  readonly order: OrderEncoding
  /** Executions are those of this memory model; absent: sequential consistency. */
  readonly model?: Model | undefined
  /** Loop iterations a thread at the most, beyond what counting loops take. */
  readonly depth?: number | undefined
  /** Only executions within the depth are asked about, for violations that these words name: never `true`. */
  readonly bounded?: string | undefined
}

/** How a bound is asked about. */
interface Turn {
  readonly arithmetic: Arithmetic
  readonly rlimit?: number
}

/**
 * Bit-vectors first, which the solver's SAT core does best. Where inputs are computed with, integers often are a matter
 * of moments; they decide unless a signed operation may overflow.
 */
const turnsFor = (arithmetic: Arithmetic | 'auto', program: Program): readonly Turn[] => {
  if (arithmetic !== 'auto') return [{ arithmetic }]
  if (!hasInputs(program) || !arithmeticsFor(program, arithmetic).includes('int')) return [{ arithmetic: 'bv' }]
  const round = (times: number): readonly Turn[] => [
    { arithmetic: 'bv', rlimit: times * BIT_STEPS },
    { arithmetic: 'int', rlimit: times * INTEGER_STEPS },
  ]
  return [...round(1), ...round(4), { arithmetic: 'bv' }]
}

const hasInputs = ({ templates }: Program): boolean =>
  [...templates.values()].some(({ edges }) =>
    edges.some(({ labels }) => labels.some((l) => l.kind === 'havoc' && !l.range && l.target.type.kind === 'int')),
  )

/** Of one bound: decided, or how to go on. */
type Answer =
  | { readonly kind: 'decided'; readonly result: Result }
  /** `isCovered`: no violation within this one, of executions as they are. */
  | { readonly kind: 'larger bound'; readonly isCovered: boolean }
  | { readonly kind: 'undecided'; readonly reason: Reason }

const open = (kind: ObligationKind): Answer => ({
  kind: 'undecided',
  reason: { kind: 'obligation', obligation: kind },
})

export const partialOrder = (
  program: Program,
  property: Property,
  smt: Smt,
  options: PartialOrderOptions,
  env: Env,
): Result => {
  const { model } = options
  const unfit = model && (UNDER_MODELS.includes(property) ? unsuitable(model) : `${property} under a memory model`)
  if (unfit) return unknown({ kind: 'unsupported', what: unfit })
  return new GrowingBound(program, property, smt, options, env).decide()
}

class GrowingBound {
  private readonly stats: Stats = { solver_calls: 0, depth: 0, nodes: 0, clauses: 0, conflicts: 0, decisions: 0 }
  private readonly model: Model | undefined
  private readonly depth: number
  /** Whether what an execution comes to counts, rather than what it passes. */
  private readonly atTheEnd: boolean
  private readonly inside: ReadonlySet<Location>
  private turns: readonly Turn[]

  constructor(
    private readonly program: Program,
    private readonly property: Property,
    private readonly smt: Smt,
    private readonly options: PartialOrderOptions,
    private readonly env: Env,
  ) {
    this.model = options.model
    this.depth = options.depth ?? BOUNDS.at(-1)!
    this.atTheEnd = !this.model && (property === 'no-data-race' || property === 'no-deadlock')
    // Larger blocks are a reduction of interleavings, which executions of weaker models are not.
    this.inside = this.atTheEnd || this.model ? atomicLocations(program) : insideBlocks(program)
    this.turns = turnsFor(options.arithmetic, program)
  }

  decide(): Result {
    const { depth, env } = this
    const { bounded } = this.options
    let isCovered = false
    for (const [level, bound] of [...BOUNDS.filter((b) => b < depth), depth].entries()) {
      const answer = this.answerAt(level, bound)
      if (answer.kind === 'undecided') return this.unknown(answer.reason)
      if (answer.kind === 'decided')
        return bounded !== undefined && answer.result.verdict === 'true'
          ? this.unknown(inconclusive(withinText(bounded, depth)))
          : answer.result
      isCovered = answer.isCovered
      const stopped = env.stopped()
      if (stopped) return this.unknown(stopped)
    }
    const isWithin = bounded !== undefined && isCovered
    return this.unknown(inconclusive(isWithin ? withinText(bounded, depth) : `bound ${depth}`))
  }

  /** By the first arithmetic that is left and has an answer. */
  private answerAt(level: number, bound: number): Answer {
    const unrolling = this.unrollingFor(level, bound)
    let answer = this.ask(unrolling, bound)
    while (answer.kind === 'undecided' && this.turns.length > 1 && !this.env.stopped()) {
      this.turns = this.turns.slice(1)
      answer = this.ask(unrolling, bound)
    }
    return answer
  }

  private unrollingFor(level: number, bound: number): Unrolling {
    const keepHalts = this.atTheEnd || this.model !== undefined
    const unrolled = (counted: number, maxNodes: number): Unrolling =>
      unroll(this.program, { bound, counted, maxNodes, keepHalts, inside: this.inside })
    // With more nodes than that it has more steps than are few.
    const whole = unrolled(MAX_COUNTED, SMALL + 1)
    return stepsOf(whole) <= SMALL ? whole : unrolled(countedAt(level), MAX_NODES)
  }

  private ask(unrolling: Unrolling, bound: number): Answer {
    try {
      return this.asked(unrolling, bound, this.turns[0]!)
    } catch (problem) {
      if (problem instanceof NotExpressible) return { kind: 'undecided', reason: notExpressible(problem) }
      throw problem
    }
  }

  private asked(unrolling: Unrolling, bound: number, turn: Turn): Answer {
    const { program, property, env, stats, model } = this
    const { order } = this.options
    const encoding = createEncoding(turn.arithmetic, { pointerWidth: program.dataModel === 'ilp32' ? 32 : 64 })
    const ranges = rangesOf(program, stepsOf(unrolling))
    const weak = model && encodeUnder(model, unrolling, encoding, ranges, order, property)
    const encoded = weak ?? encode(unrolling, encoding, ranges, order, this.atTheEnd)
    const { events } = encoded.execution
    Object.assign(stats, { depth: bound, nodes: events.length, clauses: encoded.constraints.length })
    if (events.length > MAX_EVENTS) return { kind: 'decided', result: this.unknown(inconclusive(`bound ${bound}`)) }
    env.progress('unrolled', { bound, steps: stepsOf(unrolling), events: events.length })
    const search = new Search(this.smt.solver(solverFor(program, order, turn)), encoded, stats, env)
    try {
      const { goal, end } =
        weak && property === 'no-data-race'
          ? { goal: weak.raceGoal, end: () => undefined }
          : questionFor(property, unrolling, encoded)
      const found = search.check(goal)
      if (found === 'unknown') return { kind: 'undecided', reason: search.reason() }
      if (found === 'unsat') return this.answerWithout(unrolling, bound, encoded, search)
      const { obligations } = encoded.execution
      const terms = obligations.map(({ holds }) => holds)
      if (terms.length > 0 && search.check(and(goal, terms)) !== 'sat') return open(obligations[0]!.kind)
      const assignment = search.model()
      const last = end(assignment)
      const violation = weak
        ? { trace: NO_TRACE, execution: { ...weak.view(assignment), ...failure(last, encoded, assignment) } }
        : { trace: traceOf(program, unrolling, encoded, encoding, assignment, last) }
      return { kind: 'decided', result: { verdict: 'false', ...violation, stats, assumptions: [] } }
    } finally {
      search.dispose()
    }
  }

  /** Of a bound without a violation: proved, if no thread, blocked ones included, can go on beyond it (soundness 13). */
  private answerWithout(unrolling: Unrolling, bound: number, encoded: Encoded, search: Search): Answer {
    const further = search.check(reachedOf(unrolling.cuts, encoded))
    if (further === 'unknown') return { kind: 'undecided', reason: search.reason() }
    const isExact = isExactlyNumbered(unrolling, this.program)
    const isInPart = this.model !== undefined && isSearchedInPart(this.model)
    if (further === 'sat') {
      const owed = encoded.execution.obligations.map(({ holds }) => not(holds))
      const isCovered =
        !unrolling.isTooLarge &&
        isExact &&
        !isInPart &&
        (owed.length === 0 || (this.options.bounded !== undefined && search.check(or(owed)) === 'unsat'))
      if (isCovered) this.env.known?.({ kind: 'unrolled', times: bound })
      return { kind: 'larger bound', isCovered }
    }
    // With other numbers than in an execution, who is signalled may be nobody: errors replay, proofs do not.
    if (!isExact)
      return { kind: 'decided', result: this.unknown(inconclusive('threads that start threads, with signals')) }
    if (isInPart) return { kind: 'decided', result: this.unknown(inconclusive(IN_PART)) }
    return provedAnswer(search, encoded, this.stats, bound)
  }

  private unknown(reason: Reason): Result {
    return unknown(reason, this.stats)
  }
}

const NO_TRACE = { steps: [], initial: new Map() }

const withinText = (what: string, depth: number): string =>
  `no ${what} where each thread goes round its loops at most ${depth === 1 ? 'once' : `${depth} times`}`

type Stats = Record<string, number>

/** Where numbers of threads matter, they are those of executions. */
const isExactlyNumbered = ({ exactNumbers }: Unrolling, program: Program): boolean =>
  exactNumbers || !countsThreads(program)

/** No execution has more. */
const stepsOf = ({ instances }: Unrolling): number =>
  instances.reduce((sum, { nodes }) => sum + nodes.reduce((edges, node) => edges + node.outgoing.length, 0), 0)

/** Bit-vectors alone go to the solver's SAT core, which is several times as fast. */
const solverFor = (program: Program, order: OrderEncoding, { arithmetic, rlimit }: Turn): SolverOptions => {
  const locals = [...program.templates.values()].flatMap((template) => template.locals)
  const types = [...program.globals, ...locals].map((v) => v.type)
  const floats = [...types, ...program.regions.map((r) => r.element)].some((t) => t !== 'bytes' && t.kind === 'float')
  const onlyBits = arithmetic === 'bv' && order !== 'integers' && !floats
  return { ...(onlyBits && { logic: 'QF_BV' }), ...(rlimit !== undefined && { rlimit }) }
}

/** Checks of one formula, repeated while the model violates what was not told. */
class Search {
  constructor(
    private readonly solver: Solver,
    private readonly encoded: Encoded,
    private readonly stats: Stats,
    private readonly env: Env,
  ) {
    for (const constraint of encoded.constraints) solver.add(constraint)
  }

  check(goal: Term): Status {
    if (goal === FALSE) return 'unsat'
    for (;;) {
      this.stats['solver_calls']!++
      const status = this.solver.check([goal])
      this.count()
      if (status !== 'sat') return status
      const model = this.solver.model()
      const missing = this.encoded.repair(model)
      if (missing.length === 0) return status
      if (this.env.stopped()) return 'unknown'
      for (const clause of missing) this.solver.add(clause)
    }
  }

  model(): Assignment {
    return this.solver.model()
  }

  reason(): Reason {
    return this.env.stopped() ?? inconclusive(this.solver.reason())
  }

  dispose(): void {
    this.solver.dispose()
  }

  private count(): void {
    const found = this.solver.statistics()
    for (const name of ['conflicts', 'decisions']) this.stats[name] = found[name] ?? found[`sat-${name}`] ?? 0
  }
}

const reachedOf = (nodes: readonly Node[], { execution }: Encoded): Term =>
  or(nodes.map((n) => execution.reached.get(n)!))

/** What to look for, and in a model of it the error location where the execution ends. */
interface Question {
  readonly goal: Term
  end(model: Assignment): Node | undefined
}

const errorQuestion = (unrolling: Unrolling, encoded: Encoded): Question => {
  const errors = unrolling.instances.flatMap((i) => i.nodes.filter((n) => n.location.kind === 'error'))
  const isTaken = (model: Assignment, e: UnrolledEdge): boolean => model.get(encoded.execution.taken.get(e)!) === true
  return {
    goal: reachedOf(errors, encoded),
    end: (model) => errors.find((n) => n.incoming.some((e) => isTaken(model, e))),
  }
}

/** The step into the error location, for the picture of an execution. */
const failure = (node: Node | undefined, encoded: Encoded, model: Assignment): Pick<ExecutionView, 'targets'> => {
  const step = node?.incoming.find((edge) => model.get(encoded.execution.taken.get(edge)!) === true)
  return step ? { targets: [targetOf(node!.instance.index, step)] } : {}
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

const provedAnswer = (search: Search, encoded: Encoded, stats: Stats, bound: number): Answer => {
  const { obligations, mayBeInvalid } = encoded.execution
  const assumptions: Assumption[] = []
  for (const kind of OBLIGATION_KINDS) {
    const owed = obligations.filter((o) => o.kind === kind).map(({ holds }) => not(holds))
    if (owed.length > 0 && search.check(or(owed)) !== 'unsat') return open(kind)
    if (owed.length > 0 && kind === 'overflow') assumptions.push({ kind: 'no-overflow', status: 'discharged' })
  }
  if (mayBeInvalid) assumptions.push({ kind: 'valid-dereferences', status: 'open' })
  const certificate = { kind: 'bounded', data: { bound, encoding: 'partial-order' } } as const
  return { kind: 'decided', result: { verdict: 'true', certificate, stats, assumptions } }
}
