// The engine `esst` (esst.txt): explicit scheduler, symbolic threads.

import { interfaceOf, isolatePrimitives } from '../../frontend/cooperative/index.js'
import type { Term } from '../../logic/index.js'
import { isScheduled } from '../../semantics/cooperative/configurations.js'
import {
  Refused,
  SCHEDULERS,
  type Scheduler,
  type SchedulerName,
} from '../../semantics/cooperative/schedulers/index.js'
import { replay } from '../../semantics/index.js'
import type { Smt } from '../../smt/index.js'
import { isOpen } from '../../verdict/assumption.js'
import type { Assumption, Result, Stats } from '../../verdict/index.js'
import { inconclusive, notExpressible, unsupportedReason } from '../../verdict/reason.js'
import { unknown } from '../../verdict/result.js'
import { type Program, Unsupported } from '../../xcfa/index.js'
import { type Arithmetic, createEncoding, NotExpressible } from '../../xcfa/terms/index.js'
import { type Engine, type Env, engineOf, type Options, parseOptions, type Task } from '../engine.js'
import { analyseArgument, type Undetermined } from './arguments.js'
import { type ForestCertificate, nodesOf } from './certificate.js'
import { analyse, analyseOverflow, type EdgeVia, isSpuriousCycle, refine, suppressedPath } from './counterexample.js'
import { Forest } from './forest.js'
import { Ground } from './ground.js'
import { Lazy } from './lazy.js'
import type { ForestNode } from './node.js'
import { Operations } from './operations.js'
import { Precision } from './precision.js'
import { threadedProgram } from './program.js'
import { Blocks } from './reduction/blocks.js'
import type { Cycle } from './reduction/cycles.js'
import { Regions } from './regions.js'
import { Search } from './search.js'
import { ESST_OPTIONS, type EsstOptions, esstSpec } from './spec.js'

/** Steps of the solver for one question: beyond it the answer counts as unknown. */
const RLIMIT = 20_000_000

const verify = (task: Task, raw: Options, env: Env): Result => {
  const options = parseOptions(ESST_OPTIONS, raw)
  if (task.settings.memoryModel !== 'sc')
    return unknown(
      {
        kind: 'not-applicable',
        problem: `the memory model ${task.settings.memoryModel} with cooperative threads, of which one runs at a time`,
      },
      {},
    )
  const scheduler = schedulerFor(task.raw, options)
  if (typeof scheduler === 'string') return unknown({ kind: 'not-applicable', problem: scheduler }, {})
  const arithmetics: readonly Arithmetic[] = task.settings.arith === 'auto' ? ['int', 'bv'] : [task.settings.arith]
  let last: Result = unknown(inconclusive('nothing was tried'))
  for (const arithmetic of arithmetics) {
    last = attempt(task, options, scheduler, arithmetic, env)
    const leavesOverflow = isOpen(last.assumptions, 'no-overflow')
    if (last.verdict === 'false' || (last.verdict === 'true' && !leavesOverflow) || env.stopped()) break
  }
  // In integers the proof stands only where nothing overflows; bit-vectors did not decide.
  return last
}

const schedulerFor = (raw: Program, options: EsstOptions): Scheduler | string => {
  const api = interfaceOf(raw)
  if (!api) return 'the program uses no cooperative scheduler (fthread.h, systemc.h)'
  const name = options.scheduler
  const entry = SCHEDULERS[(name === 'auto' ? api : name) as SchedulerName]
  if (entry.executes !== api) return `the scheduler ${name} does not execute programs of ${api}`
  return entry.create(options.order)
}

/** One attempt in one arithmetic: ESST(P) of 4.7. */
const attempt = (task: Task, options: EsstOptions, scheduler: Scheduler, arithmetic: Arithmetic, env: Env): Result => {
  const counts = { nodes: 0, refinements: 0, predicates: 0 }
  try {
    return new Esst(task, options, scheduler, arithmetic, env, counts).decide()
  } catch (error) {
    if (error instanceof Unsupported) return unknown(unsupportedReason(error), counts)
    if (error instanceof NotExpressible) return unknown(notExpressible(error), counts)
    if (error instanceof Refused) return unknown(inconclusive(error.message), counts)
    throw error
  }
}

