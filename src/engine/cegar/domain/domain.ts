// Abstract posts (aapor.txt 2.2.2): the product of explicit values and predicates. With no predicates it is
// explicit-value abstraction, with nothing tracked predicate abstraction; the predicates of a successor are decided one
// by one (Cartesian), or in all combinations that are possible (Boolean: one successor for each). Constants, unchanged
// predicates and parts of a state that a question cannot concern are settled before any solver is asked; a solver that
// does not know leaves things unknown, which is always sound.

import { and, eq, FALSE, freeVariables, isConstant, not, substitute, type Term, TRUE } from '../../../logic/index.js'
import type { Queries } from '../../../smt/index.js'
import type { Transition } from '../../../symbolic/index.js'
import { normalRegion } from './cells.js'
import { coneOf } from './cone.js'
import { constantsIn } from './constants.js'
import type { Enumeration } from './enumerate.js'
import type { Precision } from './precision.js'
import { type AbstractState, States, type Truth } from './state.js'

type PredicateAbstraction = 'cartesian' | 'boolean'

export interface DomainParts {
  readonly precision: Precision
  readonly queries: Queries
  readonly enumeration: Enumeration
  /** What holds of a variable in every state, by its type. */
  readonly fact: (variable: Term) => Term
  readonly predicates: PredicateAbstraction
}

export class Domain {
  readonly states: States
  private readonly posts = new Map<
    number,
    { readonly version: number; readonly successors: readonly AbstractState[] }
  >()
  private readonly preconditions = new Map<Transition, Term[]>()
  private readonly negations = new Map<Term, Term>()
  private readonly facts = new Map<Term, Term>()
  private readonly constants = new Map<AbstractState, ReadonlyMap<Term, Term>>()

  constructor(private readonly parts: DomainParts) {
    this.states = new States(parts.precision)
  }

  get precision(): Precision {
    return this.parts.precision
  }

  initial(transition: Transition): readonly AbstractState[] {
    return this.post(this.states.of([], []), transition)
  }

  post(state: AbstractState, transition: Transition): readonly AbstractState[] {
    const key = state.id * 2 ** 24 + transition.id
    const { version } = this.precision
    const known = this.posts.get(key)
    if (known && known.version === version) return known.successors
    const successors = this.compute(state, transition)
    this.posts.set(key, { version, successors })
    return successors
  }

  /** Whether everything that the state stands for satisfies the formula; a solver that gives up means no. */
  implies(state: AbstractState, formula: Term): boolean {
    const known = this.valuesOf(state, freeVariables(formula))
    return !this.possible(this.literalsUnder(state, known), not(substitute(formula, known)))
  }

  /** Whether some state at all satisfies the formula; a solver that gives up means no. */
  satisfiable(formula: Term): boolean {
    return this.parts.queries.satisfiable(this.concerning([], formula)) === true
  }

  private compute(state: AbstractState, transition: Transition): readonly AbstractState[] {
    const known = this.valuesOf(state, mentionedBy(transition, this.precision))
    const guard = substitute(transition.guard, known)
    if (guard === FALSE) return []
    const literals = this.literalsUnder(state, known)
    if (!this.possible(literals, guard)) return []
    const next = new Map([...transition.updates].map(([v, value]) => [v, substitute(value, known)]))
    const cases = this.valuesAfter(state, transition, next, literals, guard)
    return cases.flatMap(({ values, condition }) =>
      this.truthsAfter(state, transition, known, values, literals, and(guard, condition)).map((truths) =>
        this.states.of(values, truths),
      ),
    )
  }

  // ---- explicit values

  private valuesOf(state: AbstractState, variables: Iterable<Term>): Map<Term, Term> {
    const known = new Map<Term, Term>()
    const constants = this.constantsOf(state)
    for (const v of variables) {
      const index = this.precision.indexOf(v)
      const value = (index === undefined ? undefined : state.values[index]) ?? constants.get(v)
      if (value) known.set(v, value)
    }
    return known
  }

  /** Values that the state's predicates determine. */
  private constantsOf(state: AbstractState): ReadonlyMap<Term, Term> {
    let constants = this.constants.get(state)
    if (!constants) this.constants.set(state, (constants = constantsIn(this.states.literals(state))))
    return constants
  }

  /** Values of tracked variables afterwards: those that are open are enumerated if they are few. */
  private valuesAfter(
    state: AbstractState,
    { dead }: Transition,
    next: ReadonlyMap<Term, Term>,
    literals: readonly Term[],
    guard: Term,
  ): readonly { readonly values: readonly (Term | undefined)[]; readonly condition: Term }[] {
    const values: (Term | undefined)[] = []
    const open: { index: number; term: Term }[] = []
    const constrained = new Set(freeVariables(guard))
    const constants = this.constantsOf(state)
    this.precision.tracked.forEach((v, index) => {
      const after = next.get(v)
      if (dead.has(v)) return
      if (after === undefined) {
        const before = state.values[index] ?? constants.get(v)
        values[index] = before
        if (!before && constrained.has(v) && v.sort.kind !== 'array') open.push({ index, term: v })
      } else if (after.sort.kind === 'array') values[index] = normalRegion(v, after)
      else if (isConstant(after)) values[index] = after
      else open.push({ index, term: after })
    })
    for (let i = 0; i < values.length; i++) if (!(i in values)) values[i] = undefined
    if (open.length === 0) return [{ values, condition: TRUE }]
    const terms = open.map(({ term }) => term)
    return this.parts.enumeration.assignments(terms, this.concerning(literals, guard, terms)).map((assignment) => {
      const chosen = [...values]
      const equations: Term[] = []
      open.forEach(({ index, term }, i) => {
        const value = assignment[i]
        chosen[index] = value
        if (value) equations.push(eq(term, value))
      })
      return { values: chosen, condition: and(equations) }
    })
  }

