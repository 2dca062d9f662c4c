// From a trace that the proof does not cover to an execution, or to assertions that show there is none: weakest
// preconditions backwards along the trace, with those guards only that an unsatisfiable core needs (Newton-style; Dietsch,
// Heizmann, Musa, Nutz, Podelski 2017), and values from outside eliminated. Each denied disjunct is an assertion of its
// own, so that parts of it can hold elsewhere. Where that fails, or repeats itself, sequence interpolants are asked.
import * as logic from '../../logic/index.js'
import { type Model, type Term, TRUE } from '../../logic/index.js'
import { interpolate, type Method, type Smt, type Solver } from '../../smt/index.js'
import { project } from '../../smt/interpolation/newton.js'
import { eliminate } from '../../smt/interpolation/quantify.js'
import { isInput, type Transitions } from '../../symbolic/index.js'
import type { Letter } from './letters.js'

const SOLVER_STEPS = 4_000_000
const SPACER_MS = 2_000
const MINIMISED_CORE = 12

/** One step of a trace, with its own copies of the letter's inputs. */
export interface TraceStep {
  readonly letter: Letter
  readonly inputs: ReadonlyMap<Term, Term>
  /** What everything that changed so far is before the step, over initial values and inputs. */
  readonly before: ReadonlyMap<Term, Term>
  readonly guards: readonly Term[]
  readonly conditions: readonly Term[]
}

export type Refinement =
  | { readonly kind: 'feasible'; readonly model: Model; readonly steps: readonly TraceStep[] }
  /** Assertions before each step, and after the last. */
  | { readonly kind: 'refuted'; readonly assertions: readonly (readonly Term[])[] }
  | { readonly kind: 'unknown'; readonly reason: string }

type Core =
  | { readonly kind: 'possible'; readonly model: Model }
  | { readonly kind: 'impossible'; readonly needed: readonly Term[] }
  | { readonly kind: 'unknown'; readonly reason: string }

export class Refiner {
  readonly counts = { refinements: 0, interpolations: 0 }
  private readonly solver: Solver

  constructor(
    private readonly transitions: Transitions,
    private readonly smt: Smt,
  ) {
    this.solver = smt.solver({ rlimit: SOLVER_STEPS })
  }

  dispose(): void {
    this.solver.dispose()
  }

  /** Whether a formula over program variables holds of every first state. */
  holdsFirst(formula: Term): boolean {
    const value = this.evaluate(formula, new Map())
    if (value.op === 'const') return value === TRUE
    return this.isContradiction([...this.transitions.initialFacts(), logic.not(value)])
  }

  /** The trace, followed by a state in which `bad` holds (over program variables and the inputs of `by`). */
  refine(letters: readonly Letter[], bad: Term, method: 'wp' | Method): Refinement {
    this.counts.refinements++
    const { steps, after } = this.execute(letters)
    const facts = this.transitions.initialFacts()
    const goal = this.evaluate(bad, after)
    const conditions = [...new Set(steps.flatMap((step) => step.conditions))].filter((each) => each !== TRUE)
    const core = this.core([...facts, goal], conditions)
    if (core.kind === 'possible') return { kind: 'feasible', model: core.model, steps }
    if (core.kind === 'unknown') return core
    const needed = new Set(core.needed)
    const kept = steps.map(({ guards, conditions: own }) => guards.filter((_, i) => needed.has(own[i]!)))
    const assertions =
      method === 'wp'
        ? this.weakestPreconditions(steps, kept, bad)
        : this.sequenceInterpolants(letters, kept, bad, method)
    return assertions ? { kind: 'refuted', assertions } : { kind: 'unknown', reason: 'no interpolants found' }
  }

  /** Which of the conditions contradict what always holds. */
  private core(always: readonly Term[], conditions: readonly Term[]): Core {
    if (conditions.includes(logic.FALSE)) return { kind: 'impossible', needed: [logic.FALSE] }
    this.solver.push()
    try {
      for (const each of always) this.solver.add(each)
      switch (this.solver.check(conditions)) {
        case 'sat':
          return { kind: 'possible', model: this.solver.model() }
        case 'unknown':
          return { kind: 'unknown', reason: this.solver.reason() }
        case 'unsat':
          return { kind: 'impossible', needed: this.minimal(this.solver.core()) }
      }
    } finally {
      this.solver.pop()
    }
  }