const undetermined = ({ edge }: Undetermined): Unsupported => {
  const label = edge.labels.find(({ kind }) => kind === 'primitive') as { readonly name: string } | undefined
  return new Unsupported(`an argument of ${label?.name} that is not determined`, edge.position)
}

interface Growth {
  readonly forest: Forest
  readonly search: Search
  readonly lazy: Lazy | undefined
}

class Esst {
  private readonly smt: Smt
  private readonly operations: Operations
  private readonly regions: Regions
  private readonly ground: Ground
  private readonly precision: Precision
  private readonly blocks: Blocks
  private growth: Growth

  constructor(
    private readonly task: Task,
    private readonly options: EsstOptions,
    private readonly scheduler: Scheduler,
    private readonly arithmetic: Arithmetic,
    private readonly env: Env,
    private readonly counts: { nodes: number; refinements: number; predicates: number },
  ) {
    this.smt = task.smt!
    const program = threadedProgram(task.raw, task.property)
    const pointerWidth = task.raw.dataModel === 'lp64' ? 64 : 32
    this.operations = new Operations(program, createEncoding(arithmetic, { pointerWidth }))
    this.regions = new Regions(this.smt, this.operations, { rlimit: RLIMIT })
    this.ground = new Ground(program, scheduler, this.operations, this.regions)
    this.precision = new Precision(options.precision)
    this.blocks = new Blocks(this.ground, task.raw, options.independence === 'guarded')
    this.growth = this.begin()
  }

  /** Grow the forest; at an error node, analyse; if the path is spurious, refine, and grow it anew (or, if lazy, on). */
  decide(): Result {
    for (;;) {
      const found = this.growth.search.run(this.env)
      const stats = this.stats()
      const reason = this.env.stopped()
      if (reason) return unknown(reason, stats)
      switch (found.kind) {
        case 'stopped':
          return unknown(found.reason, stats)
        case 'complete':
          if (!found.isCut && this.excludesOverflow()) continue
          return this.safe(found.isCut, stats)
        case 'undetermined':
          if (!this.determines(found.place)) throw undetermined(found.place)
          continue
        case 'error': {
          const path = suppressedPath(found.node)
          const analysis = analyse(path, this.operations, this.smt, RLIMIT)
          if (analysis.kind === 'unknown') return unknown(inconclusive(analysis.reason), stats)
          if (analysis.kind === 'feasible') return this.unsafe(analysis.trace, stats)
          if (!this.refine(found.node, path, analysis.interpolants))
            return unknown(inconclusive('refinement found no new predicate'), stats)
        }
      }
    }
  }

  private begin(): Growth {
    const forest = new Forest(this.ground, this.precision, { leak: this.options.leak === 'on', isLazy: this.isLazy })
    const lazy = this.isLazy ? new Lazy(forest, this.smt, RLIMIT) : undefined
    const options = {
      por: this.options.por,
      switches: this.bound('switches'),
      depth: this.bound('depth'),
      ...(this.options.cycles === 'check' ? { isSpurious: this.isSpurious } : {}),
    }
    return { forest, lazy, search: new Search(forest, this.blocks, options, lazy) }
  }

  private get isLazy(): boolean {
    return this.options.regions === 'impact'
  }

  /** False: nothing new was learnt from the interpolants of a path that ends at the node, or goes on from it. */
  private refine(end: ForestNode, path: readonly EdgeVia[], interpolants: readonly Term[]): boolean {
    this.counts.refinements++
    const { lazy, search } = this.growth
    if (lazy) {
      const before = lazy.counts.strengthened
      search.uncovered(lazy.refine(end, interpolants))
      return lazy.counts.strengthened > before
    }
    const isNew = refine(path, interpolants, this.precision, this.ground.program.main.initial)
    if (isNew) this.growth = this.begin()
    return isNew
  }

  /** Predicates under which the argument has few values, if it has few at the end of the path. */
  private determines(place: Undetermined): boolean {
    const { path, analysis } = analyseArgument(place, this.operations, this.smt, RLIMIT)
    return analysis.kind === 'spurious' && this.refine(place.node, path, analysis.interpolants)
  }