  // ---- predicates

  private literalsUnder(state: AbstractState, known: ReadonlyMap<Term, Term>): readonly Term[] {
    const literals = this.states.literals(state)
    if (literals.length === 0) return literals
    const all = this.valuesOf(state, literals.flatMap(freeVariables))
    for (const [v, value] of known) all.set(v, value)
    return literals.map((literal) => substitute(literal, all)).filter((literal) => literal !== TRUE)
  }

  /** The predicate before the transition that says what `index` says after it. */
  private precondition(transition: Transition, index: number): Term {
    let known = this.preconditions.get(transition)
    if (!known) this.preconditions.set(transition, (known = []))
    return (known[index] ??= substitute(this.precision.predicates[index]!, transition.updates))
  }

  private truthsAfter(
    state: AbstractState,
    transition: Transition,
    known: ReadonlyMap<Term, Term>,
    values: readonly (Term | undefined)[],
    literals: readonly Term[],
    guard: Term,
  ): readonly (readonly Truth[])[] {
    const { predicates, tracked } = this.precision
    if (predicates.length === 0) return [[]]
    const after = new Map(tracked.flatMap((v, i) => (values[i] ? [[v, values[i]!] as const] : [])))
    const concerned = new Set(coneOf([...literals], freeVariables(guard)).flatMap(freeVariables))
    for (const v of freeVariables(guard)) concerned.add(v)
    const open: { index: number; before: Term }[] = []
    const truths = predicates.map((predicate, index): Truth => {
      if (freeVariables(predicate).some((v) => transition.dead.has(v))) return 'unknown'
      const settled = substitute(predicate, after)
      if (isConstant(settled)) return settled === TRUE ? 'true' : 'false'
      const precondition = this.precondition(transition, index)
      const before = state.truths[index] ?? 'unknown'
      if (precondition === predicate) {
        if (before !== 'unknown') return before
        if (!freeVariables(predicate).some((v) => concerned.has(v))) return 'unknown'
      }
      const term = substitute(precondition, this.withAll(state, precondition, known))
      if (isConstant(term)) return term === TRUE ? 'true' : 'false'
      if (!this.possible(literals, guard, term)) return 'false'
      if (!this.possible(literals, guard, this.negation(term))) return 'true'
      open.push({ index, before: term })
      return 'unknown'
    })
    if (this.parts.predicates === 'cartesian' || open.length < 2) return [truths]
    return this.combinations(truths, open, literals, guard)
  }

  private withAll(state: AbstractState, term: Term, known: ReadonlyMap<Term, Term>): ReadonlyMap<Term, Term> {
    const all = this.valuesOf(state, freeVariables(term))
    for (const [v, value] of known) all.set(v, value)
    return all
  }

  /** All combinations of open predicates that are possible (all-SAT by blocking what was found). */
  private combinations(
    truths: readonly Truth[],
    open: readonly { readonly index: number; readonly before: Term }[],
    literals: readonly Term[],
    guard: Term,
  ): readonly (readonly Truth[])[] {
    const terms = open.map(({ before }) => before)
    const formula = this.concerning(literals, guard, terms)
    const found = this.parts.enumeration.combinations(terms, formula)
    if (!found) return [truths]
    return found.map((combination) => {
      const decided = [...truths]
      open.forEach(({ index }, i) => {
        decided[index] = combination[i] ? 'true' : 'false'
      })
      return decided
    })
  }

  // ---- questions

  /** Whether the state's literals, the guard and the formula may hold together. */
  private possible(literals: readonly Term[], guard: Term, formula: Term = TRUE): boolean {
    const question = and(guard, formula)
    if (question === FALSE) return false
    if (question === TRUE) return true
    return this.parts.queries.satisfiable(this.concerning(literals, question)) !== false
  }

  /** The formula with those literals and facts that concern its variables, directly or by way of others. */
  private concerning(literals: readonly Term[], formula: Term, terms: readonly Term[] = []): Term {
    const cone = coneOf(literals, [...freeVariables(formula), ...terms.flatMap(freeVariables)])
    const all = and(formula, cone)
    return and(
      all,
      freeVariables(all).map((v) => this.fact(v)),
    )
  }

  private fact(v: Term): Term {
    let fact = this.facts.get(v)
    if (!fact) this.facts.set(v, (fact = this.parts.fact(v)))
    return fact
  }

  private negation(formula: Term): Term {
    let negation = this.negations.get(formula)
    if (!negation) this.negations.set(formula, (negation = not(formula)))
    return negation
  }
}

const mentioned = new WeakMap<Transition, { version: number; variables: ReadonlySet<Term> }>()

/** Everything that guard, values and preconditions of predicates speak of. */
const mentionedBy = (transition: Transition, precision: Precision): ReadonlySet<Term> => {
  const known = mentioned.get(transition)
  if (known && known.version === precision.version) return known.variables
  const variables = new Set(freeVariables(transition.guard))
  for (const value of transition.updates.values()) for (const v of freeVariables(value)) variables.add(v)
  mentioned.set(transition, { version: precision.version, variables })
  return variables
}
