// The maximality condition (TruSt, section 4.2): an event that a backward revisit deletes must be the one that would be
// added by itself, so that the deleted part can be told from what is left, and each graph has one origin only.
import { type Event, isInPrefix } from './event.js'
import type { Graph } from './graph.js'
import { newestAmong, sourcesOf } from './waiting.js'

/** IsMaximallyAdded: among what was there before the event, and what comes before the write that revisits. */
export const isMaximallyAdded = (graph: Graph, event: Event, write: Event, isKept: (e: Event) => boolean): boolean => {
  // A read that was tried again counts as the first try, if that is deleted, too.
  const isAgain = event.kind === 'read' && event.prev?.kind === 'wait' && !isKept(event.prev)
  const stamp = isAgain ? event.prev.number : event.kind === 'wait' ? event.number : event.stamp
  const isPrevious = (e: Event): boolean => e.stamp <= stamp || isInPrefix(e, write)
  switch (event.kind) {
    case 'choice':
      return event.number === 0
    case 'wait': {
      if (graph.threads[event.thread] !== event) return true
      const newest = newestAmong(graph.accessesOf(event.location).writes, isPrevious)
      return newest !== undefined && sourcesOf(graph, event).has(newest)
    }
    case 'read':
    case 'write': {
      if (event.number !== 0) return false
      const { writes, reads } = graph.accessesOf(event.location)
      if (event.kind === 'write' && reads.some((r) => r.source === event && isPrevious(r))) return false
      const seen = event.kind === 'write' ? event : event.source!
      return newestAmong(writes, isPrevious) === seen
    }
    default:
      return true
  }
}

/** Whether the last event of a thread is what it would be by itself in this graph. */
export const isMaximal = (graph: Graph, event: Event): boolean => {
  const { writes } = graph.accessesOf(event.location)
  return (event.kind === 'write' ? event : event.source) === writes[writes.length - 1]
}
