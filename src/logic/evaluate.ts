// The value of a term under a model. A variable without a value has the default of its sort, as solvers mean it.
import type { Sort } from './sort.js'
import { postorder, type Term } from './term.js'
import { fold, rational, type Value } from './value.js'

/** Values of variables; undefined means that any value will do. */
export interface Model {
  get(variable: Term): Value | undefined
}

export const defaultValue = (sort: Sort): Value => {
  switch (sort.kind) {
    case 'bool':
      return false
    case 'int':
    case 'bv':
      return 0n
    case 'real':
      return rational(0n, 1n)
    case 'float':
      return 0
    case 'array':
      return { kind: 'array', otherwise: defaultValue(sort.element), entries: new Map() }
  }
}

/** Where the logic fixes no value (division by zero), the one of the totality below is taken: `exact` is then false. */
export const evaluateAll = (
  roots: readonly Term[],
  model: Model,
): { readonly values: readonly Value[]; readonly exact: boolean } => {
  const values = new Map<Term, Value>()
  let exact = true
  postorder(roots, (term) => {
    if (term.op === 'const') values.set(term, term.value!)
    else if (term.op === 'var') values.set(term, model.get(term) ?? defaultValue(term.sort))
    else {
      const value = fold(
        term.op,
        term.sort,
        term.index,
        term.args.map((arg) => values.get(arg)!),
        term.args.map((arg) => arg.sort),
      )
      if (value === undefined) exact = false
      values.set(term, value ?? defaultValue(term.sort))
    }
  })
  return { values: roots.map((root) => values.get(root)!), exact }
}

export const evaluate = (term: Term, model: Model): Value => evaluateAll([term], model).values[0]!

/** Whether the model satisfies the formula; `undefined` where that depends on a value that the logic leaves open. */
export const satisfies = (formula: Term, model: Model): boolean | undefined => {
  const { values, exact } = evaluateAll([formula], model)
  return exact ? values[0] === true : undefined
}
