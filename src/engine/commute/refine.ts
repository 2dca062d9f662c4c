// From a trace that the proof does not cover to an execution, or to assertions that show there is none: weakest
// preconditions backwards along the trace, with those guards only that an unsatisfiable core needs (Newton-style; Dietsch,
// Heizmann, Musa, Nutz, Podelski 2017), and values from outside eliminated. Each denied disjunct is an assertion of its
// own, so that parts of it can hold elsewhere. Where that fails, or repeats itself, sequence interpolants are asked.
import * as logic from '../../logic/index.js'
import { type Model, type Term, TRUE } from '../../logic/index.js'
import { interpolate, type Method, Queries, type Smt, type Solver } from '../../smt/index.js'
import { eliminateByBounds } from '../../smt/interpolation/bounds.js'
import { project } from '../../smt/interpolation/newton.js'
import { eliminate } from '../../smt/interpolation/quantify.js'
import { isInput, type Transitions } from '../../symbolic/index.js'
import { Consequences } from './consequences.js'
import type { Letter } from './letters.js'
import { solvedBy } from './solved.js'

const SOLVER_STEPS = 1_500_000
const SEGMENT_STEPS = 400_000
const SPACER_MS = 2_000
const MINIMISED_CORE = 12

/** One step of a trace, with its own copies of the letter's inputs. */
export interface TraceStep {
  readonly letter: Letter
  readonly inputs: ReadonlyMap<Term, Term>
  /** What everything that changed so far is before the step, over values at the start and inputs. */
  readonly before: ReadonlyMap<Term, Term>
  readonly guards: readonly Term[]
  readonly conditions: readonly Term[]
}

/** Where a segment starts: in the program's first states, or wherever formulas over program variables hold. */
export interface Start {
  readonly facts: readonly Term[]
  readonly isFirst: boolean
}

/** A part of a trace, executed exactly: nothing is forgotten between its steps. */
export interface Segment {
  readonly start: Start
  readonly steps: readonly TraceStep[]
  readonly now: ReadonlyMap<Term, Term>
  /** What the start and the guards say. */
  readonly premise: Term
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
  private readonly queries: Queries
  private readonly consequences: Consequences

  constructor(
    private readonly transitions: Transitions,
    private readonly smt: Smt,
  ) {
    this.solver = smt.solver({ rlimit: SOLVER_STEPS })
    this.queries = new Queries(smt, { rlimit: SEGMENT_STEPS })
    this.consequences = new Consequences(smt, SEGMENT_STEPS)
  }

  dispose(): void {
    this.solver.dispose()
    this.queries.dispose()
    this.consequences.dispose()
  }

  solverCalls(): number {
    return (this.queries.statistics().solved ?? 0) + this.consequences.counts.solved
  }

  /** Whether a formula over program variables holds of every first state. */
  holdsFirst(formula: Term): boolean {
    const value = this.evaluate(formula, this.first())
    if (value.op === 'const') return value === TRUE
    return this.isContradiction([...this.transitions.initialFacts(), logic.not(value)])
  }

  // ---- segments

  first(): Segment {
    const facts = this.transitions.initialFacts()
    return { start: { facts, isFirst: true }, steps: [], now: new Map(), premise: logic.and(facts) }
  }

  /** From wherever these hold. */
  from(facts: readonly Term[]): Segment {
    const now = solvedBy(facts)
    // What a variable is has to be a value of its type, too.
    const known = logic.and(
      facts,
      facts.map((each) => this.transitions.rangesOf(each)),
    )
    return { start: { facts, isFirst: false }, steps: [], now, premise: logic.substitute(known, now) }
  }

  extend(segment: Segment, letter: Letter): Segment {
    const k = segment.steps.length
    const inputs = new Map(letter.inputs.map(({ term }) => [term, logic.variable(`${term.name}@${k}`, term.sort)]))
    const guards = logic.conjuncts(pushNegations(letter.guard))
    const conditions = guards.map((guard) => this.evaluate(guard, segment, inputs))
    const now = new Map(segment.now)
    for (const v of letter.dead) now.set(v, logic.variable(`${v.name}@dead:${k}`, v.sort))
    for (const [v, value] of letter.updates) now.set(v, this.evaluate(value, segment, inputs))
    const step = { letter, inputs, before: segment.now, guards, conditions }
    return {
      ...{ start: segment.start, steps: [...segment.steps, step], now },
      premise: logic.and(segment.premise, conditions),
    }
  }

