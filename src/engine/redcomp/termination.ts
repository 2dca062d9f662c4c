// Termination: the loop around RuleTermination. A lasso that leaves the candidate relation either repeats a state, or a
// ranking function for it joins the candidate; then the clauses are solved again (redcomp.txt section IV-B).
import { and, eq, freeVariables, print, substitute, type Term, variable } from '../../logic/index.js'
import { errorsOf } from '../../property/index.js'
import { replay, type Trace } from '../../semantics/index.js'
import { type HornResult, type Smt, SolverError } from '../../smt/index.js'
import type { Result } from '../../verdict/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import { createEncoding } from '../../xcfa/terms/index.js'
import type { Env, Options, Task } from '../engine.js'
import { executionOf, interleavingOf, type Taken } from './interleaving.js'
import { type Loop, type Ranking, synthesiseRanking } from './ranking.js'
import { reduce } from './reduce.js'
import { deadlockRules, isOver, isSpurious, type Round, roundRules, roundsOf } from './rule-termination.js'
import { specialise, type Threads } from './specialise.js'
import { type StateSpace, stateSpace } from './state.js'
import { ruleSafetyByVectors, type Vector, type VectorClauses, type VectorRule } from './vectors.js'

const MOST_VECTORS = 3000
const MOST_RANKINGS = 12

type Stats = Record<string, number>

export const verifyTermination = (task: Task, options: Options, env: Env): Result => {
  const prepared = prepare(errorsOf(task.raw, 'termination'), { keepExit: true })
  const threads = specialise(prepared)
  return new Termination(task, options, env, options['reduction'] === 'off' ? threads : reduce(threads, true)).decide()
}

class Termination {
  private readonly stats: Stats = { clauses: 0, solver_calls: 0, refinements: 0 }
  private readonly smt: Smt
  private readonly rankings: string[] = []

  constructor(
    private readonly task: Task,
    private readonly options: Options,
    private readonly env: Env,
    private readonly threads: Threads,
  ) {
    this.smt = task.smt!
  }

  decide(): Result {
    const { threads, program, exactNumbers } = this.threads
    if (threads.some((t) => t.number === undefined)) return this.unknown('threads of any number')
    if (!exactNumbers && program.globals.some((v) => v.name.startsWith('__heddle_thread_count')))
      return this.unknown('threads that are numbered in any order, with signals')
    if (this.task.settings.arith === 'bv') return this.unknown('termination in bit-vector arithmetic')
    const space = stateSpace(
      this.threads,
      createEncoding('int', { pointerWidth: program.dataModel === 'ilp32' ? 32 : 64 }),
    )
    const all = ruleSafetyByVectors(space, { obligations: this.task.settings.arith === 'auto', most: MOST_VECTORS })
    if (!all) return this.unknown('too many location vectors')
    // What follows the end of the program, or a failed assumption, does not count.
    const clauses = { ...all, rules: all.rules.filter((rule) => !rule.from || !isOver(rule.from)) }
    return this.blocked(space, clauses) ?? this.endless(clauses) ?? this.proved(clauses)
  }

  private unknown(reason: string): Result {
    return { verdict: 'unknown', reason, stats: this.stats, assumptions: [] }
  }

  private proved({ steps }: VectorClauses): Result {
    const mayStop = steps.some((s) => s.mayStop || s.edge.target.reason?.kind === 'undefined')
    return {
      verdict: 'true',
      certificate: { kind: 'termination', data: { rankings: this.rankings } },
      stats: this.stats,
      assumptions: [
        { what: 'no signed overflow', status: this.task.settings.arith === 'int' ? 'open' : 'discharged' },
        ...(mayStop ? [{ what: 'no undefined behaviour', status: 'open' } as const] : []),
      ],
    }
  }

  private solve(rules: readonly VectorRule[]): HornResult {
    this.stats['clauses'] = rules.length
    this.stats['solver_calls']!++
    this.env.progress('clauses', { clauses: rules.length, rankings: this.rankings.length })
    const limit = Number(this.options['horn-limit'] ?? 0)
    try {
      return this.smt.horn({ inline: true, ...(limit > 0 && { timeoutMs: limit }) }).solve(rules)
    } catch (error) {
      if (error instanceof SolverError) return { status: 'unknown', reason: error.message }
      throw error
    }
  }

