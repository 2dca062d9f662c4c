// The search: graphs still to be visited are on a stack, so that memory is linear in the length of an execution.
import { hashOf, keyOf } from './digest.js'
import type { Event } from './event.js'
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
  readonly digest?: boolean
  /** Asked now and then; a text ends the search. */
  stopped(counts: Counts): string | undefined
  /** A complete or blocked execution; true ends the search. */
  onExecution?(graph: Graph, kind: 'complete' | 'blocked'): boolean
  /** A graph in which nobody is in the middle of a step; true ends the search. */
  onGraph?(graph: Graph): boolean
  readonly maxExecutions?: number
  readonly share?: Share
}

export type Found =
  | { readonly kind: 'all' }
  | { readonly kind: 'violation'; readonly graph: Graph; readonly event?: Event }
  | { readonly kind: 'stopped'; readonly reason: string; readonly left: readonly Graph[] }

const ASK_EVERY = 256

export class Search {
  readonly counts: Counts = { executions: 0, blocked: 0, dropped: 0, redundant: 0, graphs: 0, events: 0 }
  digest = 0n
  /** The part of the search that is done, by the branching seen so far. */
  covered = 0
  private readonly keys = new Set<string>()

  constructor(
    private readonly visitor: Visitor,
    private readonly options: SearchOptions,
  ) {}

  run(roots: readonly Graph[]): Found {
    const { options, counts } = this
    const open: Graph[] = [...roots]
    for (let graph = open.pop(); graph; graph = open.pop()) {
      if (++counts.graphs % ASK_EVERY === 0) {
        const reason = options.stopped(counts)
        if (reason !== undefined) return { kind: 'stopped', reason, left: [...open, graph] }
      }
      if (options.share && !isOwn(graph.path, options.share, false)) continue
      const expansion = this.visitor.visit(graph)
      const isLeaf = expansion.kind !== 'children' || expansion.children.length === 0
      if (isLeaf) {
        if (options.share && !isOwn(graph.path, options.share, true)) continue
        // Knuth 1975: what is done is the sum of the weights of all leaves; at the end it is 1.
        this.covered += graph.path?.weight ?? 1
      }
      switch (expansion.kind) {
        case 'error':
          return { kind: 'violation', graph, event: expansion.event }
        case 'children': {
          const { children } = expansion
          for (let i = children.length - 1; i >= 0; i--) {
            const child = children[i]!
            if (children.length > 1) child.path = branch(graph.path, i, children.length)
            open.push(child)
          }
          if (options.onGraph?.(graph)) return { kind: 'violation', graph }
          break
        }
        case 'dropped':
          counts.dropped++
          if (options.onGraph?.(graph)) return { kind: 'violation', graph }
          break
        case 'complete':
        case 'blocked':
          this.count(graph, expansion.kind)
          if (options.onGraph?.(graph) || options.onExecution?.(graph, expansion.kind))
            return { kind: 'violation', graph }
          if (
            options.maxExecutions !== undefined &&
            counts.executions + counts.blocked >= options.maxExecutions &&
            open.length > 0
          )
            return { kind: 'stopped', reason: `${options.maxExecutions} executions`, left: open }
          break
      }
    }
    return { kind: 'all' }
  }

  private count(graph: Graph, kind: 'complete' | 'blocked'): void {
    const { counts, options } = this
    if (kind === 'complete') counts.executions++
    else counts.blocked++
    counts.events = Math.max(counts.events, graph.clock)
    if (!options.remember && !options.digest) return
    const key = keyOf(graph)
    if (options.digest) this.digest = BigInt.asUintN(64, this.digest + hashOf(key))
    if (!options.remember) return
    if (this.keys.has(key)) counts.redundant++
    this.keys.add(key)
  }
}

const branch = (before: PathCell | undefined, taken: number, of: number): PathCell => ({
  branch: taken,
  weight: (before?.weight ?? 1) / of,
  before,
})
