// A proof of the checker's own, for certificates whose argument it does not follow: all location vectors that can be
// reached, without any reduction, with what is known at each: the values of variables where they are constants, and those
// predicates that hold. Predicates are suggestions (from a certificate, and the program's own conditions): whichever they
// are, what is known after a step follows from what was known before it, so that a graph without errors is a proof.

import { and, FALSE, freeVariables, not, substitute, type Term, TRUE } from '../../logic/index.js'
import { type Control, ControlFlow, failing } from '../../semantics/control.js'
import type { Smt } from '../../smt/index.js'
import type { Program } from '../../xcfa/index.js'
import { createEncoding } from '../../xcfa/terms/index.js'
import { formulaOf } from '../formula.js'
import { Proof, Undecided } from '../proof.js'
import { type StepFormula, Steps } from '../steps.js'

const MAX_STATES = 20_000
const MAX_PREDICATES = 120
/** A variable with more values is left to predicates. */
const MAX_VALUES = 24
const MAX_THREADS = 12

export interface Abstraction {
  readonly arithmetic: 'int' | 'wrapping' | 'bv'
  /** In SMT-LIB; those that are none of this program are left out. */
  readonly predicates: readonly string[]
}

interface AbstractState {
  readonly control: Control
  /** Variables that are constants here. */
  readonly values: ReadonlyMap<Term, Term>
  readonly predicates: ReadonlySet<Term>
}

/** How many states there are; throws `Undecided` where no proof was found. */
export const provedByAbstraction = (
  program: Program,
  suggested: Abstraction,
  smt: Smt,
  stopped: () => string | undefined,
): number => {
  const proof = new Proof(smt, stopped)
  try {
    return new Search(program, suggested, proof).run()
  } finally {
    proof.dispose()
  }
}

class Search {
  private readonly flow: ControlFlow
  private readonly steps: Steps
  private readonly predicates: readonly Term[]
  private readonly found = new Map<string, AbstractState[]>()
  private readonly seen = new Map<Term, Set<Term>>()
  private readonly pending: AbstractState[] = []
  private states = 0

  constructor(
    program: Program,
    { arithmetic, predicates }: Abstraction,
    private readonly proof: Proof,
  ) {
    this.flow = new ControlFlow(program)
    const pointerWidth = program.dataModel === 'ilp32' ? 32 : 64
    const encoding = createEncoding(arithmetic === 'bv' ? 'bv' : 'int', {
      pointerWidth,
      wrapping: arithmetic === 'wrapping',
    })
    this.steps = new Steps(program, encoding, MAX_THREADS, true)
    const given = predicates.flatMap((text) => this.readable(text))
    this.predicates = [...new Set([...given, ...given.map(not)])].slice(0, MAX_PREDICATES)
  }

  run(): number {
    const first = this.steps.first()
    const values = new Map([...first].filter(([, value]) => value.op === 'const'))
    const holds = this.predicates.filter((p) => {
      const now = substitute(p, first)
      return this.proof.implies(this.steps.factsAbout(now), now, 'the beginning')
    })
    this.add({ control: this.flow.initial(), values, predicates: new Set(holds) })
    for (let state = this.pending.pop(); state; state = this.pending.pop()) this.expand(state)
    return this.states
  }

  private readable(text: string): readonly Term[] {
    try {
      return [formulaOf(text, 'predicate', (name) => this.steps.byName(name))]
    } catch {
      // A suggestion that is none of this program.
      return []
    }
  }

  private expand(state: AbstractState): void {
    const before = and([...state.predicates].map((p) => substitute(p, state.values)))
    for (const action of this.flow.actions(state.control)) {
      const { file, line } = action.edge.position
      const place = `${file}:${line}`
      const step = this.steps.of(state.control, action)
      const inside = (term: Term): Term => substitute(term, state.values)
      for (const { kind, claim } of step.obligations) {
        if (!this.follows(before, inside(claim), place)) throw new Undecided(`${place}: ${kind} is not shown`)
      }
      const possible = and(before, inside(step.guard), inside(step.facts))
      if (this.follows(possible, FALSE, place)) continue
      const control = this.flow.after(state.control, action)
      if (failing(control)) throw new Undecided(`the predicates do not exclude the error after ${place}`)
      if (control.threads.length > MAX_THREADS) throw new Undecided(`more than ${MAX_THREADS} threads`)
      this.add(this.after(state, control, step, possible, place))
    }
  }

  private follows(premise: Term, conclusion: Term, place: string): boolean {
    if (conclusion === TRUE || premise === FALSE) return true
    return this.proof.implies(and(premise, this.steps.factsAbout(premise, conclusion)), conclusion, place)
  }

  private after(
    { values, predicates }: AbstractState,
    control: Control,
    step: StepFormula,
    possible: Term,
    place: string,
  ): AbstractState {
    const next = new Map([...step.next].map(([v, value]) => [v, substitute(value, values)]))
    const constants = new Map(values)
    for (const [v, value] of next)
      if (value.op === 'const' && this.isTracked(v, value)) constants.set(v, value)
      else constants.delete(v)
    const later = new Map([...values, ...next])
    const concerned = new Set([...step.next.keys(), ...freeVariables(step.guard)])
    const holds = this.predicates.filter((p) => {
      if (!freeVariables(p).some((v) => concerned.has(v))) return predicates.has(p)
      return this.follows(possible, substitute(p, later), place)
    })
    return { control, values: constants, predicates: new Set(holds) }
  }

  private isTracked(v: Term, value: Term): boolean {
    let seen = this.seen.get(v)
    if (!seen) this.seen.set(v, (seen = new Set()))
    seen.add(value)
    return seen.size <= MAX_VALUES
  }

  private add(state: AbstractState): void {
    const others = this.found.get(state.control.key) ?? []
    if (others.some((other) => isWeaker(other, state))) return
    this.found.set(state.control.key, [...others.filter((other) => !isWeaker(state, other)), state])
    if (++this.states > MAX_STATES) throw new Undecided(`more than ${MAX_STATES} abstract states`)
    this.pending.push(state)
  }
}

/** Everything that is in the second is in the first. */
const isWeaker = (a: AbstractState, b: AbstractState): boolean =>
  [...a.values].every(([v, value]) => b.values.get(v) === value) && [...a.predicates].every((p) => b.predicates.has(p))
