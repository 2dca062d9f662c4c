// The engine `redcomp`: reduction to blocks, then compositional reasoning by Horn clauses (redcomp.txt).
import { print, type Term } from '../../logic/index.js'
import { errorsOf } from '../../property/index.js'
import { replay, type Trace } from '../../semantics/index.js'
import { type HornResult, type Relation, type Rule, type Smt, SolverError } from '../../smt/index.js'
import type { Assumption, Result } from '../../verdict/index.js'
import type { Program } from '../../xcfa/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import { type Arithmetic, createEncoding, NotExpressible } from '../../xcfa/terms/index.js'
import type { Engine, Env, Options, Task } from '../engine.js'
import { hornText } from './horn-text.js'
import { interleavingOf, shortInterleaving } from './interleaving.js'
import { reduce } from './reduce.js'
import { ruleSafety } from './rule-safety.js'
import { redcompSpec } from './spec.js'
import { specialise, type Threads } from './specialise.js'
import { type StateSpace, stateSpace } from './state.js'
import type { Step } from './steps.js'
import { verifyTermination } from './termination.js'
import { ruleSafetyByVectors, type VectorClauses } from './vectors.js'

/** More location vectors than this are left to the view by threads. */
const MOST_VECTORS = 6000

/** Where threads are is often not needed, and costs much. */
const WITHOUT_COUNTERS_MS = 5000
/** For an error that is near. */
const SHORT_MS = 2000

type Stats = Record<string, number>

const unknown = (reason: string, stats: Stats = {}): Result => ({ verdict: 'unknown', reason, stats, assumptions: [] })

const verify = (task: Task, options: Options, env: Env): Result => {
  try {
    if (task.property === 'termination') return verifyTermination(task, options, env)
    return new Safety(task, options, env, task.smt!).decide()
  } catch (error) {
    if (error instanceof NotExpressible) return unknown(error.message)
    throw error
  }
}

const countsThreads = (program: Program): boolean =>
  program.globals.some((v) => v.name.startsWith('__heddle_thread_count'))

/** What one set of clauses led to. */
type Attempt =
  | {
      readonly kind: 'safe'
      readonly view: 'all' | 'threads'
      readonly steps: readonly Step[]
      readonly solution: ReadonlyMap<Relation, Term>
    }
  | { readonly kind: 'unsafe'; readonly trace: Trace }
  /** A goal is derived, but not as an execution: overflow, or the abstraction. */
  | { readonly kind: 'spurious'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string }

/** IR and LStep as text; relations that were inlined by the solver are missing. */
const textsOf = (solution: ReadonlyMap<Relation, Term>): Readonly<Record<string, string>> =>
  Object.fromEntries([...solution].map(([relation, formula]) => [relation.name, print(formula)]))

class Safety {
  private readonly stats: Stats = { clauses: 0, blocks: 0, solver_calls: 0 }
  private readonly threads: Threads

  constructor(
    private readonly task: Task,
    private readonly options: Options,
    private readonly env: Env,
    private readonly smt: Smt,
  ) {
    const specialised = specialise(prepare(errorsOf(task.raw, task.property)))
    this.threads = options['reduction'] === 'off' ? specialised : reduce(specialised)
  }

  decide(): Result {
    const { arith } = this.task.settings
    if (!this.threads.exactNumbers && countsThreads(this.threads.program))
      return unknown('threads that are numbered in any order, with signals', this.stats)
    const first: Arithmetic = arith === 'bv' ? 'bv' : 'int'
    const found = this.attempt(first, arith === 'auto')
    if (found.kind !== 'spurious' || arith !== 'auto') return this.resultOf(found, first)
    // Without overflow as a goal, an error of the program may remain.
    const again = this.attempt('int', false)
    if (again.kind !== 'safe') return this.resultOf(again.kind === 'spurious' ? found : again, 'int')
    return this.resultOf(this.attempt('bv', false), 'bv')
  }

  private attempt(arith: Arithmetic, obligations: boolean): Attempt {
    const stopped = this.env.stopped()
    if (stopped) return { kind: 'unknown', reason: stopped }
    const pointerWidth = this.threads.program.dataModel === 'ilp32' ? 32 : 64
    const space = stateSpace(this.threads, createEncoding(arith, { pointerWidth }))
    const anyNumber = this.threads.threads.some((t) => t.number === undefined)
    const vectors =
      anyNumber || this.options['view'] === 'threads'
        ? undefined
        : ruleSafetyByVectors(space, { obligations, most: MOST_VECTORS })
    if (vectors) return this.byVectors(space, vectors)
    if (this.options['view'] === 'all') return { kind: 'unknown', reason: 'too many location vectors' }
    return this.byThreads(space, obligations)
  }

