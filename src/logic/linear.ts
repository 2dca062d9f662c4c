// Linear forms: a term as a sum of coefficients times opaque terms, plus a constant. Coefficients are exact fractions.
import type { Term } from './term.js'
import { type Rational, rational } from './value.js'

export interface LinearForm {
  /** Never zero. */
  readonly coefficients: ReadonlyMap<Term, Rational>
  readonly constant: Rational
}

export const ZERO = rational(0n, 1n)
export const ONE = rational(1n, 1n)

const plus = (a: Rational, b: Rational): Rational =>
  a.denominator === 1n && b.denominator === 1n
    ? { kind: 'rational', numerator: a.numerator + b.numerator, denominator: 1n }
    : rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)

const times = (a: Rational, b: Rational): Rational =>
  a.denominator === 1n && b.denominator === 1n
    ? { kind: 'rational', numerator: a.numerator * b.numerator, denominator: 1n }
    : rational(a.numerator * b.numerator, a.denominator * b.denominator)

export const negate = (a: Rational): Rational => ({
  kind: 'rational',
  numerator: -a.numerator,
  denominator: a.denominator,
})

const numberOf = (term: Term): Rational => {
  const value = term.value
  return typeof value === 'bigint' ? { kind: 'rational', numerator: value, denominator: 1n } : (value as Rational)
}

/** Adds `scale * term` for every pair. Sums and constant multiples are opened, all else is opaque. */
export const linearForm = (terms: readonly (readonly [Term, Rational])[]): LinearForm => {
  const coefficients = new Map<Term, Rational>()
  let total = ZERO
  const stack: (readonly [Term, Rational])[] = [...terms].reverse()
  while (stack.length > 0) {
    const [term, scale] = stack.pop()!
    if (term.op === 'const') total = plus(total, times(scale, numberOf(term)))
    else if (term.op === '+') for (const arg of term.args) stack.push([arg, scale])
    else if (term.op === '*' && term.args[0]!.op === 'const')
      stack.push([term.args[1]!, times(scale, numberOf(term.args[0]!))])
    else {
      const sum = plus(coefficients.get(term) ?? ZERO, scale)
      if (sum.numerator === 0n) coefficients.delete(term)
      else coefficients.set(term, sum)
    }
  }
  return { coefficients, constant: total }
}
