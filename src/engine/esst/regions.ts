// Regions (esst.txt, 2.2 and 4.1): sets of states as conjunctions of literals over a precision, by Cartesian predicate
// abstraction. SP_op followed by abstraction is asked predicate by predicate, through weakest preconditions.
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { Queries, type Smt } from '../../smt/index.js'
import type { Operations, Transition } from './operations.js'

/** Literals that hold, by predicate: true for the predicate itself, false for its negation. */
export type DataRegion = ReadonlyMap<Term, boolean>

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
    smt: Smt,
    private readonly operations: Operations,
    options: { readonly rlimit: number },
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
   * properties. `named` puts known values into a predicate before it is asked for.
   */
  post(
    facts: readonly Term[],
    transition: Transition,
    predicates: readonly Term[],
    named: (predicate: Term) => Term,
    before: DataRegion,
  ): DataRegion {
    const after = new Map<Term, boolean>()
    for (const predicate of predicates) {
      const plain = named(predicate)
      const condition = substitute(plain, transition.substitution)
      const known = condition === plain ? before.get(predicate) : undefined
      const holds = known ?? this.decided(facts, transition.guard, condition)
      if (holds !== undefined) after.set(predicate, holds)
    }
    return after
  }

  holds(facts: readonly Term[], { guard }: Transition, condition: Term): boolean {
    return this.decided(facts, guard, condition, true) === true
  }

  private decided(facts: readonly Term[], guard: Term, condition: Term, onlyTrue = false): boolean | undefined {
    if (condition === logic.TRUE || condition === logic.FALSE) return condition === logic.TRUE
    if (this.isContradiction(facts, guard, logic.not(condition))) return true
    return !onlyTrue && this.isContradiction(facts, guard, condition) ? false : undefined
  }

  private isContradiction(facts: readonly Term[], guard: Term, condition: Term): boolean {
    return this.queries.satisfiable(this.relevant(facts, logic.and(guard, condition))) === false
  }

  /** The goal with the facts that share variables with it, directly or not: the others have models of their own. */
  private relevant(facts: readonly Term[], goal: Term): Term {
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

export const substitute = (term: Term, substitution: ReadonlyMap<Term, Term>): Term =>
  logic.freeVariables(term).some((v) => substitution.has(v)) ? logic.substitute(term, substitution) : term
