// Interpolants of linear arithmetic by Farkas' lemma: a combination of the inequalities with multipliers >= 0 says
// 0 <= -1, and its partial sums along the sequence are the interpolants. The solver finds the multipliers as a linear
// program. Disjunctions give one problem for each path of cubes: the interpolant at a cut is the disjunction over
// what was chosen before it of the conjunction over what may be chosen after it, which is inductive step by step.
// Integers: constants are rounded by the constructors of the logic, which keeps partial sums inductive.
import {
  add,
  and,
  eq,
  FALSE,
  freeVariables,
  ge,
  INT_SORT,
  intConst,
  type LinearForm,
  le,
  linearForm,
  linearTerm,
  mul,
  not,
  or,
  postorder,
  type Rational,
  REAL_SORT,
  rational,
  realConst,
  type Term,
  TRUE,
  variable,
} from '../../logic/index.js'
import type { Smt, Solver, SolverOptions } from '../interfaces.js'
import { sharedVariables } from '../validate.js'
import { type Cube, cubesOf } from './cubes.js'
import type { Interpolator } from './problem.js'

/** More paths of cubes than this are left to other methods. */
const PATH_LIMIT = 64

/** form <= 0, or form = 0. */
interface Row {
  readonly position: number
  readonly form: LinearForm
  readonly equality: boolean
}

const ONE = rational(1n, 1n)
const MINUS_ONE = rational(-1n, 1n)

export const farkas: Interpolator = (smt, formulas, options) => {
  const choices: (readonly Cube[])[] = []
  let paths = 1
  for (const formula of formulas) {
    const cubes = cubesOf(formula, PATH_LIMIT)
    if (!cubes || (paths *= Math.max(cubes.length, 1)) > PATH_LIMIT) return 'farkas: too many disjunctions'
    choices.push(cubes)
  }
  const search = new PathSearch(smt, sharedVariables(formulas), paths === 1, options)
  try {
    return combine(choices, search)
  } finally {
    search.dispose()
  }
}

/** All paths through the cubes; see the head of this file for how their interpolants come together. */
const combine = (choices: readonly (readonly Cube[])[], search: PathSearch): readonly Term[] | string => {
  // After position k: for each path of choices up to k, the conjunction over its continuations of I_0 .. I_(n-1).
  const visit = (prefix: readonly Cube[]): readonly Term[] | string => {
    if (prefix.length === choices.length) return search.interpolants(prefix)
    const cuts = choices.length - 1
    const here = prefix.length
    let result: readonly Term[] | undefined
    for (const cube of choices[here]!) {
      const below = visit([...prefix, cube])
      if (typeof below === 'string') return below
      // Cuts before this choice see it in their future, those after it in their past.
      result = result ? result.map((term, cut) => (cut < here ? and(term, below[cut]!) : or(term, below[cut]!))) : below
    }
    return result ?? Array.from({ length: cuts }, (_, cut) => (cut < here ? TRUE : FALSE))
  }
  return visit([])
}

class PathSearch {
  private readonly literals: Solver
  private readonly program: Solver

  constructor(
    smt: Smt,
    private readonly shared: readonly ReadonlySet<Term>[],
    /** There is one path only: it is known to be contradictory, and sliced already. */
    private readonly single: boolean,
    options: SolverOptions,
  ) {
    this.literals = smt.solver(options)
    this.program = smt.solver(options)
  }

  dispose(): void {
    this.literals.dispose()
    this.program.dispose()
  }

  /** Interpolants of one path of cubes. */
  interpolants(path: readonly Cube[]): readonly Term[] | string {
    const positions = new Map<Term, number>()
    for (const [position, cube] of path.entries())
      for (const literal of cube) if (!positions.has(literal)) positions.set(literal, position)
    const refuted = this.single || this.literals.check([...positions.keys()]) === 'unsat'
    if (!refuted) return 'farkas: a path of cubes is not refuted'
    const needed = this.single ? [...positions.keys()] : this.literals.core()
    const core = needed.map((literal) => ({ literal, position: positions.get(literal)! }))
    return this.complementary(core, path.length) ?? this.linear(core, path.length)
  }

  /** Two literals that deny each other, such as truth variables. */
  private complementary(
    core: readonly { literal: Term; position: number }[],
    length: number,
  ): readonly Term[] | undefined {
    const positions = new Map(core.map(({ literal, position }) => [literal, position]))
    for (const { literal, position } of core) {
      const other = positions.get(not(literal))
      if (other !== undefined && other >= position)
        return Array.from({ length: length - 1 }, (_, cut) => (cut < position ? TRUE : cut < other ? literal : FALSE))
    }
    return undefined
  }

