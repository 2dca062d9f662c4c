// One run of the engine: a search over the program that is prepared for the property, alone or with others, and what
// came of it as a result.

import { errorsOf, type Property } from '../../property/index.js'
import { BeyondBounds, replay, type Trace } from '../../semantics/index.js'
import type { Result, Stats } from '../../verdict/index.js'
import { inconclusive, type Reason, unsupportedReason } from '../../verdict/reason.js'
import { unknown } from '../../verdict/result.js'
import { type Program, Unsupported } from '../../xcfa/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import type { Leader } from '../crew.js'
import type { Env, Options, Task } from '../engine.js'
import type { Consistency, Strength } from './consistency/consistency.js'
import { coverageOf, estimateOf, statsOf } from './coverage.js'
import { isDeadlock } from './deadlocks.js'
import { keyOf } from './digest.js'
import type { Event } from './event.js'
import type { Graph } from './graph.js'
import { EndlessThread, Machine } from './machine.js'
import { isBeyondSlack, preemptionsOf } from './preemptions.js'
import { type Race, racesOf, racesOfNewest } from './races.js'
import { Sampler } from './sample.js'
import { type Found, Search } from './search.js'
import { type Share, shareOf } from './share.js'
import { agrees } from './skeleton.js'
import { Helping, leading, type Pause } from './together.js'
import { beforeRace, traceOf } from './trace.js'
import { viewOf } from './view.js'
import { Visitor } from './visit.js'

/** What the search sees of a program for a property: all accesses, each a step of its own. */
const preparedFor = (raw: Program, property: Property, leaks: boolean): Program =>
  prepare(errorsOf(raw, property, { leaks }), { slice: false, largeBlocks: false })

const UNSURE = 'a loop writes again what it has written, in a program where writes of several threads race'

export class Run {
  private readonly visitor: Visitor
  private readonly search: Search
  /** A race that is none in an interleaving, as far as replay can tell. */
  private doubt: string | undefined
  private race: { readonly race: Race; readonly trace: Trace } | undefined
  private readonly isSc: boolean
  /** What else was looked at, for those who read the answer. */
  private readonly alsoCovered: string[] = []
  private sampleStats: Stats = {}
  private readonly share: Share | undefined
  private readonly helping: Helping | undefined
  /** At most so many preemptions; -1: any number. */
  private readonly bound: number

  constructor(
    private readonly task: Task,
    private readonly options: Options,
    private readonly env: Env,
    model: Consistency,
  ) {
    const { property, settings } = task
    this.isSc = settings.memoryModel === 'sc'
    const program = preparedFor(task.raw, property, task.leaks !== false)
    const views: Strength | undefined =
      settings.memoryModel === 'rc11' ? 'as written' : property === 'no-data-race' ? 'seq_cst' : undefined
    this.visitor = new Visitor(
      new Machine(program, Number(options['unroll'] ?? 0), property === 'no-deadlock', property === 'no-data-race'),
      model,
      views ? { views } : {},
    )
    const share = shareOf(options)
    this.share = share === 'wrong' ? undefined : share
    // Whoever adds up the parts does not see which of them are unsure.
    if (this.share) this.visitor.machine.mayLeaveOutWrites = false
    const max = Number(options['max-executions'] ?? 0)
    this.bound = Number(options['preemptions'] ?? -1)
    const pause: { current: Pause } = { current: () => undefined }
    this.search = new Search(this.visitor, {
      remember: options['duplicates'] === 'measure',
      pause: (open, isIdle) => pause.current(open, isIdle),
      isNoError: (graph) => this.isNoLeak(graph),
      ...(max > 0 && { maxExecutions: max }),
      ...(this.share && { share: this.share }),
      ...(this.bound >= 0 && { bound: { isBeyond: (graph, isEnd) => this.isBeyond(graph, isEnd) } }),
      ...(property === 'no-data-race' && { onGraph: (graph, isEnd) => this.hasRace(graph, isEnd) }),
      ...(property === 'no-deadlock' && {
        onExecution: (graph, kind) => kind === 'blocked' && isDeadlock(graph, this.visitor.machine),
      }),
    })
    if (env.crew?.role === 'helper') this.helping = new Helping(env.crew, this.search, this.visitor, () => this.doubt)
    pause.current = this.pause()
  }

