// Linear ranking functions of loops by Farkas' lemma (Podelski and Rybalchenko): r(V) is bounded below and decreases on
// every step of the relation. The multipliers and the coefficients of r are the unknowns of one linear program.
import {
  add,
  and,
  eq,
  ge,
  INT_SORT,
  intConst,
  type LinearForm,
  le,
  linearForm,
  linearTerm,
  mul,
  or,
  type Rational,
  REAL_SORT,
  rational,
  realConst,
  sub,
  substitute,
  type Term,
  variable,
} from '../../../logic/index.js'
import type { Smt, Solver } from '../../../smt/index.js'
import { cubesOf } from '../../../smt/interpolation/cubes.js'

/** r(V) over the variables before a round; `decreases` over them and those after it. */
export interface Ranking {
  readonly rank: Term
  /** r(V) >= 0 and r(V') <= r(V) - 1. */
  readonly decreases: (before: ReadonlyMap<Term, Term>, after: ReadonlyMap<Term, Term>) => Term
}

/** form <= 0, or form = 0. */
interface Row {
  readonly form: LinearForm
  readonly equality: boolean
}

const MAX_CUBES = 32
const ONE = rational(1n, 1n)
const MINUS_ONE = rational(-1n, 1n)
const real = ({ numerator, denominator }: Rational): Term => realConst(numerator, denominator)
const zero = realConst(0)
const minus = (term: Term): Term => mul(realConst(-1), term)

const next = (term: Term): Term => variable(`next ${term.name}`, term.sort)

/** A way round a loop: when it can be taken, and the values of the variables after it. */
export interface Loop {
  readonly constraint: Term
  readonly after: ReadonlyMap<Term, Term>
}

/** One function for all of these loops. */
export const synthesiseRanking = (
  smt: Smt,
  variables: readonly Term[],
  loops: readonly Loop[],
): Ranking | undefined => {
  const integers = variables.filter((v) => v.sort.kind === 'int')
  const relation = or(
    loops.map(({ constraint, after }) =>
      and(
        constraint,
        integers.map((v) => eq(next(v), after.get(v) ?? v)),
      ),
    ),
  )
  const cubes = cubesOf(relation, MAX_CUBES)
  if (!cubes) return undefined
  const solver = smt.solver({ logic: 'QF_LRA', timeoutMs: 5000 })
  try {
    const coefficients = new Map(integers.map((v, i) => [v, variable(`r${i}`, REAL_SORT)]))
    const offset = variable('r', REAL_SORT)
    for (const [i, cube] of cubes.entries()) {
      if (!isPossible(smt, cube)) continue
      const rows = cube.flatMap(rowOf)
      const bounded = new Map([...coefficients].map(([v, r]) => [v, minus(r)]))
      const decreasing = new Map([...coefficients].flatMap(([v, r]) => [[next(v), r] as const, [v, minus(r)] as const]))
      entails(solver, rows, bounded, minus(offset), `bounded ${i}`)
      entails(solver, rows, decreasing, realConst(1), `decreasing ${i}`)
    }
    if (solver.check() !== 'sat') return undefined
    const values = solver.values([...coefficients.values(), offset])
    return rankingOf(
      [...coefficients].map(([v, r]) => [v, asRational(values.get(r))] as const),
      asRational(values.get(offset)),
    )
  } finally {
    solver.dispose()
  }
}

const isPossible = (smt: Smt, cube: readonly Term[]): boolean => {
  const solver = smt.solver({ timeoutMs: 2000 })
  try {
    solver.add(and(cube))
    return solver.check() !== 'unsat'
  } finally {
    solver.dispose()
  }
}

/** What is not linear is left out, which makes the premise weaker only. */
const rowOf = (literal: Term): readonly Row[] => {
  const [a, b] = literal.args
  if (!a || !b || a.sort.kind !== 'int') return []
  const difference: (readonly [Term, Rational])[] = [
    [a, ONE],
    [b, MINUS_ONE],
  ]
  switch (literal.op) {
    case '<=':
      return [{ form: linearForm(difference), equality: false }]
    case '<':
      return [{ form: linearForm([...difference, [intConst(1), ONE]]), equality: false }]
    case '=':
      return [{ form: linearForm(difference), equality: true }]
    default:
      return []
  }
}

/** The rows imply sum of coefficients times variables + constant <= 0: a combination of them says so. */
const entails = (
  solver: Solver,
  rows: readonly Row[],
  coefficients: ReadonlyMap<Term, Term>,
  constantTerm: Term,
  name: string,
): void => {
  const multipliers = rows.map((_, i) => variable(`${name}.${i}`, REAL_SORT))
  rows.forEach(({ equality }, i) => {
    if (!equality) solver.add(ge(multipliers[i]!, zero))
  })
  const terms = new Set<Term>([...coefficients.keys(), ...rows.flatMap(({ form }) => [...form.coefficients.keys()])])
  for (const term of terms) {
    const combined = rows.flatMap(({ form }, i) => {
      const coefficient = form.coefficients.get(term)
      return coefficient ? [mul(real(coefficient), multipliers[i]!)] : []
    })
    solver.add(eq(coefficients.get(term) ?? zero, add(zero, ...combined)))
  }
  const constants = rows.map(({ form }, i) => mul(real(form.constant), multipliers[i]!))
  solver.add(le(constantTerm, add(zero, ...constants)))
}

const asRational = (value: unknown): Rational => {
  if (typeof value === 'bigint') return rational(value, 1n)
  return value as Rational
}

/** With whole coefficients: scaled by what all denominators divide. */
const rankingOf = (coefficients: readonly (readonly [Term, Rational])[], offset: Rational): Ranking => {
  const scale = [...coefficients.map(([, c]) => c), offset].reduce(
    (least, c) => leastCommonMultiple(least, c.denominator),
    1n,
  )
  const whole = (c: Rational): Rational => rational((c.numerator * scale) / c.denominator, 1n)
  const rank = linearTerm(
    INT_SORT,
    linearForm([...coefficients.map(([v, c]) => [v, whole(c)] as const), [intConst(1), whole(offset)]]),
  )
  return rankingBy(rank)
}

export const rankingBy = (rank: Term): Ranking => ({
  rank,
  decreases: (before, after) => {
    const [first, second] = [substitute(rank, before), substitute(rank, after)]
    return and(ge(first, intConst(0)), le(second, sub(first, intConst(1))))
  },
})

const leastCommonMultiple = (a: bigint, b: bigint): bigint => (a / greatestCommonDivisor(a, b)) * b
const greatestCommonDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestCommonDivisor(b, a % b))
