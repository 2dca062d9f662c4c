// An execution graph: the last event of each thread, and for each location its writes in coherence order and its reads.
// Copying one is cheap: events and lists are shared, and lists are replaced, never changed.
import type { Value } from '../../xcfa/index.js'
import { type Clock, Event } from './event.js'
import type { LocationInfo } from './locations.js'
import type { LocationId, Point } from './point.js'

/** What happened at a location. */
export interface Accesses {
  /** In coherence order; the first one is the initial write. */
  readonly writes: readonly Event[]
  /** Those that let their thread wait included. */
  readonly reads: readonly Event[]
}

export class Graph {
  private constructor(
    /** By number; absent: it has not begun (threads.ts). */
    readonly threads: (Event | undefined)[],
    readonly accesses: (Accesses | undefined)[],
    public clock: number,
    /** Branches taken since the root: names the graph (share.ts). */
    public path: PathCell | undefined,
  ) {}

  static empty(): Graph {
    return new Graph([], [], 1, undefined)
  }

  copy(): Graph {
    return new Graph(this.threads.slice(), this.accesses.slice(), this.clock, this.path)
  }

  at(location: LocationInfo): Accesses {
    return (this.accesses[location.id] ??= { writes: [initialWrite(location)], reads: [] })
  }

  accessesOf(location: LocationId): Accesses {
    return this.accesses[location]!
  }

  /** Adds a read, a fence, …; writes are added by `insert`. */
  add(event: Event): void {
    this.threads[event.thread] = event
    this.clock = Math.max(this.clock, event.stamp + 1)
    if (event.kind !== 'read' && event.kind !== 'wait') return
    const { writes, reads } = this.accesses[event.location]!
    this.accesses[event.location] = { writes, reads: [...reads, event] }
  }

  /** Adds a write right before the place `position` of the coherence order. */
  insert(event: Event, position: number): void {
    this.threads[event.thread] = event
    this.clock = Math.max(this.clock, event.stamp + 1)
    const { writes, reads } = this.accesses[event.location]!
    this.accesses[event.location] = { writes: [...writes.slice(0, position), event, ...writes.slice(position)], reads }
  }

  /** Puts another read in the place of the last event of its thread. */
  replaceLast(old: Event, event: Event): void {
    this.threads[event.thread] = event
    const { writes, reads } = this.accesses[old.location]!
    this.accesses[old.location] = { writes, reads: [...reads.filter((read) => read !== old), event] }
  }

  /** The graph restricted to some of its events: of each thread a prefix. */
  restrict(keeps: (event: Event) => boolean): Graph {
    const result = this.copy()
    const keptThread: number[] = []
    for (let t = 0; t < this.threads.length; t++) {
      let last: Event | undefined = this.threads[t]
      while (last && !keeps(last)) last = last.prev
      keptThread[t] = last ? last.index : -1
      result.threads[t] = last
    }
    while (result.threads.length > 0 && result.threads[result.threads.length - 1] === undefined) result.threads.pop()
    const isKept = (event: Event): boolean =>
      event.kind === 'initial' || event.index <= (keptThread[event.thread] ?? -1)
    this.accesses.forEach((accesses, location) => {
      if (!accesses) return
      const { writes, reads } = accesses
      if (writes.every(isKept) && reads.every(isKept)) return
      result.accesses[location] = { writes: writes.filter(isKept), reads: reads.filter(isKept) }
    })
    return result
  }

  has(event: Event): boolean {
    if (event.kind === 'initial') return true
    for (let e: Event | undefined = this.threads[event.thread]; e; e = e.prev) {
      if (e === event) return true
      if (e.index < event.index) return false
    }
    return false
  }

  /** The last event of each thread. */
  lasts(): readonly Event[] {
    return this.threads.filter((last) => last !== undefined)
  }

  *events(): Generator<Event> {
    for (const last of this.threads) for (let e: Event | undefined = last; e; e = e.prev) yield e
  }
}

/** A list of branches, newest first. */
export interface PathCell {
  readonly branch: number
  /** The part of the whole search that lies below, if all branches are alike: 1 at the root. */
  readonly weight: number
  readonly before: PathCell | undefined
}

const NO_CLOCK: Clock = []
const NO_POINT = {} as Point
const initials = new WeakMap<LocationInfo, Event>()

/** One initial write for each location, in every graph the same. */
const initialWrite = (location: LocationInfo): Event => {
  let event = initials.get(location)
  if (!event) {
    const value = location.initial as Value
    event = new Event(
      'initial',
      -1,
      -1,
      0,
      undefined,
      location.id,
      value,
      true,
      'relaxed',
      undefined,
      NO_CLOCK,
      NO_POINT,
      undefined,
      undefined,
      NO_POINT,
      0,
    )
    initials.set(location, event)
  }
  return event
}

/** The last write of a location's coherence order. */
export const maximalWrite = ({ writes }: Accesses): Event => writes[writes.length - 1]!

export const lastOf = (graph: Graph, thread: number): Event => graph.threads[thread]!

export const hasEnded = (graph: Graph, thread: number): boolean => graph.threads[thread]?.kind === 'end'
