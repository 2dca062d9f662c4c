// What inlining asks of a procedure, computed once: which variables are written, and which are assigned at one place
// only, before every use. Constants that reach those are propagated, so that bounded recursion ends.
import type { Expr, Procedure, Variable } from '../../index.js'
import { written } from '../labels.js'
import { liveAt } from './liveness.js'

export interface ProcedureFacts {
  readonly written: ReadonlySet<Variable>
  /** The value of a variable that has only this one. */
  readonly single: ReadonlyMap<Variable, Expr>
  /** Variables that may be read before they are written. */
  readonly liveAtEntry: ReadonlySet<Variable>
}

export const factsOf = (procedure: Procedure): ProcedureFacts => {
  const definitions = new Map<Variable, (Expr | undefined)[]>()
  for (const edge of procedure.edges)
    for (const label of edge.labels)
      for (const variable of written(label)) {
        const known = definitions.get(variable) ?? []
        known.push(label.kind === 'assign' ? label.value : undefined)
        definitions.set(variable, known)
      }
  const liveAtEntry = liveAt(procedure).get(procedure.initial) ?? new Set<Variable>()
  const single = new Map<Variable, Expr>()
  for (const [variable, values] of definitions) {
    const [only] = values
    if (values.length === 1 && only && variable.scope === 'local' && !liveAtEntry.has(variable))
      single.set(variable, only)
  }
  return { written: new Set(definitions.keys()), single, liveAtEntry }
}
