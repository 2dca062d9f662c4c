// One path through a block with what must hold at the node for it to be taken: for guarded independence (esst.txt, 7.5).
import type { Term } from '../../../logic/index.js'
import * as logic from '../../../logic/index.js'
import type { Edge, Label, Value, Variable } from '../../../xcfa/index.js'
import type { Ground } from '../ground.js'
import { substitute } from '../regions.js'

export interface GuardedPath {
  /** Over values at the node. */
  readonly condition: Term
  /** Variables that changed since, with what they are. */
  readonly substitution: ReadonlyMap<Term, Term>
  readonly steps: number
}

export const AT_THE_NODE: GuardedPath = { condition: logic.TRUE, substitution: new Map(), steps: 0 }

/** The path with one edge more; closed: no state of the node with these properties takes it. */
export const pathAfter = (
  { condition, substitution, steps }: GuardedPath,
  edge: Edge,
  thread: number,
  known: (v: Variable) => Value | undefined,
  { operations, regions }: Ground,
  facts: readonly Term[],
): GuardedPath | 'closed' => {
  const labels = edge.labels.flatMap(withoutScheduler)
  const transition = operations.transition([{ thread, labels }], known, `step ${steps}: `)
  const guard = logic.and(condition, substitute(transition.guard, substitution))
  if (!regions.isFeasible(facts, { ...transition, guard })) return 'closed'
  const after = new Map(substitution)
  for (const [v, value] of transition.substitution) after.set(v, substitute(value, substitution))
  return { condition: guard, substitution: after, steps: steps + 1 }
}

/** A primitive gives any value here; a thread that is started changes nothing of this one's. */
const withoutScheduler = (label: Label): readonly Label[] => {
  if (label.kind !== 'primitive' && label.kind !== 'start') return [label]
  return label.target ? [{ kind: 'havoc', target: label.target }] : []
}