  private linear(core: readonly { literal: Term; position: number }[], length: number): readonly Term[] | string {
    const rows: Row[] = []
    for (const { literal, position } of core) {
      const row = rowOf(literal, position)
      if (!row) return 'farkas: not linear'
      rows.push(row, ...definitions(literal, position))
    }
    const multipliers = this.multipliers(rows)
    if (!multipliers) return 'farkas: no rational contradiction'
    return this.partialSums(rows, multipliers, length)
  }

  /** Multipliers whose sum of rows has no variable and a positive constant. */
  private multipliers(rows: readonly Row[]): readonly Rational[] | undefined {
    const lambda = rows.map((_, i) => variable(`lambda!${i}`, REAL_SORT))
    const columns = new Map<Term, Term[]>()
    rows.forEach(({ form }, i) => {
      for (const [v, coefficient] of form.coefficients) {
        const column = columns.get(v) ?? []
        column.push(mul(realTerm(coefficient), lambda[i]!))
        columns.set(v, column)
      }
    })
    this.program.push()
    rows.forEach((row, i) => {
      if (!row.equality) this.program.add(ge(lambda[i]!, realConst(0)))
    })
    for (const column of columns.values()) this.program.add(eq(add(...column), realConst(0)))
    const constants = rows.map(({ form }, i) => mul(realTerm(form.constant), lambda[i]!))
    this.program.add(eq(add(realConst(0), ...constants), realConst(1)))
    const found = this.program.check() === 'sat' ? this.program.model() : undefined
    const values = found && lambda.map((each) => found.get(each) as Rational)
    this.program.pop()
    return values
  }

  private partialSums(
    rows: readonly Row[],
    multipliers: readonly Rational[],
    length: number,
  ): readonly Term[] | string {
    const result: Term[] = []
    for (let cut = 0; cut < length - 1; cut++) {
      const parts = rows.flatMap(({ form, position }, i) => (position <= cut ? scaled(form, multipliers[i]!) : []))
      const sum = linearForm(parts)
      const foreign = [...sum.coefficients.keys()].some((v) =>
        freeVariables(v).some((each) => !this.shared[cut]!.has(each)),
      )
      if (foreign) return 'farkas: a term that is not shared remains'
      result.push(atMostZero(sum))
    }
    return result
  }
}

const realTerm = ({ numerator, denominator }: Rational): Term => realConst(numerator, denominator)

const times = (a: Rational, b: Rational): Rational => rational(a.numerator * b.numerator, a.denominator * b.denominator)

const scaled = (form: LinearForm, factor: Rational): readonly (readonly [Term, Rational])[] => [
  ...[...form.coefficients].map(([v, coefficient]) => [v, times(coefficient, factor)] as const),
  [intConst(1), times(form.constant, factor)] as const,
]

/** `sum <= 0` with integer coefficients; the constructor divides and rounds. */
const atMostZero = ({ coefficients, constant }: LinearForm): Term => {
  const first = coefficients.keys().next()
  if (first.done) return constant.numerator > 0n ? FALSE : TRUE
  let common = constant.denominator
  for (const { denominator } of coefficients.values()) common = leastCommonMultiple(common, denominator)
  const factor = rational(common, 1n)
  const sort = first.value.sort
  const whole: LinearForm = {
    coefficients: new Map([...coefficients].map(([v, c]) => [v, times(c, factor)])),
    constant: times(constant, factor),
  }
  return le(linearTerm(sort, whole), sort === INT_SORT ? intConst(0) : realConst(0))
}

const leastCommonMultiple = (a: bigint, b: bigint): bigint => {
  let [x, y] = [a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return (a / x) * b
}

const difference = (a: Term, b: Term): LinearForm =>
  linearForm([
    [a, ONE],
    [b, MINUS_ONE],
  ])

const rowOf = (literal: Term, position: number): Row | undefined => {
  const [a, b] = literal.args as readonly [Term, Term]
  const arithmetic = a !== undefined && (a.sort.kind === 'int' || a.sort.kind === 'real')
  if (!arithmetic || (literal.op !== '<=' && literal.op !== '=')) return undefined
  return { position, form: difference(a, b), equality: literal.op === '=' }
}

/** Quotients and remainders by constants are opaque to linear arithmetic: what defines them goes with them. */
const definitions = (literal: Term, position: number): readonly Row[] => {
  const rows: Row[] = []
  const atMost = (a: Term, b: Term) => rows.push({ position, form: difference(a, b), equality: false })
  postorder([literal], (term) => {
    if ((term.op !== 'div' && term.op !== 'mod') || term.args[1]!.op !== 'const') return
    const [a, b] = term.args as readonly [Term, Term]
    const divisor = b.value as bigint
    if (divisor <= 0n) return
    if (term.op === 'div') {
      atMost(mul(b, term), a)
      atMost(a, add(mul(b, term), intConst(divisor - 1n)))
    } else {
      atMost(intConst(0), term)
      atMost(term, intConst(divisor - 1n))
    }
  })
  return rows
}
