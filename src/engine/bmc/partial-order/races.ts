// A data race as a question about prefixes: two threads stand before steps that touch the same bytes, one writing, not
// both atomic. A step that may have to wait is looked at in the state where the execution ends (`observed`).
import { and, bvConst, bvSub, bvUlt, eq, FALSE, not, or, type Term, TRUE, widthOf } from '../../../logic/index.js'
import type { EdgeAccess } from './accesses.js'
import type { Encoded } from './encode.js'
import type { Node, UnrolledEdge, Unrolling } from './unroll.js'

interface Pending {
  readonly node: Node
  readonly access: EdgeAccess
  /** The thread stands here and may take the step. */
  readonly stands: Term
}

export const raceGoal = (unrolling: Unrolling, encoded: Encoded): Term => {
  const byPlace = new Map<EdgeAccess['place'], Pending[]>()
  for (const { nodes } of unrolling.instances)
    for (const node of nodes)
      for (const unrolled of node.outgoing)
        for (const access of encoded.execution.accesses.get(unrolled) ?? []) {
          const pending: Pending = { node: node.entry, access, stands: standing(node, unrolled, encoded) }
          const others = byPlace.get(access.place)
          if (others) others.push(pending)
          else byPlace.set(access.place, [pending])
        }
  return or(
    [...byPlace.values()].flatMap((all) => all.flatMap((a, i) => all.slice(i + 1).map((b) => races(a, b, encoded)))),
  )
}

const standing = (node: Node, unrolled: UnrolledEdge, encoded: Encoded): Term => {
  const { execution, executed, observed, joins } = encoded
  const event = execution.eventOf.get(node.entry)!
  const enabled = node.entry === node ? and(execution.guards.get(unrolled)!, joins(unrolled)) : TRUE
  return and(execution.reached.get(node.entry)!, not(executed(event)), observed(event), enabled)
}

const races = (a: Pending, b: Pending, { order, execution }: Encoded): Term => {
  if (a.node.instance === b.node.instance || !(a.access.write || b.access.write)) return FALSE
  if (a.access.atomic && b.access.atomic) return FALSE
  const [first, second] = [execution.eventOf.get(a.node)!, execution.eventOf.get(b.node)!]
  if (order.before(first, second) === TRUE || order.before(second, first) === TRUE) return FALSE
  return and(a.stands, b.stands, overlap(a.access, b.access))
}

const overlap = (a: EdgeAccess, b: EdgeAccess): Term => {
  if (!a.address || !b.address) return TRUE
  if (a.size === 1 && b.size === 1) return eq(a.address, b.address)
  if (a.address.sort.kind !== 'bv') return eq(a.address, b.address)
  const width = widthOf(a.address)
  return or(
    bvUlt(bvSub(a.address, b.address), bvConst(b.size, width)),
    bvUlt(bvSub(b.address, a.address), bvConst(a.size, width)),
  )
}
