// A model of an error path as an execution: who took which edge, with which inputs.

import { pathTo } from '../../arg/graph.js'
import { defaultValue, type Model, type Term } from '../../logic/index.js'
import type { Step, Trace } from '../../semantics/index.js'
import type { Transitions } from '../../symbolic/index.js'
import { programValue } from '../../symbolic/index.js'
import type { Edge, Type, Value, Variable } from '../../xcfa/index.js'
import type { Node } from './tree.js'

export const traceOf = (end: Node, model: Model, transitions: Transitions): Trace => {
  const chosen = (term: Term, type: Type): Value => programValue(type, model.get(term) ?? defaultValue(term.sort))
  const steps = pathTo(end)
    .slice(1)
    .map(({ step }): Step => {
      const { action, transition, inputs } = step!
      const choices = transition.inputs.map(({ term, variable }) => chosen(inputs.get(term)!, variable.type))
      return { thread: action.thread, edge: executable(action.edge), choices }
    })
  const initial = new Map<Variable, Value>()
  for (const v of transitions.program.globals)
    if (v.initial === 'any') initial.set(v, chosen(transitions.initial(transitions.variable(v, 0)).value, v.type))
  return { steps, ...(initial.size > 0 ? { initial } : {}) }
}

/** Where undefined behaviour stops a thread, what it was about to do is not a step of the raw program. */
const executable = (edge: Edge): Edge =>
  edge.target.reason?.kind === 'undefined' ? { ...edge, origins: (edge.origins ?? [edge]).slice(0, -1) } : edge
