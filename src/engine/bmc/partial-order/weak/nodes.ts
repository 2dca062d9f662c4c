// The nodes of the execution graph that a solver's model describes: reads, writes and fences of the events that take
// place, and where threads begin, end, start others and wait for them.
import { type Model as Assignment, and, evaluate, type Term, TRUE } from '../../../../logic/index.js'
import { INITIAL } from '../../../../memory-model/index.js'
import { NotExpressible } from '../../../../xcfa/terms/index.js'
import type { Event } from '../events.js'
import type { Instance, UnrolledEdge } from '../unroll.js'
import type { WeakEncoding } from './encode.js'
import { fenceTag, orderOfEdge, type Site } from './sites.js'

export interface GraphNode {
  readonly thread: number
  readonly kind: 'R' | 'W' | 'F'
  readonly tags: readonly string[]
  /** What must hold for the node to be in the graph as it is. */
  readonly literal: Term
  readonly event?: Event
  readonly site?: Site
  readonly location?: string
  readonly edge?: UnrolledEdge
  /** Inside the event: fences before, reads, writes, fences after. */
  readonly phase: number
  readonly role?:
    | { readonly kind: 'begin' | 'end'; readonly instance: Instance }
    | { readonly kind: 'start'; readonly started: readonly Instance[] }
    | { readonly kind: 'join'; readonly thread: Term }
}

/** An event that takes place: its edges, and the accesses to memory among them. */
interface Occurrence {
  readonly event: Event
  readonly path: readonly UnrolledEdge[]
  readonly sites: readonly Site[]
}

/** What all nodes of an event have in common. */
type Common = Pick<GraphNode, 'thread' | 'literal' | 'event'>

export const holdsIn = (term: Term, model: Assignment): boolean => evaluate(term, model) === true

/** The cell that an access touches in a model, as a name. */
export const locationOf = (site: Site, model: Assignment): string =>
  site.address ? `${site.place.id}@${String(evaluate(site.address, model))}` : `variable ${site.place.id}`

/** The same for an atomic access of several bytes as a whole. */
const accessOf = (site: Site, model: Assignment): string =>
  site.whole
    ? `${site.place.id}@${String(evaluate(site.whole.base, model))}+${site.whole.size}`
    : locationOf(site, model)

/** Atomic accesses of which only some bytes are the same: at least one of them is not aligned. */
const rejectPartialOverlaps = (nodes: readonly GraphNode[], model: Assignment): void => {
  const accessed = new Map<string, string>()
  for (const { site, location } of nodes) {
    if (!site?.whole) continue
    const access = accessOf(site, model)
    if ((accessed.get(location!) ?? access) !== access)
      throw new NotExpressible('atomic accesses that overlap in part, under a memory model')
    accessed.set(location!, access)
  }
}

/** All nodes but the writes of initial values. */
export const graphNodes = (encoding: WeakEncoding, model: Assignment): readonly GraphNode[] => {
  const nodes: GraphNode[] = [...beginnings(encoding, model)]
  for (const occurrence of occurrences(encoding, model)) {
    const { event, path } = occurrence
    const literal = and(path.map((edge) => encoding.execution.taken.get(edge)!))
    const common = { thread: event.node.instance.index, literal, event }
    nodes.push(
      ...accessNodes(encoding, model, occurrence, common),
      ...path.flatMap((edge) => controlNodes(edge, event, common)),
      ...joinNodes(event, model, common),
    )
  }
  rejectPartialOverlaps(nodes, model)
  return nodes
}

/** The writes of initial values, one for each location that is touched. */
export const initialNodes = (locations: Iterable<string>): readonly GraphNode[] =>
  [...locations].map((location) => ({ thread: INITIAL, kind: 'W', tags: [], literal: TRUE, location, phase: 0 }))

const beginnings = ({ execution, unrolling }: WeakEncoding, model: Assignment): readonly GraphNode[] =>
  unrolling.instances.flatMap((instance): readonly GraphNode[] => {
    const literal = instance.startedBy ? execution.taken.get(instance.startedBy)! : TRUE
    if (!holdsIn(literal, model)) return []
    return [{ thread: instance.index, kind: 'F', tags: [], literal, phase: -1, role: { kind: 'begin', instance } }]
  })

