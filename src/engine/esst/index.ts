// The engine `esst` (esst.txt): explicit scheduler, symbolic threads.
import { interfaceOf, isolatePrimitives } from '../../frontend/cooperative/index.js'
import { replay } from '../../semantics/index.js'
import type { Smt } from '../../smt/index.js'
import type { Assumption, Result, Stats } from '../../verdict/index.js'
import { type Program, Unsupported } from '../../xcfa/index.js'
import { type Arithmetic, createEncoding, NotExpressible } from '../../xcfa/terms/index.js'
import type { Engine, Env, Options, Task } from '../engine.js'
import { analyseArgument, type Undetermined } from './arguments.js'
import { isScheduled } from './cooperative.js'
import { analyse, analyseOverflow, type EdgeVia, isSpuriousCycle, refine, suppressedPath } from './counterexample.js'
import { Forest, Ground } from './forest.js'
import { Operations } from './operations.js'
import { type Level, Precision } from './precision.js'
import { threadedProgram } from './program.js'
import { Blocks } from './reduction/blocks.js'
import type { Cycle } from './reduction/cycles.js'
import { Regions } from './regions.js'
import { Refused, SCHEDULERS, type Scheduler, type SchedulerName } from './schedulers/index.js'
import { type PartialOrder, Search } from './search.js'
import { esstSpec } from './spec.js'

/** Steps of the solver for one question: beyond it the answer counts as unknown. */
const RLIMIT = 20_000_000

const verify = (task: Task, options: Options, env: Env): Result => {
  const problem = esstSpec.senseless?.(options, task.property)
  const scheduler = problem ?? schedulerFor(task.raw, options)
  if (typeof scheduler === 'string') return unknown(scheduler, {})
  const arithmetics: readonly Arithmetic[] = task.settings.arith === 'auto' ? ['int', 'bv'] : [task.settings.arith]
  let last = unknown('nothing was tried', {})
  for (const arithmetic of arithmetics) {
    last = attempt(task, options, scheduler, arithmetic, env)
    const isOpen = last.assumptions.some(({ what, status }) => what === OVERFLOW && status === 'open')
    if (last.verdict === 'false' || (last.verdict === 'true' && !isOpen) || env.stopped()) break
  }
  // In integers the proof stands only where nothing overflows; bit-vectors did not decide.
  return last
}

const OVERFLOW = 'no signed overflow'

const unknown = (reason: string, stats: Stats): Result => ({ verdict: 'unknown', reason, stats, assumptions: [] })

const schedulerFor = (raw: Program, options: Options): Scheduler | string => {
  const api = interfaceOf(raw)
  if (!api) return 'the program uses no cooperative scheduler (fthread.h, systemc.h)'
  const name = options['scheduler'] ?? 'auto'
  const entry = SCHEDULERS[(name === 'auto' ? api : name) as SchedulerName]
  if (entry.executes !== api) return `the scheduler ${name} does not execute programs of ${api}`
  return entry.create(options['order'] === 'fixed' ? 'fixed' : 'anew')
}

/** One attempt in one arithmetic: ESST(P) of 4.7. */
const attempt = (task: Task, options: Options, scheduler: Scheduler, arithmetic: Arithmetic, env: Env): Result => {
  const counts = { nodes: 0, refinements: 0, predicates: 0 }
  try {
    return new Esst(task, options, scheduler, arithmetic, env, counts).decide()
  } catch (error) {
    if (error instanceof Unsupported || error instanceof NotExpressible || error instanceof Refused)
      return unknown(error.message, counts)
    throw error
  }
}

const undetermined = ({ edge }: Undetermined): Unsupported => {
  const label = edge.labels.find(({ kind }) => kind === 'primitive') as { readonly name: string } | undefined
  return new Unsupported(`an argument of ${label?.name} that is not determined`, edge.position)
}

class Esst {
  private readonly smt: Smt
  private readonly operations: Operations
  private readonly regions: Regions
  private readonly ground: Ground
  private readonly precision: Precision
  private readonly blocks: Blocks

  constructor(
    private readonly task: Task,
    private readonly options: Options,
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
    this.precision = new Precision((options['precision'] ?? 'location') as Level)
    this.blocks = new Blocks(this.ground, task.raw, options['independence'] === 'guarded')
  }