  /** Overflow that the regions do not exclude is like an error: a path to it may be spurious, and refines them. */
  private excludesOverflow(): boolean {
    if (this.task.settings.arith !== 'auto') return false
    for (const { node, via } of this.growth.forest.possibleOverflows()) {
      const path = [...suppressedPath(node), via]
      const analysis = analyseOverflow(path, this.operations, this.smt, RLIMIT)
      if (analysis.kind === 'spurious' && this.refine(node, path, analysis.interpolants)) return true
    }
    return false
  }

  private readonly isSpurious = (cycle: Cycle): boolean => isSpuriousCycle(cycle, this.ground, this.smt, RLIMIT)

  private bound(name: 'switches' | 'depth'): number {
    return this.options[name] || Number.POSITIVE_INFINITY
  }

  private boundText(): string {
    const bounds = [
      [this.bound('switches'), 'choices of the scheduler'],
      [this.bound('depth'), 'steps'],
    ] as const
    return bounds.flatMap(([bound, what]) => (Number.isFinite(bound) ? [`${bound} ${what}`] : [])).join(' and ')
  }

  private safe(isCut: boolean, stats: Stats): Result {
    if (isCut) return unknown(inconclusive(`the bound of ${this.boundText()} was reached`), stats)
    const { forest } = this.growth
    const [overflow] = this.arithmetic === 'bv' ? [] : forest.possibleOverflows()
    const isExact = overflow === undefined
    const assumptions: Assumption[] = [
      { kind: 'no-overflow', status: isExact ? 'discharged' : 'open' },
      { kind: 'valid-dereferences', status: 'open' },
      { kind: 'scheduler', name: this.scheduler.name, status: 'by option' },
    ]
    const certificate = { kind: 'forest', data: this.certificate() } as const
    if (overflow && this.task.settings.arith === 'auto') {
      const { line } = overflow.via.edge.position
      const reason = inconclusive(`signed overflow is possible at line ${line}, and bit-vectors did not decide`)
      return { verdict: 'unknown', reason, stats, assumptions }
    }
    return { verdict: 'true', certificate, stats, assumptions }
  }

  private certificate(): ForestCertificate {
    const { forest, search } = this.growth
    const por = this.options.por
    return {
      scheduler: this.scheduler.name,
      order: this.options.order,
      arithmetic: this.arithmetic,
      persistent: por === 'persistent' || por === 'both',
      guarded: this.options.independence === 'guarded',
      spuriousCycles: search.counts.spuriousCycles,
      nodes: nodesOf(forest),
    }
  }

  /** FALSE only for an execution that the concrete semantics and the scheduler admit. */
  private unsafe(trace: Parameters<typeof replay>[1], stats: Stats): Result {
    const replayed = replay(this.task.raw, trace, this.task.property)
    if (!replayed.reached) return unknown({ kind: 'no-replay', why: `${replayed.reason}` }, stats)
    if (!isScheduled(this.task.raw, this.scheduler, replayed))
      return unknown(inconclusive('a counterexample is not admitted by the scheduler'), stats)
    return { verdict: 'false', trace, stats, assumptions: [] }
  }

  private stats(): Stats {
    const { forest, search, lazy } = this.growth
    this.counts.nodes = forest.counts.nodes
    this.counts.predicates = this.precision.size
    const { asked, solved } = this.regions.statistics()
    return {
      ...this.counts,
      covers: forest.counts.covers,
      cover_expansions: search.counts.coverExpansions,
      cycle_expansions: search.counts.cycleExpansions,
      ...(lazy ? { forced_covers: lazy.counts.forcedCovers } : {}),
      ...(search.counts.spuriousCycles > 0 ? { spurious_cycles: search.counts.spuriousCycles } : {}),
      implication_checks: forest.counts.coverChecks,
      actions_explored: search.counts.chosen,
      actions_enabled: search.counts.choices,
      questions: asked,
      solver_calls: solved,
      arithmetic: this.arithmetic,
    }
  }
}

export { isolatePrimitives }
export const esstEngine: Engine = engineOf(esstSpec, verify)
