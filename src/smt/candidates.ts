// Invariants of Horn clauses from candidates (Houdini: Flanagan and Leino, 2001; from below, as symbolic abstraction does
// it): for each relation the strongest conjunction of bounds on its arguments, and on sums and differences of two of
// them, under which every clause with a head holds. Bounds come from the constants of the clauses. Spacer finds values
// one after the other where these find what all of them have in common; goals that are left are for Spacer.

import { evaluateAll } from '../logic/evaluate.js'
import {
  add,
  and,
  distinct,
  eq,
  FALSE,
  freeVariables,
  ge,
  intConst,
  le,
  type Model,
  not,
  or,
  postorder,
  sub,
  type Term,
  variable,
} from '../logic/index.js'
import { parameter, type Relation, type Rule, type Smt, type Solver } from './interfaces.js'

export interface CandidateOptions {
  /** Sums and differences of two arguments, too, where a relation has at most so many of them. */
  readonly pairs: number
  /** More checks than this end the search. */
  readonly checks: number
}

/** A linear form over the arguments of a relation: one argument, or two. */
interface Form {
  readonly first: number
  readonly sign: 1 | -1
  readonly second?: number
  readonly secondSign?: 1 | -1
}

/** Undefined: no time, or a check that the solver does not decide. */
export const strongestBounds = (
  smt: Smt,
  rules: readonly Rule[],
  options: CandidateOptions,
): ReadonlyMap<Relation, Term> | undefined => {
  const solver = smt.solver({ rlimit: CHECK_STEPS })
  try {
    return new Search(solver, rules, options).run()
  } finally {
    solver.dispose()
  }
}

const CHECK_STEPS = 3_000_000
const MAX_THRESHOLDS = 48
const FINE_RAISES = 3
const MAX_RAISES = 10

/** Values that may be bounds, in order. */
interface Thresholds {
  readonly values: readonly bigint[]
  /** By value: whether it is a constant of the clauses, or what a step from there leads to. */
  readonly isCoarse: readonly boolean[]
}

class Search {
  private readonly rules: readonly Rule[]
  private readonly thresholds: Thresholds
  private readonly states = new Map<Relation, State>()
  private readonly using = new Map<Relation, Rule[]>()
  private checks = 0

  constructor(
    private readonly solver: Solver,
    all: readonly Rule[],
    private readonly options: CandidateOptions,
  ) {
    const rules = joined(all)
    this.rules = rules
    this.thresholds = thresholdsOf(rules)
    for (const rule of rules)
      for (const { relation } of rule.head ? [rule.head, ...rule.body] : rule.body)
        if (!this.states.has(relation)) this.states.set(relation, new State(relation, this.thresholds, options.pairs))
    for (const rule of rules)
      for (const { relation } of rule.body) {
        const known = this.using.get(relation)
        if (known) known.push(rule)
        else this.using.set(relation, [rule])
      }
  }

  run(): ReadonlyMap<Relation, Term> | undefined {
    const work = new Set(this.rules.filter(({ head }) => head))
    for (const rule of work) {
      work.delete(rule)
      const changed = this.weaken(rule)
      if (changed === undefined) return undefined
      if (changed) for (const next of this.using.get(rule.head!.relation) ?? []) if (next.head) work.add(next)
    }
    return new Map([...this.states].map(([relation, state]) => [relation, state.formula()]))
  }

  /** Until the rule holds: what its head may be that the candidates exclude. Whether there was something. */
  private weaken({ head, body, constraint }: Rule): boolean | undefined {
    const state = this.states.get(head!.relation)!
    if (state.isAny || body.some(({ relation }) => !this.states.get(relation)!.isReached)) return false
    const { solver } = this
    const variables = [...new Set(head!.args.flatMap((arg) => [...freeVariables(arg)]))]
    let changed = false
    solver.push()
    try {
      solver.add(and(constraint, ...body.map((atom) => this.states.get(atom.relation)!.at(atom.args))))
      for (;;) {
        if (++this.checks > this.options.checks) return undefined
        const status = solver.check([not(state.at(head!.args))])
        if (status === 'unsat') return changed
        if (status === 'unknown') return undefined
        const values = solver.values(variables)
        state.include(evaluateAll(head!.args, values as Model).values)
        changed = true
        if (state.isAny) return true
      }
    } finally {
      solver.pop()
    }
  }
}

/** Rules from the same atoms to the same relation are one, with a choice: fewer checks. */
const joined = (rules: readonly Rule[]): readonly Rule[] => {
  const groups = new Map<string, Rule[]>()
  for (const rule of rules) {
    if (!rule.head) continue
    const body = rule.body.map(({ relation, args }) => `${relation.name}(${args.map(({ id }) => id).join()})`)
    const key = `${rule.head.relation.name}: ${body.join(' ')}`
    const group = groups.get(key)
    if (group) group.push(rule)
    else groups.set(key, [rule])
  }
  return [...groups.values()].map((group) => (group.length === 1 ? group[0]! : choice(group)))
}

const choice = (group: readonly Rule[]): Rule => {
  const { head, body } = group[0]!
  const results = head!.args.map(({ sort }, i) => variable(`result ${i}`, sort))
  const cases = group.map((rule) => and(rule.constraint, ...rule.head!.args.map((arg, i) => eq(results[i]!, arg))))
  return { head: { relation: head!.relation, args: results }, body, constraint: or(cases) }
}

