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
    for (const member of membersOf(graph, event)) {
      member.mark = mark
      open.push(member)
    }
    for (let e = open.pop(); e; e = open.pop())
      for (const before of predecessors(graph, e)) {
        // Inside a step there is no order.
        if (!before || before.kind === 'initial' || before.step === e.step) continue
        if (before.step === event.step) return true
        for (const member of membersOf(graph, before)) {
          if (member.mark === mark) continue
          member.mark = mark
          open.push(member)
        }
      }
    return false
  }
  return {
    name: 'sc',
    isConsistent: (graph, events) =>
      events.every((event) => isCoherent(graph, event, isPoBefore) && !isOnCycle(graph, event)),
  }
}

/** The events of the graph that belong to the same step. */
const membersOf = (graph: Graph, event: Event): readonly Event[] => {
  if (!event.isAtomic) return [event]
  const members: Event[] = []
  for (let e: Event | undefined = graph.threads[event.thread]; e && e.index > event.index; e = e.prev)
    if (e.step === event.step) members.push(e)
  for (let e: Event | undefined = event; e && e.step === event.step; e = e.prev) members.push(e)
  return members
}

function* predecessors(graph: Graph, event: Event): Generator<Event | undefined> {
  yield event.prev
  switch (event.kind) {
    case 'read':
      yield event.source
      return
    case 'write': {
      const { writes, reads } = graph.accessesOf(event.location)
      const before = writes[writes.indexOf(event) - 1]!
      yield before
      for (const read of reads) if (read.kind === 'read' && read.source === before) yield read
      return
    }
    case 'begin':
    case 'join':
      yield event.source
      return
    default:
  }
}
