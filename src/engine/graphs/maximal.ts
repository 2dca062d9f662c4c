// The maximality condition (TruSt, section 4.2): an event that a backward revisit deletes must be the one that would be
// added by itself, so that the deleted part can be told from what is left, and each graph has one origin only.
import { isStuck } from './blocks.js'
import { Event, isInPrefix } from './event.js'
import type { Graph } from './graph.js'
import type { Visitor } from './visit.js'
import { newestAmong, sourcesOf } from './waiting.js'

/** IsMaximallyAdded: among what was there before the event, and what comes before the write that revisits. */
export const isMaximallyAdded = (
  graph: Graph,
  event: Event,
  write: Event,
  isKept: (e: Event) => boolean,
  visitor: Visitor,
): boolean => {
  // A read that was tried again counts as the first try, if that is deleted, too.
  const isAgain = event.kind === 'read' && event.prev?.kind === 'wait' && !isKept(event.prev)
  const stamp = isAgain ? event.prev.number : event.kind === 'wait' ? event.number : event.stamp
  const isPrevious = (e: Event): boolean => e.stamp <= stamp || isInPrefix(e, write)
  switch (event.kind) {
    case 'choice':
      return isStuck(event) ? isStuckAmong(graph.restrict(isPrevious), event, visitor) : event.number === 0
    case 'wait': {
      if (graph.threads[event.thread] !== event) return true
      const newest = newestAmong(graph.accessesOf(event.location).writes, isPrevious)
      return newest !== undefined && sourcesOf(graph, event).has(newest)
    }
    case 'read':
    case 'write': {
      if (isInBlock(event)) return isMaximalInBlock(graph.restrict(isPrevious), event, visitor, graph)
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
export const isMaximal = (graph: Graph, event: Event, visitor: Visitor): boolean => {
  if (isInBlock(event)) return isMaximalInBlock(graph, event, visitor, graph)
  const { writes } = graph.accessesOf(event.location)
  return (event.kind === 'write' ? event : event.source) === writes[writes.length - 1]
}

const isInBlock = (event: Event): boolean => event.prev?.step === event.step && !event.isRmwWrite

/** Inside a block the newest write need not be consistent: the newest one that is. */
const isMaximalInBlock = (previous: Graph, event: Event, visitor: Visitor, whole: Graph): boolean => {
  if (event.kind === 'write') {
    if (whole.accessesOf(event.location).reads.some((r) => r.source === event && previous.has(r))) return false
    const [newest] = visitor.visitCOs(withoutEvent(previous, event), event, undefined)
    if (!newest) return false
    const { writes } = newest.accessesOf(event.location)
    const before = previous.accessesOf(event.location).writes
    return writes.indexOf(event) === before.indexOf(event)
  }
  const { writes } = previous.accessesOf(event.location)
  if (!writes.includes(event.source!)) return false
  for (let i = writes.length - 1; i >= 0; i--) {
    const other = writes[i]!
    if (other === event.source) return true
    const changed = previous.copy()
    const read = readingFrom(event, other)
    changed.replaceLast(event, read)
    if (visitor.model.isConsistent(changed, [read])) return false
  }
  return false
}

const readingFrom = (e: Event, source: Event): Event =>
  new Event(
    e.kind,
    e.thread,
    e.index,
    e.stamp,
    e.prev,
    e.location,
    source.value,
    e.isAtomic,
    e.order,
    source,
    e.porf,
    e.point,
    e.edge,
    e.views,
    e.step,
    e.number,
  )

const withoutEvent = (graph: Graph, event: Event): Graph =>
  graph.restrict((e) => e.thread !== event.thread || e.index < event.index)

/** Whether the block would be stuck with what was there before. */
const isStuckAmong = (previous: Graph, event: Event, visitor: Visitor): boolean => {
  const before = withoutEvent(previous, event)
  const action = visitor.machine.action(event.prev!.point)
  if (action.kind !== 'effect' || action.effect.kind !== 'write') return false
  const { location, value, isAtomic, order } = action.effect
  const write = new Event(
    'write',
    event.thread,
    event.index,
    event.stamp,
    event.prev,
    location,
    value,
    isAtomic,
    order,
    undefined,
    event.porf,
    action.after,
    event.edge,
    event.views,
    event.step,
    0,
  )
  return visitor.visitCOs(before, write, undefined).length === 0
}
