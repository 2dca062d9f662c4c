// One run of the engine: a search over the program that is prepared for the property, alone or with others, and what
// came of it as a result.
import { errorsOf, type Property } from '../../property/index.js'
import { BeyondBounds, replay, type Trace } from '../../semantics/index.js'
import type { Result, Stats } from '../../verdict/index.js'
import { inconclusive, type Reason, unsupportedReason } from '../../verdict/reason.js'
import { type Program, Unsupported } from '../../xcfa/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import type { Leader } from '../crew.js'
import type { Env, Options, Task } from '../engine.js'
import type { Consistency, Strength } from './consistency/consistency.js'
import { coverageOf, estimateOf, statsOf } from './coverage.js'
import { isDeadlock } from './deadlocks.js'
import type { Graph } from './graph.js'
import { EndlessThread, Machine } from './machine.js'
import { notesOf } from './race-notes.js'
import { type Race, racesOf, racesOfNewest } from './races.js'
import { type Found, Search } from './search.js'
import { type Share, shareOf } from './share.js'
import { agrees, viewOf } from './skeleton.js'
import { Helping, leading, type Pause } from './together.js'
import { beforeRace, traceOf } from './trace.js'
import { Visitor } from './visit.js'

/** What the search sees of a program for a property: all accesses, each a step of its own. */
const preparedFor = (raw: Program, property: Property, leaks: boolean): Program =>
  prepare(errorsOf(raw, property, { leaks }), { slice: false, largeBlocks: false })

export class Run {
  private readonly visitor: Visitor
  private readonly search: Search
  /** A race that is none in an interleaving, as far as replay can tell. */
  private doubt: string | undefined
  private race: { readonly race: Race; readonly trace: Trace } | undefined
  private readonly isSc: boolean
  private readonly share: Share | undefined
  private readonly helping: Helping | undefined

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
      new Machine(program, Number(options['unroll'] ?? 0), property === 'no-deadlock'),
      model,
      views ? { views } : {},
    )
    const share = shareOf(options)
    this.share = share === 'wrong' ? undefined : share
    const max = Number(options['max-executions'] ?? 0)
    const pause: { current: Pause } = { current: () => undefined }
    this.search = new Search(this.visitor, {
      remember: options['duplicates'] === 'measure',
      pause: (open, isIdle) => pause.current(open, isIdle),
      ...(max > 0 && { maxExecutions: max }),
      ...(this.share && { share: this.share }),
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
    const result = this.resultOf(found)
    crew?.over(result.verdict === 'true', found.kind === 'stopped')
    return result
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
          { kind: 'partial', because: found.reason, covered: coverageOf(this.search) },
          { ...stats, ...estimateOf(this.search) },
        )
      case 'failed':
        return unknown(found.reason, stats)
      case 'all':
        if (this.doubt !== undefined) return unknown(inconclusive(this.doubt), stats)
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
        trace: this.race?.trace ?? traceOf(graph, this.visitor.machine.locations.all),
        stats,
        assumptions: [],
      }
    if (model && !agrees(model, graph))
      return unknown(inconclusive('an execution that the memory model does not allow'), stats)
    const execution = viewOf(graph, this.visitor.machine.locations.all, this.race ? notesOf(this.race.race, graph) : [])
    return { verdict: 'false', trace: { steps: [] }, execution, stats, assumptions: [] }
  }

  private isWhole(): boolean {
    return !this.share && !this.visitor.machine.isCut
  }

  /** No violation in what was asked for: never a proof. */
  private part(stats: Stats): Result {
    const { executions, blocked } = this.search.counts
    const what = [
      ...(this.share ? [`part ${this.share.index + 1} of ${this.share.count}`] : []),
      ...(this.visitor.machine.isCut ? [`loops followed ${this.options['unroll']} times`] : []),
    ]
    const reason = `no violation in ${executions + blocked} executions: ${what.join(', ')}`
    return unknown(inconclusive(reason), { ...stats, digest: this.search.digest.toString() })
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

export const unknown = (reason: Reason, stats: Stats): Result => ({
  verdict: 'unknown',
  reason,
  stats,
  assumptions: [],
})