  /** Grow the forest; at an error node, analyse; if the path is spurious, refine, and grow it anew. */
  decide(): Result {
    for (;;) {
      const forest = new Forest(this.ground, this.precision, { leak: this.options['leak'] === 'on' })
      const search = new Search(forest, this.blocks, {
        por: this.por,
        switches: this.bound('switches'),
        depth: this.bound('depth'),
        ...(this.options['cycles'] === 'check' ? { isSpurious: this.isSpurious } : {}),
      })
      const found = search.run(this.env)
      const stats = this.stats(forest, search)
      if (found.kind === 'stopped') return unknown(found.reason, stats)
      if (found.kind === 'complete') {
        if (!found.isCut && this.excludesOverflow(forest)) continue
        return this.safe(forest, found.isCut, stats)
      }
      if (found.kind === 'undetermined') {
        if (!this.determines(found.place)) throw undetermined(found.place)
        continue
      }
      const path = suppressedPath(found.node)
      const analysis = analyse(path, this.operations, this.smt, RLIMIT)
      if (analysis.kind === 'unknown') return unknown(analysis.reason, stats)
      if (analysis.kind === 'feasible') return this.unsafe(analysis.trace, stats)
      if (!this.refine(path, analysis.interpolants)) return unknown('refinement found no new predicate', stats)
    }
  }

  /** Predicates under which the argument has few values, if it has few at the end of the path. */
  private determines(place: Undetermined): boolean {
    const { path, analysis } = analyseArgument(place, this.operations, this.smt, RLIMIT)
    return analysis.kind === 'spurious' && this.refine(path, analysis.interpolants)
  }

  private readonly isSpurious = (cycle: Cycle): boolean => isSpuriousCycle(cycle, this.ground, this.smt, RLIMIT)

  private refine(path: readonly EdgeVia[], interpolants: Parameters<typeof refine>[1]): boolean {
    this.counts.refinements++
    return refine(path, interpolants, this.precision, this.ground.program.main.initial)
  }

  /** Overflow that the regions do not exclude is like an error: a path to it may be spurious, and refines them. */
  private excludesOverflow({ overflows }: Forest): boolean {
    if (this.task.settings.arith !== 'auto') return false
    return [...overflows.values()].some(({ node, via }) => {
      const path = [...suppressedPath(node), via]
      const analysis = analyseOverflow(path, this.operations, this.smt, RLIMIT)
      return analysis.kind === 'spurious' && this.refine(path, analysis.interpolants)
    })
  }

  private get por(): PartialOrder {
    return (this.options['por'] ?? 'both') as PartialOrder
  }

  private bound(name: 'switches' | 'depth'): number {
    const bound = Number(this.options[name] ?? 0)
    return bound > 0 ? bound : Number.POSITIVE_INFINITY
  }

  private boundText(): string {
    const bounds = [
      [this.bound('switches'), 'choices of the scheduler'],
      [this.bound('depth'), 'steps'],
    ] as const
    return bounds.flatMap(([bound, what]) => (Number.isFinite(bound) ? [`${bound} ${what}`] : [])).join(' and ')
  }

  private safe(forest: Forest, isCut: boolean, stats: Stats): Result {
    if (isCut) return unknown(`the bound of ${this.boundText()} was reached`, stats)
    const isExact = this.arithmetic === 'bv' || forest.overflows.size === 0
    const assumptions: Assumption[] = [
      { what: OVERFLOW, status: isExact ? 'discharged' : 'open' },
      { what: 'valid dereferences', status: 'open' },
      { what: `the scheduler ${this.scheduler.name}`, status: 'by option' },
    ]
    const certificate = { kind: 'forest', data: { nodes: forest.counts.nodes, scheduler: this.scheduler.name } }
    if (!isExact && this.task.settings.arith === 'auto') {
      const { line } = [...forest.overflows.keys()][0]!.position
      const reason = `signed overflow is possible at line ${line}, and bit-vectors did not decide`
      return { verdict: 'unknown', reason, stats, assumptions }
    }
    return { verdict: 'true', certificate, stats, assumptions }
  }

  /** FALSE only for an execution that the concrete semantics and the scheduler admit. */
  private unsafe(trace: Parameters<typeof replay>[1], stats: Stats): Result {
    const replayed = replay(this.task.raw, trace, this.task.property)
    if (!replayed.reached) return unknown(`a counterexample did not replay: ${replayed.reason}`, stats)
    if (!isScheduled(this.task.raw, this.scheduler, replayed))
      return unknown('a counterexample is not admitted by the scheduler', stats)
    return { verdict: 'false', trace, stats, assumptions: [] }
  }

  private stats(forest: Forest, search: Search): Stats {
    this.counts.nodes = forest.counts.nodes
    this.counts.predicates = this.precision.size
    const { asked, solved } = this.regions.statistics()
    return {
      ...this.counts,
      covers: forest.counts.covers,
      cover_expansions: search.counts.coverExpansions,
      cycle_expansions: search.counts.cycleExpansions,
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
export const esstEngine: Engine = { ...esstSpec, verify }
