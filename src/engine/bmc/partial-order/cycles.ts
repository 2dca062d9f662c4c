// The order of events that a model chose, as a graph: its cycles, and if there is none, the events in order.
import { not, or, type Term } from '../../../logic/index.js'
import type { Event } from './events.js'

export interface Graph {
  readonly events: readonly Event[]
  /** What the program itself says. */
  said(event: Event): readonly Event[]
  /** What the model says, with the literals that say so. */
  chosen(event: Event): readonly { readonly to: Event; readonly literal: Term }[]
}

/** Cycles that are told at once. */
const MAX_CYCLES = 256

/** For short cycles through the choices of the model: not all of their literals. */
export const clausesAgainstCycles = (graph: Graph): readonly Term[] => {
  const component = componentsOf(graph)
  const clauses = new Set<Term>()
  for (const event of graph.events) {
    const inside = component.get(event)
    if (inside === undefined) continue
    for (const { to, literal } of graph.chosen(event)) {
      if (component.get(to) !== inside) continue
      const way = fewestChoices(graph, to, event, (e) => component.get(e) === inside)
      clauses.add(or([literal, ...way].map(not)))
      if (clauses.size >= MAX_CYCLES) return [...clauses]
    }
  }
  return [...clauses]
}

/** The literals on a way from one event to another with as few of them as possible. */
const fewestChoices = (graph: Graph, from: Event, to: Event, inside: (event: Event) => boolean): readonly Term[] => {
  interface Way {
    readonly event: Event
    readonly literal: Term | undefined
    readonly before: Way | undefined
  }
  const seen = new Set<Event>()
  let layer: Way[] = [{ event: from, literal: undefined, before: undefined }]
  while (layer.length > 0) {
    const further: Way[] = []
    for (let i = 0; i < layer.length; i++) {
      const way = layer[i]!
      const { event } = way
      if (event === to) return literalsOf(way)
      if (seen.has(event)) continue
      seen.add(event)
      for (const next of graph.said(event))
        if (inside(next) && !seen.has(next)) layer.push({ event: next, literal: undefined, before: way })
      for (const { to: next, literal } of graph.chosen(event))
        if (inside(next) && !seen.has(next)) further.push({ event: next, literal, before: way })
    }
    layer = further
  }
  throw new Error('a component of a graph is connected')
}

const literalsOf = (last: { readonly literal: Term | undefined; readonly before: unknown }): readonly Term[] => {
  const literals: Term[] = []
  for (let way: typeof last | undefined = last; way; way = way.before as typeof last | undefined)
    if (way.literal) literals.push(way.literal)
  return literals
}

/** The events in an order that the graph admits; it has no cycle. */
export const sorted = ({ events, said, chosen }: Graph): readonly Event[] => {
  const missing = new Int32Array(events.length)
  const next = (e: Event): readonly Event[] => [...said(e), ...chosen(e).map(({ to }) => to)]
  for (const event of events) for (const later of next(event)) missing[later.id]!++
  const result = events.filter((e) => missing[e.id] === 0)
  for (let i = 0; i < result.length; i++)
    for (const later of next(result[i]!)) if (--missing[later.id]! === 0) result.push(later)
  return result
}

/** The strongly connected components with more than one event: Tarjan's algorithm with a stack of its own. */
const componentsOf = ({ events, said, chosen }: Graph): ReadonlyMap<Event, number> => {
  const index = new Int32Array(events.length).fill(-1)
  const low = new Int32Array(events.length)
  const isOpen = new Uint8Array(events.length)
  const result = new Map<Event, number>()
  const path: Event[] = []
  let count = 0
  const visit = (event: Event) => {
    index[event.id] = low[event.id] = count++
    isOpen[event.id] = 1
    path.push(event)
    return { event, next: [...said(event), ...chosen(event).map(({ to }) => to)], at: 0 }
  }
  const close = (event: Event): void => {
    const component = path.splice(path.lastIndexOf(event))
    for (const member of component) {
      isOpen[member.id] = 0
      if (component.length > 1) result.set(member, index[event.id]!)
    }
  }
  for (const root of events) {
    if (index[root.id]! >= 0) continue
    const work = [visit(root)]
    while (work.length > 0) {
      const frame = work.at(-1)!
      const { event, next } = frame
      const target = next[frame.at++]
      if (target) {
        if (index[target.id]! < 0) work.push(visit(target))
        else if (isOpen[target.id]) low[event.id] = Math.min(low[event.id]!, index[target.id]!)
        continue
      }
      work.pop()
      const parent = work.at(-1)?.event
      if (parent) low[parent.id] = Math.min(low[parent.id]!, low[event.id]!)
      if (low[event.id] === index[event.id]) close(event)
    }
  }
  return result
}
