// What is known of a thread's values: a value, or a range of integers, or nothing. Conditions narrow ranges; a small range is
// split into its values where an address depends on it.
import type { Frame, Layout, TemplateLayout } from '../../../semantics/layout.js'
import { constantValue, type Expr, type Type, type Value, type Variable, variablesOf } from '../../../xcfa/index.js'

/** Integers from low to high. */
export interface Range {
  readonly low: number
  readonly high: number
}

export type Known = Value | Range

export const isRange = (known: Known): known is Range => typeof known === 'object'

const ANY: Range = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

/** Ranges are kept of integers; that of 64 bits has ends that are a little too far. */
export const anyOf = (type: Type): Range => {
  if (type.kind !== 'int' || type.width > 64) return ANY
  const values = 2 ** type.width
  return type.signed ? { low: -values / 2, high: values / 2 - 1 } : { low: 0, high: values - 1 }
}

/** A range plus a constant, if that cannot wrap. */
export const shifted = (layout: Layout, sight: Sight, e: Expr): Range | undefined => {
  if (e.kind !== 'binary' || (e.op !== 'add' && e.op !== 'sub') || e.left.kind !== 'var') return undefined
  const [known, by] = [knownOf(sight, layout, e.left.variable), constantValue(e.right)]
  const { low, high } = anyOf(e.type)
  if (!isRange(known) || by === undefined || !Number.isFinite(low)) return undefined
  const distance = Number(by) * (e.op === 'add' ? 1 : -1)
  const moved = { low: known.low + distance, high: known.high + distance }
  const isExact = Math.abs(moved.low) < 2 ** 40 && Math.abs(moved.high) < 2 ** 40
  return isExact && moved.low >= low && moved.high <= high ? moved : undefined
}

export const valueOrRange = ({ low, high }: Range): Known => (low === high ? low : { low, high })

/** What a thread sees: its own variables, and globals that nobody writes any more. */
export interface Sight {
  readonly template: TemplateLayout
  readonly locals: readonly Known[]
  readonly globals: readonly Known[]
}

export const knownOf = ({ template, locals, globals }: Sight, layout: Layout, variable: Variable): Known =>
  variable.scope === 'global' ? globals[layout.globals.get(variable)!]! : locals[template.slots.get(variable)!]!

/** Undefined: it depends on what is not known. */
export const evaluate = (layout: Layout, sight: Sight, e: Expr): Value | undefined => {
  for (const variable of variablesOf(e)) if (isRange(knownOf(sight, layout, variable))) return undefined
  return layout.evaluator(sight.template, e)(sight as unknown as Frame)
}

/** How a condition narrows one variable; `other` is what it says if it fails. */
export interface Narrowing {
  readonly variable: Variable
  readonly holds: Range
  readonly other: Range
}

/** Of a comparison of a variable with a constant; a difference is none, unless it is at an end of the range. */
export const narrowingOf = (e: Expr, rangeOf: (variable: Variable) => Range | undefined): Narrowing | undefined => {
  if (e.kind === 'not') {
    const inner = narrowingOf(e.arg, rangeOf)
    return inner && { variable: inner.variable, holds: inner.other, other: inner.holds }
  }
  if (e.kind === 'cast' && e.arg.type.kind === 'bool') return narrowingOf(e.arg, rangeOf)
  if (e.kind !== 'compare') return undefined
  const [left, right] = [constantValue(e.left), constantValue(e.right)]
  const side = right !== undefined ? e.left : e.right
  const value = right ?? left
  const range = side.kind === 'var' ? rangeOf(side.variable) : undefined
  if (side.kind !== 'var' || value === undefined || !range || !Number.isFinite(range.low)) return undefined
  const { variable } = side
  const at = Number(value)
  const [below, above] = [
    { low: range.low, high: Math.min(range.high, at - 1) },
    { low: Math.max(range.low, at + 1), high: range.high },
  ]
  const upTo = { low: range.low, high: Math.min(range.high, at) }
  const from = { low: Math.max(range.low, at), high: range.high }
  const isIn = at >= range.low && at <= range.high
  const only = isIn ? { low: at, high: at } : EMPTY
  const without = at === range.low ? above : at === range.high ? below : range
  switch (e.op) {
    case 'eq':
      return { variable, holds: only, other: without }
    case 'ne':
      return { variable, holds: without, other: only }
    case 'lt':
      return right !== undefined ? { variable, holds: below, other: from } : { variable, holds: above, other: upTo }
    case 'le':
      return right !== undefined ? { variable, holds: upTo, other: above } : { variable, holds: from, other: below }
  }
}

const EMPTY: Range = { low: 1, high: 0 }

export const isEmpty = ({ low, high }: Range): boolean => low > high

/** What is left of a disjunction when the parts that do not hold are left out. */
export const onlyOpen = (e: Expr, evaluated: (e: Expr) => Value | undefined): Expr => {
  if (e.kind !== 'or') return e
  const fails = (part: Expr): boolean =>
    part.kind === 'and' ? part.args.some(fails) : part.kind === 'or' ? part.args.every(fails) : evaluated(part) === 0
  const left = e.args.filter((part) => !fails(part))
  return left.length === 1 ? onlyOpen(left[0]!, evaluated) : e
}
