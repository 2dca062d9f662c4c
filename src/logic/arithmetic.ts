// Constructors of integer and real arithmetic. Sums are linear forms with opaque factors, sorted; comparisons put
// positive coefficients left and negative ones right, integer ones divided by their greatest common divisor, so that
// `x < y`, `x + 1 <= y` and `not (y <= x)` are one term.

import { type LinearForm, linearForm, negate, ONE } from './linear.js'
import { normaliseComparison } from './linear-atoms.js'
import { BOOL_SORT, INT_SORT, REAL_SORT, type Sort } from './sort.js'
import { application, constant, FALSE, type Term, TRUE } from './term.js'
import { fold, type Rational, rational, type Value } from './value.js'

export const intConst = (value: bigint | number): Term => constant(INT_SORT, BigInt(value))
export const realConst = (numerator: bigint | number, denominator: bigint | number = 1n): Term =>
  constant(REAL_SORT, rational(BigInt(numerator), BigInt(denominator)))

const numeral = (sort: Sort, value: Rational): Term =>
  sort.kind === 'int' ? constant(INT_SORT, value.numerator) : constant(REAL_SORT, value)

const monomial = (sort: Sort, factor: Rational, term: Term): Term =>
  factor.numerator === 1n && factor.denominator === 1n ? term : application('*', sort, [numeral(sort, factor), term])

/** The term of a linear form: monomials by id, the constant last. */
export const linearTerm = (sort: Sort, form: LinearForm): Term => {
  const args = [...form.coefficients].sort(([a], [b]) => a.id - b.id).map(([term, c]) => monomial(sort, c, term))
  if (form.constant.numerator !== 0n || args.length === 0) args.push(numeral(sort, form.constant))
  return args.length === 1 ? args[0]! : application('+', sort, args)
}

export const add = (...terms: readonly Term[]): Term =>
  linearTerm(terms[0]!.sort, linearForm(terms.map((t) => [t, ONE] as const)))

export const sub = (a: Term, b: Term): Term =>
  linearTerm(
    a.sort,
    linearForm([
      [a, ONE],
      [b, negate(ONE)],
    ]),
  )

export const neg = (a: Term): Term => linearTerm(a.sort, linearForm([[a, negate(ONE)]]))

const asNumber = (term: Term): Rational | undefined =>
  term.op !== 'const' ? undefined : typeof term.value === 'bigint' ? rational(term.value, 1n) : (term.value as Rational)

export const mul = (a: Term, b: Term): Term => {
  const left = asNumber(a)
  if (left) return linearTerm(b.sort, linearForm([[b, left]]))
  const right = asNumber(b)
  if (right) return linearTerm(a.sort, linearForm([[a, right]]))
  // The coefficients of the factors become one in front.
  const [ca, ta] = factorOf(a)
  const [cb, tb] = factorOf(b)
  const product = application('*', a.sort, ta.id < tb.id ? [ta, tb] : [tb, ta])
  return linearTerm(
    a.sort,
    linearForm([[product, rational(ca.numerator * cb.numerator, ca.denominator * cb.denominator)]]),
  )
}

const factorOf = (term: Term): readonly [Rational, Term] =>
  term.op === '*' && term.args[0]!.op === 'const' ? [asNumber(term.args[0]!)!, term.args[1]!] : [ONE, term]

const divisionLike = (op: 'div' | 'mod', a: Term, b: Term): Term => {
  if (b.op === 'const') {
    const divisor = b.value as bigint
    if (divisor === 1n) return op === 'div' ? a : intConst(0)
    if (a.op === 'const' && divisor !== 0n)
      return constant(INT_SORT, fold(op, INT_SORT, 0, [a.value as Value, divisor], [INT_SORT, INT_SORT])!)
    if (op === 'mod' && divisor > 0n) {
      if (a.op === 'mod' && a.args[1] === b) return a
      const plain = withoutInnerMods(a, divisor)
      return plain.op === 'const' ? mod(plain, b) : application(op, INT_SORT, [plain, b])
    }
  }
  return application(op, INT_SORT, [a, b])
}

/** A sum that is the same modulo the divisor: what is taken modulo a multiple of it there counts as it is. */
const withoutInnerMods = (a: Term, divisor: bigint): Term => {
  const { coefficients, constant: whole } = linearForm([[a, ONE]])
  const isInner = ({ op, args: [, by] }: Term): boolean =>
    op === 'mod' && by!.op === 'const' && (by!.value as bigint) > 0n && (by!.value as bigint) % divisor === 0n
  if (![...coefficients.keys()].some(isInner)) return a
  const opened = [...coefficients].map(([term, c]) => [isInner(term) ? term.args[0]! : term, c] as const)
  return withoutInnerMods(
    linearTerm(INT_SORT, linearForm([...opened, [constant(INT_SORT, whole.numerator), ONE]])),
    divisor,
  )
}

/** SMT-LIB's integer division: the remainder is never negative. C's truncating division is in xcfa/terms. */
export const div = (a: Term, b: Term): Term => divisionLike('div', a, b)
export const mod = (a: Term, b: Term): Term => divisionLike('mod', a, b)

export const toReal = (a: Term): Term =>
  a.op === 'const' ? realConst(a.value as bigint) : application('to_real', REAL_SORT, [a])

const atom = (op: '<=' | '<' | '=', a: Term, b: Term): Term => {
  const form = normaliseComparison(op, a, b)
  if (typeof form === 'boolean') return form ? TRUE : FALSE
  return application(form.op, BOOL_SORT, [linearTerm(a.sort, form.left), linearTerm(a.sort, form.right)])
}

export const intLessEqual = (a: Term, b: Term): Term => atom('<=', a, b)
export const intLess = (a: Term, b: Term): Term => atom('<', a, b)
export const intEquals = (a: Term, b: Term): Term => atom('=', a, b)

export const le = intLessEqual
export const lt = intLess
export const ge = (a: Term, b: Term): Term => le(b, a)
export const gt = (a: Term, b: Term): Term => lt(b, a)
