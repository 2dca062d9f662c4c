// Termination: the loop around RuleTermination (redcomp.txt section IV-B). Loops that end by their thread's own variables go
// first. In what is left a round that leads back to its own state is an execution that never ends; otherwise a lasso that
// leaves the candidate relation gives a ranking function that joins it, and the clauses are solved again.

import type { TerminationCertificate } from '../../../certificate/index.js'
import {
  and,
  freeVariables,
  ge,
  intConst,
  le,
  not,
  substitute,
  type Term,
  TRUE,
  variable,
} from '../../../logic/index.js'
import { errorsOf } from '../../../property/index.js'
import { replay, type Trace } from '../../../semantics/index.js'
import { affineInvariants, checkHornSolution, type HornResult, parameter, type Smt } from '../../../smt/index.js'
import type { Assumption, Result } from '../../../verdict/index.js'
import { inconclusive, type Reason } from '../../../verdict/reason.js'
import { unknown } from '../../../verdict/result.js'
import type { Edge } from '../../../xcfa/index.js'
import { countsThreads, prepare } from '../../../xcfa/passes/index.js'
import { createEncoding } from '../../../xcfa/terms/index.js'
import type { Env, Task } from '../../engine.js'
import { executionOf, interleavingOf, type Taken, traceFrom } from '../interleaving.js'
import { reduce } from '../program/reduce.js'
import { specialise, type Threads } from '../program/specialise.js'
import { type StateSpace, stateSpace } from '../program/state.js'
import { owedBy, type Step, stepsOf } from '../program/steps.js'
import { atom } from '../safety/rule-safety.js'
import {
  isObligation,
  ruleSafetyByVectors,
  type Vector,
  type VectorClauses,
  type VectorRule,
} from '../safety/vectors.js'
import { type Solution, solveHorn } from '../solution.js'
import type { RedcompOptions } from '../spec.js'
import { takesLocksInOrder } from './lock-order.js'
import { ownLoops } from './own-loops.js'
import { type Prover, Search } from './prover.js'
import type { Loop, Ranking } from './ranking.js'
import {
  deadlockRules,
  isOver,
  type Round,
  repetitionRules,
  roundRules,
  roundsOf,
  stepsIn,
} from './rule-termination.js'

const MAX_VECTORS = 3000
const MAX_RANKINGS = 12
/** For a round that repeats. */
const REPETITION_MS = 8000
/** For an invariant that a ranking function needs. */
const SUPPORT_MS = 3000
/** More clauses than this: no equations from them. */
const MAX_RULES = 3000

type Stats = Record<string, number>

export const verifyTermination = (task: Task, options: RedcompOptions, env: Env): Result =>
  new Termination(task, options, env, new Search(task.smt!)).decide()

/** The certificate is what the prover was asked and answered. */
export class Termination {
  private readonly stats: Stats = { clauses: 0, solver_calls: 0, refinements: 0 }
  private readonly smt: Smt
  private readonly unreduced: Threads
  private readonly threads: Threads
  private known: Solution | undefined
  private space: StateSpace | undefined

  constructor(
    private readonly task: Task,
    private readonly options: RedcompOptions,
    private readonly env: Env,
    private readonly prover: Prover,
  ) {
    this.smt = task.smt!
    this.unreduced = specialise(prepare(errorsOf(task.raw, 'termination'), { keepExit: true }))
    this.threads = options.reduction === 'off' ? this.unreduced : reduce(this.unreduced, true)
  }

  decide(): Result {
    const { threads, program, exactNumbers } = this.threads
    const { arith } = this.task.settings
    if (threads.some((t) => t.number === undefined)) return this.unknown('threads of any number')
    if (!exactNumbers && countsThreads(program))
      return this.unknown('threads that are numbered in any order, with signals')
    if (arith === 'bv') return this.unknown('termination in bit-vector arithmetic')
    const pointerWidth = program.dataModel === 'ilp32' ? 32 : 64
    const encoding = createEncoding('int', { pointerWidth, wrapping: arith === 'auto' })
    const space = stateSpace(this.threads, encoding)
    this.space = space
    const own = ownLoops(space, this.prover)
    const neverBlocked = takesLocksInOrder(this.unreduced, stateSpace(this.unreduced, encoding), this.smt)
    if (neverBlocked && own.endless.size === 0) return this.proved(space)
    const all = ruleSafetyByVectors(space, { overflow: false, most: MAX_VECTORS })
    if (!all) return this.unknown('too many location vectors')
    // What follows the end of the program, or a failed assumption, does not count.
    const clauses = { ...all, rules: all.rules.filter((r) => !isObligation(r) && (!r.from || !isOver(r.from))) }
    const blocked = neverBlocked ? undefined : this.blocked(space, clauses)
    if (blocked?.verdict === 'false') return blocked
    return this.endless(space, clauses, own.endless) ?? blocked ?? this.proved(space)
  }