  /** Whether it can be executed, as far as is known. */
  isPossible({ premise }: Segment): boolean {
    return !this.isImpossible(premise)
  }

  /** Which of the formulas over program variables hold after the segment. */
  holding(segment: Segment, formulas: readonly Term[]): readonly boolean[] {
    const after = formulas.map((each) => this.evaluate(each, segment))
    const holding = this.consequences.of(segment.premise, after, (each) => this.transitions.rangesOf(each))
    return after.map((each) => holding.has(each))
  }

  /** Whether all of the formulas hold after the segment. */
  allHold(segment: Segment, formulas: readonly Term[]): boolean {
    const after = formulas.map((each) => this.evaluate(each, segment))
    return this.consequences.all(segment.premise, after, (each) => this.transitions.rangesOf(each))
  }

  /** Those that do not hold of all values of their types. */
  notAlways(formulas: readonly Term[]): readonly Term[] {
    const always = this.consequences.of(TRUE, formulas, (each) => this.transitions.rangesOf(each))
    return formulas.filter((each) => each.op !== 'const' && !always.has(each))
  }

  /** That these variables have the values after the segment that they have in all of its executions. */
  constantsAt(segment: Segment, variables: readonly Term[]): readonly Term[] {
    return variables.flatMap((v) => {
      const value = this.evaluate(v, segment)
      return value.op === 'const' && value !== v ? [logic.eq(v, value)] : []
    })
  }

  /** Whether no values of their types satisfy the formula. */
  isImpossible(formula: Term): boolean {
    return this.queries.satisfiable(logic.and(formula, this.transitions.rangesOf(formula))) === false
  }

  /** Whether the formula holds after the segment. */
  holds(segment: Segment, formula: Term): boolean {
    return this.holding(segment, [formula])[0]!
  }

  /** Of formulas that hold after the segment, those that do whatever its guards say, with what has to hold before each step. */
  carried(segment: Segment, formulas: readonly Term[]): ReadonlyMap<Term, readonly (readonly Term[])[]> {
    const { steps, start } = segment
    const first = formulas.map((each) => this.evaluate(each, segment))
    const isPlain = (term: Term): boolean => !logic.freeVariables(term).some((v) => v.name!.includes('@'))
    const holding = this.consequences.of(logic.and(start.facts), first.filter(isPlain), (each) =>
      this.transitions.rangesOf(each),
    )
    const result = new Map<Term, readonly (readonly Term[])[]>()
    for (const [i, formula] of formulas.entries()) {
      if (!isPlain(first[i]!) || !holding.has(first[i]!)) continue
      const chain: (readonly Term[])[] = [[formula]]
      let now = formula
      for (const { letter } of [...steps].reverse()) {
        now = logic.substitute(now, letter.updates)
        chain.unshift([now])
      }
      result.set(formula, chain)
    }
    return result
  }

  /** The segment, followed by a state in which `bad` holds. */
  refine(segment: Segment, bad: Term, method: 'core' | 'wp' | Method): Refinement {
    this.counts.refinements++
    const { steps, start } = segment
    const conditions = [...new Set(steps.flatMap((step) => step.conditions))].filter((each) => each !== TRUE)
    const core = this.core([...start.facts, this.evaluate(bad, segment)], conditions)
    if (core.kind === 'possible') return { kind: 'feasible', model: core.model, steps }
    if (core.kind === 'unknown') return core
    if (method === 'core') return { kind: 'refuted', assertions: [] }
    const needed = new Set(core.needed)
    const kept = steps.map(({ guards, conditions: own }) => guards.filter((_, i) => needed.has(own[i]!)))
    const assertions =
      method === 'wp'
        ? this.weakestPreconditions(segment, kept, bad)
        : this.sequenceInterpolants(segment, kept, bad, method)
    return assertions ? { kind: 'refuted', assertions } : { kind: 'unknown', reason: 'no interpolants found' }
  }

