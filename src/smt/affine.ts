// Affine invariants of Horn clauses, after Karr (Affine relationships among variables of a program, 1976): for every
// relation the equations between its integer arguments that hold in the least solution, as far as affine hulls show them.
// Given to Spacer as facts they spare it the equations that counting needs, which it seldom finds by itself.
//
// The affine hull of a set of points x is kept as the linear hull of the vectors (1, x). What is not linear counts as a
// value of its own, so that nothing is lost: hulls only get larger.
import { bigGcd } from '../logic/gcd.js'
import {
  add,
  and,
  conjuncts,
  eq,
  FALSE,
  freeVariables,
  intConst,
  linearForm,
  mul,
  rational,
  type Term,
} from '../logic/index.js'
import { type Atom, parameter, type Relation, type Rule } from './interfaces.js'
import { instantiate } from './validate.js'

/** By column; column 0 stands for 1. Where only the direction counts: no zeros, no common divisor. */
type Vector = ReadonlyMap<number, bigint>

/** Equations over the parameters of each relation that holds somewhere; FALSE for one that never does. */
export const affineInvariants = (rules: readonly Rule[]): ReadonlyMap<Relation, Term> => {
  const hulls = new Map<Relation, Hull>()
  const using = new Map<Relation, Rule[]>()
  for (const rule of rules)
    for (const { relation } of rule.head ? [...rule.body, rule.head] : rule.body) {
      if (!hulls.has(relation)) hulls.set(relation, new Hull(relation))
      using.set(relation, [...(using.get(relation) ?? []), rule])
    }
  const work = new Set(rules)
  for (const rule of work) {
    work.delete(rule)
    if (!rule.head) continue
    const { relation } = rule.head
    const points = pointsOf(rule, hulls)
    if (!points.map((point) => hulls.get(relation)!.add(point)).some((isNew) => isNew)) continue
    for (const next of using.get(relation)!) if (next.body.some((a) => a.relation === relation)) work.add(next)
  }
  return new Map([...hulls].map(([relation, hull]) => [relation, equationsOf(relation, hull)]))
}

export interface Projected {
  readonly rules: readonly Rule[]
  /** A solution of the original rules. */
  restore(solution: ReadonlyMap<Relation, Term>): ReadonlyMap<Relation, Term>
}

/** The rules with what is known of the atoms in their bodies; those that cannot be used are left out. */
export const withInvariants = (rules: readonly Rule[], invariants: ReadonlyMap<Relation, Term>): readonly Rule[] =>
  rules.flatMap((rule) => {
    const constraint = and(
      rule.constraint,
      rule.body.map((atom) => instantiate(invariants, atom)),
    )
    return constraint === FALSE ? [] : [{ ...rule, constraint }]
  })

/** The same, without the arguments that the others determine. */
export const projected = (rules: readonly Rule[], invariants: ReadonlyMap<Relation, Term>): Projected => {
  const kept = new Map([...invariants].map(([relation, equations]) => [relation, freeArguments(relation, equations)]))
  const smaller = new Map(
    [...kept].map(([relation, columns]) => [
      relation,
      { name: relation.name, sorts: columns.map((i) => relation.sorts[i]!) },
    ]),
  )
  const project = ({ relation, args }: Atom): Atom => ({
    relation: smaller.get(relation)!,
    args: kept.get(relation)!.map((i) => args[i]!),
  })
  return {
    rules: withInvariants(rules, invariants).map((rule) => ({
      ...rule,
      head: rule.head && project(rule.head),
      body: rule.body.map(project),
    })),
    restore: (solution) =>
      new Map(
        [...smaller].flatMap(([relation, less]) => {
          const formula = solution.get(less)
          const meaning = kept.get(relation)!.map((i) => parameter(relation, i))
          return formula ? [[relation, instantiate(solution, { relation: less, args: meaning })]] : []
        }),
      ),
  }
}

