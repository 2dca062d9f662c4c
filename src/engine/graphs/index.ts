// The engine `graphs`: prepares the program for the property, visits every execution graph, and says what came of it.
import { errorsOf, type Property } from '../../property/index.js'
import { BeyondBounds, replay, type Trace } from '../../semantics/index.js'
import type { Result, Stats } from '../../verdict/index.js'
import { type Program, Unsupported } from '../../xcfa/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import type { Engine, Env, Options, Task } from '../engine.js'
import { checkAccessesThenLeaks } from '../memory-safety.js'
import type { Consistency, Strength } from './consistency/consistency.js'
import { rc11 } from './consistency/rc11.js'
import { sequentialConsistency } from './consistency/sc.js'
import { partialStoreOrder, totalStoreOrder } from './consistency/store-buffers.js'
import { isDeadlock } from './deadlocks.js'
import type { Event } from './event.js'
import type { Graph } from './graph.js'
import { EndlessThread, Machine } from './machine.js'
import { type Race, racesOfNewest } from './races.js'
import { type Counts, type Found, Search } from './search.js'
import { type Share, shareOf } from './share.js'
import { agrees, viewOf } from './skeleton.js'
import { graphsSpec } from './spec.js'
import { beforeRace, traceOf } from './trace.js'
import { Visitor } from './visit.js'

const MODELS: Readonly<Record<string, () => Consistency>> = {
  sc: sequentialConsistency,
  tso: totalStoreOrder,
  pso: partialStoreOrder,
  rc11: () => rc11,
}

/** What the search sees of a program for a property: all accesses, each a step of its own. */
export const preparedFor = (raw: Program, property: Property, leaks: boolean): Program =>
  prepare(errorsOf(raw, property, { leaks }), { slice: false, largeBlocks: false })

const verify = (task: Task, options: Options, env: Env): Result => {
  const { property, settings } = task
  const { memoryModel } = settings
  const problem = graphsSpec.validateOptions?.(options, property) ?? undecided(property, memoryModel)
  if (problem) return unknown(problem, {})
  return new Run(task, options, env).result()
}

const undecided = (property: Property, memoryModel: string): string | undefined => {
  if (!MODELS[memoryModel]) return `the memory model ${memoryModel} in the engine graphs`
  if (memoryModel === 'sc' || property === 'assert' || property === 'unreach-call') return undefined
  if (memoryModel === 'rc11' && property === 'no-data-race') return undefined
  return `${property} under the memory model ${memoryModel}`
}

const unknown = (reason: string, stats: Stats): Result => ({ verdict: 'unknown', reason, stats, assumptions: [] })

class Run {
  private readonly visitor: Visitor
  private readonly search: Search
  /** A race that is none in an interleaving, as far as replay can tell. */
  private unreplayed: string | undefined
  private race: { readonly race: Race; readonly trace: Trace } | undefined
  private readonly isSc: boolean
  private readonly share: Share | undefined

  constructor(
    private readonly task: Task,
    private readonly options: Options,
    env: Env,
  ) {
    const { property, settings } = task
    this.isSc = settings.memoryModel === 'sc'
    const program = preparedFor(task.raw, property, task.leaks !== false)
    const views: Strength | undefined =
      settings.memoryModel === 'rc11' ? 'as written' : property === 'no-data-race' ? 'seq_cst' : undefined
    const model = MODELS[settings.memoryModel]!()
    this.visitor = new Visitor(new Machine(program, Number(options['unroll'] ?? 0)), model, views ? { views } : {})
    const share = shareOf(options)
    this.share = share === 'wrong' ? undefined : share
    const max = Number(options['max-executions'] ?? 0)
    this.search = new Search(this.visitor, {
      remember: options['duplicates'] === 'measure',
      digest: true,
      stopped: (counts) => {
        env.progress('executions', { executions: counts.executions, blocked: counts.blocked })
        return env.stopped()
      },
      ...(max > 0 && { maxExecutions: max }),
      ...(this.share && { share: this.share }),
      ...(property === 'no-data-race' && { onGraph: (graph) => this.hasRace(graph) }),
      ...(property === 'no-deadlock' && {
        onExecution: (graph, kind) => kind === 'blocked' && isDeadlock(graph, this.visitor.machine),
      }),
    })
  }

