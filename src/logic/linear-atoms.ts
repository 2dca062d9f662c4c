// Normal forms of linear comparisons: `left op right` with positive coefficients on each side and at most one
// constant, on the right. Over the integers a strict bound becomes a weak one and constants are rounded.
import { bigGcd } from './gcd.js'
import { type LinearForm, linearForm, negate, ONE, ZERO } from './linear.js'
import type { Term } from './term.js'
import { euclideanDivision, type Rational, rational } from './value.js'

export interface Comparison {
  readonly op: '<=' | '<' | '='
  readonly left: LinearForm
  readonly right: LinearForm
}

/** Divides by the common divisor of the coefficients: `sum op bound` with integers, or a truth value. */
const reduceIntegers = (
  op: '<=' | '<' | '=',
  coefficients: ReadonlyMap<Term, Rational>,
  bound: bigint,
): boolean | { coefficients: ReadonlyMap<Term, Rational>; bound: bigint } => {
  let divisor = 0n
  for (const c of coefficients.values()) divisor = bigGcd(divisor, c.numerator)
  const { quotient, remainder } = euclideanDivision(op === '<' ? bound - 1n : bound, divisor)
  if (op === '=' && remainder !== 0n) return false
  if (divisor === 1n) return { coefficients, bound: quotient }
  const reduced = new Map([...coefficients].map(([t, c]) => [t, rational(c.numerator / divisor, 1n)] as const))
  return { coefficients: reduced, bound: quotient }
}

const truth = (op: '<=' | '<' | '=', bound: Rational): boolean =>
  op === '<=' ? bound.numerator >= 0n : op === '<' ? bound.numerator > 0n : bound.numerator === 0n

/** sum op bound, split by signs. */
const split = (op: Comparison['op'], coefficients: ReadonlyMap<Term, Rational>, bound: Rational): Comparison => {
  const left = new Map<Term, Rational>()
  const right = new Map<Term, Rational>()
  for (const [term, c] of coefficients) {
    if (c.numerator > 0n) left.set(term, c)
    else right.set(term, negate(c))
  }
  if (left.size === 0 && bound.numerator !== 0n && right.size > 0)
    return { op, left: { coefficients: left, constant: negate(bound) }, right: { coefficients: right, constant: ZERO } }
  return { op, left: { coefficients: left, constant: ZERO }, right: { coefficients: right, constant: bound } }
}

export const normaliseComparison = (op: '<=' | '<' | '=', a: Term, b: Term): boolean | Comparison => {
  const difference = linearForm([
    [a, ONE],
    [b, negate(ONE)],
  ])
  let coefficients = difference.coefficients
  let bound = negate(difference.constant)
  if (coefficients.size === 0) return truth(op, bound)
  if (op === '=') {
    // The first variable is on the left.
    let first: Term | undefined
    for (const term of coefficients.keys()) if (!first || term.id < first.id) first = term
    if (coefficients.get(first!)!.numerator < 0n) {
      coefficients = new Map([...coefficients].map(([t, c]) => [t, negate(c)] as const))
      bound = negate(bound)
    }
  }
  if (a.sort.kind !== 'int') return split(op, coefficients, bound)
  const reduced = reduceIntegers(op, coefficients, bound.numerator)
  if (typeof reduced === 'boolean') return reduced
  return split(op === '<' ? '<=' : op, reduced.coefficients, rational(reduced.bound, 1n))
}
