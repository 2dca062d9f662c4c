// Data races by happens-before: two accesses of one location by different threads, one of them a write, not both
// atomic, and neither happens before the other. A `free` writes its whole block. Under sequential consistency every
// atomic access and every lock orders as much as it can (the DRF theorem: a program has such a race exactly if two
// conflicting accesses can be next to each other in an interleaving).
import type { Event } from './event.js'
import { isBefore } from './event.js'
import type { Graph } from './graph.js'
import type { LocationInfo } from './locations.js'

export interface Race {
  readonly first: Event
  readonly second: Event
}

const isAccess = ({ kind }: Event): boolean => kind === 'read' || kind === 'write'

const isOrdered = (a: Event, b: Event): boolean => isBefore(a, b.views!.hb) || isBefore(b, a.views!.hb)

/** Races of the event that was added last, or of a read that it revisited: enough if every graph on the way is asked. */
export const racesOfNewest = (graph: Graph, locations: readonly LocationInfo[]): readonly Race[] => {
  const lasts = graph.lasts()
  const newest = lasts.reduce((a, b) => (b.stamp > a.stamp ? b : a))
  const revisited = isAccess(newest) ? lasts.filter((last) => last !== newest && last.source === newest) : []
  return [newest, ...revisited].flatMap((event) =>
    isAccess(event) ? [...rivals(graph, event, locations)].map((other) => ({ first: other, second: event })) : [],
  )
}

/** All races: where graphs on the way are not asked, because their steps need not be atomic. */
export const racesOf = (graph: Graph, locations: readonly LocationInfo[]): readonly Race[] =>
  [...graph.events()].flatMap((event) =>
    isAccess(event) ? [...rivals(graph, event, locations)].map((other) => ({ first: other, second: event })) : [],
  )

function* rivals(graph: Graph, event: Event, locations: readonly LocationInfo[]): Generator<Event> {
  const { kind, life } = locations[event.location]!
  const isLife = kind === 'life'
  const { writes, reads } = graph.accessesOf(event.location)
  for (const other of [...writes, ...reads]) {
    if (other.kind === 'initial' || !isAccess(other) || other.thread === event.thread) continue
    if (other.kind === 'read' && event.kind === 'read') continue
    if (isLife || (other.isAtomic && event.isAtomic) || isOrdered(event, other)) continue
    yield other
  }
  // A freed block, from either side.
  if (life !== undefined)
    for (const other of graph.accesses[life]?.writes ?? [])
      if (other.value === -1 && other.thread !== event.thread && !isOrdered(event, other)) yield other
  if (isLife && event.value === -1)
    for (const location of locations)
      if (location.life === event.location)
        for (const other of [
          ...(graph.accesses[location.id]?.writes ?? []),
          ...(graph.accesses[location.id]?.reads ?? []),
        ])
          if (other.kind !== 'initial' && isAccess(other) && other.thread !== event.thread && !isOrdered(event, other))
            yield other
}
