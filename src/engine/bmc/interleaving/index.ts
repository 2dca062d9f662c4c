// Bounded model checking over interleavings, frame by frame on one solver, with peephole reduction (peephole.txt).
// Complete where it ends: every execution of k + 1 steps has one of k steps as its beginning, and the reduction keeps
// one of each class of equivalent executions of the same length, so that if none has k + 1 steps the search is over.

import { and, not, or, type Term, TRUE } from '../../../logic/index.js'
import type { Smt, Solver, Status } from '../../../smt/index.js'
import type { Assumption, Result } from '../../../verdict/index.js'
import { inconclusive, type Reason } from '../../../verdict/reason.js'
import { unknown } from '../../../verdict/result.js'
import type { Program } from '../../../xcfa/index.js'
import { createEncoding, type Encoding, OBLIGATION_KINDS, threadRoom } from '../../../xcfa/terms/index.js'
import type { Env } from '../../engine.js'
import { TooManyCells } from './cells.js'
import { type Frame, Frames, TooManyThreads } from './frames.js'
import { type GirEncoding, Peephole, type Reduction } from './peephole.js'
import { traceOf } from './trace.js'
import { Transitions } from './transitions.js'

export interface InterleavingOptions {
  readonly reduction: Reduction
  readonly girEncoding: GirEncoding
  /** The most steps of an execution; undefined: as many as there is time for. */
  readonly depth: number | undefined
}

/** Room for threads at first; it doubles when there are more. */
const THREADS = 6
const MAX_THREADS = 48
const HEAP_INSTANCES = 8

export const interleaving = (
  program: Program,
  smt: Smt,
  arithmetic: 'int' | 'bv',
  options: InterleavingOptions,
  env: Env,
): Result => {
  const encoding = createEncoding(arithmetic, { pointerWidth: program.dataModel === 'ilp32' ? 32 : 64 })
  for (let threads = THREADS; threads <= MAX_THREADS; threads *= 2) {
    if (threadRoom(program, threads - 1).holds !== TRUE)
      return unknown({ kind: 'obligation', obligation: 'thread-instances' })
    try {
      return new Search(program, smt, encoding, threads, options, env).run()
    } catch (problem) {
      if (problem instanceof TooManyCells) return unknown(inconclusive(problem.message))
      if (!(problem instanceof TooManyThreads)) throw problem
    }
  }
  return unknown(inconclusive(`more than ${MAX_THREADS} threads`))
}

class Search {
  private readonly transitions: Transitions
  private readonly solver: Solver
  private readonly frames: Frames
  private readonly peephole: Peephole
  private calls = 0
  private incomplete: Reason | undefined
  private mayBeInvalid = false

  constructor(
    program: Program,
    smt: Smt,
    private readonly encoding: Encoding,
    threads: number,
    private readonly options: InterleavingOptions,
    private readonly env: Env,
  ) {
    this.transitions = new Transitions(program, { encoding, threads, heap: HEAP_INSTANCES })
    this.solver = smt.solver(this.transitions.logic())
    this.frames = new Frames(this.transitions, this.solver)
    this.peephole = new Peephole(this.frames, options.reduction, options.girEncoding)
  }

  run(): Result {
    try {
      return this.search()
    } finally {
      this.solver.dispose()
    }
  }

  private search(): Result {
    const { frames, options, env } = this
    for (let depth = 1; depth <= (options.depth ?? Number.POSITIVE_INFINITY); depth++) {
      const frame = this.extend()
      env.progress('frames', { depth, constraints: frames.constraints })
      const failing = this.check(frames.failing(frame))
      if (failing === 'sat') {
        const trace = traceOf(frames, this.solver.model())
        return { verdict: 'false', trace, stats: this.stats(), assumptions: [] }
      }
      if (failing === 'unknown') return unknown(env.stopped() ?? inconclusive(this.solver.reason()), this.stats())
      frames.add(not(frames.failing(frame)))
      const limited = this.checkLimits(frame)
      if (limited === 'unsat' && this.incomplete === undefined) env.known?.({ kind: 'steps', steps: depth })
      const further = this.check(TRUE)
      if (limited === 'unknown' || further === 'unknown')
        return unknown(env.stopped() ?? inconclusive(this.solver.reason()), this.stats())
      if (further === 'unsat') return this.complete()
      const stopped = env.stopped()
      if (stopped) return unknown(stopped, this.stats())
    }
    return unknown(inconclusive(`depth ${options.depth}`), this.stats())
  }

  private extend(): Frame {
    const { frames } = this
    const previous = frames.frames.at(-1)
    const frame = frames.extend()
    if (previous) this.peephole.constrain(previous, frame)
    return frame
  }

  private check(goal: Term): Status {
    if (goal.op === 'const' && goal !== TRUE) return 'unsat'
    this.calls++
    // A check that was interrupted is never repeated: the solver's SAT core has answered `sat` without a model then.
    if (this.frames.interrupted) return 'unknown'
    return this.solver.check(goal === TRUE ? [] : [goal])
  }

  /** What the encoding has no room for (threads, heap objects), or does not model (overflow of integers). */
  private checkLimits(frame: Frame): Status {
    const { frames } = this
    const full = this.check(or(frames.full.splice(0)))
    if (full === 'sat') throw new TooManyThreads()
    const { state, moves } = frame
    for (const { transition } of moves) if (transition.summary.mayBeInvalid) this.mayBeInvalid = true
    const statuses: Status[] = [full]
    for (const kind of OBLIGATION_KINDS) {
      if (this.incomplete) continue
      const broken = moves.flatMap(({ transition, taken }) =>
        transition.obligations.flatMap((o) => (o.kind === kind ? [and(taken, not(state.now(o.holds)))] : [])),
      )
      const status = this.check(or(broken))
      if (status === 'sat') this.incomplete = { kind: 'obligation', obligation: kind }
      statuses.push(status)
    }
    return statuses.includes('unknown') ? 'unknown' : 'unsat'
  }

  private complete(): Result {
    const stats = this.stats()
    if (this.incomplete) return unknown(this.incomplete, stats)
    const assumptions: Assumption[] = []
    if (this.encoding.arithmetic === 'int') assumptions.push({ kind: 'no-overflow', status: 'discharged' })
    if (this.mayBeInvalid) assumptions.push({ kind: 'valid-dereferences', status: 'open' })
    const data = { bound: this.frames.frames.length, encoding: 'interleaving' } as const
    return { verdict: 'true', certificate: { kind: 'bounded', data }, stats, assumptions }
  }

  private stats(): Record<string, number> {
    const found = this.solver.statistics()
    const count = (name: string): number => found[name] ?? found[`sat-${name}`] ?? 0
    return {
      depth: this.frames.frames.length,
      solver_calls: this.calls,
      conflicts: count('conflicts'),
      decisions: count('decisions'),
      clauses: this.frames.constraints,
      gir_constraints: this.peephole.constraints,
    }
  }
}
