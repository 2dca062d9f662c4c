// Races and deadlocks at the nodes of the tree (property/vectors.ts): formulas over the state that a node's label has
// to exclude before the node is expanded, as the label of an error node has to be False.
import { conjuncts, type Term } from '../../logic/index.js'
import { conditionOf, type Property, suspicionsOf } from '../../property/index.js'
import type { Control, ControlFlow } from '../../semantics/control.js'
import type { Transitions } from '../../symbolic/index.js'

export type BadStates = (control: Control) => readonly Term[]

export const badStates = (flow: ControlFlow, transitions: Transitions, property: Property): BadStates => {
  const suspicionsAt = suspicionsOf(flow, property)
  const known = new Map<string, readonly Term[]>()
  const compute = (control: Control): readonly Term[] =>
    suspicionsAt(control).map((suspicion) =>
      conditionOf(suspicion, (action) => {
        const { guard, accesses, inputs } = transitions.of(control, action)
        const choices = inputs.map(({ term, variable }) => ({
          ...{ term, fact: transitions.encoding.inRange(variable.type, term) },
        }))
        return { guard: conjuncts(guard), addresses: accesses.map(({ address }) => address), choices }
      }),
    )
  return (control) => {
    let formulas = known.get(control.key)
    if (!formulas) known.set(control.key, (formulas = [...new Set(compute(control))]))
    return formulas
  }
}
