// Every thread unrolled to a directed acyclic graph: a node is a location with the number of back edges taken on the
// way to it. A thread may stop anywhere (each executes a prefix: soundness.md 13). Where a back edge would exceed the
// bound, the graph is cut; if no cut node can be reached, the unrolling is complete.
import { ControlFlow } from '../../../semantics/control.js'
import { accessesOf, type Edge, type Location, type Procedure, type Program } from '../../../xcfa/index.js'

export interface Node {
  readonly id: number
  readonly instance: Instance
  readonly location: Location
  readonly backs: number
  /** Threads that main has started on the way here. */
  readonly starts: number
  /** Inside an atomic block: the node where it began. The block is one event. */
  readonly entry: Node
  readonly incoming: UnrolledEdge[]
  readonly outgoing: UnrolledEdge[]
  /** The bound was reached: the thread could go on. */
  readonly cut: boolean
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
  readonly instances: readonly Instance[]
  /** The numbers are those of the order of creation; otherwise they only tell threads apart. */
  readonly exactNumbers: boolean
  readonly cuts: readonly Node[]
}

const MOST_INSTANCES = 48

/** `keepHalts`: edges that only stop their thread matter, too (for races they read). */
export const unroll = (program: Program, bound: number, keepHalts = false): Unrolling => {
  const flow = new ControlFlow(program)
  const exactNumbers = [...program.templates.values()].every((t) => t === program.main || !startsThreads(t))
  const instances: Instance[] = []
  const cuts: Node[] = []
  let ids = 0

  const unrollInstance = (instance: Instance): void => {
    const nodes = new Map<string, Node>()
    const work: Node[] = []
    const nodeAt = (location: Location, backs: number, starts: number, block: Node | undefined, cut: boolean): Node => {
      const key = `${location.id} ${backs} ${starts} ${block?.id ?? ''} ${cut}`
      let node = nodes.get(key)
      if (!node) {
        const id = ids++
        const made = { id, instance, location, backs, starts, incoming: [], outgoing: [], cut, entry: block as Node }
        if (!block) (made as { entry: Node }).entry = made
        node = made
        nodes.set(key, node)
        work.push(node)
        if (cut) cuts.push(node)
      }
      return node
    }
    nodeAt(instance.template.initial, 0, 0, undefined, false)
    for (let source = work.pop(); source; source = work.pop()) {
      if (source.cut) continue
      for (const edge of flow.edgesFrom(source.location)) {
        if (!keepHalts && edge.target.kind === 'halt' && !accessesOf(edge).some((a) => a.write)) continue
        const created = edge.labels.filter((l) => l.kind === 'start').length
        const backs = source.backs + (edge.back ? 1 : 0)
        const starts = source.starts + created
        const cut = backs > bound || instances.length + created > MOST_INSTANCES
        const target = nodeAt(
          edge.target,
          cut ? bound : backs,
          starts,
          edge.target.atomic ? source.entry : undefined,
          cut,
        )
        const started: Instance[] = []
        const unrolled: UnrolledEdge = { id: ids++, edge, source, target, started }
        source.outgoing.push(unrolled)
        target.incoming.push(unrolled)
        if (cut) continue
        for (const label of edge.labels) {
          if (label.kind !== 'start') continue
          const number = exactNumbers ? source.starts + started.length + 1 : instances.length
          const next: Instance = {
            ...{ index: instances.length, number, template: program.templates.get(label.procedure)! },
            ...{ startedBy: unrolled, nodes: [] },
          }
          started.push(next)
          instances.push(next)
        }
      }
    }
    instance.nodes = topological([...nodes.values()])
  }

  instances.push({ index: 0, number: 0, template: program.main, startedBy: undefined, nodes: [] })
  for (let i = 0; i < instances.length; i++) unrollInstance(instances[i]!)
  return { instances, exactNumbers, cuts }
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
