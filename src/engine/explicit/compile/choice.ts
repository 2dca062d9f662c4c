// Which values a nondeterministic choice tries: those of the concrete semantics (semantics/step/nondeterminism.ts), found
// once where they do not depend on the state, otherwise when the step is taken, remembered by what they depend on.
// Too many values: a few are tried as a sample, and the search can no longer prove anything.
import { everyChoice } from '../../../semantics/interpreter.js'
import { BeyondBounds, type TemplateLayout } from '../../../semantics/layout.js'
import { livenessOf } from '../../../semantics/step/liveness.js'
import type { Reason } from '../../../verdict/reason.js'
import {
  type Edge,
  type Expr,
  isSigned,
  type Position,
  rangeOf,
  type Type,
  type Value,
  type Variable,
  wrap,
} from '../../../xcfa/index.js'

/** A havoc, or a load of memory that nobody wrote, at its label. */
export interface ChoiceSite {
  readonly kind: 'havoc' | 'indeterminate'
  readonly template: TemplateLayout
  readonly edge: Edge
  readonly label: number
  readonly target: Variable
  readonly type: Type
  readonly range?: { readonly low: Expr; readonly high: Expr }
  /** Whether it matters how the program ends. */
  readonly endsMatter: boolean
}

export type Choice =
  | { readonly kind: 'values'; readonly values: readonly Value[] }
  | { readonly kind: 'sample'; readonly values: readonly Value[]; readonly reason: Reason }
  /** `values` looks at the state through `lookup`. */
  | { readonly kind: 'dynamic'; readonly values: (lookup: (variable: Variable) => Value) => Values }

interface Values {
  readonly values: readonly Value[]
  /** Set if these are not all. */
  readonly reason?: Reason
}

/** `skipDead`: one value is enough where nothing reads it. */
export const choiceAt = (site: ChoiceSite, evaluate: Evaluator, skipDead: boolean): Choice => {
  const { isLiveBefore } = livenessOf(site.template.procedure)
  const isDead = site.target.scope === 'local' && !isLiveBefore(site.target, site.edge, site.label + 1)
  if (skipDead && isDead && !site.range && site.kind === 'havoc') return { kind: 'values', values: [0] }
  let looked = false
  const found = valuesAt(site, evaluate, (variable) => {
    looked = true
    return wrap(variable.type, 0)
  })
  if (looked) return { kind: 'dynamic', values: remembering((lookup) => valuesAt(site, evaluate, lookup)) }
  return found.reason === undefined
    ? { kind: 'values', values: found.values }
    : { kind: 'sample', ...found, reason: found.reason }
}

/** Evaluates an expression over the values of variables. */
export type Evaluator = (e: Expr, lookup: (variable: Variable) => Value) => Value

const valuesAt = (site: ChoiceSite, evaluate: Evaluator, lookup: (variable: Variable) => Value): Values => {
  const { kind, template, edge, label, target, type, endsMatter } = site
  const range = site.range && {
    low: BigInt(evaluate(site.range.low, lookup)),
    high: BigInt(evaluate(site.range.high, lookup)),
  }
  if (range && range.low > range.high) return { values: [] }
  const domain = { target: { ...target, type }, ...(range ? { range } : {}) }
  try {
    const point = { template, edge, next: label + 1, target, endsMatter, valueOf: lookup }
    return { values: everyChoice(kind, domain, point) }
  } catch (error) {
    if (!(error instanceof BeyondBounds)) throw error
    const { low, high } = range ?? (type.kind === 'float' ? { low: 0n, high: 1n } : rangeOf(type))
    return { values: sample(type, low, high), reason: unbounded(edge.position) }
  }
}

export const unbounded = ({ file, line }: Position): Reason => ({ kind: 'sampled', at: { file, line } })

const sample = (type: Type, low: bigint, high: bigint): readonly Value[] => {
  const candidates = [0n, 1n, ...(isSigned(type) ? [-1n] : []), 2n, low, high]
  const inside = candidates.filter((value) => value >= low && value <= high)
  return [...new Set(inside.map((value) => wrap(type, value)))]
}

/** Remembers results by the values of the variables that were looked at. */
const remembering = (
  compute: (lookup: (variable: Variable) => Value) => Values,
): ((lookup: (variable: Variable) => Value) => Values) => {
  const looked = new Set<Variable>()
  let results = new Map<string, Values>()
  return (lookup) => {
    const key = (): string => [...looked].map(lookup).join()
    const known = looked.size > 0 ? results.get(key()) : undefined
    if (known) return known
    const before = looked.size
    const found = compute((variable) => {
      looked.add(variable)
      return lookup(variable)
    })
    if (looked.size > before || results.size > 10_000) results = new Map()
    results.set(key(), found)
    return found
  }
}
