// Sequential consistency: acyclic(po | rf | co | fr | start | join). A new cycle goes through a new event, so a search
// backwards from it is enough. That steps with several accesses are atomic is checked at the end (blocks.ts).
import type { Event } from '../event.js'
import type { Graph } from '../graph.js'
import { type Consistency, isCoherent, isPoBefore } from './consistency.js'

export const sequentialConsistency = (): Consistency => {
  let marks = 0
  const isOnCycle = (graph: Graph, event: Event): boolean => {
    const mark = ++marks
    const open: Event[] = [event]
    /** Marks what comes before; true: that includes the event itself. */
    const meets = (before: Event): boolean => {
      if (before === event) return true
      if (before.kind === 'initial' || before.mark === mark) return false
      before.mark = mark
      open.push(before)
      return false
    }
    for (let e = open.pop(); e; e = open.pop()) if (anyPredecessor(graph, e, meets)) return true
    return false
  }
  return {
    name: 'sc',
    isConsistent: (graph, events) =>
      events.every((event) => isCoherent(graph, event, isPoBefore) && !isOnCycle(graph, event)),
  }
}

const anyPredecessor = (graph: Graph, e: Event, test: (before: Event) => boolean): boolean => {
  if (e.prev && test(e.prev)) return true
  switch (e.kind) {
    case 'read':
      return test(e.source!)
    case 'write': {
      const { writes, reads } = graph.accessesOf(e.location)
      const before = writes[writes.indexOf(e) - 1]!
      return test(before) || reads.some((read) => read.kind === 'read' && read.source === before && test(read))
    }
    case 'begin':
    case 'join':
      return e.source !== undefined && test(e.source)
    default:
      return false
  }
}
