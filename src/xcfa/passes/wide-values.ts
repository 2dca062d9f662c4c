// Values of long double and __int128 exist in one execution only (semantics/sequential). For everybody else the steps
// that compute with them are unsupported by name: reached, they leave the program undecided.

import { children, type Expr } from '../expr.js'
import type { Edge, Label, Procedure, Unit, Variable } from '../model.js'
import { isWide, type Type } from '../types.js'
import { Unsupported } from '../unsupported.js'
import { expressionsOf } from './labels.js'

const nameOf = (type: Type): string => (type.kind === 'float' ? 'long double' : '__int128')

const unsupportedStep = (what: string): Label => ({
  ...{ kind: 'primitive', name: `unsupported: ${what}`, args: [] },
  unsupported: { what },
})

const wideIn = (e: Expr): Type | undefined => {
  if (isWide(e.type)) return e.type
  for (const child of children(e)) {
    const found = wideIn(child)
    if (found) return found
  }
  return undefined
}

const wideInLabel = (label: Label): Type | undefined => {
  const types = [
    ...('target' in label && label.target ? [label.target.type] : []),
    ...(label.kind === 'load' || label.kind === 'store' ? [label.type] : []),
  ]
  return (
    types.find(isWide) ??
    expressionsOf(label)
      .map(wideIn)
      .find((type) => type !== undefined)
  )
}

const isWideVariable = ({ type }: Variable): boolean => isWide(type)

const withoutIn = (edge: Edge): Edge => {
  const wide = edge.labels.map(wideInLabel).find((type) => type !== undefined)
  return wide ? { ...edge, labels: [unsupportedStep(`values of type ${nameOf(wide)}`)] } : edge
}

/** Who takes or returns such a value cannot be called. */
const failureOf = ({ parameters, result, position }: Procedure): Unsupported | undefined => {
  const wide = [...parameters, ...(result ? [result] : [])].find(isWideVariable)
  return wide && new Unsupported(`values of type ${nameOf(wide.type)}`, position)
}

export const withoutWideValues = (unit: Unit): Unit => {
  const procedures = new Map<string, Procedure>()
  const failures = new Map(unit.failures)
  for (const [name, procedure] of unit.procedures) {
    const failure = failureOf(procedure)
    if (failure) failures.set(name, failure)
    else
      procedures.set(name, {
        ...procedure,
        locals: procedure.locals.filter((variable) => !isWideVariable(variable)),
        edges: procedure.edges.map(withoutIn),
      })
  }
  return { ...unit, procedures, failures, globals: unit.globals.filter((variable) => !isWideVariable(variable)) }
}