/** The bounds of one relation that are left. */
class State {
  isReached = false
  private readonly forms: readonly Form[]
  /** By form, the threshold that bounds it; past the last one there is none. */
  private readonly levels: number[]
  private readonly raises: number[]
  /** Pairs of arguments that never were the same. */
  private readonly different: Set<{ readonly first: number; readonly second: number }>
  /** Where the two bounds of an argument are. */
  private readonly single = new Map<number, number>()

  constructor(
    private readonly relation: Relation,
    private readonly thresholds: Thresholds,
    pairs: number,
  ) {
    this.forms = formsOf(relation, pairs)
    this.different = new Set(
      this.forms.flatMap(({ first, sign, second, secondSign }) =>
        second !== undefined && sign > 0 && secondSign! > 0 ? [{ first, second }] : [],
      ),
    )
    this.levels = this.forms.map(() => 0)
    this.raises = this.forms.map(() => 0)
    this.forms.forEach(({ first, sign, second }, i) => {
      if (second === undefined && sign > 0) this.single.set(first, i)
    })
  }

  /** Nothing is known of it. */
  get isAny(): boolean {
    return (
      this.isReached &&
      this.different.size === 0 &&
      this.levels.every((level) => level === this.thresholds.values.length)
    )
  }

  at(args: readonly Term[]): Term {
    if (!this.isReached) return FALSE
    const bounds: Term[] = []
    this.forms.forEach((form, i) => {
      const bound = this.thresholds.values[this.levels[i]!]
      if (bound !== undefined && !this.followsFromItsParts(form, bound)) bounds.push(atMost(form, args, bound))
    })
    for (const { first, second } of this.different) bounds.push(distinct(args[first]!, args[second]!))
    return and(bounds)
  }

  /** A bound of two arguments that those of each of them give. */
  private followsFromItsParts({ first, sign, second, secondSign }: Form, bound: bigint): boolean {
    if (second === undefined) return false
    const [a, b] = [this.boundOf(first, sign), this.boundOf(second, secondSign!)]
    return a !== undefined && b !== undefined && a + b <= bound
  }

  private boundOf(argument: number, sign: 1 | -1): bigint | undefined {
    const i = this.single.get(argument)! + (sign > 0 ? 0 : 1)
    return this.thresholds.values[this.levels[i]!]
  }

  formula(): Term {
    return this.at(this.relation.sorts.map((_, i) => parameter(this.relation, i)))
  }

  include(values: readonly unknown[]): void {
    this.isReached = true
    for (const pair of this.different) if (values[pair.first] === values[pair.second]) this.different.delete(pair)
    this.forms.forEach(({ first, sign, second, secondSign }, i) => {
      let value = BigInt(sign) * (values[first] as bigint)
      if (second !== undefined) value += BigInt(secondSign!) * (values[second] as bigint)
      if (this.levels[i]! === this.thresholds.values.length || value <= this.thresholds.values[this.levels[i]!]!) return
      this.raises[i]!++
      this.levels[i] = this.levelFor(value, this.levels[i]!, this.raises[i]!)
    })
  }

  /** Widening: what was raised often goes on to coarse thresholds, then to no bound. */
  private levelFor(value: bigint, from: number, raises: number): number {
    const { values, isCoarse } = this.thresholds
    if (raises > MAX_RAISES) return values.length
    let level = from
    while (level < values.length && (values[level]! < value || (raises > FINE_RAISES && !isCoarse[level]))) level++
    return level
  }
}

const formsOf = ({ sorts }: Relation, pairs: number): readonly Form[] => {
  const integers = sorts.flatMap((sort, i) => (sort.kind === 'int' ? [i] : []))
  const forms: Form[] = integers.flatMap((first) => [
    { first, sign: 1 },
    { first, sign: -1 },
  ])
  if (integers.length > pairs) return forms
  for (const [k, first] of integers.entries())
    for (const second of integers.slice(k + 1))
      for (const sign of [1, -1] as const)
        for (const secondSign of [1, -1] as const) forms.push({ first, sign, second, secondSign })
  return forms
}

/** The form is at most the bound, said without factors where that is possible. */
const atMost = ({ first, sign, second, secondSign }: Form, args: readonly Term[], bound: bigint): Term => {
  const a = args[first]!
  if (second === undefined) return sign > 0 ? le(a, intConst(bound)) : ge(a, intConst(-bound))
  const b = args[second]!
  if (sign > 0) return le(secondSign! > 0 ? add(a, b) : sub(a, b), intConst(bound))
  return secondSign! > 0 ? le(sub(b, a), intConst(bound)) : ge(add(a, b), intConst(-bound))
}

/** Constants of the clauses, and what is next to them, with both signs. */
const thresholdsOf = (rules: readonly Rule[]): Thresholds => {
  const constants = new Set<bigint>([0n])
  const seen = new Set<Term>()
  for (const { head, body, constraint } of rules)
    for (const root of [constraint, ...(head?.args ?? []), ...body.flatMap(({ args }) => args)]) {
      if (seen.has(root)) continue
      seen.add(root)
      postorder([root], (term) => {
        if (term.op !== 'const' || typeof term.value !== 'bigint') return
        constants.add(term.value)
        constants.add(-term.value)
      })
    }
  const near = [...constants].flatMap((value) => [value - 1n, value, value + 1n])
  const bySize = [...new Set(near)].sort((a, b) => order(magnitude(a), magnitude(b)))
  const values = bySize.slice(0, MAX_THRESHOLDS).sort(order)
  return { values, isCoarse: values.map((value) => constants.has(value) || constants.has(value - 1n)) }
}

const order = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)