  result(): Result {
    const { crew } = this.env
    if (crew?.role === 'helper') return this.helped()
    const found = this.found(crew)
    const isOpen = found.kind === 'stopped' || (found.kind === 'all' && !this.isWhole())
    const result = this.resultOf(isOpen ? (this.sampled() ?? found) : found)
    crew?.over(result.verdict === 'true', found.kind === 'stopped')
    return result
  }

  private isBeyond(graph: Graph, isEnd: boolean): boolean {
    const { machine } = this.visitor
    return isEnd ? preemptionsOf(graph, machine, this.bound) > this.bound : isBeyondSlack(graph, machine, this.bound)
  }

  private pause(): Pause {
    const { search, visitor, env } = this
    const { crew } = env
    const stopped = (): Reason | undefined => {
      const { counts, covered } = search
      const { estimated_executions: estimated } = estimateOf(search)
      const { executions, blocked } = counts
      env.progress('executions', {
        ...{ executions, blocked },
        ...(covered > 0 && { percent: Math.floor(100 * covered), estimated: Number(estimated) }),
      })
      return env.stopped()
    }
    if (this.helping) return this.helping.pause
    if (crew?.role === 'leader') return leading(crew, search, visitor, stopped, (doubt) => (this.doubt ??= doubt))
    return (_open, isIdle) => {
      const reason = isIdle ? undefined : stopped()
      return reason === undefined ? undefined : { kind: 'stopped', reason }
    }
  }

  private found(crew: Leader | undefined): Found {
    return caught(() => {
      if (!crew || crew.searches) return this.search.run([this.visitor.root()])
      crew.give([[]])
      return this.search.run([])
    })
  }

  /** As a helper: the leader has the result, and says whether the next search of the property follows. */
  private helped(): Result {
    return this.helping?.serve(caught) ? this.proof({}) : unknown(inconclusive('the leader has the result'), {})
  }

  private resultOf(found: Found): Result {
    const stats = statsOf(this.search.counts)
    switch (found.kind) {
      case 'violation':
        if (this.env.crew && this.task.property === 'no-data-race') this.hasRace(found.graph, true)
        return this.violation(found.graph, stats)
      case 'stopped':
        return unknown(
          {
            kind: 'partial',
            because: found.reason,
            covered: [coverageOf(this.search), ...this.alsoCovered].join('; '),
          },
          { ...stats, ...estimateOf(this.search), ...this.sampleStats },
        )
      case 'failed':
        return unknown(found.reason, stats)
      case 'all':
        if (this.doubt !== undefined) return unknown(inconclusive(this.doubt), stats)
        if (this.visitor.machine.isUnsureOfWrites) return unknown(inconclusive(UNSURE), stats)
        return this.isWhole() ? this.proof(stats) : this.part(stats)
    }
  }

  private hasRace(graph: Graph, isEnd: boolean): boolean {
    const { machine, hasMetBlocks } = this.visitor
    const { all } = machine.locations
    if (hasMetBlocks && !isEnd) return false
    for (const race of hasMetBlocks ? racesOf(graph, all) : racesOfNewest(graph, all)) {
      const trace = beforeRace(graph, race, all)
      if (this.isSc) {
        const { reached, reason } = replay(this.task.raw, trace, 'no-data-race')
        if (!reached) {
          this.doubt = `a race that does not replay: ${reason}`
          continue
        }
      }
      this.race = { race, trace }
      return true
    }
    return false
  }

  private violation(graph: Graph, stats: Stats): Result {
    const { model } = this.task
    if (this.isSc)
      return {
        verdict: 'false',
        trace: this.race?.trace ?? this.traceOf(graph),
        stats,
        assumptions: [],
      }
    if (model && !agrees(model, graph))
      return unknown(inconclusive('an execution that the memory model does not allow'), stats)
    const execution = viewOf(graph, this.visitor.machine, this.race?.race)
    return { verdict: 'false', trace: { steps: [] }, execution, stats, assumptions: [] }
  }

