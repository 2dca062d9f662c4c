// Counterexample analysis and refinement (esst.txt, 4.4 and 4.5) on suppressed paths: connectors say nothing of data.
// Feasible: the model's values make a trace. Spurious: sequence interpolants, cut by cut, become predicates.

import { pathTo } from '../../arg/graph.js'
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Step, Trace } from '../../semantics/index.js'
import { interpolate, type Smt } from '../../smt/index.js'
import { type PathStep, pathFormulas } from '../../symbolic/index.js'
import type { Edge, Location, Value } from '../../xcfa/index.js'
import { freshNames } from '../../xcfa/terms/index.js'
import type { Ground } from './ground.js'
import { type ForestNode, factsOf, type Via } from './node.js'
import type { Operations } from './operations.js'
import type { Precision } from './precision.js'
import type { Cycle } from './reduction/cycles.js'

/** Spacer knows no limit of steps. */
export const INTERPOLATION_MS = 5_000

export type EdgeVia = Extract<Via, { kind: 'edge' }>

export type Analysis =
  | { readonly kind: 'feasible'; readonly trace: Trace }
  /** One interpolant after each operation but the last, over the program's names. */
  | { readonly kind: 'spurious'; readonly interpolants: readonly Term[] }
  | { readonly kind: 'unknown'; readonly reason: string }

/** The edges of the path without its connectors: sup(path). */
export const suppressedPath = (node: ForestNode): readonly EdgeVia[] =>
  pathTo(node).flatMap(({ via }) => (via?.kind === 'edge' ? [via] : []))

export interface PathFormula {
  /** The first values, then one formula for each operation. */
  readonly formulas: readonly Term[]
  readonly plain: ReadonlyMap<Term, Term>
  /** Variables of nondeterministic values, by operation. */
  readonly choices: readonly (readonly Term[])[]
  /** By operation: that no integer leaves its type. */
  readonly inRange: readonly Term[]
}

/** The path formula of 2.3 in static single assignment form. */
export const pathFormulaOf = (path: readonly EdgeVia[], operations: Operations): PathFormula => {
  const { operation, memory } = operations.initial()
  const all = [operation, ...path.map((via) => via.operation)]
  const fresh: Term[] = []
  const counter = freshNames()
  const policy = operations.policy((name, sort) => {
    const v = counter(name, sort)
    fresh.push(v)
    return v
  })
  const { formulas, plain, obligations } = pathFormulas(all.flat(), policy)
  const merged: Term[] = []
  const inRange: Term[] = []
  const choices: (readonly Term[])[] = []
  let at = 0
  let taken = 0
  for (const steps of all) {
    merged.push(logic.and(formulas.slice(at, at + steps.length)))
    inRange.push(logic.and(obligations.slice(at, at + steps.length).flatMap((each) => each.map(({ holds }) => holds))))
    at += steps.length
    const count = steps.reduce((sum, step) => sum + havocs(step), 0)
    choices.push(fresh.slice(taken, taken + count))
    taken += count
  }
  merged[0] = logic.and(merged[0]!, atStart(memory, plain))
  return { formulas: merged, plain, choices, inRange }
}

const havocs = ({ labels }: PathStep): number => labels.filter(({ kind }) => kind === 'havoc').length

/** A formula over plain names, of the state before the first step. */
const atStart = (formula: Term, plain: ReadonlyMap<Term, Term>): Term =>
  logic.renameVariables(formula, (v) => (plain.has(logic.indexed(v, 0)) ? logic.indexed(v, 0) : v))

/** Operations that begin anywhere, as one formula for each, and its names. */
const segmentFormulas = (path: readonly EdgeVia[], operations: Operations): readonly Term[] => {
  const policy = operations.policy(freshNames())
  const all = path.map((via) => via.operation)
  const { formulas } = pathFormulas(all.flat(), policy)
  let at = 0
  return all.map((steps) => logic.and(formulas.slice(at, (at += steps.length))))
}