  /** Whether everybody can be blocked for ever; undefined: nobody. */
  private blocked(space: StateSpace, clauses: VectorClauses): Result | undefined {
    const rules = [...clauses.rules, ...deadlockRules(clauses, this.smt)]
    const found = this.solve(rules)
    if (found.status === 'sat') return undefined
    if (found.status === 'unknown') return this.unknown(this.env.stopped() ?? found.reason)
    const all = { ...clauses, rules }
    const trace =
      found.derivation && interleavingOf(space, all, found.derivation, this.threads.program.globals, this.smt)
    if (trace && this.deadlocks(trace)) return { verdict: 'false', trace, stats: this.stats, assumptions: [] }
    return this.unknown('threads may be blocked for ever, or overflow')
  }

  private deadlocks(trace: Trace): boolean {
    return replay(this.task.raw, trace, 'no-deadlock').reached
  }

  /** Rounds that are not shown to end; undefined: all do. */
  private endless(clauses: VectorClauses): Result | undefined {
    for (const round of roundsOf(clauses)) {
      const problem = this.endsAlways(clauses, round)
      if (problem) return problem
    }
    return undefined
  }

  private endsAlways(clauses: VectorClauses, round: Round): Result | undefined {
    const rankings: Ranking[] = []
    if (this.endsBySimpleLoops(clauses, round)) return undefined
    for (;;) {
      const stopped = this.env.stopped()
      if (stopped) return this.unknown(stopped)
      const rules = [...clauses.rules, ...roundRules(clauses, round, rankings)]
      const found = this.solve(rules)
      if (found.status === 'sat') return undefined
      if (found.status === 'unknown') return this.unknown(found.reason)
      const taken = found.derivation && executionOf(rules, found.derivation, this.smt)
      if (taken?.at(-1)?.rule.name !== 'T4') return this.unknown('a signed operation may overflow')
      const loop = composeLoop(taken, round)
      if (this.repeats(loop, round)) return this.unknown('a loop may lead back to the state it began in')
      const ranking = synthesiseRanking(this.smt, round.cut.assertion.terms, [loop])
      if (!ranking || rankings.length >= MOST_RANKINGS) return this.unknown('no linear ranking function found')
      rankings.push(ranking)
      this.rankings.push(print(ranking.rank))
      this.stats['refinements']!++
    }
  }

  /** Where every cycle of the round passes its cut, one function that decreases on each of them is enough. */
  private endsBySimpleLoops(clauses: VectorClauses, round: Round): boolean {
    const loops = simpleLoops(clauses, round)
    if (!loops) return false
    const composed = loops.map((rules) => compose(rules, 0))
    const ranking = synthesiseRanking(this.smt, round.cut.assertion.terms, composed)
    if (!ranking) return false
    this.rankings.push(print(ranking.rank))
    return true
  }

  /** Whether the loop can lead back to where it began. */
  private repeats({ constraint, after }: Loop, { cut }: Round): boolean {
    const solver = this.smt.solver({ timeoutMs: 5000 })
    try {
      solver.add(
        and(
          constraint,
          cut.assertion.terms.map((t) => eq(t, after.get(t) ?? t)),
        ),
      )
      return solver.check() === 'sat'
    } finally {
      solver.dispose()
    }
  }
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

const MOST_LOOPS = 64

/** All ways from the cut back to it; undefined: there are cycles that do not pass it, or too many ways. */
const simpleLoops = (
  clauses: VectorClauses,
  { cut, vectors }: Round,
): readonly (readonly VectorRule[])[] | undefined => {
  const from = new Map<Vector, VectorRule[]>()
  for (const rule of clauses.rules) {
    if (!rule.from || !rule.to || !vectors.has(rule.from) || !vectors.has(rule.to) || isSpurious(rule)) continue
    from.set(rule.from, [...(from.get(rule.from) ?? []), rule])
  }
  const loops: VectorRule[][] = []
  const walk = (vector: Vector, path: VectorRule[], passed: ReadonlySet<Vector>): boolean =>
    (from.get(vector) ?? []).every((rule) => {
      const next = [...path, rule]
      if (rule.to === cut) return loops.push(next) <= MOST_LOOPS
      return !passed.has(rule.to!) && walk(rule.to!, next, new Set([...passed, rule.to!]))
    })
  return walk(cut, [], new Set([cut])) ? loops : undefined
}