  // ---- what steps take for granted

  /** Something that the program may not have room for; undefined: it always has. */
  private owed(space: StateSpace, steps: readonly Step[]): Result | undefined {
    const [first] = steps.flatMap((step) => owedBy(step, false))
    if (!first) return undefined
    const clauses = ruleSafetyByVectors(space, { overflow: false, most: MAX_VECTORS })
    const found = clauses && this.prover.solution(clauses.rules, () => this.solve(clauses.rules))
    return found?.status === 'sat' ? undefined : this.unknown({ kind: 'obligation', obligation: first.kind })
  }

  private unknown(reason: Reason | string): Result {
    const own = typeof reason === 'string' ? inconclusive(reason) : reason
    return unknown(this.env.stopped() ?? own, this.stats)
  }

  private disproved(trace: Trace): Result {
    return { verdict: 'false', trace, stats: this.stats, assumptions: [] }
  }

  private proved(space: StateSpace): Result {
    const steps = space.threads.flatMap((thread) => stepsOf(space, thread))
    const owed = this.owed(space, steps)
    if (owed) return owed
    const mayStop = steps.some((s) => s.mayStop || s.edge.target.reason?.kind === 'undefined')
    const open: Assumption[] = []
    if (this.task.settings.arith === 'int') open.push({ kind: 'no-overflow', status: 'open' })
    if (mayStop) open.push({ kind: 'defined-behaviour', status: 'open' })
    const data: TerminationCertificate = {
      reduction: this.options.reduction === 'on',
      steps: this.prover.steps,
    }
    return { verdict: 'true', certificate: { kind: 'termination', data }, stats: this.stats, assumptions: open }
  }

  private solve(rules: readonly VectorRule[], most?: number): HornResult {
    this.stats['clauses'] = rules.length
    this.stats['solver_calls']!++
    this.env.progress('clauses', { clauses: rules.length })
    const asked = this.options['horn-limit'] || Number.POSITIVE_INFINITY
    const limit = Math.min(asked, most ?? asked)
    return solveHorn(this.smt, rules, { inline: true, ...(Number.isFinite(limit) && { timeoutMs: limit }) })
  }

  // ---- blocked for ever

  /** Whether everybody can be blocked for ever; undefined: nobody. */
  private blocked(space: StateSpace, clauses: VectorClauses): Result | undefined {
    const equations = this.equations(clauses)
    const known = (vector: Vector): Term => and(this.ranges(vector.assertion.terms), factsAt(vector, equations))
    const goals = deadlockRules(clauses, { known, smt: this.smt })
    if (goals.length === 0) return undefined
    const rules = [...clauses.rules, ...goals]
    const strong = withFacts(rules, equations)
    const found = this.prover.solution(strong, () => this.solve(strong))
    if (found.status === 'sat') return undefined
    if (found.status === 'unknown') return this.unknown(found.reason)
    const all = { ...clauses, rules }
    const trace =
      found.derivation && interleavingOf(space, all, found.derivation, this.threads.program.globals, this.smt)
    return trace && this.replays(trace) ? this.disproved(trace) : this.unknown('threads may be blocked for ever')
  }

  private replays(trace: Trace): boolean {
    return replay(this.task.raw, trace, 'termination').reached
  }

  // ---- infinite executions

  /** Undefined: there are none. */
  private endless(space: StateSpace, clauses: VectorClauses, edges: ReadonlySet<Edge>): Result | undefined {
    const problems: Result[] = []
    for (const round of roundsOf(clauses, edges)) {
      const stopped = this.env.stopped()
      if (stopped) return this.unknown(stopped)
      const problem = this.endsBySimpleLoops(clauses, round) ? undefined : this.endsAlways(space, clauses, round)
      if (problem?.verdict === 'false') return problem
      if (problem) problems.push(problem)
    }
    return problems[0]
  }

