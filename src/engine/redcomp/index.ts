// The engine `redcomp`: reduction to blocks, then compositional reasoning by Horn clauses (redcomp.txt). Several views of
// what an assertion may speak of are tried in turns, each for a slice of time that grows: which one Spacer can solve is
// not known before.

import { replay, type Trace } from '../../semantics/index.js'
import type { HornResult, Rule, Smt } from '../../smt/index.js'
import type { Assumption, Result } from '../../verdict/index.js'
import { inconclusive, notExpressible, type Reason, unsupportedReason } from '../../verdict/reason.js'
import { unknown } from '../../verdict/result.js'
import { Unsupported } from '../../xcfa/index.js'
import { countsThreads } from '../../xcfa/passes/index.js'
import { isOwed, NotExpressible, type ObligationKind } from '../../xcfa/terms/index.js'
import { type Engine, type Env, engineOf, type Options, parseOptions, type Task } from '../engine.js'
import { certificateOf } from './certificate.js'
import { hornText } from './horn-text.js'
import { executionOf, shortInterleaving, traceFrom } from './interleaving.js'
import type { Threads } from './program/specialise.js'
import { verifyRaceFreedom } from './races.js'
import { type Clauses, type Configuration, clausesOf, hasAnyNumber, threadsFor } from './safety/clauses.js'
import { hasConditions } from './safety/forget.js'
import { hasArrays } from './safety/one-cell.js'
import { isObligation } from './safety/vectors.js'
import {
  bounded,
  completeSolution,
  invariantsHold,
  type Solution,
  type Strengthened,
  solveHorn,
  strengthened,
  withoutGoals,
} from './solution.js'
import { REDCOMP_OPTIONS, type RedcompOptions, redcompSpec } from './spec.js'
import { verifyTermination } from './termination/termination.js'

/** The first slice of an attempt; the next ones are three times as long. */
const SLICE_MS = 3000
const COUNTING_SLICE_MS = 5000
const EXACT_SLICE_MS = 15_000
/** Checks of the solver for bounds: three times as many in the second turn, and so on. */
const CHECKS = 3000
/** So few clauses are tried by bounds first. */
const FEW_RULES = 300
/** With more clauses than this, bounds are those of one argument, and none for location vectors. */
const SMALL_RULES = 1000
const PAIRED_ARGUMENTS = 10
/** With more threads than this, location vectors and pairs are too many to begin with. */
const MANY_THREADS = 8
/** For an error that is near. */
const SHORT_MS = 2000
/** For writing down the proof. */
const CERTIFICATE_MS = 3000

type Stats = Record<string, number>

const verify = (task: Task, raw: Options, env: Env): Result => {
  const options = parseOptions(REDCOMP_OPTIONS, raw)
  try {
    if (task.property === 'termination') return verifyTermination(task, options, env)
    if (task.property === 'no-data-race') return verifyRaceFreedom(task, env)
    return new Safety(task, options, env, task.smt!).decide()
  } catch (error) {
    if (error instanceof NotExpressible) return unknown(notExpressible(error))
    throw error
  }
}

interface Safe {
  readonly kind: 'safe'
  readonly way: Configuration
  readonly clauses: Clauses
  readonly facts: Strengthened
  readonly solution: Solution
}

/** What one set of clauses led to. */
type Attempt =
  | Safe
  | { readonly kind: 'unsafe'; readonly trace: Trace }
  /** A goal is derived, but not as an execution: overflow, or the abstraction. */
  | { readonly kind: 'spurious'; readonly reason: Reason; readonly obligation?: ObligationKind }
  /** The solver had no time; more of it may help. */
  | { readonly kind: 'undecided'; readonly reason: Reason }
  /** It will not help. */
  | { readonly kind: 'hopeless'; readonly reason: Reason }

/** An obligation that no view can show, for an execution breaks it; overflow another arithmetic may do without. */
const breaksObligation = (found: Attempt): boolean =>
  found.kind === 'spurious' && found.obligation !== undefined && isOwed(found.obligation, false)

class Safety {
  private readonly stats: Stats = { clauses: 0, blocks: 0, solver_calls: 0 }
  private readonly prepared = new Map<string, Threads>()
  private readonly written = new Map<string, Clauses | undefined>()
  private readonly facts = new Map<Clauses, Strengthened>()
  private readonly bounds = new Map<Clauses, Strengthened>()
  private readonly checks = new Map<Clauses, number>()

