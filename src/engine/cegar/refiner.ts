// The refiner (aapor.txt 2.2.2): an abstract counterexample is executed in the logic. If it can be, its model is a trace,
// which counts only after concrete replay; otherwise the refutation gives a finer precision.
import { pathTo } from '../../arg/index.js'
import type { Domain, Transition, Transitions } from '../../domain/index.js'
import { evaluate, freeVariables, indexed, type Model, not, type Term, toSigned, unindexed } from '../../logic/index.js'
import {
  asItIs,
  type CellwisePath,
  cellwisePath,
  firstRefuted,
  type Hint,
  type PathFormulas,
  pathFormulas,
  type RefinementRule,
  type Refutation,
  type RefuteOptions,
  refineByHints,
  refineByValues,
  refinePrecision,
  refute,
  refuteByExecution,
} from '../../refinement/index.js'
import type { Step, Trace } from '../../semantics/trace.js'
import type { Smt } from '../../smt/index.js'
import { canonical, type Type, type Value, type Variable } from '../../xcfa/index.js'
import type { ArgNode } from './selection.js'

type Spurious = Extract<Refutation, { kind: 'spurious' }>

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
  const { smt, transitions, options } = parts
  const fact = (v: Term): Term => transitions.fact(v)
  const isExecuted = options.method === 'core'
  const whole = [transitions.initial(), [...steps, ...last]] as const
  const cells = (isExecuted ? asItIs : cellwisePath)(...whole)
  const formulas = pathFormulas(cells.initial, cells.steps, fact)
  const answer = isExecuted
    ? refuteByExecution(smt, ...whole, formulas.choices, fact, options.timeoutMs)
    : refute(smt, formulas, options)
  switch (answer.kind) {
    case 'unknown':
      return answer
    case 'feasible':
      return { kind: 'feasible', trace: traceOf(parts, path, steps, formulas, answer.model) }
    case 'spurious': {
      const grown = refined(parts, cells, answer) || trackPath(parts, formulas)
      const first = Math.min(firstRefuted(answer.interpolants), path.length - 1)
      return { kind: 'spurious', prune: path[first]!, grown }
    }
  }
}

/** Takes what the refutation speaks of into the precision; true if anything is new. */
const refined = ({ domain, rule }: RefinerParts, cells: CellwisePath, { interpolants, hints }: Spurious): boolean => {
  const { precision } = domain
  if (hints.length > 0)
    return refineByHints(
      precision,
      hints.map((hint) => inRegions(hint, cells)),
      rule,
    )
  const regions = new Set(interpolants.flatMap(freeVariables).map(cells.regionOf))
  const byInterpolants = refinePrecision(precision, interpolants.map(cells.overRegions), rule)
  const byAddresses = cells.addressValues(regions).map((values) => refineByValues(precision, values, cells, rule))
  return byInterpolants || byAddresses.includes(true)
}

const inRegions = ({ variables, conditions }: Hint, { regionOf, overRegions }: CellwisePath): Hint => ({
  variables: [...new Set(variables.map(regionOf))],
  conditions: conditions.map(overRegions),
})

/** A step that only asks whether the transition can violate the claim. */
const claimed = (transition: Transition, claim: Term): Transition => ({
  ...transition,
  guard: not(claim),
  next: new Map(),
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
    const values = steps[k]!.choices.map(({ type }, i) => programValue(type, evaluate(choices[k]![i]!, model)))
    return { thread, edge, choices: values }
  })
  const initial = new Map<Variable, Value>()
  for (const v of transitions.program.globals)
    if (v.initial === 'any')
      initial.set(v, programValue(v.type, evaluate(indexed(transitions.variable(v, 0), 0), model)))
  return { steps: taken, initial }
}

/** A value of the logic as one of the program. */
const programValue = (type: Type, value: unknown): Value => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'bigint') return Number(value)
  return canonical(type.kind === 'int' && type.signed && value >= 0n ? toSigned(value, type.width) : value)
}