  private endsAlways(space: StateSpace, clauses: VectorClauses, round: Round): Result | undefined {
    const repeated = this.prover.isChecking ? undefined : this.repetition(space, clauses, round)
    if (repeated) return this.disproved(repeated)
    const refined = this.prover.isChecking ? { rankings: [], found: undefined } : this.refined(clauses, round)
    if ('verdict' in refined) return refined
    const rankings = this.prover.rankings(round.cut.assertion.terms, refined.rankings)
    const rules = [...clauses.rules, ...roundRules(clauses, round, rankings)]
    const shown = this.prover.solution(rules, () => refined.found!)
    return shown.status === 'unknown' ? this.unknown(shown.reason) : undefined
  }

  /** Ranking relations that together contain every round, from the lassos that leave those found before. */
  private refined(
    clauses: VectorClauses,
    round: Round,
  ): Result | { readonly rankings: readonly Ranking[]; readonly found: HornResult } {
    const rankings: Ranking[] = []
    // What supports a function of a lasso is not needed once clauses show that all rounds are contained.
    const search = new Search(this.smt)
    for (;;) {
      const stopped = this.env.stopped()
      if (stopped) return this.unknown(stopped)
      const rules = [...clauses.rules, ...roundRules(clauses, round, rankings)]
      const found = this.solve(rules)
      if (found.status === 'sat') return { rankings, found }
      if (found.status === 'unknown') return this.unknown(found.reason)
      const taken = found.derivation && executionOf(rules, found.derivation, this.smt)
      if (!taken) return this.unknown('a lasso that is no execution')
      const ranking = this.rankingFor(search, clauses, round, [composeLoop(taken, round)])
      if (!ranking || rankings.length >= MAX_RANKINGS) return this.unknown('no linear ranking function found')
      rankings.push(ranking)
      this.stats['refinements']!++
    }
  }

  /** An execution that comes back to the state at the cut, with the loop two times more. */
  private repetition(space: StateSpace, clauses: VectorClauses, round: Round): Trace | undefined {
    const rules = [...clauses.rules, ...repetitionRules(clauses, round)]
    const found = this.solve(rules, REPETITION_MS)
    if (found.status !== 'unsat') return undefined
    const taken = found.derivation && executionOf(rules, found.derivation, this.smt)
    if (!taken) return undefined
    const loop = taken.filter(({ rule }) => rule.name === 'T3')
    // In the program as it was lowered, variables that nobody reads any more may need a round to settle.
    const trace = traceFrom(space, [...taken, ...loop, ...loop], this.threads.program.globals)
    return this.replays(trace) ? trace : undefined
  }

  /** Where every cycle of the round passes its cut, one function that decreases on each of them is enough. */
  private endsBySimpleLoops(clauses: VectorClauses, round: Round): boolean {
    const loops = simpleLoops(clauses, round)
    const ranking =
      loops &&
      this.rankingFor(
        this.prover,
        clauses,
        round,
        loops.map((rules) => compose(rules, 0)),
      )
    return ranking !== undefined
  }

  /** A function that decreases on all of these, with an invariant of the cut if it needs one. */
  private rankingFor(
    prover: Prover,
    clauses: VectorClauses,
    { cut }: Round,
    loops: readonly Loop[],
  ): Ranking | undefined {
    const { terms } = cut.assertion
    const from = (facts: Term): readonly Loop[] =>
      loops.map(({ constraint, after }) => ({ constraint: and(constraint, this.ranges(terms), facts), after }))
    const plain = prover.ranking(terms, from(TRUE))
    if (plain) return plain
    const known = factsAt(cut, this.equations(clauses))
    for (const fact of [TRUE, ...supportingFacts(terms, loops)]) {
      const ranking = prover.ranking(terms, from(and(known, fact)))
      if (!ranking || (fact !== TRUE && !this.holds(prover, clauses, cut, fact))) continue
      return ranking
    }
    return undefined
  }