  /** Milliseconds for one set of clauses. */
  private readonly most: number

  constructor(
    private readonly task: Task,
    private readonly options: RedcompOptions,
    private readonly env: Env,
    private readonly smt: Smt,
  ) {
    this.most = options['horn-limit'] || Number.POSITIVE_INFINITY
  }

  decide(): Result {
    let ways = this.configurations()
    let reason: Reason = inconclusive('no view is for this program')
    let isFinal = false
    for (let round = 0; ways.length > 0; round++) {
      const left: Configuration[] = []
      // Bounds are cheap beside what the solver is given next.
      for (const way of round > 0 ? withoutCoarser(ways) : []) {
        const found = this.env.stopped() ? undefined : this.byBounds(way, round)
        if (found) return this.proved(found)
      }
      const turn = this.inOrder(ways, round)
      for (let way = turn.shift(); way; way = turn.shift()) {
        const stopped = this.env.stopped()
        if (stopped) return unknown(stopped, this.stats)
        const isLast = round > 1 && left.length === 0 && turn.length === 0
        const found = this.attempt(way, round, isLast ? undefined : this.sliceOf(way, round))
        if (found.kind === 'safe') return this.proved(found)
        if (found.kind === 'unsafe') return { verdict: 'false', trace: found.trace, stats: this.stats, assumptions: [] }
        // What an execution breaks is a better reason than what another view cannot show.
        if (!isFinal) reason = found.reason
        isFinal ||= breaksObligation(found)
        if (found.kind === 'undecided') {
          const isOver = this.sliceOf(way, round) >= this.most
          const proof = isOver ? this.byBounds(way, round) : undefined
          if (proof) return this.proved(proof)
          if (!isOver) left.push(way)
        }
        if (found.kind === 'spurious') turn.unshift(...this.withoutOverflow(way))
      }
      ways = left
    }
    return unknown(this.env.stopped() ?? reason, this.stats)
  }

  // ---- what to try

  private configurations(): readonly Configuration[] {
    const { arith } = this.task.settings
    const base: Configuration = {
      reduction: this.options.reduction === 'on',
      merged: false,
      view: 'all',
      arithmetic: arith === 'bv' ? 'bv' : 'int',
      overflow: arith === 'auto',
      positions: false,
      owners: true,
      counts: false,
    }
    const apart = this.threads(base)
    const asked = this.options.view
    const ways = hasAnyNumber(apart) ? viewsOf(base, apart) : this.boundedViews(base, apart)
    const forgets = hasConditions(this.task.raw)
    const views = ways
      .filter(({ view }) => asked === 'auto' || asked === view)
      .map((way) => (forgets && way.view !== 'all' ? { ...way, forgets } : way))
    const first = views.find(({ view }) => view !== 'all')
    if (!first || !this.hasArrays(first)) return views
    return views.flatMap((way) => (way.view === 'all' ? [way] : [{ ...way, cells: true }, way]))
  }

  private hasArrays(way: Configuration): boolean {
    return this.isExpressible(way) && hasArrays(this.clauses(way)!.rules)
  }

  /** With many threads that a loop starts, first as if there were any number of them. */
  private boundedViews(base: Configuration, apart: Threads): readonly Configuration[] {
    const isMany = apart.threads.length > MANY_THREADS
    const merged: Configuration = { ...base, merged: true }
    const counting = hasAnyNumber(this.threads(merged)) ? countingViews(merged) : []
    const views = viewsOf(base, apart)
    return isMany
      ? [...counting, ...views.filter(({ view }) => view === 'threads'), base]
      : [base, ...views, ...counting]
  }

  /** Where bounds are facts: first where they leave the fewest goals open. */
  private inOrder(ways: readonly Configuration[], round: number): Configuration[] {
    if (!isWithBounds(round)) return [...ways]
    const open = (way: Configuration): number =>
      this.bounds.get(this.clauses(way)!)?.rules.filter(({ head }) => !head).length ?? Number.MAX_SAFE_INTEGER
    return [...ways].sort((a, b) => open(a) - open(b))
  }

