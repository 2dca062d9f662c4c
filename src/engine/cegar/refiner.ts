// The refiner (aapor.txt 2.2.2): an abstract counterexample is executed in the logic. If it can be, its model is a trace,
// which counts only after concrete replay; otherwise the refutation gives a finer precision.

import { pathTo } from '../../arg/index.js'
import { evaluate, freeVariables, indexed, type Model, not, type Term, unindexed } from '../../logic/index.js'
import type { Step, Trace } from '../../semantics/trace.js'
import type { Smt } from '../../smt/index.js'
import type { Transition, Transitions } from '../../symbolic/index.js'
import { programValue } from '../../symbolic/index.js'
import type { Value, Variable } from '../../xcfa/index.js'
import type { Domain } from './domain/index.js'
import {
  type CellwisePath,
  cellwisePath,
  firstRefuted,
  type Hint,
  type PathFormulas,
  pathFormulas,
  type RefinementRule,
  type RefuteOptions,
  refineByHints,
  refineByPredicates,
  refineByValues,
  refinePrecision,
  refute,
  refuteByExecution,
  refuteByFolding,
} from './refinement/index.js'
import type { ArgNode } from './selection.js'

export type RefinerResult =
  | { readonly kind: 'feasible'; readonly trace: Trace }
  /** `prune`: the first node of the path that changes. `grown`: whether the precision has new elements. */
  | { readonly kind: 'spurious'; readonly prune: ArgNode; readonly grown: boolean }
  | { readonly kind: 'unknown'; readonly reason: string }

export interface RefinerParts {
  readonly smt: Smt
  readonly domain: Domain
  readonly transitions: Transitions
  readonly rule: RefinementRule
  readonly options: RefuteOptions
  transitionInto(node: ArgNode): Transition
}

/** `also`: a formula that the last state is supposed to satisfy (an overflow instead of an error location). */
export const refinePath = (
  parts: RefinerParts,
  node: ArgNode,
  also?: { readonly transition: Transition; readonly claim: Term },
): RefinerResult => {
  const path = pathTo(node)
  const steps = path.slice(1).map(parts.transitionInto)
  const last = also ? [claimed(also.transition, also.claim)] : []
  const whole = [parts.transitions.first(), [...steps, ...last]] as const
  const quick = parts.rule.kind === 'product' ? byFolding(parts, whole) : undefined
  const answer = quick ?? (parts.options.method === 'core' ? byExecution : byInterpolants)(parts, whole)
  switch (answer.kind) {
    case 'unknown':
      return answer
    case 'feasible':
      return { kind: 'feasible', trace: traceOf(parts, path, steps, answer.formulas, answer.model) }
    case 'spurious':
      return { kind: 'spurious', prune: path[Math.min(answer.first, path.length - 1)]!, grown: answer.grown }
  }
}

type Whole = readonly [Transition, readonly Transition[]]

/** `first`: the first node of the path of which something new is said. */
type Refined =
  | { readonly kind: 'spurious'; readonly first: number; readonly grown: boolean }
  | { readonly kind: 'feasible'; readonly model: Model; readonly formulas: PathFormulas }
  | { readonly kind: 'unknown'; readonly reason: string }

/** Values that contradict a guard by themselves are followed, where they may be. */
const byFolding = ({ transitions, domain, rule }: RefinerParts, whole: Whole): Refined | undefined => {
  const fact = (v: Term): Term => transitions.inRange(v)
  const answer = refuteByFolding(...whole, pathFormulas(...whole, fact).choices, fact)
  if (answer?.kind !== 'spurious' || !refineByHints(domain.precision, answer.hints, rule)) return undefined
  return { kind: 'spurious', first: firstRefuted(answer.interpolants), grown: true }
}

const byExecution = (parts: RefinerParts, whole: Whole): Refined => {
  const { smt, domain, rule, transitions, options } = parts
  const fact = (v: Term): Term => transitions.inRange(v)
  const formulas = pathFormulas(...whole, fact)
  const answer = refuteByExecution(smt, ...whole, formulas.choices, fact, options.timeoutMs)
  if (answer.kind === 'unknown') return answer
  if (answer.kind === 'feasible') return { ...answer, formulas }
  const grown = refineByHints(domain.precision, answer.hints, rule) || trackPath(parts, formulas)
  return { kind: 'spurious', first: firstRefuted(answer.interpolants), grown }
}

const byInterpolants = (parts: RefinerParts, whole: Whole): Refined => {
  const { smt, domain, rule, transitions, options } = parts
  const cells = cellwisePath(...whole)
  const formulas = pathFormulas(cells.initial, cells.steps, (v) => transitions.inRange(v))
  const answer = refute(smt, formulas, options)
  if (answer.kind === 'unknown') return answer
  if (answer.kind === 'feasible') return { ...answer, formulas }
  const first = firstRefuted(answer.interpolants)
  if (answer.hints.length > 0) {
    const hints = answer.hints.map((hint) => inRegions(hint, cells))
    return {
      kind: 'spurious',
      first,
      grown: refineByHints(domain.precision, hints, rule) || trackPath(parts, formulas),
    }
  }
  const regions = new Set(answer.interpolants.flatMap(freeVariables).map(cells.regionOf))
  const addresses = cells.addressValues(regions)
  const interpolants = answer.interpolants.map(cells.overRegions)
  const grown = [
    refinePrecision(domain.precision, interpolants, rule),
    ...addresses.map((values) => refineByValues(domain.precision, values, cells, rule)),
  ].includes(true)
  const firstAddress = addresses.findIndex(({ size }) => size > 0)
  return {
    kind: 'spurious',
    first: firstAddress < 0 ? first : Math.min(first, firstAddress),
    grown:
      grown ||
      (rule.kind === 'product' && refineByPredicates(domain.precision, interpolants)) ||
      trackPath(parts, formulas),
  }
}

const inRegions = ({ variables, conditions }: Hint, { regionOf, overRegions }: CellwisePath): Hint => ({
  variables: [...new Set(variables.map(regionOf))],
  conditions: conditions.map(overRegions),
})

/** A step that only asks whether the transition can violate the claim. */
const claimed = (transition: Transition, claim: Term): Transition => ({
  ...transition,
  guard: not(claim),
  updates: new Map(),
})

/** Explicit values that know all variables of the interpolants and still follow the path: the whole path's are tracked. */
const trackPath = (parts: RefinerParts, { formulas }: PathFormulas): boolean => {
  if (parts.rule.kind !== 'values') return false
  let grown = false
  for (const formula of formulas)
    for (const v of freeVariables(formula)) {
      const plain = unindexed(v).base
      if (parts.transitions.meaning(plain) && parts.domain.precision.track(plain)) grown = true
    }
  return grown
}

// ---- from a model to a trace

const traceOf = (
  { transitions }: RefinerParts,
  path: readonly ArgNode[],
  steps: readonly Transition[],
  { choices }: PathFormulas,
  model: Model,
): Trace => {
  const taken = path.slice(1).map((node, k): Step => {
    const { thread, edge } = node.incoming!.action
    const values = steps[k]!.inputs.map(({ variable: { type } }, i) =>
      programValue(type, evaluate(choices[k]![i]!, model)),
    )
    return { thread, edge, choices: values }
  })
  const initial = new Map<Variable, Value>()
  for (const v of transitions.program.globals)
    if (v.initial === 'any')
      initial.set(v, programValue(v.type, evaluate(indexed(transitions.variable(v, 0), 0), model)))
  return { steps: taken, initial }
}
