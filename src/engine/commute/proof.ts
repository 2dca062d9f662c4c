// The proof as a Floyd-Hoare automaton. Its states are sets of assertions of a growing pool, its transitions are Hoare
// triples, decided one assertion at a time and only where the search comes by. A triple that the solver cannot decide
// counts as invalid: the automaton then knows less, which is always right.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { Queries, type Smt } from '../../smt/index.js'
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
/** How many rounds of shared variables make an assertion relevant to a question. */
const RELEVANCE_ROUNDS = 2

export class Proof {
  readonly assertions: Term[] = []
  readonly counts = { triples: 0, decided_triples: 0 }
  private readonly numbers = new Map<Term, number>()
  private readonly states = new Map<bigint, ProofState>()
  private readonly byId: ProofState[] = []
  private readonly impossible: ProofState
  private readonly successors = new Map<string, { readonly state: ProofState; readonly pool: number }>()
  private readonly queries: Queries

  constructor(
    smt: Smt,
    /** That values are values of their types. */
    private readonly rangesOf: (formula: Term) => Term,
  ) {
    this.queries = new Queries(smt, { rlimit: SOLVER_STEPS })
    this.impossible = { id: 0, members: [], bits: -1n, impossible: true }
    this.byId.push(this.impossible)
  }

  dispose(): void {
    this.queries.dispose()
  }

  /** Whether the pool did not have it. */
  add(assertion: Term): boolean {
    if (assertion.op === 'const' || this.numbers.has(assertion)) return false
    this.numbers.set(assertion, this.assertions.length)
    this.assertions.push(assertion)
    return true
  }

  /** What holds of every first state. */
  initial(holdsFirst: (assertion: Term) => boolean): ProofState {
    return this.state(this.assertions.flatMap((each, i) => (holdsFirst(each) ? [i] : [])))
  }

  state(members: readonly number[]): ProofState {
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

  formula(state: ProofState): Term {
    return state.impossible ? logic.FALSE : logic.and(state.members.map((i) => this.assertions[i]!))
  }

  /** The assertions of the pool that hold after the letter, wherever those of the state hold before it. */
  after(state: ProofState, letter: Letter): ProofState {
    if (state.impossible) return state
    const key = `${state.id} ${letter.meaning}`
    const known = this.successors.get(key)
    // Assertions that are added later may hold after it, too; one that does not hold never does.
    if (known && (known.state.impossible || known.pool === this.assertions.length)) return known.state
    const next = this.compute(state, letter, known)
    this.successors.set(key, { state: next, pool: this.assertions.length })
    return next
  }

  private compute(
    state: ProofState,
    letter: Letter,
    known: { readonly state: ProofState; readonly pool: number } | undefined,
  ): ProofState {
    const here = new Set(state.members)
    if (!known && this.contradicts(state, letter.guard)) return this.impossible
    const members: number[] = known ? [...known.state.members] : []
    const concerned = this.concerned(state, letter.guard)
    for (let i = known?.pool ?? 0; i < this.assertions.length; i++)
      if (this.holdsAfter(state, here, letter, i, concerned)) members.push(i)
    return this.state(members)
  }

  private holdsAfter(
    state: ProofState,
    here: ReadonlySet<number>,
    letter: Letter,
    i: number,
    /** Variables of which the guard may tell something. */
    concerned: ReadonlySet<Term>,
  ): boolean {
    const assertion = this.assertions[i]!
    const free = logic.freeVariables(assertion)
    if (free.some((v) => letter.dead.has(v))) return false
    const isTouched = free.some((v) => letter.writes.has(v))
    if (!isTouched) {
      if (here.has(i)) return true
      if (!free.some((v) => concerned.has(v))) return false
    }
    this.counts.triples++
    const after = isTouched ? logic.substitute(assertion, letter.updates) : assertion
    if (after === logic.TRUE) return true
    return this.implied(state, letter.guard, after)
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
    const relevant = this.relevant(state, open)
    const question = logic.and(relevant, open)
    return this.queries.satisfiable(logic.and(question, this.rangesOf(question))) === false
  }

  /** The assertions of a state that share variables with a formula, directly or by others of them. */
  private relevant(state: ProofState, formula: Term): readonly Term[] {
    const { chosen } = this.connected(state, formula)
    return state.members.filter((i) => chosen.has(i)).map((i) => this.assertions[i]!)
  }

  private concerned(state: ProofState, guard: Term): ReadonlySet<Term> {
    return guard === logic.TRUE ? new Set() : this.connected(state, guard).variables
  }

  private connected(state: ProofState, formula: Term) {
    const variables = new Set(logic.freeVariables(formula))
    const chosen = new Set<number>()
    for (let round = 0; round < RELEVANCE_ROUNDS; round++) {
      const added = state.members.filter(
        (i) => !chosen.has(i) && logic.freeVariables(this.assertions[i]!).some((v) => variables.has(v)),
      )
      if (added.length === 0) break
      for (const i of added) chosen.add(i)
      for (const i of added) for (const v of logic.freeVariables(this.assertions[i]!)) variables.add(v)
    }
    return { variables, chosen }
  }

  statistics() {
    const { solved = 0 } = this.queries.statistics()
    return { ...this.counts, solver_calls: solved }
  }
}