  private traceOf(graph: Graph): Trace {
    const { machine } = this.visitor
    const failed = graph.lasts().find(({ point }) => machine.action(point).kind === 'error')
    return traceOf(graph, machine.locations.all, failed && [failed])
  }

  /**
   * What is not freed at the end may still be pointed to: then it is no leak, and the execution counts as any other. That
   * is certain only if no other thread could have done more before.
   */
  private isNoLeak(graph: Graph): boolean {
    const { property, leaks, raw } = this.task
    if (property !== 'valid-memsafety' || leaks === false || !this.isSc) return false
    const { machine } = this.visitor
    const isOver = (last: Event): boolean => last.kind === 'end' || machine.action(last.point).kind === 'error'
    return graph.lasts().every(isOver) && replay(raw, this.traceOf(graph), property).followed === true
  }

  private bounds(): readonly string[] {
    const unroll = Number(this.options['unroll'] ?? 0)
    return [
      ...(unroll > 0 ? [`loops followed ${unroll} times`] : []),
      ...(this.bound >= 0 ? [`all with at most ${this.bound} preemptions`] : []),
    ]
  }

  /** Random executions, as a last resort: a violation that they find. */
  private sampled(): Found | undefined {
    const wanted = Number(this.options['samples'] ?? 0)
    if (wanted === 0) return undefined
    const { visitor, env, task } = this
    const depth = Math.max(1, Number(this.options['depth'] ?? 3))
    const sampler = new Sampler(visitor, depth, Number(this.options['seed'] ?? 1))
    const different = new Set<string>()
    let samples = 0
    const violated = (graph: Graph): Found => ({ kind: 'violation', graph })
    return caughtOrNothing(() => {
      for (; samples < wanted && env.stopped() === undefined; samples++) {
        const sample = sampler.run()
        if (sample.kind === 'error') return violated(sample.graph)
        if (task.property === 'no-data-race' && this.hasRace(sample.graph, true)) return violated(sample.graph)
        if (task.property === 'no-deadlock' && sample.kind === 'blocked' && isDeadlock(sample.graph, visitor.machine))
          return violated(sample.graph)
        different.add(keyOf(sample.graph, visitor.machine.threads))
        this.sampleStats = { samples: samples + 1, different_samples: different.size }
        env.progress('random executions', { samples: samples + 1, of: wanted })
      }
      const what = `${samples.toLocaleString('en-US')} random executions (PCT of depth ${depth})`
      this.alsoCovered.push(`none in ${what}, ${different.size.toLocaleString('en-US')} of them different`)
      return undefined
    })
  }

  private isWhole(): boolean {
    return !this.share && !this.visitor.machine.isCut
  }

  /** No violation in what was asked for: never a proof. */
  private part(stats: Stats): Result {
    const { executions, blocked } = this.search.counts
    const what = [
      ...(this.share ? [`part ${this.share.index + 1} of ${this.share.count}`] : []),
      ...(this.visitor.machine.isCut ? this.bounds() : []),
    ]
    const all = (executions + blocked).toLocaleString('en-US')
    const reason = [`no violation in ${all} executions: ${what.join(', ')}`, ...this.alsoCovered].join('; ')
    return unknown(inconclusive(reason), { ...stats, ...this.sampleStats, digest: this.search.digest.toString() })
  }

  private proof(stats: Stats): Result {
    const { digest, counts } = this.search
    const { executions, blocked } = counts
    const { memoryModel } = this.task.settings
    const data = { executions, blocked, digest: digest.toString(), memoryModel }
    return { verdict: 'true', certificate: { kind: 'executions', data }, stats, assumptions: [] }
  }
}

/** What the engine cannot follow ends the search with a reason. */
const caught = (search: () => Found): Found => {
  try {
    return search()
  } catch (error) {
    if (error instanceof Unsupported) return { kind: 'failed', reason: unsupportedReason(error) }
    if (error instanceof EndlessThread || error instanceof BeyondBounds)
      return { kind: 'failed', reason: inconclusive(error.message) }
    throw error
  }
}

/** What cannot be followed at random leaves the answer as it was. */
const caughtOrNothing = (sample: () => Found | undefined): Found | undefined => {
  const found = caught(() => sample() ?? { kind: 'all' })
  return found.kind === 'violation' ? found : undefined
}