const occurrences = ({ execution, sites }: WeakEncoding, model: Assignment): readonly Occurrence[] => {
  const byEvent = new Map<Event, Site[]>()
  for (const site of [...sites.reads, ...sites.writes])
    if (holdsIn(site.condition, model)) byEvent.set(site.event, [...(byEvent.get(site.event) ?? []), site])
  const isTaken = (edge: UnrolledEdge): boolean => holdsIn(execution.taken.get(edge)!, model)
  return execution.events
    .map((event) => ({ event, path: pathOf(event, isTaken), sites: byEvent.get(event) ?? [] }))
    .filter(({ path }) => path.length > 0)
}

const accessNodes = (
  { execution, sites: { managed } }: WeakEncoding,
  model: Assignment,
  { path, sites }: Occurrence,
  common: Common,
): readonly GraphNode[] => {
  const isAtomic = path.some(
    ({ edge }) => edge.sync !== undefined && edge.sync.kind !== 'start' && edge.sync.kind !== 'join',
  )
  const locations = new Set(sites.map((site) => accessOf(site, model)))
  if (isAtomic && locations.size > 1 && !sites.every(({ place }) => managed.has(place)))
    throw new NotExpressible('an atomic step that accesses several locations, under a memory model')
  const writes = sites.some((site) => site.kind === 'W')
  return sites.map((site) => {
    const touches = (e: UnrolledEdge): boolean =>
      (execution.accesses.get(e) ?? []).some((a) => a.place === site.place && a.write === (site.kind === 'W'))
    const edge = path.find(touches) ?? path[0]!
    const tags = site.atomic ? orderOfEdge(edge.edge, site.kind, writes, managed.has(site.place)) : ['NA']
    const location = locationOf(site, model)
    return { ...common, kind: site.kind, tags, site, location, edge, phase: site.kind === 'R' ? 1 : 2 }
  })
}

/** The fences of an edge, the threads that it starts, and the end of its own thread. */
const controlNodes = (edge: UnrolledEdge, { node: { instance } }: Event, common: Common): readonly GraphNode[] => {
  const { labels } = edge.edge
  const firstAccess = labels.findIndex(({ kind }) => kind === 'load' || kind === 'store' || kind === 'assign')
  const fences = labels.flatMap((label, i): readonly GraphNode[] =>
    label.kind === 'fence'
      ? [
          {
            ...common,
            kind: 'F',
            tags: [fenceTag(label.c11)],
            edge,
            phase: firstAccess >= 0 && i > firstAccess ? 4 : 0,
          },
        ]
      : [],
  )
  const silent = { ...common, kind: 'F', tags: [], edge } as const
  const start: GraphNode = { ...silent, phase: 3, role: { kind: 'start', started: edge.started } }
  const end: GraphNode = { ...silent, phase: 9, role: { kind: 'end', instance } }
  return [
    ...fences,
    ...(edge.started.length > 0 ? [start] : []),
    ...(edge.target.location === instance.template.final ? [end] : []),
  ]
}

/** Waiting comes first: what the thread left behind is read after its end. */
const joinNodes = (event: Event, model: Assignment, common: Common): readonly GraphNode[] =>
  event.joins
    .filter(({ taken }) => holdsIn(taken, model))
    .map(({ thread }) => ({ ...common, kind: 'F', tags: [], phase: 0, role: { kind: 'join', thread } }))

/** The edges of an event that a model takes; none if it does not take place to its end. */
const pathOf = (event: Event, isTaken: (edge: UnrolledEdge) => boolean): readonly UnrolledEdge[] => {
  const path: UnrolledEdge[] = []
  for (let { node } = event; ; ) {
    const next = node.outgoing.find(isTaken)
    if (!next) return path
    path.push(next)
    if (!next.target.isInside) return path
    node = next.target
  }
}
