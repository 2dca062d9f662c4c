// That no two threads are about to race at any node: both next steps possible, on common bytes, one of them a write, not
// both atomic. A reduction that keeps executions up to the order of steps that do not disturb each other keeps the states
// in which two threads are before their accesses, as long as it consults no abstraction (reduction.ts).
import {
  add,
  and,
  bvAdd,
  bvConst,
  bvUlt,
  eq,
  FALSE,
  intConst,
  lt,
  type Term,
  TRUE,
  widthOf,
} from '../../logic/index.js'
import type { ThreadControl } from '../../semantics/control.js'
import { type Access, accessesOf, type Edge } from '../../xcfa/index.js'
import type { CheckedGraph, GraphNode } from './graph.js'

interface Pending {
  readonly thread: number
  readonly edge: Edge
  readonly access: Access
  /** Where it goes, if that is known before the step. */
  readonly address: Term | undefined
}

export const checkRaces = (graph: CheckedGraph): void => {
  for (const node of graph.nodes.values())
    if (node.isPossible && node.given.coveredBy === undefined) checkRacesAt(graph, node)
}

const checkRacesAt = (graph: CheckedGraph, node: GraphNode): void => {
  const { threads } = node.control
  if (threads.some(({ location }) => location.atomic)) return
  const pending = threads.map((thread) => pendingAt(graph, node, thread))
  for (const [i, mine] of pending.entries())
    for (const theirs of pending.slice(i + 1))
      for (const a of mine) for (const b of theirs) checkPair(graph, node, a, b)
}

const checkPair = ({ steps, proof }: CheckedGraph, node: GraphNode, a: Pending, b: Pending): void => {
  const overlap = commonBytes(a, b)
  if (overlap === FALSE) return
  const possible = [a, b].map((each) => steps.of(node.control, each)).flatMap(({ guard, facts }) => [guard, facts])
  const both = and(node.label, possible, overlap)
  const where = `${a.edge.position.file}:${a.edge.position.line} and line ${b.edge.position.line}`
  proof.require(and(both, steps.factsAbout(both)), FALSE, node.place, `a race is possible, ${where}`)
}

/** What the thread touches next, to the end of an atomic block. */
const pendingAt = (
  { flow, steps }: CheckedGraph,
  node: GraphNode,
  { number, location }: ThreadControl,
): readonly Pending[] =>
  flow.edgesFrom(location).flatMap((edge) => {
    const { addresses } = steps.of(node.control, { thread: number, edge })
    let used = 0
    const own = accessesOf(edge).map((access) => ({
      ...{ thread: number, edge, access, address: access.kind === 'memory' ? addresses[used++] : undefined },
    }))
    const block = new Set(edge.target.atomic ? flow.edgesFrom(edge.target) : [])
    for (const { target } of block) if (target.atomic) for (const more of flow.edgesFrom(target)) block.add(more)
    return [
      ...own,
      ...[...block].flatMap(accessesOf).map((access) => ({ thread: number, edge, access, address: undefined })),
    ]
  })

/** The condition under which both touch a byte, and it matters. */
const commonBytes = ({ access: a, address: x }: Pending, { access: b, address: y }: Pending): Term => {
  if (!(a.write || b.write) || (a.atomic && b.atomic)) return FALSE
  if (a.kind === 'variable') return b.kind === 'variable' && a.variable === b.variable ? TRUE : FALSE
  if (a.kind !== 'memory' || b.kind !== 'memory' || a.region !== b.region || a.region.scope === 'local') return FALSE
  if (!x || !y) return TRUE
  return a.region.element === 'bytes' ? and(isBelow(x, y, b.size), isBelow(y, x, a.size)) : eq(x, y)
}

/** a < b + size */
const isBelow = (a: Term, b: Term, size: number): Term =>
  a.sort.kind === 'bv' ? bvUlt(a, bvAdd(b, bvConst(size, widthOf(b)))) : lt(a, add(b, intConst(size)))
