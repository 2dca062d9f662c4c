// next_P of the paper: which event comes next. The leftmost thread that can go on does so; one in the middle of a step
// comes first, and those that would only wait come last (waiting.ts).
import { whoIsInAStep } from './blocks.js'
import { type Graph, hasEnded, lastOf, maximalWrite } from './graph.js'
import { isIdle } from './idle.js'
import type { Machine } from './machine.js'
import type { Action } from './point.js'
import { hasFinished, isAllowedAgain, isTrulyWaiting, type Read, waitsAfter, wouldWait } from './waiting.js'

export class Schedule {
  constructor(
    private readonly machine: Machine,
    /** Whether the steps of a graph are atomic. */
    private readonly isAtomic: (graph: Graph) => boolean,
  ) {}

  next(graph: Graph): { readonly thread: number; readonly action: Action } | undefined {
    const busy = whoIsInAStep(graph, this.machine)
    if (busy >= 0) return { thread: busy, action: this.actionOf(graph, busy) }
    for (const thread of this.machine.threads.of(graph)) {
      const action = this.actionOf(graph, thread)
      if (action.kind === 'error' && !this.isAtomic(graph)) continue
      if (this.canGoOn(graph, thread, action)) return { thread, action }
    }
    // Only waiting is left: what a thread could have read before, and did not.
    for (const thread of this.machine.threads.of(graph)) {
      const action = this.actionOf(graph, thread)
      if (action.kind === 'read' && this.hasNewSources(graph, thread, action)) return { thread, action }
    }
    return undefined
  }

  /** Threads of which any may go on next, in an interleaving. */
  enabled(graph: Graph): readonly number[] {
    const busy = whoIsInAStep(graph, this.machine)
    if (busy >= 0) return [busy]
    return [...this.machine.threads.of(graph)].filter((thread) =>
      this.canGoOn(graph, thread, this.actionOf(graph, thread)),
    )
  }

  private actionOf(graph: Graph, thread: number): Action {
    return this.machine.action(lastOf(graph, thread).point)
  }

  private canGoOn(graph: Graph, thread: number, action: Action): boolean {
    const last = lastOf(graph, thread)
    switch (action.kind) {
      case 'read': {
        if (isIdle(this.machine, last, action) || wouldWait(graph, this.machine, action)) return false
        return (
          last.kind !== 'wait' ||
          isAllowedAgain(graph, last, maximalWrite(graph.at(this.machine.locations.all[action.location]!)))
        )
      }
      case 'effect':
        if (isIdle(this.machine, last, action)) return false
        return action.effect.kind !== 'join' || hasEnded(graph, action.effect.thread)
      case 'choose':
      case 'error':
        return true
      case 'ended':
        return last.kind !== 'end'
      case 'blocked':
      case 'halted':
        return false
    }
  }

  private hasNewSources(graph: Graph, thread: number, action: Read): boolean {
    const last = lastOf(graph, thread)
    if (isIdle(this.machine, last, action)) return false
    if (last.kind !== 'wait') return true
    const { writes } = graph.at(this.machine.locations.all[action.location]!)
    return writes.some(
      (w) =>
        w.value !== undefined && isAllowedAgain(graph, last, w) && waitsAfter(this.machine, action, w) === undefined,
    )
  }

  /** What the graph is if no event can be added. */
  outcome(graph: Graph): 'complete' | 'blocked' | 'dropped' {
    let blocked = false
    for (const thread of this.machine.threads.of(graph)) {
      const last = lastOf(graph, thread)
      const action = this.machine.action(last.point)
      if (hasFinished(last, action)) continue
      blocked = true
      if (!isTrulyWaiting(graph, this.machine, last, action)) return 'dropped'
    }
    if (!this.isAtomic(graph)) return 'dropped'
    return blocked ? 'blocked' : 'complete'
  }
}