/** Arguments that no equation gives as a whole number of the others; each equation gives at most one. */
const freeArguments = (relation: Relation, equations: Term): readonly number[] => {
  const all = relation.sorts.map((_, i) => i)
  if (equations === FALSE) return all
  const given = new Set<Term>()
  for (const equation of conjuncts(equations)) {
    if (equation.op !== '=') continue
    const { coefficients } = linearForm([
      [equation.args[0]!, rational(1n, 1n)],
      [equation.args[1]!, rational(-1n, 1n)],
    ])
    const unit = [...coefficients].filter(
      ([term, c]) => term.op === 'var' && c.denominator === 1n && (c.numerator === 1n || c.numerator === -1n),
    )
    // One that no other equation needs: then none is given by another that is left out, too.
    const own = unit.find(([term]) => conjuncts(equations).every((e) => e === equation || !mentions(e, term)))
    if (own) given.add(own[0])
  }
  return all.filter((i) => !given.has(parameter(relation, i)))
}

const mentions = (term: Term, v: Term): boolean => freeVariables(term).includes(v)

const equationsOf = (relation: Relation, hull: Hull): Term => {
  if (hull.isEmpty) return FALSE
  return and(
    hull.equations().map((equation) => {
      const terms = [...equation].filter(([column]) => column > 0)
      const sum = terms.map(([column, factor]) => mul(intConst(factor), parameter(relation, column - 1)))
      return eq(add(intConst(equation.get(0) ?? 0n), ...sum), intConst(0))
    }),
  )
}

// ---- one rule

/** What the rule makes hold of its head, as a basis of vectors; none: it cannot be used. */
const pointsOf = ({ head, body, constraint }: Rule, hulls: ReadonlyMap<Relation, Hull>): readonly Vector[] => {
  if (body.some(({ relation }) => hulls.get(relation)!.isEmpty)) return []
  const columns = new Columns()
  const system = new Echelon()
  for (const { relation, args } of body)
    for (const equation of hulls.get(relation)!.equations()) system.add(columns.combination(equation, args))
  const conditions = conjuncts(constraint)
  for (const condition of conditions)
    if (condition.op === '=' && condition.args[0]!.sort.kind === 'int')
      system.add(columns.difference(condition.args[0]!, condition.args[1]!))
  const rows = argumentRows(head!, columns)
  const comparisons = conditions.flatMap((condition) => comparisonOf(condition, columns))
  const basis = system.solutions(columns.count)
  const origin = basis.find((v) => v.has(0))
  if (!origin || comparisons.some((c) => isRefuted(c, basis, origin))) return []
  return basis.map((v) => vector([[0, v.get(0) ?? 0n], ...rows.map((row, i) => [i + 1, dot(row, v)] as const)]))
}

/** Each argument of the head as a vector over the columns; one that is no integer is 0. */
const argumentRows = ({ args }: Atom, columns: Columns): readonly Vector[] =>
  args.map((arg) => (arg.sort.kind === 'int' ? columns.form(arg) : new Map()))

interface Comparison {
  readonly form: Vector
  /** Whether a value of the form, where it is only one, contradicts the condition. */
  readonly excludes: (value: bigint) => boolean
}

const comparisonOf = (condition: Term, columns: Columns): readonly Comparison[] => {
  const [a, b] = condition.op === 'not' ? condition.args[0]!.args : condition.args
  if (!a || !b || a.sort.kind !== 'int') return []
  switch (condition.op) {
    case '<=':
      return [{ form: columns.difference(a, b), excludes: (value) => value > 0n }]
    case '<':
      return [{ form: columns.difference(a, b), excludes: (value) => value >= 0n }]
    case 'not':
      return condition.args[0]!.op === '='
        ? [{ form: columns.difference(a, b), excludes: (value) => value === 0n }]
        : []
    default:
      return []
  }
}

const isRefuted = ({ form, excludes }: Comparison, basis: readonly Vector[], origin: Vector): boolean => {
  const [value, one] = [dot(form, origin), origin.get(0)!]
  const isOnlyOne = basis.every((v) => dot(form, v) * one === value * (v.get(0) ?? 0n))
  return isOnlyOne && excludes(one > 0n ? value : -value)
}

/** Opaque terms of a rule by column. */
class Columns {
  private readonly numbers = new Map<Term, number>()

  get count(): number {
    return this.numbers.size + 1
  }

  /** The value of an integer term: not only up to a factor. */
  form(term: Term): Vector {
    const { coefficients, constant } = linearForm([[term, rational(1n, 1n)]])
    const entries = [...coefficients].map(([part, c]) => [this.number(part), c.numerator] as const)
    return new Map([[0, constant.numerator], ...entries])
  }

  difference(a: Term, b: Term): Vector {
    return this.combination(
      new Map([
        [1, 1n],
        [2, -1n],
      ]),
      [a, b],
    )
  }