  result(): Result {
    let found: Found
    try {
      found = this.search.run([this.visitor.root()])
    } catch (error) {
      if (error instanceof EndlessThread || error instanceof BeyondBounds || error instanceof Unsupported)
        return unknown(error.message, statsOf(this.search.counts))
      throw error
    }
    const stats = statsOf(this.search.counts)
    switch (found.kind) {
      case 'violation':
        return this.violation(found.graph, stats)
      case 'stopped':
        return unknown(`${found.reason}: ${coverage(this.search)}`, { ...stats, ...estimate(this.search) })
      case 'all':
        if (this.unreplayed !== undefined) return unknown(this.unreplayed, stats)
        return this.isWhole() ? this.proof(stats) : this.part(stats)
    }
  }

  private hasRace(graph: Graph): boolean {
    for (const race of racesOfNewest(graph, this.visitor.machine.locations.all)) {
      const trace = beforeRace(graph, race, this.visitor.machine.locations.all)
      if (this.isSc) {
        const { reached, reason } = replay(this.task.raw, trace, 'no-data-race')
        if (!reached) {
          this.unreplayed = `a race that does not replay: ${reason}`
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
    if (model && !agrees(model, graph)) return unknown('an execution that the memory model does not allow', stats)
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
    return unknown(reason, { ...stats, digest: hexadecimal(this.search.digest) })
  }

  private proof(stats: Stats): Result {
    const { digest, counts } = this.search
    const { executions, blocked } = counts
    const { memoryModel } = this.task.settings
    const data = { executions, blocked, digest: hexadecimal(digest), memoryModel }
    return { verdict: 'true', certificate: { kind: 'executions', data }, stats, assumptions: [] }
  }
}

const notesOf = ({ first, second }: Race, graph: Graph): readonly string[] => {
  const [a, b] = [first, second].map(({ kind, edge }) => `${kind} at line ${edge?.position.line ?? 0}`)
  const advice = adviceFor(first, second, graph) ?? adviceFor(second, first, graph)
  return [`race: ${a} and ${b}: neither happens before the other`, ...(advice === undefined ? [] : [advice])]
}

/** A value that goes from the one thread to the other would order them, were it released and acquired. */
const adviceFor = (from: Event, to: Event, graph: Graph): string | undefined => {
  const line = ({ edge }: Event): number => edge?.position.line ?? 0
  for (const read of graph.events()) {
    const write = read.source
    if (read.kind !== 'read' || write?.kind !== 'write' || !read.isAtomic || !write.isAtomic) continue
    if (write.thread !== from.thread || write.index < from.index) continue
    if (read.thread !== to.thread || read.index > to.index) continue
    const missing = [
      ...(write.order === 'relaxed' ? [`the write at line ${line(write)} as a release`] : []),
      ...(read.order === 'relaxed' ? [`the read at line ${line(read)} as an acquire`] : []),
    ]
    if (missing.length > 0) return `${missing.join(' and ')} would order them`
  }
  return undefined
}

const hexadecimal = (digest: bigint): string => digest.toString(16).padStart(16, '0')

const estimate = ({ counts: { executions, blocked }, covered }: Search): Stats =>
  covered > 0
    ? {
        estimated_executions: Math.round((executions + blocked) / covered),
        covered_percent: Number((100 * covered).toPrecision(3)),
      }
    : {}

/** What was looked at, exactly, and how much of the whole that is, by estimate. */
const coverage = (search: Search): string => {
  const { executions, blocked } = search.counts
  const { estimated_executions: all, covered_percent: percent } = estimate(search)
  const part = all === undefined ? '' : `, about ${percent} % of an estimated ${Number(all).toLocaleString('en-US')}`
  return `no violation in ${(executions + blocked).toLocaleString('en-US')} executions${part}`
}

const statsOf = ({ executions, blocked, dropped, redundant, graphs, events }: Counts): Stats => ({
  executions,
  blocked,
  explored_redundantly: redundant,
  dropped,
  nodes: graphs,
  depth: events,
})

export const graphsEngine: Engine = checkAccessesThenLeaks({ ...graphsSpec, verify })
