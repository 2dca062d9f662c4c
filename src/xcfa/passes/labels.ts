// What labels read and write, and the same label with other expressions.
import { not, sameExpr, variablesOf } from '../build.js'
import type { Expr } from '../expr.js'
import type { Label, Region, Variable } from '../model.js'

export { mentions } from '../build.js'

/** The expressions that a label evaluates. */
export const expressionsOf = (label: Label): readonly Expr[] => {
  switch (label.kind) {
    case 'assign':
      return [label.value]
    case 'assume':
      return [label.condition]
    case 'havoc':
      return label.range ? [label.range.low, label.range.high] : []
    case 'load':
      return [label.address]
    case 'store':
      return [label.address, label.value]
    case 'allocate':
      return [label.size]
    case 'free':
      return [label.address]
    case 'start':
      return label.args
    case 'join':
      return [label.thread]
    case 'call':
      return typeof label.callee === 'string' ? label.args : [label.callee, ...label.args]
    case 'fence':
      return []
    case 'primitive':
      return label.args
  }
}

/** Variables that a label assigns. */
export const written = (label: Label): readonly Variable[] => {
  switch (label.kind) {
    case 'assign':
    case 'havoc':
    case 'load':
    case 'allocate':
    case 'start':
      return [label.target]
    case 'call':
    case 'primitive':
      return label.target ? [label.target] : []
    case 'assume':
    case 'store':
    case 'free':
    case 'join':
    case 'fence':
      return []
  }
}

/** Variables that a label reads. */
export const read = (label: Label): Set<Variable> => {
  const variables = new Set<Variable>()
  for (const expr of expressionsOf(label)) variablesOf(expr, variables)
  return variables
}

/** The region that a label accesses. */
export const regionOf = (label: Label): Region | undefined =>
  label.kind === 'load' || label.kind === 'store' ? label.region : undefined

/** The same label with its expressions changed. */
export const mapExpressions = (label: Label, f: (expr: Expr) => Expr): Label => {
  switch (label.kind) {
    case 'assign':
      return { ...label, value: f(label.value) }
    case 'assume':
      return { ...label, condition: f(label.condition) }
    case 'havoc':
      return label.range ? { ...label, range: { low: f(label.range.low), high: f(label.range.high) } } : label
    case 'load':
    case 'free':
      return { ...label, address: f(label.address) }
    case 'store':
      return { ...label, address: f(label.address), value: f(label.value) }
    case 'allocate':
      return { ...label, size: f(label.size) }
    case 'start':
    case 'primitive':
      return { ...label, args: label.args.map(f) }
    case 'join':
      return { ...label, thread: f(label.thread) }
    case 'call':
      return {
        ...label,
        callee: typeof label.callee === 'string' ? label.callee : f(label.callee),
        args: label.args.map(f),
      }
    case 'fence':
      return label
  }
}

/** Whether one of two conditions holds always, and never both, as far as their shape tells. */
export const complementary = (a: Expr, b: Expr): boolean => sameExpr(not(a), b) || sameExpr(a, not(b))
