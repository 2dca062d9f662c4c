// Arguments of primitives. The paper asks for static ones (4.2); here also those whose values the region of a node
// determines, by enumeration through the solver. Where the region leaves too many, the path may still leave few: the
// interpolants that say so become predicates, like those that refute an error.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Smt } from '../../smt/index.js'
import { programValue } from '../../symbolic/index.js'
import { constant, type Edge, type Expr, eq, type Label, ne, type Value, type Variable } from '../../xcfa/index.js'
import { type Analysis, analyse, type EdgeVia, pathFormulaOf, suppressedPath } from './counterexample.js'
import type { ForestNode } from './node.js'
import type { Operations } from './operations.js'
import { allValues } from './regions.js'

/** So many values of one argument are followed at most. */
export const MAX_VALUES = 8

/** One way to call a primitive. */
export interface Arguments {
  readonly values: readonly number[]
  /** What holds of the arguments that are not static. */
  readonly conditions: readonly Label[]
}

/** The region of the node leaves more values than can be followed. */
export class Undetermined {
  constructor(
    readonly node: ForestNode,
    readonly edge: Edge,
    readonly thread: number,
    readonly argument: Expr,
  ) {}
}

/** Every combination of these values of each argument; those that are free have a condition. */
export const combinations = (
  args: readonly Expr[],
  values: readonly { readonly found: readonly Value[]; readonly isFree: boolean }[],
): readonly Arguments[] => {
  let combined: readonly Arguments[] = [{ values: [], conditions: [] }]
  args.forEach((arg, i) => {
    const { found, isFree } = values[i]!
    combined = combined.flatMap((before) =>
      found.map((value) => ({
        values: [...before.values, Number(value)],
        conditions: isFree ? [...before.conditions, isValue(arg, value)] : before.conditions,
      })),
    )
  })
  return combined
}

const isValue = (arg: Expr, value: Value): Label => ({ kind: 'assume', condition: eq(arg, constant(arg.type, value)) })

/** What the path to the node says of the argument: interpolants for its few values; feasible: there are too many. */
export const analyseArgument = (
  { node, edge, thread, argument }: Undetermined,
  operations: Operations,
  smt: Smt,
  rlimit: number,
): { readonly path: readonly EdgeVia[]; readonly analysis: Analysis } => {
  const step = (labels: readonly Label[]): EdgeVia => ({ kind: 'edge', thread, edge, operation: [{ thread, labels }] })
  const before = suppressedPath(node)
  const given = [...before, step([{ kind: 'assign', target: probe(argument), value: argument }])]
  const { formulas } = pathFormulaOf(given, operations)
  const result = resultIn(formulas.at(-1)!, operations.variable(probe(argument), thread))
  const values = result && allValues(smt, { rlimit }, logic.and(formulas), result, MAX_VALUES)
  if (!values) return { path: before, analysis: { kind: 'unknown', reason: 'too many values' } }
  const others = values.map((value): Label => {
    const other = constant(argument.type, programValue(argument.type, value))
    return { kind: 'assume', condition: ne(argument, other) }
  })
  const path = [...before, step(others)]
  return { path, analysis: analyse(path, operations, smt, rlimit) }
}

const probe = ({ type }: Expr): Variable => ({ id: -1000, name: 'argument', type, scope: 'global', initial: 0 })

/** The indexed variable that the last step gives its value. */
const resultIn = (formula: Term, plain: Term): Term | undefined =>
  logic.freeVariables(formula).find((v) => logic.unindexed(v).base === plain)
