// What a proof owes: signed operations stay in their types, and allocations and threads within what addresses are
// reserved for. Labels may use that values lie in their types: by induction over the steps of an execution, the
// obligations of all steps before have held.
import { and, conjuncts, not, type Term } from '../../logic/index.js'
import type { ObligationKind } from '../../xcfa/terms/index.js'
import type { Impact } from './impact.js'
import type { Node } from './tree.js'

export type Discharge =
  | { readonly kind: 'discharged' }
  /** Labels were strengthened: the tree may have to be completed again. */
  | { readonly kind: 'refined' }
  /** An execution on this path breaks one, or may. */
  | { readonly kind: 'open'; readonly obligation: ObligationKind }

/** Looks for an obligation that is owed and that the labels do not imply, and strengthens them so that they do. */
export const discharge = (
  impact: Impact,
  rangeOf: (formula: Term) => Term,
  isOwed: (obligation: ObligationKind) => boolean,
): Discharge => {
  let refined = false
  for (const v of impact.tree.nodes) {
    if (v.hidden || v.unreachable) continue
    for (const transition of impact.transitionsFrom(v))
      for (const { kind, holds } of transition.obligations) {
        if (!isOwed(kind)) continue
        const open = not(holds)
        if (impact.implications.contradicts(v, and(open, rangeOf(open)))) continue
        const bad = impact.refinement.withoutInputs(open, transition, v)
        if (bad === undefined || !excluded(impact, v, bad.formula)) return { kind: 'open', obligation: kind }
        refined = true
      }
  }
  return refined ? { kind: 'refined' } : { kind: 'discharged' }
}

const excluded = (impact: Impact, v: Node, bad: Term): boolean => {
  const refutation = impact.refinement.refute(v, conjuncts(bad))
  return refutation.status === 'refuted' && impact.refinement.annotate(v, conjuncts(bad), refutation.reasons)
}