  private byVectors(space: StateSpace, clauses: VectorClauses): Attempt {
    const { rules, steps } = clauses
    this.count(rules.length)
    const { globals } = this.threads.program
    const short = shortInterleaving(space, clauses, globals, this.smt, SHORT_MS)
    if (short && replay(this.task.raw, short, this.task.property).reached) return { kind: 'unsafe', trace: short }
    const found = this.solve(rules)
    switch (found.status) {
      case 'sat':
        return { kind: 'safe', view: 'all', steps, solution: found.solution }
      case 'unknown':
        return { kind: 'unknown', reason: this.env.stopped() ?? found.reason }
      case 'unsat': {
        const trace = found.derivation && interleavingOf(space, clauses, found.derivation, globals, this.smt)
        if (!trace) return { kind: 'spurious', reason: 'a derivation that is no execution' }
        const { reached, reason } = replay(this.task.raw, trace, this.task.property)
        return reached ? { kind: 'unsafe', trace } : { kind: 'spurious', reason: reason ?? 'it does not replay' }
      }
    }
  }

  /** First by what threads share alone; where the others are is added if that does not suffice. */
  private byThreads(space: StateSpace, obligations: boolean): Attempt {
    const known = space.threads.filter((t) => t.number !== undefined).length
    const least = this.byThreadsWith(space, obligations, false, known > 1 ? WITHOUT_COUNTERS_MS : undefined)
    return least.kind === 'safe' || this.env.stopped() ? least : this.byThreadsWith(space, obligations, true)
  }

  private byThreadsWith(space: StateSpace, obligations: boolean, counters: boolean, limit?: number): Attempt {
    const { rules, steps } = ruleSafety(space, { obligations, counters })
    this.count(rules.length)
    const found = this.solve(rules, limit)
    switch (found.status) {
      case 'sat':
        return { kind: 'safe', view: 'threads', steps, solution: found.solution }
      case 'unknown':
        return { kind: 'unknown', reason: this.env.stopped() ?? found.reason }
      case 'unsat':
        return { kind: 'spurious', reason: 'not provable thread by thread' }
    }
  }

  private solve(rules: readonly Rule[], most?: number): HornResult {
    const file = this.options['horn-out']
    if (file) this.env.write?.(file, hornText(rules))
    const limit = Number(this.options['horn-limit'] ?? 0) || (most ?? 0)
    const horn = this.smt.horn({ inline: true, ...(limit > 0 && { timeoutMs: limit }) })
    try {
      return horn.solve(rules)
    } catch (error) {
      // Spacer gives up on some clauses with an error of its own.
      if (error instanceof SolverError) return { status: 'unknown', reason: error.message }
      throw error
    } finally {
      horn.dispose()
    }
  }

  private count(clauses: number): void {
    this.stats['clauses'] = clauses
    this.stats['solver_calls']!++
    this.env.progress('clauses', { clauses })
  }

  private resultOf(found: Attempt, arith: Arithmetic): Result {
    const { stats } = this
    switch (found.kind) {
      case 'safe':
        return {
          verdict: 'true',
          certificate: {
            kind: 'horn',
            data: { view: found.view, arithmetic: arith, assertions: textsOf(found.solution) },
          },
          stats,
          assumptions: this.assumptions(found.steps, arith),
        }
      case 'unsafe':
        return { verdict: 'false', trace: found.trace, stats, assumptions: [] }
      case 'spurious':
      case 'unknown':
        return unknown(found.reason, stats)
    }
  }

  private assumptions(steps: readonly Step[], arith: Arithmetic): readonly Assumption[] {
    const overflow: Assumption = {
      what: 'no signed overflow',
      status: this.task.settings.arith === 'int' ? 'open' : 'discharged',
    }
    return [
      ...(arith === 'int' ? [overflow] : []),
      ...(steps.some((step) => step.mayStop) ? [{ what: 'valid dereferences', status: 'open' } as const] : []),
    ]
  }
}

export const redcompEngine: Engine = { ...redcompSpec, verify }
