// The certificate of a proof: the tree with its labels, covers and unwound threads (Definitions 4.4 and 4.5), in the form
// of src/certificate/model.ts, whose checker works out by itself which threads had to be unwound.
import { print, type Term } from '../../logic/index.js'
import type { Transitions } from '../../symbolic/index.js'
import { type Certificate, edgeTexts } from '../../verdict/index.js'
import type { Impact } from './impact.js'
import type { PartialOrder } from './reduction.js'

export const certificateOf = (impact: Impact, { encoding }: Transitions, por: PartialOrder): Certificate => {
  const numbers = new Map<Term, number>()
  const formula = (term: Term): number => {
    const known = numbers.get(term)
    if (known !== undefined) return known
    numbers.set(term, numbers.size)
    return numbers.size - 1
  }
  const nodes = impact.tree.nodes
    .filter((node) => !node.parent?.hidden)
    .map((node) => ({
      id: node.id,
      ...(node.parent && { parent: node.parent.id }),
      ...(node.step && { thread: node.step.action.thread, edge: node.step.action.edge.id }),
      label: [...node.label].map(formula),
      ...(node.coveredBy ? { coveredBy: node.coveredBy.id } : { threads: [...node.threads] }),
    }))
  const formulas = [...numbers.keys()].map((term) => print(term))
  const edges = edgeTexts(impact.tree.nodes.flatMap(({ step }) => (step ? [step.action.edge] : [])))
  const reduction = por === 'dpor' ? 'monotonic' : 'persistent'
  return {
    kind: 'labelled-graph',
    data: {
      ...{ arithmetic: encoding.arithmetic, largeBlocks: true, reduction, strayAccess: 'stops' },
      ...{ formulas, nodes, edges },
    },
  }
}
