// Loops that count from one constant to another are unrolled as often as they run, whatever the bound: the values of
// counters are followed while a thread is unrolled, and decide branches that depend on nothing else.
import {
  constant,
  constantValue,
  type Edge,
  type Label,
  type Procedure,
  substitute,
  type Value,
  type Variable,
  varExpr,
  variablesOf,
} from '../../../xcfa/index.js'

/** Values of counters that are known. */
export type Counters = ReadonlyMap<Variable, Value>

/** Locals that are tested somewhere and increased somewhere, by a constant. */
export const countersOf = ({ edges, locals }: Procedure): ReadonlySet<Variable> => {
  const tested = new Set<Variable>()
  const increased = new Set<Variable>()
  for (const { labels } of edges)
    for (const label of labels) {
      if (label.kind === 'assume') variablesOf(label.condition, tested)
      if (label.kind === 'assign' && isIncrease(label)) increased.add(label.target)
    }
  return new Set(locals.filter((v) => tested.has(v) && increased.has(v)))
}

const isIncrease = ({ target, value }: Extract<Label, { kind: 'assign' }>): boolean => {
  const variables = variablesOf(value)
  return (
    value.kind === 'binary' &&
    (value.op === 'add' || value.op === 'sub') &&
    variables.size === 1 &&
    variables.has(target)
  )
}

export const initialCounters = (counters: ReadonlySet<Variable>, { parameters }: Procedure): Counters =>
  new Map([...counters].filter((v) => !parameters.includes(v)).map((v) => [v, v.initial === 'any' ? 0 : v.initial]))

/** The counters after an edge, or undefined if their values exclude it. */
export const countAlong = (edge: Edge, counters: ReadonlySet<Variable>, before: Counters): Counters | undefined => {
  const values = new Map(before)
  const known = (v: Variable) => (values.has(v) ? constant(v.type, values.get(v)!) : varExpr(v))
  for (const label of edge.labels)
    switch (label.kind) {
      case 'assign': {
        if (!counters.has(label.target)) break
        const value = constantValue(substitute(label.value, known))
        if (value === undefined) values.delete(label.target)
        else values.set(label.target, value)
        break
      }
      case 'assume':
        if (constantValue(substitute(label.condition, known)) === 0) return undefined
        break
      case 'havoc':
      case 'load':
      case 'allocate':
      case 'start':
        values.delete(label.target)
        break
      default:
    }
  return values
}

export const countersKey = (values: Counters): string => [...values].map(([v, value]) => `${v.id}=${value}`).join(' ')
