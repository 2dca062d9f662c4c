// The linear equations that hold of all samples: a basis, in which every dependent variable is told by independent ones
// (Karr's domain on data). Variables that come first are told by none, so that inputs and bounds stay independent.
import * as logic from '../../logic/index.js'
import { type Rational, rational, type Term } from '../../logic/index.js'

/** Fewer samples than this tell nothing. */
const MIN_SAMPLES = 4
const MAX_VARIABLES = 40
const MAX_TERMS = 5
const MAX_COEFFICIENT = 64n

const ZERO = rational(0n, 1n)

export const equationsOf = (
  samples: readonly ReadonlyMap<Term, bigint>[],
  variables: readonly Term[],
): readonly Term[] => {
  if (samples.length < MIN_SAMPLES) return []
  const known = variables.filter((v) => samples.every((sample) => sample.has(v))).slice(0, MAX_VARIABLES)
  const rows = distinct(samples.map((sample) => [1n, ...known.map((v) => sample.get(v)!)]))
  const { reduced, pivots } = echelon(rows.map((row) => row.map((each) => rational(each, 1n))))
  const columns = known.length + 1
  const equations: Term[] = []
  for (let column = 1; column < columns; column++) {
    if (pivots.includes(column)) continue
    const coefficients = new Map<Term, Rational>()
    let constant = ZERO
    for (const [row, pivot] of pivots.entries()) {
      const value = reduced[row]![column]!
      if (value.numerator === 0n) continue
      if (pivot === 0) constant = value
      else coefficients.set(known[pivot - 1]!, value)
    }
    // Few samples are on some plane by chance.
    if (rows.length < columns + 2 && coefficients.size > 1) continue
    const equation = equationFor(known[column - 1]!, coefficients, constant)
    if (equation) equations.push(equation)
  }
  return equations
}

/** v = constant + sum, without fractions; undefined where it is not a simple one. */
const equationFor = (v: Term, sum: ReadonlyMap<Term, Rational>, constant: Rational): Term | undefined => {
  if (sum.size + 1 > MAX_TERMS) return undefined
  const scale = [...sum.values(), constant].reduce(
    (lcm, { denominator }) => (lcm * denominator) / gcd(lcm, denominator),
    1n,
  )
  const scaled = (each: Rational): bigint => (each.numerator * scale) / each.denominator
  if (scale > MAX_COEFFICIENT || [...sum.values()].some((each) => abs(scaled(each)) > MAX_COEFFICIENT)) return undefined
  const right = [...sum].map(([other, each]) => logic.mul(logic.intConst(scaled(each)), other))
  return logic.eq(logic.mul(logic.intConst(scale), v), logic.add(logic.intConst(scaled(constant)), ...right))
}

export const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? abs(a) : gcd(b, a % b))
const abs = (a: bigint): bigint => (a < 0n ? -a : a)

const distinct = (rows: readonly (readonly bigint[])[]): readonly (readonly bigint[])[] => [
  ...new Map(rows.map((row) => [row.join(), row])).values(),
]

/** Reduced row echelon form. */
const echelon = (rows: readonly (readonly Rational[])[]) => {
  const reduced = rows.map((row) => [...row])
  const pivots: number[] = []
  const columns = reduced[0]?.length ?? 0
  for (let column = 0; column < columns && pivots.length < reduced.length; column++) {
    const rank = pivots.length
    const found = reduced.findIndex((row, i) => i >= rank && row[column]!.numerator !== 0n)
    if (found < 0) continue
    const pivotRow = reduced[found]!
    reduced[found] = reduced[rank]!
    const factor = inverse(pivotRow[column]!)
    reduced[rank] = pivotRow.map((each) => times(each, factor))
    for (const [i, row] of reduced.entries()) {
      const lead = row[column]!
      if (i === rank || lead.numerator === 0n) continue
      reduced[i] = row.map((each, j) => minus(each, times(lead, reduced[rank]![j]!)))
    }
    pivots.push(column)
  }
  return { reduced, pivots }
}

const inverse = ({ numerator, denominator }: Rational): Rational => rational(denominator, numerator)
const times = (a: Rational, b: Rational): Rational => rational(a.numerator * b.numerator, a.denominator * b.denominator)
const minus = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator)
