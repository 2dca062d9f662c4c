// Regions (esst.txt, 2.2 and 4.1): sets of states as conjunctions of literals over a precision, by Cartesian predicate
// abstraction. SP_op followed by abstraction is asked predicate by predicate, through weakest preconditions.
import type { Term, Value } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { Queries, type Smt, type SolverOptions } from '../../smt/index.js'
import type { Operations, Transition } from './operations.js'

/** Literals that hold, by predicate: true for the predicate itself, false for its negation. */
export type DataRegion = ReadonlyMap<Term, boolean>

/** Puts known values into a predicate. */
export type Naming = (predicate: Term) => Term

export const TOP: DataRegion = new Map()

export const literals = (region: DataRegion): readonly Term[] =>
  [...region].map(([predicate, holds]) => (holds ? predicate : logic.not(predicate)))

/** Every literal of the second is one of the first: then the first entails the second. */
export const entails = (a: DataRegion, b: DataRegion): boolean => {
  if (a === b) return true
  for (const [predicate, holds] of b) if (a.get(predicate) !== holds) return false
  return true
}

export class Regions {
  private readonly queries: Queries

  constructor(
    private readonly smt: Smt,
    private readonly operations: Operations,
    private readonly options: { readonly rlimit: number },
  ) {
    this.queries = new Queries(smt, options)
  }

  /** Whether some state with these properties can take the transition; undefined is taken for yes. */
  isFeasible(facts: readonly Term[], { guard }: Transition): boolean {
    if (guard === logic.TRUE) return true
    return this.queries.satisfiable(this.relevant(facts, guard)) !== false
  }

  /**
   * The strongest conjunction of literals over the predicates that holds after the transition from states with these
   * properties. `named` puts values that are known after it into a predicate before it is asked for, and
   * `before.named` those that were known before: a literal is kept only if it still speaks of the same values.
   */
  post(
    facts: readonly Term[],
    transition: Transition,
    predicates: readonly Term[],
    named: Naming,
    before: { readonly region: DataRegion; readonly named: Naming },
  ): DataRegion {
    const after = new Map<Term, boolean>()
    for (const predicate of predicates) {
      const plain = named(predicate)
      const condition = substitute(plain, transition.substitution)
      const isKept = condition === plain && before.named(predicate) === plain
      const known = isKept ? before.region.get(predicate) : undefined
      const holds = known ?? this.decided(facts, transition.guard, condition)
      if (holds !== undefined) after.set(predicate, holds)
    }
    return after
  }

  holds(facts: readonly Term[], { guard }: Transition, condition: Term): boolean {
    return condition === logic.TRUE || this.isContradiction(facts, guard, logic.not(condition))
  }

  /** Whether the facts entail every one of the others. */
  implies(facts: readonly Term[], others: readonly Term[]): boolean {
    return others.every((fact) => facts.includes(fact) || this.isContradiction(facts, logic.TRUE, logic.not(fact)))
  }

  private decided(facts: readonly Term[], guard: Term, condition: Term): boolean | undefined {
    if (condition === logic.TRUE || condition === logic.FALSE) return condition === logic.TRUE
    if (this.isContradiction(facts, guard, logic.not(condition))) return true
    return this.isContradiction(facts, guard, condition) ? false : undefined
  }

  private isContradiction(facts: readonly Term[], guard: Term, condition: Term): boolean {
    return this.queries.satisfiable(this.relevant(facts, logic.and(guard, condition))) === false
  }

  /** All values that the term has in states with these properties; undefined: more than `most`, or not known. */
  valuesOf(facts: readonly Term[], term: Term, most: number): readonly Value[] | undefined {
    const result = logic.variable('value of an argument', term.sort)
    return allValues(this.smt, this.options, this.relevant(facts, logic.eq(result, term)), result, most)
  }

  /** The goal with the facts that share variables with it, directly or not: the others have models of their own. */
  private relevant(facts: readonly Term[], goal: Term): Term {
    if (facts.includes(logic.FALSE)) return logic.FALSE
    const variables = new Set(logic.freeVariables(goal))
    const chosen: Term[] = []
    let left = facts
    for (let before = -1; before !== chosen.length; ) {
      before = chosen.length
      const apart: Term[] = []
      for (const fact of left) {
        const free = logic.freeVariables(fact)
        if (!free.some((v) => variables.has(v))) {
          apart.push(fact)
          continue
        }
        chosen.push(fact)
        for (const v of free) variables.add(v)
      }
      left = apart
    }
    return logic.and(
      goal,
      chosen,
      [...variables].map((v) => this.operations.range(v)),
    )
  }

  statistics(): { readonly asked: number; readonly solved: number } {
    const { asked = 0, solved = 0 } = this.queries.statistics()
    return { asked, solved }
  }

  dispose(): void {
    this.queries.dispose()
  }
}

/** All values of a variable in models of the formula; undefined: more than `most`, or not known. */
export const allValues = (
  smt: Smt,
  options: SolverOptions,
  formula: Term,
  of: Term,
  most: number,
): readonly Value[] | undefined => {
  const solver = smt.solver(options)
  try {
    solver.add(formula)
    const found: Value[] = []
    for (let status = solver.check(); status !== 'unsat'; status = solver.check()) {
      const value = status === 'sat' ? solver.values([of]).get(of) : undefined
      if (found.length === most || value === undefined) return undefined
      found.push(value)
      solver.add(logic.not(logic.eq(of, logic.valueTerm(of.sort, value))))
    }
    return found
  } finally {
    solver.dispose()
  }
}

export const substitute = (term: Term, substitution: ReadonlyMap<Term, Term>): Term =>
  logic.freeVariables(term).some((v) => substitution.has(v)) ? logic.substitute(term, substitution) : term
