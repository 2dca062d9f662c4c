// Sequential consistency: acyclic(po | rf | co | fr | start | join), where the events of an atomic step are one. A new
// cycle goes through a new event, so a search backwards from it is enough.
import type { Event } from '../event.js'
import type { Graph } from '../graph.js'
import { type Consistency, isCoherent, isPoBefore } from './consistency.js'

export const sequentialConsistency = (): Consistency => {
  let marks = 0
  const isOnCycle = (graph: Graph, event: Event): boolean => {
    const mark = ++marks
    const open: Event[] = []
    /** Marks what comes before; true: that includes the event itself. */
    const meets = (e: Event, before: Event): boolean => {
      // Inside a step there is no order.
      if (before.kind === 'initial' || before.step === e.step) return false
      if (before.step === event.step) return true
      if (before.mark !== mark) visitStep(graph, before, mark, open)
      return false
    }
    visitStep(graph, event, mark, open)
    for (let e = open.pop(); e; e = open.pop()) if (anyPredecessor(graph, e, meets)) return true
    return false
  }
  return {
    name: 'sc',
    isConsistent: (graph, events) =>
      events.every((event) => isCoherent(graph, event, isPoBefore) && !isOnCycle(graph, event)),
  }
}

/** Marks the events of the graph that belong to the same step, and adds them to those that are looked at. */
const visitStep = (graph: Graph, event: Event, mark: number, open: Event[]): void => {
  event.mark = mark
  open.push(event)
  if (!event.isAtomic) return
  const visit = (e: Event): void => {
    if (e.mark === mark) return
    e.mark = mark
    open.push(e)
  }
  for (let e: Event | undefined = graph.threads[event.thread]; e && e.index > event.index; e = e.prev)
    if (e.step === event.step) visit(e)
  for (let e = event.prev; e && e.step === event.step; e = e.prev) visit(e)
}

const anyPredecessor = (graph: Graph, e: Event, test: (e: Event, before: Event) => boolean): boolean => {
  if (e.prev && test(e, e.prev)) return true
  switch (e.kind) {
    case 'read':
      return test(e, e.source!)
    case 'write': {
      const { writes, reads } = graph.accessesOf(e.location)
      const before = writes[writes.indexOf(e) - 1]!
      return test(e, before) || reads.some((read) => read.kind === 'read' && read.source === before && test(e, read))
    }
    case 'begin':
    case 'join':
      return e.source !== undefined && test(e, e.source)
    default:
      return false
  }
}