  private execute(letters: readonly Letter[]) {
    const steps: TraceStep[] = []
    let now: ReadonlyMap<Term, Term> = new Map()
    for (const [k, letter] of letters.entries()) {
      const inputs = new Map(letter.inputs.map(({ term }) => [term, logic.variable(`${term.name}@${k}`, term.sort)]))
      const before = now
      const guards = logic.conjuncts(pushNegations(letter.guard))
      const conditions = guards.map((guard) => this.evaluate(guard, before, inputs))
      const next = new Map(before)
      for (const v of letter.dead) next.delete(v)
      for (const [v, value] of letter.updates) next.set(v, this.evaluate(value, before, inputs))
      now = next
      steps.push({ letter, inputs, before, guards, conditions })
    }
    return { steps, after: now }
  }

  /** A formula over program variables, as it is in a state of the trace. */
  private evaluate(term: Term, state: ReadonlyMap<Term, Term>, inputs?: ReadonlyMap<Term, Term>): Term {
    const free = logic.freeVariables(term)
    if (free.length === 0) return term
    const values = new Map<Term, Term>()
    for (const v of free) {
      // What a thread brings along has no value before it starts.
      values.set(v, inputs?.get(v) ?? state.get(v) ?? this.transitions.initials.get(v)?.value ?? v)
    }
    return logic.substitute(term, values)
  }

  private minimal(core: readonly Term[]): readonly Term[] {
    if (core.length < 2 || core.length > MINIMISED_CORE) return core
    let needed = core
    // Those at the end first: what the beginning says tends to be about one execution.
    for (const candidate of core) {
      const rest = needed.filter((each) => each !== candidate)
      if (this.solver.check(rest) === 'unsat') needed = rest
    }
    return needed
  }

  private isContradiction(formulas: readonly Term[]): boolean {
    this.solver.push()
    for (const each of formulas) this.solver.add(each)
    const status = this.solver.check()
    this.solver.pop()
    return status === 'unsat'
  }

  // ---- weakest preconditions

  private weakestPreconditions(
    steps: readonly TraceStep[],
    first: readonly (readonly Term[])[],
    bad: Term,
  ): readonly (readonly Term[])[] | undefined {
    const kept = first.map((guards) => new Set(guards))
    const result: (readonly Term[])[] = [logic.disjuncts(bad).map(logic.not)]
    let after = bad
    for (let k = steps.length - 1; k >= 0; k--) {
      const { letter } = steps[k]!
      const before = logic.and(logic.substitute(after, letter.updates), [...kept[k]!])
      const projected = withoutInputs(before, letter)
      after = projected.formula
      // More than what leads there may need more guards of the trace to be refuted.
      if (projected.more && !this.keepMore(steps, k, after, kept)) return undefined
      result.unshift(after === logic.FALSE ? [] : logic.disjuncts(after).map(logic.not))
      if (after === logic.FALSE) {
        for (let i = k - 1; i >= 0; i--) result.unshift([])
        break
      }
    }
    return result
  }

  /** Adds the guards before step k that contradict the formula there; false if none do. */
  private keepMore(steps: readonly TraceStep[], k: number, formula: Term, kept: readonly Set<Term>[]): boolean {
    if (formula === logic.FALSE) return true
    const prefix = steps.slice(0, k)
    const conditions = [...new Set(prefix.flatMap((step) => step.conditions))].filter((each) => each !== TRUE)
    const goal = this.evaluate(formula, steps[k]!.before)
    const core = this.core([...this.transitions.initialFacts(), goal], conditions)
    if (core.kind !== 'impossible') return false
    const needed = new Set(core.needed)
    for (const [i, { guards, conditions: own }] of prefix.entries())
      for (const [j, guard] of guards.entries()) if (needed.has(own[j]!)) kept[i]!.add(guard)
    return true
  }

  // ---- sequence interpolants

