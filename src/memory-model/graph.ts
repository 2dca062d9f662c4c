// Execution graphs: events with the base relations that a model speaks of. Everything but `rf` and `co` follows from
// the program's control flow; these two are what an exploration chooses.
import { EventSet, Relation, universe } from './relation.js'

type EventKind = 'R' | 'W' | 'F'

export interface Event {
  readonly id: number
  /** The thread; INITIAL for the write of a location's initial value. */
  readonly thread: number
  readonly kind: EventKind
  /** What is accessed; fences may have one too (`synchronize_srcu(s)`). Equal numbers are equal locations. */
  readonly location?: number
  /** Orders, kinds of fences and other sets of the models that the event belongs to (vocabulary.ts). */
  readonly tags: readonly string[]
}

export const INITIAL = -1

/** The relations that the program's control flow fixes; `po` is transitive, the others as they are. */
export interface Skeleton {
  readonly events: readonly Event[]
  readonly po: Relation
  readonly addr: Relation
  readonly data: Relation
  readonly ctrl: Relation
  /** Read and write of a read-modify-write operation. */
  readonly rmw: Relation
  /** Those of `rmw` that are one instruction, not a pair of exclusive accesses. */
  readonly amo: Relation
  /** Events of the same instruction (accesses that are split because others overlap only a part), reflexive. */
  readonly si: Relation
  /** Lock and unlock of RCU's outermost and inner read-side critical sections. */
  readonly rcuSections: Relation
  /** Further relations by name: a front end's own. */
  readonly more?: Readonly<Record<string, Relation>>
}

/** What a model's names mean on a skeleton: the sets and relations that depend on neither `rf` nor `co`. */
export const staticSet = (skeleton: Skeleton, name: string): EventSet => {
  const { events } = skeleton
  const where = (test: (event: Event) => boolean): EventSet =>
    EventSet.of(
      events.length,
      events.filter(test).map((event) => event.id),
    )
  switch (name) {
    case '_':
      return universe(events.length)
    case 'emptyset':
      return new EventSet(events.length)
    case 'R':
    case 'W':
    case 'F':
      return where((event) => event.kind === name)
    case 'M':
      return where((event) => event.kind !== 'F')
    case 'IW':
    case 'I':
      return where((event) => event.thread === INITIAL)
    case 'RMW':
      // Also what is tagged so: a kernel's compare-exchange that fails is a read only, but an RMW by its kind.
      return skeleton.rmw
        .domain()
        .union(skeleton.rmw.range())
        .union(where((event) => event.tags.includes('RMW')))
    default:
      return where((event) => event.tags.includes(name))
  }
}

const pairs = (events: readonly Event[], test: (a: Event, b: Event) => boolean): Relation => {
  const result = new Relation(events.length)
  for (const a of events) for (const b of events) if (test(a, b)) result.add(a.id, b.id)
  return result
}

export const staticRelation = (skeleton: Skeleton, name: string): Relation => {
  const { events } = skeleton
  switch (name) {
    case 'po':
    case 'addr':
    case 'data':
    case 'ctrl':
    case 'rmw':
    case 'amo':
    case 'si':
      return skeleton[name]
    case 'rcu-rscs':
    case 'crit':
      return skeleton.rcuSections
    case 'lxsx':
      return skeleton.rmw.minus(skeleton.amo)
    case 'id':
      return Relation.identity(universe(events.length))
    case 'loc':
      return pairs(events, (a, b) => a.location !== undefined && a.location === b.location)
    case 'int':
      return pairs(events, (a, b) => a.thread === b.thread && a.thread !== INITIAL)
    case 'ext':
      return pairs(events, (a, b) => a.thread !== b.thread || (a.thread === INITIAL && a.id !== b.id))
    default:
      return skeleton.more?.[name] ?? new Relation(events.length)
  }
}