  /** Of the facts some that imply all formulas, over program variables; undefined: they do not, as far as is known. */
  sufficient(facts: readonly Term[], formulas: readonly Term[]): readonly Term[] | undefined {
    const own = new Set(facts)
    const open = formulas.filter((each) => !own.has(each))
    const enough = new Set(formulas.filter((each) => own.has(each)))
    if (open.length === 0) return [...enough]
    const all = this.core([logic.or(open.map(logic.not))], facts)
    // One by one they may be easier.
    const cores = all.kind === 'unknown' ? open.map((each) => this.core([logic.not(each)], facts)) : [all]
    for (const core of cores) {
      if (core.kind !== 'impossible') {
        return undefined
      }
      for (const each of core.needed) enough.add(each)
    }
    return [...enough]
  }

  /** Which of the conditions contradict what always holds. */
  private core(always: readonly Term[], conditions: readonly Term[]): Core {
    if (conditions.includes(logic.FALSE)) return { kind: 'impossible', needed: [logic.FALSE] }
    this.solver.push()
    try {
      for (const each of always) this.solver.add(each)
      for (const each of [...always, ...conditions]) this.solver.add(this.transitions.rangesOf(each))
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

  /** A formula over program variables, as it is after a segment. */
  private evaluate(term: Term, { now, start }: Pick<Segment, 'now' | 'start'>, inputs?: ReadonlyMap<Term, Term>): Term {
    const free = logic.freeVariables(term)
    if (free.length === 0) return term
    const values = new Map<Term, Term>()
    for (const v of free) {
      // What a thread brings along has no value before it starts.
      const first = start.isFirst ? this.transitions.initials.get(v)?.value : undefined
      values.set(v, inputs?.get(v) ?? now.get(v) ?? first ?? v)
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
    { steps, start }: Segment,
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
      if (projected.more && !this.keepMore(start, steps, k, after, kept)) return undefined
      result.unshift(after === logic.FALSE ? [] : logic.disjuncts(after).map(logic.not))
      if (after === logic.FALSE) {
        for (let i = k - 1; i >= 0; i--) result.unshift([])
        break
      }
    }
    return result
  }

  /** Adds the guards before step k that contradict the formula there; false if none do. */
  private keepMore(
    start: Start,
    steps: readonly TraceStep[],
    k: number,
    formula: Term,
    kept: readonly Set<Term>[],
  ): boolean {
    if (formula === logic.FALSE) return true
    const prefix = steps.slice(0, k)
    const conditions = [...new Set(prefix.flatMap((step) => step.conditions))].filter((each) => each !== TRUE)
    const goal = this.evaluate(formula, { now: steps[k]!.before, start })
    const core = this.core([...start.facts, goal], conditions)
    if (core.kind !== 'impossible') return false
    const needed = new Set(core.needed)
    for (const [i, { guards, conditions: own }] of prefix.entries())
      for (const [j, guard] of guards.entries()) if (needed.has(own[j]!)) kept[i]!.add(guard)
    return true
  }

  // ---- sequence interpolants

  private sequenceInterpolants(
    { steps, start }: Segment,
    kept: readonly (readonly Term[])[],
    bad: Term,
    method: Method,
  ): readonly (readonly Term[])[] | undefined {
    const letters = steps.map(({ letter }) => letter)
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
      const initial = start.isFirst ? this.transitions.initials.get(v) : undefined
      return initial ? logic.and(logic.eq(current(v), initial.value), initial.fact) : TRUE
    })
    const known = start.isFirst ? TRUE : logic.and(start.facts)
    const formulas: Term[] = [
      logic.and(first, logic.substitute(known, new Map(logic.freeVariables(known).map((v) => [v, current(v)])))),
    ]
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
export const pushNegations = (term: Term, negated = false): Term => {
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

const eliminated = (formula: Term, x: Term): Term | undefined => eliminateByBounds(formula, x) ?? eliminate(formula, x)

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
        .map((each) => (logic.freeVariables(each).includes(term) ? eliminated(each, term) : each))
      if (cases.every((each) => each !== undefined)) exact = logic.or(cases as readonly Term[])
    }
  const own = new Set(inputs.map(({ term }) => term))
  const free = logic.freeVariables(exact)
  if (!free.some((v) => own.has(v))) return { formula: exact, more: false }
  return { formula: project(exact, new Set(free.filter((v) => !own.has(v)))), more: true }
}
