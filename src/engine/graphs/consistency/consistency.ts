// What a memory model says of a graph that was consistent before its last event was added. Only what is new is looked
// at: every violation involves the event that was added, or the read that it made read something else.
import { type Clock, type Event, joined, type Views } from '../event.js'
import type { Graph } from '../graph.js'

export interface Consistency {
  readonly name: string
  /** `events`: those that are new or changed. */
  isConsistent(graph: Graph, events: readonly Event[]): boolean
}

/** Before in program order. */
export const isPoBefore = (a: Event, b: Event): boolean => a.thread === b.thread && a.index < b.index

/**
 * irreflexive(before ; eco?) and atomicity, for a read or write that was just added: nothing that comes before it has
 * seen a later write than it does; and no write lies between those of a read-modify-write and of what it reads.
 */
export const isCoherent = (graph: Graph, event: Event, before: (a: Event, b: Event) => boolean): boolean => {
  if (event.kind !== 'read' && event.kind !== 'write') return true
  const { writes, reads } = graph.accessesOf(event.location)
  const place = writes.indexOf(event.kind === 'read' ? event.source! : event)
  for (let i = place + 1; i < writes.length; i++) if (before(writes[i]!, event)) return false
  for (const read of reads)
    if (read.kind === 'read' && read !== event && before(read, event) && writes.indexOf(read.source!) > place)
      return false
  if (event.kind === 'read') return true
  if (event.isRmwWrite && writes[place - 1] !== event.source!.source) return false
  const next = writes[place + 1]
  return !next?.isRmwWrite || next.source!.source === event
}

/** What order an access has where all orders count as seq_cst. */
export type Strength = 'as written' | 'seq_cst'

const acquires = (event: Event, strength: Strength): boolean =>
  event.isAtomic && (strength === 'seq_cst' || /^(?:acquire|acq_rel|seq_cst)$/.test(event.order))
const releases = (event: Event, strength: Strength): boolean =>
  event.isAtomic && (strength === 'seq_cst' || /^(?:release|acq_rel|seq_cst)$/.test(event.order))

/** Happens-before of rc11, by clocks: (po | sw | start | join)+. `own`: the clock of the thread before, ticked. */
export const viewsOf = (event: Event, own: Clock, from: Event | undefined, strength: Strength): Views => {
  const before = event.prev?.views
  const keep = { released: undefined, pending: before?.pending, fenced: before?.fenced }
  switch (event.kind) {
    case 'read': {
      const released = event.isAtomic ? event.source!.views?.released : undefined
      const pending = released ? joined(released, before?.pending) : before?.pending
      return { ...keep, hb: acquires(event, strength) ? joined(own, released) : own, pending }
    }
    case 'write':
      return { ...keep, hb: own, released: event.isAtomic ? releasedBy(event, own, strength) : undefined }
    case 'fence': {
      const hb = acquires(event, strength) ? joined(own, before?.pending) : own
      return { ...keep, hb, fenced: releases(event, strength) ? hb : before?.fenced }
    }
    case 'begin':
    case 'join':
      return { ...keep, hb: joined(own, from?.views?.hb) }
    default:
      return { ...keep, hb: own }
  }
}

/** Release sequences of the paper: the thread's own later atomic stores to the location, and read-modify-writes. */
const releasedBy = (write: Event, own: Clock, strength: Strength): Clock | undefined => {
  let released: Clock | undefined = releases(write, strength) ? own : write.prev?.views?.fenced
  if (!releases(write, strength))
    for (let e = write.prev; e; e = e.prev)
      if (e.kind === 'write' && e.location === write.location && releases(e, strength)) {
        released = released ? joined(released, e.views!.hb) : e.views!.hb
        break
      }
  const continued = write.source?.source?.views?.released
  return continued ? (released ? joined(released, continued) : continued) : released
}
