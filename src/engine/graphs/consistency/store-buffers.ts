// Total and partial store order, by the axioms of src/memory-model/models: uniproc, atomicity, and
// acyclic(ppo | fence | implied | rfe | co | fr). Starts, joins, the beginning and the end of a thread, and what the
// library does empty the store buffer, as xcfa/passes/store-buffers has it.
import type { Event } from '../event.js'
import type { Graph } from '../graph.js'
import { type Consistency, isCoherent, isPoBefore } from './consistency.js'

export const totalStoreOrder = (): Consistency => storeOrder('tso', isKeptByTso)

export const partialStoreOrder = (): Consistency => storeOrder('pso', isKeptByPso)

/** Whether program order from the first to the second event is kept; `released`: a release fence lies between. */
type IsKept = (graph: Graph, first: Event, second: Event, released: boolean) => boolean

const storeOrder = (name: string, isKept: IsKept): Consistency => {
  let marks = 0
  const isOnCycle = (graph: Graph, event: Event): boolean => {
    const mark = ++marks
    const open: Event[] = [event]
    const next: Event[] = []
    for (let e = open.pop(); e; e = open.pop()) {
      next.length = 0
      collectPredecessors(graph, e, isKept, next)
      for (const before of next) {
        if (before === event) return true
        if (before.kind === 'initial' || before.mark === mark) continue
        before.mark = mark
        open.push(before)
      }
    }
    return false
  }
  return {
    name,
    isConsistent: (graph, events) =>
      events.every((event) => {
        if (!isCoherent(graph, event, isPoBefore)) return false
        // That a read belongs to a read-modify-write is known when its write is there.
        if (event.isRmwWrite && isOnCycle(graph, event.source!)) return false
        return !isOnCycle(graph, event)
      }),
  }
}

const collectPredecessors = (graph: Graph, event: Event, isKept: IsKept, found: Event[]): void => {
  let released = false
  for (let e = event.prev; e; e = e.prev) {
    if (isKept(graph, e, event, released)) found.push(e)
    if (isFull(e)) break
    released ||= e.kind === 'fence' && /^(?:release|acq_rel)$/.test(e.order)
  }
  switch (event.kind) {
    case 'read':
      if (event.source!.thread !== event.thread) found.push(event.source!)
      return
    case 'write': {
      const { writes, reads } = graph.accessesOf(event.location)
      const before = writes[writes.indexOf(event) - 1]!
      found.push(before)
      for (const read of reads) if (read.kind === 'read' && read.source === before) found.push(read)
      return
    }
    case 'begin':
    case 'join':
      if (event.source) found.push(event.source)
      return
    default:
  }
}

const isFull = ({ kind, order }: Event): boolean =>
  (kind === 'fence' && order === 'seq_cst') || kind === 'begin' || kind === 'start' || kind === 'join' || kind === 'end'

const isAccess = ({ kind }: Event): boolean => kind === 'read' || kind === 'write'

/** Part of a read-modify-write, or of a call of the library. */
const isLocked = (graph: Graph, event: Event): boolean =>
  event.isRmwWrite ||
  (event.edge?.sync !== undefined && event.edge.sync.kind !== 'atomic') ||
  (event.kind === 'read' && event.isAtomic && graph.accessesOf(event.location).writes.some((w) => w.source === event))

const isKeptByTso: IsKept = (graph, first, second) => {
  if (isFull(first) || isFull(second)) return (isFull(first) || isAccess(first)) && (isFull(second) || isAccess(second))
  if (!isAccess(first) || !isAccess(second)) return false
  if (first.kind === 'read' || second.kind === 'write') return true
  return isLocked(graph, first) || isLocked(graph, second) || (first.isAtomic && first.order === 'seq_cst')
}

const isKeptByPso: IsKept = (graph, first, second, released) => {
  if (isFull(first) || isFull(second)) return (isFull(first) || isAccess(first)) && (isFull(second) || isAccess(second))
  if (!isAccess(first) || !isAccess(second)) return false
  if (first.kind === 'read' || isLocked(graph, first) || isLocked(graph, second)) return true
  if (second.kind === 'read') return first.isAtomic && first.order === 'seq_cst'
  return released || (second.isAtomic && /^(?:release|acq_rel|seq_cst)$/.test(second.order))
}
