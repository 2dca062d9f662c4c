// The proof as a Floyd-Hoare automaton. Its states are sets of assertions of a growing pool, its transitions are Hoare
// triples, decided only where the search comes by. An assertion is tried at the places that asked for it: a place is a
// location vector with a state of the order. A triple that the solver cannot decide counts as invalid: the automaton then
// knows less, which is always right.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { Queries, type Smt } from '../../smt/index.js'
import { Consequences } from './consequences.js'
import type { Letter } from './letters.js'

export interface ProofState {
  readonly id: number
  /** Numbers of assertions, ascending. */
  readonly members: readonly number[]
  readonly bits: bigint
  /** No execution comes here. */
  readonly impossible: boolean
}

const SOLVER_STEPS = 400_000

/** A place that stands for all. */
export const EVERYWHERE = '*'

export class Proof {
  readonly assertions: Term[] = []
  readonly counts = { triples: 0, decided_triples: 0 }
  private readonly numbers = new Map<Term, number>()
  private readonly scopes = new Map<string, Set<number>>()
  private readonly wantedAt = new Map<string, Set<number>>()
  private readonly states = new Map<bigint, ProofState>()
  private readonly byId: ProofState[] = []
  readonly impossible: ProofState
  private readonly successors = new Map<string, { readonly state: ProofState; readonly tried: number }>()
  private readonly queries: Queries
  private readonly consequences: Consequences

  constructor(
    smt: Smt,
    /** That values are values of their types. */
    private readonly rangesOf: (formula: Term) => Term,
  ) {
    this.queries = new Queries(smt, { rlimit: SOLVER_STEPS })
    this.consequences = new Consequences(smt, SOLVER_STEPS)
    this.impossible = { id: 0, members: [], bits: -1n, impossible: true }
    this.byId.push(this.impossible)
  }

  dispose(): void {
    this.queries.dispose()
    this.consequences.dispose()
  }

  /** To be tried at a place; whether it was not before. */
  add(assertion: Term, place: string): boolean {
    if (assertion.op === 'const') return false
    const number = this.numberOf(assertion)
    let scope = this.scopes.get(place)
    if (!scope) this.scopes.set(place, (scope = new Set()))
    if (scope.has(number) || this.scopes.get(EVERYWHERE)?.has(number)) return false
    scope.add(number)
    return true
  }

  /** Its number in the pool. */
  numberOf(assertion: Term): number {
    let number = this.numbers.get(assertion)
    if (number === undefined) {
      number = this.assertions.push(assertion) - 1
      this.numbers.set(assertion, number)
    }
    return number
  }

  /** To be tried at a place, and there to be kept where a loop closes (guide.ts); whether it was not before. */
  want(assertion: Term, place: string): boolean {
    const isNew = this.add(assertion, place)
    const number = this.numbers.get(assertion)
    if (number === undefined) return false
    let wanted = this.wantedAt.get(place)
    if (!wanted) this.wantedAt.set(place, (wanted = new Set()))
    const before = wanted.size
    return wanted.add(number).size > before || isNew
  }

  /** Numbers of the assertions that are tried at a place, in the order in which they came. */
  private tried(place: string): readonly number[] {
    return [...(this.scopes.get(EVERYWHERE) ?? []), ...(this.scopes.get(place) ?? [])]
  }

  /** What holds of every first state. */
  initial(holdsFirst: (assertion: Term) => boolean, place: string): ProofState {
    return this.state(this.tried(place).filter((i) => holdsFirst(this.assertions[i]!)))
  }

  state(numbers: Iterable<number>): ProofState {
    const members = [...new Set(numbers)].sort((a, b) => a - b)
    const bits = members.reduce((sum, i) => sum | (1n << BigInt(i)), 0n)
    let state = this.states.get(bits)
    if (!state) {
      state = { id: this.byId.length, members, bits, impossible: false }
      this.states.set(bits, state)
      this.byId.push(state)
    }
    return state
  }

  /** Whether every state of `a` is one of `b`, as far as their members tell. */
  includes(b: ProofState, a: ProofState): boolean {
    return a.impossible || (!b.impossible && (b.bits & ~a.bits) === 0n)
  }

  formulas(state: ProofState): readonly Term[] {
    return state.impossible ? [logic.FALSE] : state.members.map((i) => this.assertions[i]!)
  }

  /** The assertions that are wanted at a place and that a state there does not have. */
  missing(state: ProofState, place: string): readonly number[] {
    const here = new Set(state.members)
    return [...(this.wantedAt.get(place) ?? [])].filter((i) => !here.has(i))
  }

  /** The assertions of a place that hold after the letter, wherever those of the state hold before it. */
  after(state: ProofState, letter: Letter, place: string): ProofState {
    if (state.impossible) return state
    const key = `${state.id} ${letter.meaning} ${place}`
    const known = this.successors.get(key)
    const tried = this.tried(place)
    // Assertions that are tried later may hold after it, too; one that does not hold never does.
    if (known && (known.state.impossible || known.tried === tried.length)) return known.state
    const next = this.compute(state, letter, tried, known)
    this.successors.set(key, { state: next, tried: tried.length })
    return next
  }

  private compute(
    state: ProofState,
    letter: Letter,
    tried: readonly number[],
    known: { readonly state: ProofState; readonly tried: number } | undefined,
  ): ProofState {
    if (!known && letter.guard !== logic.TRUE && this.contradicts(state, letter.guard)) return this.impossible
    const here = new Set(state.members)
    const members: number[] = known ? [...known.state.members] : []
    const open: { readonly i: number; readonly after: Term }[] = []
    for (const i of known ? tried.filter((each) => !known.state.members.includes(each)) : tried) {
      const after = this.afterwards(here, letter, i)
      if (after === logic.TRUE) members.push(i)
      else if (after) open.push({ i, after })
    }
    if (open.length > 0) {
      this.counts.decided_triples += open.length
      const premise = logic.and(this.formulas(state), letter.guard)
      const holding = this.consequences.of(
        premise,
        open.map(({ after }) => after),
        this.rangesOf,
      )
      for (const { i, after } of open) if (holding.has(after)) members.push(i)
    }
    return this.state(members)
  }

  /** What has to hold before the letter for the assertion to hold after it; undefined: it is of no use to ask. */
  private afterwards(here: ReadonlySet<number>, letter: Letter, i: number): Term | undefined {
    const assertion = this.assertions[i]!
    const free = logic.freeVariables(assertion)
    if (free.some((v) => letter.dead.has(v))) return undefined
    const isTouched = free.some((v) => letter.writes.has(v))
    if (!isTouched && here.has(i)) return logic.TRUE
    this.counts.triples++
    const after = isTouched ? logic.substitute(assertion, letter.updates) : assertion
    const known = this.numbers.get(after)
    return known !== undefined && here.has(known) ? logic.TRUE : after
  }

  /** Whether the state and the guard contradict each other. */
  contradicts(state: ProofState, guard: Term): boolean {
    return state.impossible || this.implied(state, guard, logic.FALSE)
  }

  /** Whether wherever the state and the condition hold, the formula does. */
  implied(state: ProofState, condition: Term, formula: Term): boolean {
    if (state.impossible || formula === logic.TRUE || condition === logic.FALSE) return true
    const open = logic.and(condition, logic.not(formula))
    if (open === logic.FALSE) return true
    this.counts.decided_triples++
    const question = logic.and(this.formulas(state), open)
    return this.queries.satisfiable(logic.and(question, this.rangesOf(question))) === false
  }

  statistics() {
    const { solved = 0 } = this.queries.statistics()
    return { ...this.counts, solver_calls: solved + this.consequences.counts.solved }
  }
}