  /** Values are values of their types, where operations wrap. */
  private ranges(terms: readonly Term[]): Term {
    const { space } = this
    if (!space?.encoding.wraps) return TRUE
    const all = [...space.shared, ...space.threads.flatMap((t) => space.own(t))]
    return and(all.filter((v) => terms.includes(v.term)).map(({ range }) => range))
  }

  /** Equations between variables at each vector, checked. */
  private equations({ rules }: VectorClauses): Solution {
    if (!this.known) {
      const found: Solution = rules.length <= MAX_RULES ? affineInvariants(rules) : new Map()
      this.known = found.size > 0 && checkHornSolution(this.smt, rules, found) === undefined ? found : new Map()
    }
    return this.known
  }

  private holds(prover: Prover, clauses: VectorClauses, cut: Vector, fact: Term): boolean {
    const goal: VectorRule = {
      ...{ head: undefined, body: [atom(cut.assertion)], constraint: not(fact), name: 'support' },
      ...{ from: cut, step: undefined, to: undefined },
    }
    const rules = withFacts([...clauses.rules, goal], this.equations(clauses))
    return prover.solution(rules, () => this.solve(rules, SUPPORT_MS)).status === 'sat'
  }
}

const factsAt = ({ assertion: { relation, terms } }: Vector, facts: Solution): Term =>
  substitute(facts.get(relation) ?? TRUE, new Map(terms.map((t, i) => [parameter(relation, i), t])))

const withFacts = (rules: readonly VectorRule[], facts: Solution): readonly VectorRule[] =>
  rules.map((rule) => (rule.from ? { ...rule, constraint: and(rule.constraint, factsAt(rule.from, facts)) } : rule))

const MAX_FACTS = 24

/** What a ranking function may need to know: the sign of what the loops use. */
const supportingFacts = (terms: readonly Term[], loops: readonly Loop[]): readonly Term[] => {
  const used = new Set(
    loops.flatMap(({ constraint, after }) => [constraint, ...after.values()]).flatMap((t) => [...freeVariables(t)]),
  )
  return terms
    .filter((t) => t.sort.kind === 'int' && used.has(t))
    .flatMap((t) => [ge(t, intConst(1)), ge(t, intConst(0)), le(t, intConst(-1))])
    .slice(0, MAX_FACTS)
}

/** The loop of a lasso as a relation: from the variables at the cut to their values after it. */
const composeLoop = (taken: readonly Taken[], { cut }: Round): Loop =>
  compose(
    taken.map(({ rule }) => rule).filter((rule) => rule.name === 'T3'),
    cut.assertion.terms.length,
  )

/** Rules one after the other; the first `skipped` arguments of their heads are not the state. */
const compose = (rules: readonly VectorRule[], skipped: number): Loop => {
  let values = new Map<Term, Term>()
  const constraints: Term[] = []
  for (const [i, rule] of rules.entries()) {
    const own = new Set(rule.from!.assertion.terms)
    const now = (v: Term): Term => (own.has(v) ? (values.get(v) ?? v) : variable(`${v.name}@${i}`, v.sort))
    const at = (term: Term): Term => substitute(term, new Map(freeVariables(term).map((v) => [v, now(v)])))
    constraints.push(at(rule.constraint))
    const terms = rule.to!.assertion.terms.slice(skipped)
    values = new Map(rule.head!.args.slice(skipped).map((arg, k) => [terms[k]!, at(arg)]))
  }
  return { constraint: and(constraints), after: values }
}

const MAX_LOOPS = 64

/** All ways from the cut back to it; undefined: there are cycles that do not pass it, or too many ways. */
const simpleLoops = (clauses: VectorClauses, round: Round): readonly (readonly VectorRule[])[] | undefined => {
  const { cut } = round
  const from = new Map<Vector, VectorRule[]>()
  for (const rule of stepsIn(clauses, round)) from.set(rule.from!, [...(from.get(rule.from!) ?? []), rule])
  const loops: VectorRule[][] = []
  const walk = (vector: Vector, path: VectorRule[], passed: ReadonlySet<Vector>): boolean =>
    (from.get(vector) ?? []).every((rule) => {
      const next = [...path, rule]
      if (rule.to === cut) return loops.push(next) <= MAX_LOOPS
      return !passed.has(rule.to!) && walk(rule.to!, next, new Set([...passed, rule.to!]))
    })
  return walk(cut, [], new Set([cut])) ? loops : undefined
}