  private sequenceInterpolants(
    letters: readonly Letter[],
    kept: readonly (readonly Term[])[],
    bad: Term,
    method: Method,
  ): readonly (readonly Term[])[] | undefined {
    this.counts.interpolations++
    const index = new Map<Term, number>()
    const plain = new Map<Term, Term>()
    const current = (v: Term): Term => {
      const at = logic.indexed(v, index.get(v) ?? 0)
      plain.set(at, v)
      return at
    }
    const relevant = relevantVariables(letters, kept, bad)
    const first = [...relevant].map((v) => {
      const initial = this.transitions.initials.get(v)
      return initial ? logic.and(logic.eq(current(v), initial.value), initial.fact) : TRUE
    })
    const formulas: Term[] = [logic.and(first)]
    for (const [k, letter] of letters.entries()) {
      const own = new Map(letter.inputs.map(({ term }) => [term, logic.variable(`${term.name}@${k}`, term.sort)]))
      const now = (term: Term): Term =>
        logic.substitute(term, new Map(logic.freeVariables(term).map((v) => [v, own.get(v) ?? current(v)])))
      const guard = now(logic.and(kept[k]!))
      const changed = [...letter.updates].filter(([v]) => relevant.has(v)).map(([v, value]) => [v, now(value)] as const)
      const equations = changed.map(([v, value]) => {
        index.set(v, (index.get(v) ?? 0) + 1)
        return logic.eq(current(v), value)
      })
      formulas.push(logic.and(guard, equations))
    }
    formulas.push(logic.substitute(bad, new Map(logic.freeVariables(bad).map((v) => [v, current(v)]))))
    const limits = { rlimit: SOLVER_STEPS, ...(method === 'spacer' && { timeoutMs: SPACER_MS }) }
    const answer = interpolate(this.smt, formulas, { method, ...limits, validate: true })
    if (answer.status !== 'unsat') return undefined
    return answer.interpolants.map((each) => {
      const assertion = logic.substitute(each, plain)
      return assertion === logic.FALSE ? [] : logic.conjuncts(assertion)
    })
  }
}

/** What the guards that were kept, and the end, depend on. */
const relevantVariables = (
  letters: readonly Letter[],
  kept: readonly (readonly Term[])[],
  bad: Term,
): ReadonlySet<Term> => {
  const relevant = new Set(logic.freeVariables(bad))
  for (let k = letters.length - 1; k >= 0; k--) {
    for (const guard of kept[k]!) for (const v of logic.freeVariables(guard)) relevant.add(v)
    for (const [v, value] of letters[k]!.updates)
      if (relevant.has(v)) for (const other of logic.freeVariables(value)) relevant.add(other)
  }
  return new Set([...relevant].filter((v) => !isInput(v)))
}

/** With negations of conjunctions and disjunctions pushed inwards. */
const pushNegations = (term: Term, negated = false): Term => {
  switch (term.op) {
    case 'not':
      return pushNegations(term.args[0]!, !negated)
    case 'and':
    case 'or': {
      const parts = term.args.map((each) => pushNegations(each, negated))
      return (term.op === 'and') === negated ? logic.or(parts) : logic.and(parts)
    }
    default:
      return negated ? logic.not(term) : term
  }
}

/** The formula without the letter's inputs: exactly where they can be eliminated, else more states (`more`). */
export const withoutInputs = (
  formula: Term,
  { inputs }: Letter,
): { readonly formula: Term; readonly more: boolean } => {
  let exact = pushNegations(formula)
  for (const { term } of inputs)
    if (logic.freeVariables(exact).includes(term)) {
      const cases = logic
        .disjuncts(exact)
        .map((each) => (logic.freeVariables(each).includes(term) ? eliminate(each, term) : each))
      if (cases.every((each) => each !== undefined)) exact = logic.or(cases as readonly Term[])
    }
  const own = new Set(inputs.map(({ term }) => term))
  const free = logic.freeVariables(exact)
  if (!free.some((v) => own.has(v))) return { formula: exact, more: false }
  return { formula: project(exact, new Set(free.filter((v) => !own.has(v)))), more: true }
}
