// A solver's model as an execution graph: the events that take place, what each read reads from, the order of writes.
// Every node and edge knows the literals that make it so, for the clauses that explanations become.
import { type Model as Assignment, and, eq, evaluate, FALSE, not, type Term, TRUE } from '../../../../logic/index.js'
import {
  type BaseEdge,
  type ExecutionView,
  type Event as GraphEvent,
  INITIAL,
  Relation,
  type Skeleton,
  type Violation,
  viewExecution,
} from '../../../../memory-model/index.js'
import { NotExpressible } from '../../../../xcfa/terms/index.js'
import type { Event } from '../events.js'
import type { Instance, UnrolledEdge } from '../unroll.js'
import type { WeakEncoding } from './encode.js'
import { coherenceBefore, fenceTag, orderOfEdge, type Site, type WriteSite } from './sites.js'

interface GraphNode {
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

export interface Candidate {
  readonly skeleton: Skeleton
  readonly rf: Relation
  readonly co: Relation
  /** For a race: where the accesses are, and which orders would order them. */
  describeRace(a: Site, b: Site): readonly string[]
  /** The node of a site, if it takes place. */
  nodeOf(site: Site): number | undefined
  /** The literals behind base edges: together they say that these edges are there. */
  literals(reasons: readonly BaseEdge[]): readonly Term[]
  view(violation?: Violation): ExecutionView
}

export const candidateOf = (encoding: WeakEncoding, model: Assignment): Candidate => {
  const holds = (term: Term): boolean => evaluate(term, model) === true
  const { execution, unrolling, sites, program } = encoding
  const isTaken = (edge: UnrolledEdge): boolean => holds(execution.taken.get(edge)!)
  const nodes: GraphNode[] = []
  const locationOf = (site: Site): string =>
    site.address ? `${site.place.id}@${String(evaluate(site.address, model))}` : `variable ${site.place.id}`
  const byEvent = new Map<Event, Site[]>()
  for (const site of [...sites.reads, ...sites.writes])
    if (holds(site.condition)) byEvent.set(site.event, [...(byEvent.get(site.event) ?? []), site])

  for (const instance of unrolling.instances) {
    const started = instance.startedBy
    if (started && !isTaken(started)) continue
    const literal = started ? execution.taken.get(started)! : TRUE
    nodes.push({ thread: instance.index, kind: 'F', tags: [], literal, phase: -1, role: { kind: 'begin', instance } })
  }
  for (const event of execution.events) {
    const path = pathOf(event, isTaken)
    if (path.length === 0) continue
    const literal = and(path.map((edge) => execution.taken.get(edge)!))
    const thread = event.node.instance.index
    const found = byEvent.get(event) ?? []
    const isAtomic = path.some(
      ({ edge }) => edge.sync !== undefined && edge.sync.kind !== 'start' && edge.sync.kind !== 'join',
    )
    const locations = new Set(found.map(locationOf))
    if (isAtomic && locations.size > 1 && !found.every(({ place }) => sites.managed.has(place)))
      throw new NotExpressible('an atomic step that accesses several locations, under a memory model')
    const writes = found.some((site) => site.kind === 'W')
    for (const site of found) {
      const edge =
        path.find((e) =>
          (execution.accesses.get(e) ?? []).some((a) => a.place === site.place && a.write === (site.kind === 'W')),
        ) ?? path[0]!
      const tags = site.atomic ? orderOfEdge(edge.edge, site.kind, writes, sites.managed.has(site.place)) : ['NA']
      nodes.push({
        thread,
        kind: site.kind,
        tags,
        literal,
        event,
        site,
        location: locationOf(site),
        edge,
        phase: site.kind === 'R' ? 1 : 2,
      })
    }
    for (const edge of path) {
      const firstAccess = edge.edge.labels.findIndex(
        (label) => label.kind === 'load' || label.kind === 'store' || label.kind === 'assign',
      )
      edge.edge.labels.forEach((label, i) => {
        if (label.kind === 'fence')
          nodes.push({
            thread,
            kind: 'F',
            tags: [fenceTag(label.c11)],
            literal,
            event,
            edge,
            phase: firstAccess >= 0 && i > firstAccess ? 4 : 0,
          })
      })
      if (edge.started.length > 0)
        nodes.push({
          thread,
          kind: 'F',
          tags: [],
          literal,
          event,
          edge,
          phase: 3,
          role: { kind: 'start', started: edge.started },
        })
      if (edge.target.location === event.node.instance.template.final)
        nodes.push({
          thread,
          kind: 'F',
          tags: [],
          literal,
          event,
          edge,
          phase: 9,
          role: { kind: 'end', instance: event.node.instance },
        })
    }
    // Waiting comes first: what the thread left behind is read after its end.
    for (const { taken, thread: joined } of event.joins)
      if (holds(taken))
        nodes.push({ thread, kind: 'F', tags: [], literal, event, phase: 0, role: { kind: 'join', thread: joined } })
  }

  const locations = new Map<string, number>()
  for (const node of nodes)
    if (node.location !== undefined && !locations.has(node.location)) locations.set(node.location, locations.size)
  const initialOf = new Map<string, number>()
  for (const location of locations.keys()) {
    initialOf.set(location, nodes.length)
    nodes.push({ thread: INITIAL, kind: 'W', tags: [], literal: TRUE, location, phase: 0 })
  }
  const size = nodes.length
  const isBefore = (a: GraphNode, b: GraphNode): boolean => {
    if (a.thread !== b.thread || a.thread === INITIAL) return false
    if (a.role?.kind === 'begin') return b.role?.kind !== 'begin'
    if (b.role?.kind === 'begin') return false
    return a.event === b.event ? a.phase < b.phase : program.precedes(a.event!, b.event!)
  }
  const relation = (test: (a: GraphNode, b: GraphNode) => boolean): Relation => {
    const result = new Relation(size)
    nodes.forEach((a, i) => {
      nodes.forEach((b, j) => {
        if (i !== j && test(a, b)) result.add(i, j)
      })
    })
    return result
  }
  const idOf = new Map<Site, number>()
  nodes.forEach((node, i) => {
    if (node.site) idOf.set(node.site, i)
  })
  const none = new Relation(size)
  const rf = new Relation(size)
  const sourceLiteral = new Map<number, Term>()
  for (const { read, initially, candidates } of encoding.sources) {
    const to = idOf.get(read)
    if (to === undefined) continue
    const chosen = candidates.find(({ source, write }) => holds(source) && idOf.has(write))
    rf.add(chosen ? idOf.get(chosen.write)! : initialOf.get(locationOf(read))!, to)
    sourceLiteral.set(to, chosen ? chosen.source : initially)
  }
  const rankOf = (node: GraphNode): bigint => BigInt(evaluate((node.site as WriteSite).rank, model) as bigint | number)
  const co = relation(
    (a, b) =>
      a.kind === 'W' &&
      b.kind === 'W' &&
      a.location === b.location &&
      b.site !== undefined &&
      (a.site === undefined || rankOf(a) < rankOf(b)),
  )
  const isJoin = (end: GraphNode, join: GraphNode): boolean =>
    end.role?.kind === 'end' &&
    join.role?.kind === 'join' &&
    Number(evaluate(join.role.thread, model)) === end.role.instance.number
  const skeleton: Skeleton = {
    events: nodes.map(
      (node, id): GraphEvent => ({
        id,
        thread: node.thread,
        kind: node.kind,
        tags: node.tags,
        ...(node.location !== undefined && { location: locations.get(node.location)! }),
      }),
    ),
    po: relation(isBefore),
    si: relation((a, b) => a === b),
    rmw: relation(
      (a, b) =>
        a.kind === 'R' &&
        b.kind === 'W' &&
        a.event !== undefined &&
        a.event === b.event &&
        a.location === b.location &&
        a.tags.includes('A'),
    ),
    ...{ addr: none, data: none, ctrl: none, amo: none, rcuSections: none },
    more: {
      start: relation(
        (a, b) => a.role?.kind === 'start' && b.role?.kind === 'begin' && a.role.started.includes(b.role.instance),
      ),
      join: relation(isJoin),
    },
  }

  const literals = (reasons: readonly BaseEdge[]): readonly Term[] => {
    const result = new Set<Term>()
    const involved = new Set<number>()
    for (const { relation: name, from, to } of reasons) {
      involved.add(from).add(to)
      if (name === 'rf') result.add(sourceLiteral.get(to)!)
      if (name === 'co') {
        const [a, b] = [nodes[from]!.site, nodes[to]!.site]
        if (a && b) result.add(coherenceBefore(a as WriteSite, b as WriteSite))
      }
      if (name === 'join') {
        const join = nodes[to]!.role
        if (join?.kind === 'join') result.add(eq(join.thread, encoding.threadNumber(nodes[from]!.role!, join.thread)))
      }
    }
    const all = [...involved].map((id) => nodes[id]!)
    for (const node of all) if (node.literal !== TRUE) result.add(node.literal)
    // Which of the cells that are involved are the same, and which are not, is a part of the reasons.
    all.forEach((a, i) => {
      for (const b of all.slice(i + 1)) {
        if (!a.site?.address || !b.site?.address || a.site.place !== b.site.place) continue
        const same = eq(a.site.address, b.site.address)
        if (same !== TRUE && same !== FALSE) result.add(holds(same) ? same : not(same))
      }
    })
    return [...result]
  }

  const siteAt = (node: GraphNode): Site | undefined =>
    node.site ?? nodes.find((other) => other.site && other.location === node.location)?.site
  /** What threads return is kept by the library. */
  const isLibrary = (node: GraphNode): boolean => {
    const place = siteAt(node)?.place
    if (!place || node.location === undefined) return false
    return 'slots' in place ? place.slots.every(({ object }) => object.role !== undefined) : place.role !== undefined
  }
  const view = (violation?: Violation): ExecutionView => {
    const shown = nodes.map(
      (node) => !isLibrary(node) && (node.site !== undefined || node.tags.length > 0 || node.thread === INITIAL),
    )
    const keep = skeleton.events.filter((event) => shown[event.id])
    const renumbered = new Map(keep.map((event, i) => [event.id, i]))
    const restricted = (value: Relation): Relation =>
      Relation.of(
        keep.length,
        [...value.pairs()].flatMap(([from, to]) =>
          renumbered.has(from) && renumbered.has(to) ? [[renumbered.get(from)!, renumbered.get(to)!] as const] : [],
        ),
      )
    const empty = new Relation(keep.length)
    return viewExecution(
      keep.map((event, id) => ({ ...event, id })),
      {
        po: restricted(skeleton.po),
        rf: restricted(rf),
        co: restricted(co),
        rmw: restricted(skeleton.rmw),
        addr: empty,
        data: empty,
        ctrl: empty,
      },
      ({ id }) => {
        const node = nodes[keep[id]!.id]!
        const site = node.location === undefined ? undefined : siteAt(node)
        const name = site && ('source' in site.place ? (site.place.source ?? site.place.name) : site.place.name)
        const cell = site?.address ? `${name}@${String(evaluate(site.address, model))}` : name
        const value = node.site ? evaluate(node.site.value, model) : initialValue(node, encoding, model)
        return {
          ...(cell !== undefined && { access: `${cell}=${String(value)}` }),
          ...(node.edge && { text: node.edge.edge.text, line: node.edge.edge.position.line }),
        }
      },
      violation,
    )
  }
  const initialValue = (node: GraphNode, { sites: all }: WeakEncoding, assignment: Assignment): unknown => {
    const read = all.reads.find((site) => holds(site.condition) && locationOf(site) === node.location)
    return read ? evaluate(read.initial, assignment) : '…'
  }
  const describeRace = (a: Site, b: Site): readonly string[] => {
    const [x, y] = [idOf.get(a)!, idOf.get(b)!]
    const where = (id: number): string => `line ${nodes[id]!.edge!.edge.position.line}`
    const lines = [
      `race: ${nodes[x]!.kind === 'W' ? 'write' : 'read'} at ${where(x)} and ${nodes[y]!.kind === 'W' ? 'write' : 'read'} at ${where(y)}: neither happens before the other`,
    ]
    // A value that goes from the one thread to the other would order them, were it released and acquired.
    const reaches = (from: number, to: number): boolean => from === to || skeleton.po.has(from, to)
    for (const [from, to] of [
      [x, y],
      [y, x],
    ] as const)
      for (const [w, r] of rf.pairs()) {
        if (!nodes[w]!.tags.includes('A') || !nodes[r]!.tags.includes('A') || !reaches(from, w) || !reaches(r, to))
          continue
        const missing = [
          ...(nodes[w]!.tags.includes('RLX') ? [`the write at ${where(w)} as a release`] : []),
          ...(nodes[r]!.tags.includes('RLX') ? [`the read at ${where(r)} as an acquire`] : []),
        ]
        if (missing.length > 0) return [...lines, `${missing.join(' and ')} would order them`]
      }
    return lines
  }
  return { skeleton, rf, co, describeRace, nodeOf: (site) => idOf.get(site), literals, view }
}

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
