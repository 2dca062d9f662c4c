// A deadlock as a question about prefixes: every thread stands at its end or before steps none of which is enabled in
// the state where the execution ends; somebody is not at its end, and nobody has ended the program. Spurious wake-ups
// do not count as steps.
import { and, FALSE, implies, not, or, type Term, TRUE } from '../../../logic/index.js'
import type { Encoded } from './encode.js'
import type { Node, UnrolledEdge, Unrolling } from './unroll.js'

export const deadlockGoal = (unrolling: Unrolling, encoded: Encoded): Term => {
  const { reached } = encoded.execution
  const nodes = unrolling.instances.flatMap((i) => i.nodes.filter((n) => reached.get(n) !== FALSE))
  const atEnd = (n: Node): boolean => n.location === n.instance.template.final
  const isOver = (n: Node): boolean => n.cut !== false || n.location.kind === 'halt' || n.location.kind === 'error'
  const live = nodes.filter((n) => !atEnd(n) && !isOver(n))
  return and(
    nodes.filter(isOver).map((n) => not(reached.get(n)!)),
    live.map((n) => implies(stands(n, encoded), blocked(n, encoded))),
    or(live.map((n) => stands(n, encoded))),
  )
}

const stands = (node: Node, { execution }: Encoded): Term =>
  and(execution.reached.get(node)!, not(or(node.outgoing.map((e) => execution.taken.get(e)!))))

const blocked = (node: Node, { execution, observed, joins }: Encoded): Term => {
  const event = execution.eventOf.get(node.entry)
  return and(
    event ? observed(event) : TRUE,
    node.outgoing
      .filter(({ edge }) => !edge.sync?.spurious)
      .flatMap((e) => guardsOf(e, execution).map((guard) => not(and(guard, joins(e))))),
  )
}

/**
 * A step that chooses (the waiter that a signal wakes) is blocked only if no choice fits. A few choices are tried: in
 * a deadlock none of them fits, so that TRUE is right, and what is no deadlock because of another choice does not replay.
 */
const guardsOf = (unrolled: UnrolledEdge, { guards, attempts }: Encoded['execution']): readonly Term[] =>
  attempts.get(unrolled) ?? [guards.get(unrolled) ?? FALSE]
