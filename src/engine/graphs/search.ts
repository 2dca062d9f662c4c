// The search: graphs still to be visited are on a stack, so that memory is linear in the length of an execution.

import { Digest } from '../../certificate/index.js'
import { inconclusive, type Reason } from '../../verdict/reason.js'
import type { Totals } from '../crew.js'
import { keyOf, textOf } from './digest.js'
import type { Graph, PathCell } from './graph.js'
import { isOwn, type Share } from './share.js'
import type { Visitor } from './visit.js'

export interface Counts {
  /** Complete executions. */
  executions: number
  /** Executions in which a thread waits for ever, or an assumption failed. */
  blocked: number
  /** Graphs that led to nothing: a thread could have gone on, but only where another graph has it. */
  dropped: number
  /** Executions that were met before; counted only if graphs are remembered. */
  redundant: number
  graphs: number
  /** The longest execution, in events. */
  events: number
}

export interface SearchOptions {
  /** Remembers every execution, to see whether one is met twice. */
  readonly remember?: boolean
  /**
   * Asked now and then, and when no graph is left (`isIdle`): may add graphs, take some away, or end the search.
   */
  pause(open: Graph[], isIdle: boolean): Found | undefined
  /** Whether an error that was reached is none: the execution is complete instead. */
  isNoError?(graph: Graph): boolean
  /** A complete or blocked execution; true ends the search. */
  onExecution?(graph: Graph, kind: 'complete' | 'blocked'): boolean
  /** Every graph; `isEnd`: a complete or blocked execution. True ends the search. */
  onGraph?(graph: Graph, isEnd: boolean): boolean
  readonly maxExecutions?: number
  /** Graphs that are left out, and executions that do not count, because they are beyond a bound (preemptions.ts). */
  readonly bound?: { isBeyond(graph: Graph, isEnd: boolean): boolean }
  readonly share?: Share
}

export type Found =
  | { readonly kind: 'all' }
  | { readonly kind: 'violation'; readonly graph: Graph }
  | { readonly kind: 'stopped'; readonly reason: Reason }
  /** What others were to search is not searched. */
  | { readonly kind: 'failed'; readonly reason: Reason }

const ASK_EVERY = 256

const NOTHING: Counts = { executions: 0, blocked: 0, dropped: 0, redundant: 0, graphs: 0, events: 0 }

export class Search {
  counts: Counts = { ...NOTHING }
  digest = new Digest()
  /** The part of the search that is done, by the branching seen so far. */
  covered = 0
  private readonly keys = new Set<string>()

  constructor(
    private readonly visitor: Visitor,
    private readonly options: SearchOptions,
  ) {}

  run(open: Graph[]): Found {
    const { options } = this
    for (let visited = 1; ; visited++) {
      const isIdle = open.length === 0
      if (isIdle || visited % ASK_EVERY === 0) {
        const found = options.pause(open, isIdle)
        if (found) return found
      }
      const graph = open.pop()
      if (!graph) return { kind: 'all' }
      const found = this.expand(graph, open)
      if (found) return found
    }
  }

  private expand(graph: Graph, open: Graph[]): Found | undefined {
    const { options, counts } = this
    counts.graphs++
    if (options.share && !isOwn(graph.path, options.share, false)) return undefined
    if (options.bound?.isBeyond(graph, false)) {
      this.visitor.machine.isCut = true
      this.covered += graph.path?.weight ?? 1
      return undefined
    }
    const expansion = this.visitor.visit(graph)
    const isLeaf = expansion.kind !== 'children' || expansion.children.length === 0
    if (isLeaf) {
      if (options.share && !isOwn(graph.path, options.share, true)) return undefined
      // Knuth 1975: what is done is the sum of the weights of all leaves; at the end it is 1.
      this.covered += graph.path?.weight ?? 1
    }
    switch (expansion.kind) {
      case 'error':
        if (!options.isNoError?.(graph)) return { kind: 'violation', graph }
        this.count(graph, 'complete')
        return undefined
      case 'children':
        for (let i = expansion.children.length - 1; i >= 0; i--) open.push(childOf(graph, expansion.children, i))
        return options.onGraph?.(graph, false) ? { kind: 'violation', graph } : undefined
      case 'dropped':
        counts.dropped++
        return options.onGraph?.(graph, false) ? { kind: 'violation', graph } : undefined
      case 'complete':
      case 'blocked':
        if (options.bound?.isBeyond(graph, true)) {
          this.visitor.machine.isCut = true
          counts.dropped++
          return this.isViolation(graph, expansion.kind) ? { kind: 'violation', graph } : undefined
        }
        this.count(graph, expansion.kind)
        if (this.isViolation(graph, expansion.kind)) return { kind: 'violation', graph }
        return this.isEnough() && open.length > 0
          ? { kind: 'stopped', reason: inconclusive(`${options.maxExecutions} executions`) }
          : undefined
    }
  }

  private isViolation(graph: Graph, kind: 'complete' | 'blocked'): boolean {
    return this.options.onGraph?.(graph, true) === true || this.options.onExecution?.(graph, kind) === true
  }

  private isEnough(): boolean {
    const { maxExecutions } = this.options
    return maxExecutions !== undefined && this.counts.executions + this.counts.blocked >= maxExecutions
  }

  private count(graph: Graph, kind: 'complete' | 'blocked'): void {
    const { counts } = this
    if (kind === 'complete') counts.executions++
    else counts.blocked++
    counts.events = Math.max(counts.events, graph.clock)
    const { machine } = this.visitor
    if (kind === 'complete') this.digest.add(textOf(graph, machine))
    if (!this.options.remember) return
    const key = keyOf(graph, machine.threads)
    if (this.keys.has(key)) counts.redundant++
    this.keys.add(key)
  }

  /** What was counted since the last call, for whoever leads. */
  takeTotals(): Totals {
    const { executions, blocked, dropped, graphs, events } = this.counts
    const { isCut, leftOutWrites, hasRacingWrites } = this.visitor.machine
    const totals = {
      ...{ executions, blocked, dropped, graphs, events, isCut, leftOutWrites, hasRacingWrites },
      ...{ covered: this.covered, digest: this.digest.toString() },
    }
    this.counts = { ...NOTHING }
    this.digest = new Digest()
    this.covered = 0
    return totals
  }

  addTotals({ executions, blocked, dropped, graphs, events, covered, digest, ...flags }: Totals): void {
    const { counts } = this
    const { machine } = this.visitor
    counts.executions += executions
    counts.blocked += blocked
    counts.dropped += dropped
    counts.graphs += graphs
    counts.events = Math.max(counts.events, events)
    this.covered += covered
    this.digest.merge(digest)
    machine.isCut ||= flags.isCut
    machine.leftOutWrites ||= flags.leftOutWrites
    machine.hasRacingWrites ||= flags.hasRacingWrites
  }
}

/** One of the graphs that follow, with the branch that leads to it if there are several. */
export const childOf = (parent: Graph, children: readonly Graph[], taken: number): Graph => {
  const child = children[taken]!
  if (children.length > 1) child.path = branch(parent.path, taken, children.length)
  return child
}

const branch = (before: PathCell | undefined, taken: number, of: number): PathCell => ({
  branch: taken,
  weight: (before?.weight ?? 1) / of,
  before,
})