/** A formula over plain names, of the state in which a segment begins. */
export const atBeginning = (formula: Term): Term => logic.withIndices(formula, () => 0)

/** Whether an execution can go once round the cycle, from the given node on it back to it. */
const canFollow = (cycle: Cycle, first: number, ground: Ground, smt: Smt, rlimit: number): boolean => {
  const nodes = [...cycle.slice(first), ...cycle.slice(0, first + 1)]
  // From a covered node to the one that covers it nothing happens.
  const path = nodes.flatMap((node, i) => {
    const via = i > 0 && node.parent === nodes[i - 1] ? node.via : undefined
    return via?.kind === 'edge' ? [via] : []
  })
  const { operations } = ground
  const facts = factsOf(nodes[0]!).map(ground.named(nodes[0]!.handles))
  const solver = smt.solver({ rlimit })
  for (const fact of facts) {
    solver.add(atBeginning(fact))
    for (const v of logic.freeVariables(fact)) solver.add(atBeginning(operations.range(v)))
  }
  for (const formula of segmentFormulas(path, operations)) solver.add(formula)
  const status = solver.check()
  solver.dispose()
  return status !== 'unsat'
}

/** The check of 5.2: no execution goes round the cycle, wherever on it it begins. */
export const isSpuriousCycle = (cycle: Cycle, ground: Ground, smt: Smt, rlimit: number): boolean =>
  cycle.every((_, first) => !canFollow(cycle, first, ground, smt, rlimit))

export const analyse = (path: readonly EdgeVia[], operations: Operations, smt: Smt, rlimit: number): Analysis =>
  answerFor(path, pathFormulaOf(path, operations), smt, rlimit)

/** Whether the last operation of the path can make an integer leave its type. */
export const analyseOverflow = (
  path: readonly EdgeVia[],
  operations: Operations,
  smt: Smt,
  rlimit: number,
): Analysis => {
  const formula = pathFormulaOf(path, operations)
  const formulas = [...formula.formulas.slice(0, -1), logic.not(formula.inRange.at(-1)!)]
  return answerFor(path, { ...formula, formulas }, smt, rlimit)
}

const answerFor = (
  path: readonly EdgeVia[],
  { formulas, plain, choices }: PathFormula,
  smt: Smt,
  rlimit: number,
): Analysis => {
  const answer = interpolate(smt, formulas, { rlimit, timeoutMs: INTERPOLATION_MS })
  switch (answer.status) {
    case 'unknown':
      return { kind: 'unknown', reason: `no interpolants: ${answer.reason}` }
    case 'sat': {
      const values = choices.map((vs) => vs.map((v) => valueIn(answer.model, v)))
      return { kind: 'feasible', trace: { steps: path.map((via, i) => stepOf(via, values[i + 1]!)) } }
    }
    case 'unsat':
      return {
        kind: 'spurious',
        interpolants: answer.interpolants.map((i) => logic.renameVariables(i, (v) => plain.get(v) ?? v)),
      }
  }
}

const valueIn = (model: logic.Model, v: Term): Value => {
  const value = model.get(v) ?? logic.defaultValue(v.sort)
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'bigint' || typeof value === 'number' ? value : 0
}

const stepOf = ({ thread, edge, value }: EdgeVia, choices: readonly Value[]): Step => ({
  thread,
  edge,
  choices: value === undefined ? choices : [value],
})

/** Adds the interpolants' conjuncts as predicates; false: all of them were known. */
export const refine = (
  path: readonly EdgeVia[],
  interpolants: readonly Term[],
  precision: Precision,
  main: Location,
) => {
  let isNew = false
  interpolants.forEach((interpolant, cut) => {
    const before: { readonly thread: number; readonly edge: Edge } | undefined = path[cut - 1]
    const [thread, location] = before ? [before.thread, before.edge.target] : [0, main]
    for (const predicate of logic.conjuncts(interpolant)) isNew = precision.add(predicate, thread, location) || isNew
  })
  return isNew
}