  /** An equation over arguments, as one over the columns. */
  combination(equation: Vector, args: readonly Term[]): Vector {
    const parts = [...equation].filter(([column]) => column > 0)
    const { coefficients, constant } = linearForm(
      parts.map(([column, factor]) => [args[column - 1]!, rational(factor, 1n)]),
    )
    const scale = [...coefficients.values(), constant].reduce(
      (s, c) => (s * c.denominator) / bigGcd(s, c.denominator),
      1n,
    )
    const whole = (c: typeof constant): bigint => (c.numerator * scale) / c.denominator
    return vector([
      [0, whole(constant) + (equation.get(0) ?? 0n) * scale],
      ...[...coefficients].map(([term, c]) => [this.number(term), whole(c)] as const),
    ])
  }

  private number(term: Term): number {
    let number = this.numbers.get(term)
    if (number === undefined) this.numbers.set(term, (number = this.numbers.size + 1))
    return number
  }
}

// ---- vectors

const vector = (entries: readonly (readonly [number, bigint])[]): Vector => {
  const nonzero = entries.filter(([, value]) => value !== 0n)
  const divisor = nonzero.reduce((d, [, value]) => bigGcd(d, value), 0n)
  return new Map(divisor > 1n ? nonzero.map(([column, value]) => [column, value / divisor] as const) : nonzero)
}

const dot = (a: Vector, b: Vector): bigint => {
  let sum = 0n
  for (const [column, value] of a) sum += value * (b.get(column) ?? 0n)
  return sum
}

/** The combination a * x + b * y. */
const combine = (a: bigint, x: Vector, b: bigint, y: Vector): Vector => {
  const sum = new Map<number, bigint>()
  for (const [column, value] of x) sum.set(column, a * value)
  for (const [column, value] of y) sum.set(column, (sum.get(column) ?? 0n) + b * value)
  return vector([...sum])
}

/** A matrix in reduced echelon form: each row has a pivot column that no other row has. */
class Echelon {
  private readonly rows = new Map<number, Vector>()

  get rank(): number {
    return this.rows.size
  }

  /** Whether the row was not a combination of those before. */
  add(row: Vector): boolean {
    let rest = row
    for (const column of row.keys()) rest = this.without(rest, column)
    const pivot = Math.max(...rest.keys())
    if (rest.size === 0) return false
    for (const [other, known] of this.rows) if (known.has(pivot)) this.rows.set(other, eliminated(known, rest, pivot))
    this.rows.set(pivot, rest)
    return true
  }

  private without(row: Vector, column: number): Vector {
    const known = this.rows.get(column)
    return known && row.has(column) ? eliminated(row, known, column) : row
  }

  /** A basis of the vectors that every row maps to 0. */
  solutions(columns: number): readonly Vector[] {
    const basis: Vector[] = []
    for (let free = 0; free < columns; free++) {
      if (this.rows.has(free)) continue
      const using = [...this.rows].filter(([, row]) => row.has(free))
      const scale = using.reduce((s, [pivot, row]) => (s * row.get(pivot)!) / bigGcd(s, row.get(pivot)!), 1n)
      basis.push(
        vector([
          [free, scale],
          ...using.map(([pivot, row]) => [pivot, (-row.get(free)! * scale) / row.get(pivot)!] as const),
        ]),
      )
    }
    return basis
  }
}

/** The row without this column, by the other one. */
const eliminated = (row: Vector, by: Vector, column: number): Vector =>
  combine(by.get(column)!, row, -row.get(column)!, by)

/** The linear hull of vectors (1, x). */
class Hull {
  private readonly span = new Echelon()
  private known: readonly Vector[] | undefined

  constructor(private readonly relation: Relation) {}

  get isEmpty(): boolean {
    return this.span.rank === 0
  }

  add(point: Vector): boolean {
    const isNew = this.span.add(point)
    if (isNew) this.known = undefined
    return isNew
  }

  /** Those of the arguments that are integers. */
  equations(): readonly Vector[] {
    const { sorts } = this.relation
    const isInteger = (column: number): boolean => column === 0 || sorts[column - 1]!.kind === 'int'
    this.known ??= this.span.solutions(sorts.length + 1).filter((equation) => [...equation.keys()].every(isInteger))
    return this.known
  }
}
