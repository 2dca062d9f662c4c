// Every thread unrolled to a directed acyclic graph: a node is a location with the number of back edges taken on the
// way to it. A thread may stop anywhere (each executes a prefix: soundness.md 13). Where a back edge would exceed the
// bound, the graph is cut; if no cut node can be reached, the unrolling is complete.
import { ControlFlow } from '../../../semantics/control.js'
import type { Edge, Location, Procedure, Program } from '../../../xcfa/index.js'
import { onlyStops } from '../stops.js'
import { type Counters, countAlong, countersKey, countersOf, initialCounters } from './counters.js'
import { pureLoops } from './pure-loops.js'

/** Where a thread may be. */
interface Place {
  readonly location: Location
  /** Back edges taken on the way here, apart from those of loops that count. */
  readonly backs: number
  readonly counted: number
  /** Threads that main has started on the way here. */
  readonly starts: number
  /** The unrolling ends here, though the thread could go on: at the bound, or because it would do the same again. */
  readonly cut: false | 'bound' | 'repeats'
  /** The loop head since whose visit nothing has changed. */
  readonly since: Location | undefined
}

export interface Node extends Place {
  readonly id: number
  readonly instance: Instance
  /** Inside a block (an atomic one, or one that nobody needs to interrupt): where it began. The block is one event. */
  readonly entry: Node
  readonly isInside: boolean
  readonly incoming: UnrolledEdge[]
  readonly outgoing: UnrolledEdge[]
}

export interface UnrolledEdge {
  readonly id: number
  readonly edge: Edge
  readonly source: Node
  readonly target: Node
  /** Of its start labels, in order. */
  readonly started: readonly Instance[]
}

/** A thread as it is created at one unrolled place. */
export interface Instance {
  readonly index: number
  /** Its number in an execution where it exists; instances with the same number exclude each other. */
  readonly number: number
  readonly template: Procedure
  readonly startedBy: UnrolledEdge | undefined
  /** Every node after those that lead to it. */
  nodes: readonly Node[]
}

export interface Unrolling {
  readonly program: Program
  readonly instances: readonly Instance[]
  /** The numbers are those of the order of creation; otherwise they only tell threads apart. */
  readonly exactNumbers: boolean
  /** Where the bound was reached. */
  readonly cuts: readonly Node[]
  /** Some of them are at limits of size, not at the bound. */
  readonly isTooLarge: boolean
}

const MAX_INSTANCES = 64
const NO_COUNTERS: Counters = new Map()

export interface UnrollOptions {
  readonly bound: number
  /** Iterations of loops that count, which the bound does not concern. */
  readonly counted: number
  /** Of one thread. */
  readonly maxNodes: number
  /** Edges that only stop their thread matter, too (for races they read). */
  readonly keepHalts?: boolean
  /** Locations inside blocks. */
  readonly inside: ReadonlySet<Location>
}

