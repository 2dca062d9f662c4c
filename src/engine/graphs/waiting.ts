// Waiting: locks, joins, semaphores, and loops that only read (`while (!flag);`, a compare-exchange that is tried again).
// A read after which its thread waits is no event of the execution: the thread might as well not have tried.
//
// Three things keep such reads from multiplying executions. (1) The thread that would wait with the newest value is
// scheduled last (TruSt lets us choose), so that most such reads never happen. (2) A read of a waiting thread that is
// not the newest value is dropped: nothing could revisit it. (3) A read that alone makes its thread wait becomes an event
// `wait`, which orders nothing. It stands for all reads from writes that make the thread wait (`sourcesOf`). When a newer write appears that would let the thread go, and that could revisit the read,
// the thread tries again; what it may then read from are exactly the writes that would have revisited it, so that no
// graph is made twice, and the graph in which it goes on waiting is not explored beside it.
//
// Loops that have done nothing are in idle.ts.
import { Unsupported } from '../../xcfa/index.js'
import { type Event, isInPrefix } from './event.js'
import { type Graph, maximalWrite } from './graph.js'
import { beginningOfLoop, behindFences, behindSilentWrite, isRetry, leavesOutWrites, whereItComesBack } from './idle.js'
import type { Machine } from './machine.js'
import { type Action, isSamePoint } from './point.js'

export type Read = Extract<Action, { kind: 'read' }>

/** Reads of a loop that are followed to see whether it comes back. */
const MAX_LOOP_READS = 16

/** Whether the thread waits once it has read from this write: no edge is enabled, or its loop comes back. */
export const waitsAfter = (machine: Machine, action: Read, source: Event): 'blocked' | 'loops' | undefined => {
  if (source.value === undefined)
    throw new Unsupported('a value of memory that nobody wrote, in the engine graphs', action.edge.position)
  const after = machine.afterRead(action.at, action.location, source.value)
  const next = behindSilentWrite(machine, machine.action(after), action, source.value)
  if (next.kind === 'blocked' && next.at.since === after.since) return 'blocked'
  const isBack = next.kind === 'read' && next.at.known.length === 0 && action.at.known.length === 0
  return isBack && isSamePoint(next.at, action.at) ? 'loops' : undefined
}

/** Whether the thread waits if it reads the newest values from now on. */
export const wouldWait = (graph: Graph, machine: Machine, first: Read): boolean => {
  let action = first
  for (let reads = 0; reads < MAX_LOOP_READS; reads++) {
    const { value } = maximalWrite(graph.at(machine.locations.all[action.location]!))
    if (value === undefined) return false
    const read = behindFences(machine, machine.action(machine.afterRead(action.at, action.location, value)))
    const next = behindFences(machine, behindSilentWrite(machine, read, action, value))
    if (next.kind === 'blocked') return next.at.known.length > 0
    if (next.kind !== 'read') return false
    if (next.at.known.length === 0 && isSamePoint(next.at, first.at)) return first.at.known.length === 0
    action = next
  }
  return false
}

/**
 * The writes that the read of a waiting thread might as well have read from: the one that made it wait, and those that
 * would have revisited it since then, one after the other. Each has one predecessor, so that every write that makes a
 * thread wait belongs to one wait only.
 */
export const sourcesOf = (graph: Graph, wait: Event): ReadonlySet<Event> => {
  const { writes } = graph.accessesOf(wait.location)
  const found = new Set<Event>([wait.source!])
  const newer = writes.filter((w) => w.stamp > wait.number && w !== wait.source).sort((a, b) => a.stamp - b.stamp)
  for (const write of newer) {
    const before = newestAmong(writes, (w) => w !== write && (w.stamp <= wait.number || isInPrefix(w, write)))
    if (before && found.has(before)) found.add(write)
  }
  return found
}

export const newestAmong = (writes: readonly Event[], isAmong: (write: Event) => boolean): Event | undefined => {
  for (let i = writes.length - 1; i >= 0; i--) if (isAmong(writes[i]!)) return writes[i]
  return undefined
}

/** Whether a thread that waits may try again with this write: it would have revisited the read that made it wait. */
export const isAllowedAgain = (graph: Graph, wait: Event, write: Event): boolean =>
  write.stamp > wait.stamp && sourcesOf(graph, wait).has(write)

export const hasFinished = (last: Event, action: Action): boolean =>
  last.kind === 'end' || action.kind === 'error' || (action.kind === 'halted' && action.halt?.kind !== 'assume')

/** Whether the thread would still wait if it tried again now. */
export const isTrulyWaiting = (graph: Graph, machine: Machine, last: Event, action: Action): boolean => {
  const isNewest = (e: Event): boolean => e.source === maximalWrite(graph.accessesOf(e.location))
  switch (action.kind) {
    case 'read':
    case 'effect': {
      if (action.kind === 'read' && last.kind === 'wait')
        return (
          wouldWait(graph, machine, action) && sourcesOf(graph, last).has(maximalWrite(graph.accessesOf(last.location)))
        )
      // The execution without the iteration is another one.
      if (leavesOutWrites(machine, last, action)) return false
      const back = whereItComesBack(machine, last, action)
      if (back === undefined) return true
      // What was tried again is another execution, in which the first try read it at once.
      if (isRetry(machine, last, back)) return false
      const first = beginningOfLoop(last, back)
      for (let e: Event | undefined = last; first && e && e.index >= first.index; e = e.prev)
        if (e.kind === 'read' && !isNewest(e)) return false
      return true
    }
    case 'blocked':
      for (let e: Event | undefined = last; e && e.step === last.step; e = e.prev)
        if (e.kind === 'read' && !isNewest(e)) return false
      return true
    default:
      return true
  }
}
