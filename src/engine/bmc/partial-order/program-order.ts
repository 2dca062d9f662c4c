// What the unrolled program itself says about events, whatever the solver chooses: which come before which (program
// order, a start before what it starts), which exclude each other, and which steps an event is sure to follow.
import type { Event } from './events.js'
import type { UnrolledEdge, Unrolling } from './unroll.js'

export interface ProgramOrder {
  /** In every execution with both, a is first. */
  precedes(a: Event, b: Event): boolean
  /** No execution has both: they are on different branches of one thread. */
  exclude(a: Event, b: Event): boolean
  /** The events that come next, without those in between. */
  next(event: Event): readonly Event[]
  /** Every execution with the event has taken the edge before it. */
  follows(event: Event, edge: UnrolledEdge): boolean
}

export const programOrder = (
  unrolling: Unrolling,
  events: readonly Event[],
  eventOf: ReadonlyMap<Event['node'], Event>,
): ProgramOrder => {
  const following = successors(unrolling, events, eventOf)
  const after = reachability(events, (e) => following[e.id]!)
  const sure = dominators(unrolling)
  const precedes = (a: Event, b: Event): boolean => after[a.id]!.has(b.id)
  return {
    precedes,
    exclude: (a, b) => {
      if (a === b || precedes(a, b) || precedes(b, a)) return false
      const [one, other] = [a.node.instance, b.node.instance]
      return one === other || (unrolling.exactNumbers && one.number === other.number)
    },
    next: (event) => following[event.id]!,
    follows: (event, edge) => sure.get(event.node)!.has(edge.id),
  }
}

const successors = (
  { instances }: Unrolling,
  events: readonly Event[],
  eventOf: ReadonlyMap<Event['node'], Event>,
): readonly (readonly Event[])[] => {
  const following = events.map(() => new Set<Event>())
  for (const { nodes } of instances)
    for (const node of nodes)
      for (const { target, started } of node.outgoing) {
        const from = eventOf.get(node)
        if (!from) continue
        const to = eventOf.get(target)
        if (to && to !== from) following[from.id]!.add(to)
        for (const instance of started) {
          const first = eventOf.get(instance.nodes[0]!)
          if (first) following[from.id]!.add(first)
        }
      }
  return following.map((set) => [...set])
}

/** A set of small numbers. */
class Bits {
  private readonly words: Uint32Array
  constructor(size: number) {
    this.words = new Uint32Array((size + 31) >>> 5)
  }
  has(i: number): boolean {
    return ((this.words[i >>> 5]! >>> (i & 31)) & 1) === 1
  }
  add(i: number): void {
    this.words[i >>> 5]! |= 1 << (i & 31)
  }
  addAll(other: Bits): void {
    for (let i = 0; i < this.words.length; i++) this.words[i]! |= other.words[i]!
  }
  keepAll(other: Bits): void {
    for (let i = 0; i < this.words.length; i++) this.words[i]! &= other.words[i]!
  }
}

/** For each event those that are after it. Iterative: threads may be long. */
const reachability = (events: readonly Event[], following: (event: Event) => readonly Event[]): readonly Bits[] => {
  const result: (Bits | undefined)[] = events.map(() => undefined)
  for (const root of events) {
    const stack = [root]
    while (stack.length > 0) {
      const event = stack.at(-1)!
      const missing = result[event.id] ? undefined : following(event).find((e) => !result[e.id])
      if (missing) {
        stack.push(missing)
        continue
      }
      stack.pop()
      if (result[event.id]) continue
      const reach = new Bits(events.length)
      for (const next of following(event)) {
        reach.add(next.id)
        reach.addAll(result[next.id]!)
      }
      result[event.id] = reach
    }
  }
  return result as Bits[]
}

/** For each node the edges that every way to it takes, those of the threads that started its thread included. */
const dominators = ({ instances }: Unrolling): ReadonlyMap<Event['node'], Bits> => {
  const edges = instances.flatMap(({ nodes }) => nodes.flatMap((n) => n.outgoing))
  const size = edges.reduce((most, e) => Math.max(most, e.id + 1), 0)
  const sure = new Map<Event['node'], Bits>()
  const along = ({ id, source }: UnrolledEdge): Bits => {
    const bits = new Bits(size)
    bits.addAll(sure.get(source)!)
    bits.add(id)
    return bits
  }
  for (const { nodes, startedBy } of instances)
    for (const node of nodes) {
      const ways = node.incoming.length > 0 ? node.incoming : startedBy ? [startedBy] : []
      const [first, ...rest] = ways.map(along)
      for (const bits of rest) first!.keepAll(bits)
      sure.set(node, first ?? new Bits(size))
    }
  return sure
}
