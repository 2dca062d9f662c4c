// Candidate executions for people: the picture of one, and what would order the accesses of a race.
import { evaluate, type Value } from '../../../../logic/index.js'
import {
  type ExecutionView,
  INITIAL,
  Relation,
  type TargetView,
  viewExecution,
} from '../../../../memory-model/index.js'
import { addressName, valueText } from '../../../../semantics/index.js'
import { type Layout, layoutOf } from '../../../../semantics/layout.js'
import { elementOf } from '../../../../symbolic/index.js'
import { threadTitle } from '../../../../verdict/thread-title.js'
import type { UnrolledEdge } from '../unroll.js'
import type { Candidate } from './candidate.js'
import { type GraphNode, holdsIn, locationOf } from './nodes.js'
import type { Site } from './sites.js'

/** The execution without what only the library sees. */
export const viewCandidate = (candidate: Candidate): ExecutionView => {
  const { nodes, skeleton, rf, co, encoding } = candidate
  const keep = skeleton.events.filter(({ id }) => isShown(nodes[id]!, nodes))
  const renumbered = new Map(keep.map((event, i) => [event.id, i]))
  const restricted = (value: Relation): Relation =>
    Relation.of(
      keep.length,
      [...value.pairs()].flatMap(([from, to]) =>
        renumbered.has(from) && renumbered.has(to) ? [[renumbered.get(from)!, renumbered.get(to)!] as const] : [],
      ),
    )
  const none = new Relation(keep.length)
  const layout = layoutOf(encoding.unrolling.program)
  const view = viewExecution(
    keep.map((event, id) => ({ ...event, id })),
    {
      ...{ po: restricted(skeleton.po), rf: restricted(rf), co: restricted(co), rmw: restricted(skeleton.rmw) },
      ...{ addr: none, data: none, ctrl: none },
    },
    ({ id }) => describe(nodes[keep[id]!.id]!, candidate, layout),
  )
  const threads = encoding.unrolling.instances.map(({ index, number, template }) => ({
    number: index,
    name: threadTitle(number, template.name),
  }))
  return { ...view, threads }
}

const siteAt = (node: GraphNode, nodes: readonly GraphNode[]): Site | undefined =>
  node.site ?? nodes.find((other) => other.site && other.location === node.location)?.site

/** Of the bytes of an atomic access the first stands for all. */
const isShown = (node: GraphNode, nodes: readonly GraphNode[]): boolean =>
  !isLibrary(node, nodes) &&
  !(node.site?.whole?.index ?? 0) &&
  (node.site !== undefined || node.tags.length > 0 || node.thread === INITIAL)

/** What threads return is kept by the library. */
const isLibrary = (node: GraphNode, nodes: readonly GraphNode[]): boolean => {
  const place = siteAt(node, nodes)?.place
  if (!place || node.location === undefined) return false
  return 'slots' in place ? place.slots.every(({ object }) => object.role !== undefined) : place.role !== undefined
}

const describe = (node: GraphNode, { nodes, encoding, model }: Candidate, layout: Layout) => {
  const site = node.location === undefined ? undefined : siteAt(node, nodes)
  const name = site && ('source' in site.place ? (site.place.source ?? site.place.name) : site.place.name)
  const address = site?.address ? evaluate(site.address, model) : undefined
  const cell = address === undefined ? name : addressName(layout, Number(address))
  const firstRead = encoding.sites.reads.find(
    (read) => holdsIn(read.condition, model) && locationOf(read, model) === node.location,
  )
  const term = node.site ? node.site.value : firstRead?.initial
  return {
    ...(cell !== undefined && {
      access: `${cell}=${term && site ? valueWords(site, evaluate(term, model), layout) : '…'}`,
    }),
    ...(node.edge && { text: node.edge.edge.text, line: node.edge.edge.position.line }),
  }
}

/** Pointers by what they point to. */
const valueWords = ({ place }: Site, value: Value, layout: Layout): string => {
  const type = 'element' in place ? elementOf(place) : place.type
  return type.kind === 'pointer' ? valueText(layout, type, Number(value)) : String(value)
}

export const targetOf = (thread: number, { edge }: UnrolledEdge): TargetView => {
  const { file, line, column } = edge.position
  return { thread, file, line, column, text: edge.text }
}

/** The two accesses of a race. */
export const raceTargets = (candidate: Candidate, a: Site, b: Site): readonly TargetView[] =>
  [a, b].map((site) => {
    const { thread, edge } = candidate.nodes[candidate.nodeOf(site)!]!
    return targetOf(thread, edge!)
  })

/** For a race: where the accesses are, and which orders would order them. */
export const describeRace = (candidate: Candidate, a: Site, b: Site): readonly string[] => {
  const [x, y] = [candidate.nodeOf(a)!, candidate.nodeOf(b)!]
  const access = (id: number): string => {
    const node = candidate.nodes[id]!
    return `the ${node.kind === 'W' ? 'write' : 'read'} at ${lineOf(node)}`
  }
  return [
    `A race of ${access(x)} and ${access(y)}: neither happens before the other.`,
    ...(strengthening(candidate, x, y) ?? strengthening(candidate, y, x) ?? []),
  ]
}

const lineOf = ({ edge }: GraphNode): string => `line ${edge!.edge.position.line}`

/** A value that goes from the one thread to the other would order them, were it released and acquired. */
const strengthening = ({ nodes, skeleton, rf }: Candidate, from: number, to: number): readonly string[] | undefined => {
  const reaches = (a: number, b: number): boolean => a === b || skeleton.po.has(a, b)
  for (const [w, r] of rf.pairs()) {
    const [write, read] = [nodes[w]!, nodes[r]!]
    if (!write.tags.includes('A') || !read.tags.includes('A') || !reaches(from, w) || !reaches(r, to)) continue
    const missing = [
      ...(write.tags.includes('RLX') ? [`the write at ${lineOf(write)} a release`] : []),
      ...(read.tags.includes('RLX') ? [`the read at ${lineOf(read)} an acquire`] : []),
    ]
    if (missing.length > 0) return [`Making ${missing.join(' and ')} would order them.`]
  }
  return undefined
}