  /** Once overflow is in the way: the same with signed operations that wrap. */
  private withoutOverflow(way: Configuration): readonly Configuration[] {
    return this.task.settings.arith === 'auto' && way.overflow
      ? [{ ...way, arithmetic: 'wrapping', overflow: false }]
      : []
  }

  /** All threads with arrays is what the solver seldom does, but if so at once. */
  private sliceOf(way: Configuration, round: number): number {
    const exact = way.view === 'all' && !this.hasArrays(way)
    return (exact ? EXACT_SLICE_MS : way.counts ? COUNTING_SLICE_MS : SLICE_MS) * 3 ** round
  }

  private threads(way: Configuration): Threads {
    const key = `${way.merged} ${way.forgets ?? false}`
    let threads = this.prepared.get(key)
    if (!threads) this.prepared.set(key, (threads = threadsFor(this.task.raw, this.task.property, way)))
    return threads
  }

  private clauses(way: Configuration): Clauses | undefined {
    const key = JSON.stringify(way)
    if (!this.written.has(key)) this.written.set(key, clausesOf(this.threads(way), way))
    return this.written.get(key)
  }

  // ---- one attempt

  private attempt(way: Configuration, round: number, limit: number | undefined): Attempt {
    const threads = this.threads(way)
    if (!threads.exactNumbers && countsThreads(threads.program))
      return { kind: 'hopeless', reason: inconclusive('threads that are numbered in any order, with signals') }
    try {
      const clauses = this.clauses(way)
      if (!clauses) return { kind: 'hopeless', reason: inconclusive('too many location vectors') }
      return this.solve(way, clauses, round, limit)
    } catch (error) {
      if (error instanceof NotExpressible) return { kind: 'hopeless', reason: notExpressible(error) }
      if (error instanceof Unsupported) return { kind: 'hopeless', reason: unsupportedReason(error) }
      throw error
    }
  }

  private solve(way: Configuration, clauses: Clauses, round: number, limit: number | undefined): Attempt {
    const threads = this.threads(way)
    this.count(clauses.rules.length)
    const short = this.facts.has(clauses) ? undefined : this.errorNearby(threads, clauses)
    if (short) return { kind: 'unsafe', trace: short }
    if (round === 0 && !clauses.vectors && clauses.rules.length <= FEW_RULES) {
      const found = this.byBounds(way, round)
      if (found) return found
    }
    const facts = (isWithBounds(round) && this.bounds.get(clauses)) || this.known(clauses)
    const found = this.horn(facts.rules, round, limit)
    switch (found.status) {
      case 'sat':
        return { kind: 'safe', way, clauses, facts, solution: found.solution }
      case 'unknown':
        return {
          kind: round === 0 || found.isOutOfTime ? 'undecided' : 'hopeless',
          reason: inconclusive(found.reason),
        }
      case 'unsat': {
        // Only the view of all threads is exact: elsewhere a derivation need not be an execution.
        if (!clauses.vectors) return { kind: 'spurious', reason: inconclusive('not provable thread by thread') }
        const { space, vectors } = clauses
        const { globals } = threads.program
        const taken = found.derivation && executionOf(vectors.rules, found.derivation, this.smt)
        const goal = taken?.at(-1)?.rule
        if (goal && isObligation(goal)) {
          const obligation = goal.name as ObligationKind
          return { kind: 'spurious', reason: { kind: 'obligation', obligation }, obligation }
        }
        const trace = taken && traceFrom(space, taken, globals)
        if (!trace) return { kind: 'spurious', reason: inconclusive('a derivation that is no execution') }
        const { reached, reason } = replay(this.task.raw, trace, this.task.property)
        return reached
          ? { kind: 'unsafe', trace }
          : { kind: 'spurious', reason: inconclusive(reason ?? 'it does not replay') }
      }
    }
  }