export const unroll = (program: Program, options: UnrollOptions): Unrolling => {
  const { bound, counted: maxCounted, maxNodes, keepHalts = false, inside } = options
  const flow = new ControlFlow(program)
  const exactNumbers = [...program.templates.values()].every((t) => t === program.main || !startsThreads(t))
  const instances: Instance[] = []
  const cuts: Node[] = []
  let ids = 0
  let isTooLarge = false
  const loops = new Map(
    [...program.templates.values()].map((template) => [template, pureLoops(template, (l) => inside.has(l))]),
  )

  const unrollInstance = (instance: Instance): void => {
    const nodes = new Map<string, Node>()
    const work: { readonly node: Node; readonly known: Counters }[] = []
    const counters = countersOf(instance.template)
    const nodeAt = (at: Place, block: Node | undefined, known: Counters): Node => {
      const { location, backs, counted, starts, cut, since } = at
      const where = `${location.id} ${backs} ${counted} ${starts} ${block?.id ?? ''} ${cut} ${since?.id ?? ''}`
      const key = `${where} ${countersKey(known)}`
      let node = nodes.get(key)
      if (!node) {
        const isInside = block !== undefined
        const made = { ...at, id: ids++, instance, incoming: [], outgoing: [], entry: block as Node, isInside }
        if (!block) (made as { entry: Node }).entry = made
        node = made
        nodes.set(key, node)
        work.push({ node, known })
        if (cut === 'bound') cuts.push(node)
      }
      return node
    }
    const feasible = (location: Location, known: Counters): readonly Edge[] =>
      flow.edgesFrom(location).filter((edge) => countAlong(edge, counters, known))
    /** Counters alone say which way it goes on. */
    const isDecided = (location: Location, known: Counters): boolean =>
      flow.edgesFrom(location).length > 1 && feasible(location, known).length === 1
    const first = { backs: 0, counted: 0, starts: 0, cut: false, since: undefined } as const
    nodeAt({ location: instance.template.initial, ...first }, undefined, initialCounters(counters, instance.template))
    for (let next = work.pop(); next; next = work.pop()) {
      const { node: source, known } = next
      if (source.cut) continue
      for (const edge of feasible(source.location, known)) {
        if (!keepHalts && onlyStops(edge) && (!source.isInside || source.location.atomic)) continue
        const after = countAlong(edge, counters, known)!
        const created = edge.labels.filter((l) => l.kind === 'start').length
        const isFree =
          source.counted < maxCounted && (isDecided(source.location, known) || isDecided(edge.target, after))
        const backs = source.backs + (edge.back && !isFree ? 1 : 0)
        const counted = source.counted + (edge.back && isFree ? 1 : 0)
        const { since, repeats } = loops.get(instance.template)!.along(edge, source.since)
        const isLarge = instances.length + created > MAX_INSTANCES || nodes.size > maxNodes
        const isFull = backs > bound || isLarge
        isTooLarge ||= isLarge
        const cut = repeats ? 'repeats' : isFull && 'bound'
        const place: Place = {
          ...{ location: edge.target, counted, starts: source.starts + created },
          ...{ cut, backs: cut ? bound : backs, since: cut ? undefined : since },
        }
        // soundness 13: no foreign event inside an atomic block, for the whole block is one event.
        // An error ends the block: the event that leads to it takes place.
        const isInside = inside.has(edge.target) && edge.target.kind !== 'error'
        const target = nodeAt(place, isInside ? source.entry : undefined, cut ? NO_COUNTERS : after)
        const started: Instance[] = []
        const unrolled: UnrolledEdge = { id: ids++, edge, source, target, started }
        source.outgoing.push(unrolled)
        target.incoming.push(unrolled)
        if (cut) continue
        for (const label of edge.labels) {
          if (label.kind !== 'start') continue
          const number = exactNumbers ? source.starts + started.length + 1 : instances.length
          const born: Instance = {
            ...{ index: instances.length, number, template: program.templates.get(label.procedure)! },
            ...{ startedBy: unrolled, nodes: [] },
          }
          started.push(born)
          instances.push(born)
        }
      }
    }
    instance.nodes = topological([...nodes.values()])
  }

  instances.push({ index: 0, number: 0, template: program.main, startedBy: undefined, nodes: [] })
  for (let i = 0; i < instances.length; i++) unrollInstance(instances[i]!)
  return { program, instances, exactNumbers, cuts, isTooLarge }
}

const startsThreads = (template: Procedure): boolean =>
  template.edges.some((e) => e.labels.some((l) => l.kind === 'start'))

const topological = (nodes: readonly Node[]): readonly Node[] => {
  const missing = new Map(nodes.map((n) => [n, n.incoming.length]))
  const order = nodes.filter((n) => n.incoming.length === 0)
  for (let i = 0; i < order.length; i++)
    for (const { target } of order[i]!.outgoing) {
      const left = missing.get(target)! - 1
      missing.set(target, left)
      if (left === 0) order.push(target)
    }
  return order
}