  /**
   * A proof by bounds alone; where they leave goals open, they are facts for the solver. If overflow is all that is open, the
   * same with signed operations that wrap.
   */
  private byBounds(way: Configuration, round: number): Safe | undefined {
    const clauses = this.clauses(way)!
    const isSmall = clauses.rules.length <= SMALL_RULES
    // A check takes about a millisecond.
    const checks = Math.min(CHECKS * 3 ** round, this.most)
    const options = { pairs: isSmall ? PAIRED_ARGUMENTS : 0, checks }
    const isTried = this.bounds.has(clauses) || (this.checks.get(clauses) ?? 0) >= checks
    if (isTried || (clauses.vectors && !isSmall)) return undefined
    this.checks.set(clauses, checks)
    const facts = bounded(this.smt, this.known(clauses), options)
    if (!facts) return undefined
    this.bounds.set(clauses, facts)
    const solution = withoutGoals(facts)
    if (solution) return { kind: 'safe', way, clauses, facts, solution }
    const onlyOverflow = facts.rules.every(({ head, name }) => head || name === 'overflow')
    const [other] = onlyOverflow ? this.withoutOverflow(way) : []
    return other && this.isExpressible(other) ? this.byBounds(other, round) : undefined
  }

  private isExpressible(way: Configuration): boolean {
    try {
      return this.clauses(way) !== undefined
    } catch (error) {
      if (error instanceof NotExpressible || error instanceof Unsupported) return false
      throw error
    }
  }

  private known(clauses: Clauses): Strengthened {
    let facts = this.facts.get(clauses)
    if (!facts) this.facts.set(clauses, (facts = strengthened(clauses.rules, clauses.vectors !== undefined)))
    return facts
  }

  private errorNearby({ program }: Threads, { space, vectors }: Clauses): Trace | undefined {
    const trace = vectors && shortInterleaving(space, vectors, program.globals, this.smt, SHORT_MS)
    return trace && replay(this.task.raw, trace, this.task.property).reached ? trace : undefined
  }

  private horn(rules: readonly Rule[], seed: number, slice: number | undefined): HornResult {
    const file = this.options['horn-out']
    if (file) this.env.write?.(file, hornText(rules))
    const limit = Math.min(this.most, slice ?? this.most)
    return solveHorn(this.smt, rules, { inline: true, seed, ...(Number.isFinite(limit) && { timeoutMs: limit }) })
  }

  private count(clauses: number): void {
    this.stats['clauses'] = clauses
    this.stats['solver_calls']!++
    this.env.progress('clauses', { clauses })
  }

  // ---- the answer

  private proved({ way, clauses, facts, solution }: Safe): Result {
    const complete = completeSolution(this.smt, facts, solution, CERTIFICATE_MS)
    // What was given to the solver is not believed without a check, either.
    if (!complete && !invariantsHold(this.smt, facts))
      return unknown(inconclusive('affine invariants are undecided'), this.stats)
    return {
      verdict: 'true',
      certificate: certificateOf(way, clauses, complete),
      stats: this.stats,
      assumptions: this.assumptions(way, clauses),
    }
  }

  private assumptions({ arithmetic, overflow }: Configuration, { steps }: Clauses): readonly Assumption[] {
    const status = overflow ? 'discharged' : 'open'
    return [
      ...(arithmetic === 'int' ? [{ kind: 'no-overflow', status } as const] : []),
      ...(steps.some((step) => step.mayStop) ? [{ kind: 'valid-dereferences', status: 'open' } as const] : []),
    ]
  }
}

/** First by what threads share alone; more is added if that does not suffice. */
const viewsOf = (base: Configuration, threads: Threads): Configuration[] => {
  const hasOthers = threads.threads.filter((t) => t.number !== undefined).length > 1
  const threadView: Configuration = { ...base, view: 'threads' }
  const positions = hasOthers ? [{ ...threadView, positions: true }] : []
  if (!hasAnyNumber(threads)) return [threadView, ...positions, { ...base, view: 'pairs' }]
  const [counting, ...others] = countingViews(base)
  return [threadView, counting!, ...positions, ...others]
}

const countingViews = (base: Configuration): readonly Configuration[] => [
  { ...base, view: 'threads', counts: true },
  { ...base, view: 'pairs' },
  { ...base, view: 'pairs', counts: true },
]

/** More facts make some clauses harder: every other turn is without them. */
const isWithBounds = (round: number): boolean => round % 2 === 1

/** Bounds of a view that also says where the others are hold in the one that does not. */
const withoutCoarser = (ways: readonly Configuration[]): readonly Configuration[] => {
  const all = new Set(ways.map((way) => JSON.stringify(way)))
  return ways.filter((way) => way.positions || !all.has(JSON.stringify({ ...way, positions: true })))
}

export const redcompEngine: Engine = engineOf(redcompSpec, verify)
