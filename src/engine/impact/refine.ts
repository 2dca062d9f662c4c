// From an infeasible path to stronger labels: what REFINE, force cover, conditional dependence and obligations share.
// A goal at a node follows from the path to it; the labels along the path become the weakest preconditions of the goal
// with respect to those guards that are needed for it (the interpolation of impact.txt, section V), or sequence
// interpolants where weakest preconditions would need quantifiers, or repeat a loop without end.

import { pathTo } from '../../arg/graph.js'
import * as logic from '../../logic/index.js'
import { type Model, type Term, TRUE } from '../../logic/index.js'
import { interpolate, type Method, type Smt, type Solver } from '../../smt/index.js'
import { project } from '../../smt/interpolation/newton.js'
import { eliminate } from '../../smt/interpolation/quantify.js'
import { isInput, type Transition, type Transitions } from '../../symbolic/index.js'
import type { Node } from './tree.js'

export type InterpolationKind = 'auto' | 'wp' | Method

/** Which guards of the path contradict what was asked: for the step into each node. */
export type Reasons = ReadonlyMap<Node, readonly Term[]>

export type Refutation =
  | { readonly status: 'refuted'; readonly reasons: Reasons }
  | { readonly status: 'possible'; readonly model: Model }
  | { readonly status: 'unknown' }

/** States from which a step leads to others, without its inputs, and why the path does not come to them. */
interface Projection {
  readonly formula: Term
  readonly reasons: Reasons
}

const NO_REASONS: Reasons = new Map()

export interface Clause {
  readonly node: Node
  readonly clause: Term
}

/** Bounds a check of the solver, in its own steps. */
const SOLVER_STEPS = 2_000_000
const SPACER_MS = 2_000
/** A formula of this size is better replaced by values. */
const LARGE = 50
/** Cores up to this size are made minimal. */
const MINIMISED_CORE = 8
/** How often a path may visit a location vector before loops are suspected to defeat weakest preconditions. */
const MANY_VISITS = 6

export class Refinement {
  readonly counts = { refinements: 0, interpolations: 0, solver_calls: 0 }
  private readonly solver: Solver
  private readonly substitutions = new Map<Transition, Map<Term, Term>>()

  constructor(
    private readonly transitions: Transitions,
    private readonly smt: Smt,
    private readonly kind: InterpolationKind,
    /** Adds a conjunct to the label of a node. */
    private readonly strengthen: (node: Node, conjunct: Term) => void,
    /** Whether the label of a node implies a formula. */
    private readonly implied: (node: Node, formula: Term) => boolean,
  ) {
    this.solver = smt.solver({ rlimit: SOLVER_STEPS })
    for (const fact of transitions.initialFacts()) this.solver.add(fact)
  }

  dispose(): void {
    this.solver.dispose()
  }

  /** A formula over program variables (and the inputs of a step) as it is on the path to a node. */
  evaluate(term: Term, node: Node, inputs?: ReadonlyMap<Term, Term>): Term {
    const free = logic.freeVariables(term)
    if (free.length === 0) return term
    const values = new Map<Term, Term>()
    for (const v of free) values.set(v, inputs?.get(v) ?? node.state.get(v) ?? this.initially(v))
    return logic.substitute(term, values)
  }

  private initially(v: Term): Term {
    return isInput(v) ? v : this.transitions.initial(v).value
  }

  /** Whether the path to v and these conjuncts, over v's variables, contradict each other. */
  refute(v: Node, conjuncts: readonly Term[]): Refutation {
    const evaluated = conjuncts.map((each) => this.evaluate(each, v))
    if (evaluated.includes(logic.FALSE)) return { status: 'refuted', reasons: new Map() }
    const guards = new Map<Term, { readonly node: Node; readonly guard: Term }>()
    for (let node = v; node.step; node = node.parent!)
      for (const [i, condition] of node.step.conditions.entries()) {
        const guard = node.step.guards[i]!
        if (condition === logic.FALSE) return { status: 'refuted', reasons: new Map([[node, [guard]]]) }
        if (condition !== TRUE && !guards.has(condition)) guards.set(condition, { node, guard })
      }
    return this.ask([...guards.keys()], evaluated, guards)
  }

  private ask(
    conditions: readonly Term[],
    always: readonly Term[],
    guards: ReadonlyMap<Term, { readonly node: Node; readonly guard: Term }>,
  ): Refutation {
    this.solver.push()
    try {
      for (const formula of always) this.solver.add(formula)
      switch (this.check(conditions)) {
        case 'sat':
          return { status: 'possible', model: this.solver.model() }
        case 'unknown':
          return { status: 'unknown' }
        case 'unsat':
          return { status: 'refuted', reasons: reasonsOf(this.minimal(this.solver.core()), guards) }
      }
    } finally {
      this.solver.pop()
    }
  }

  private check(assumptions: readonly Term[]) {
    this.counts.solver_calls++
    return this.solver.check(assumptions)
  }

  /** The core without what can be spared. */
  private minimal(core: readonly Term[]): readonly Term[] {
    if (core.length < 2 || core.length > MINIMISED_CORE) return core
    let needed = core
    for (const candidate of core) {
      const rest = needed.filter((each) => each !== candidate)
      if (this.check(rest) === 'unsat') needed = rest
    }
    return needed
  }

  /**
   * The conjuncts cannot hold together at v, as `reasons` of its path show: writes that into the labels of v and of
   * its ancestors, up to where they know it already. False if no labels were found.
   */
  annotate(v: Node, conjuncts: readonly Term[], reasons: Reasons, kind: InterpolationKind = this.kind): boolean {
    this.counts.refinements++
    const wp = () => this.weakestPreconditions(v, conjuncts, reasons)
    if (kind === 'wp') return wp()
    const sequence = () => this.sequenceInterpolants(v, conjuncts, reasons)
    if (kind !== 'auto') return sequence() || wp()
    return repeats(v) ? sequence() || wp() : wp() || sequence()
  }

  // ---- weakest preconditions

  private weakestPreconditions(v: Node, conjuncts: readonly Term[], reasons: Reasons): boolean {
    const clauses = this.clausesUpTo(undefined, v, conjuncts, reasons)
    if (!clauses) return false
    for (const { node, clause } of clauses) this.strengthen(node, clause)
    return true
  }

  /**
   * Labels that make v deny the conjuncts, given what `base` (an ancestor) says already; without `base`, given the
   * beginning. Undefined if these weakest preconditions do not follow there.
   */
  clausesUpTo(
    base: Node | undefined,
    v: Node,
    conjuncts: readonly Term[],
    reasons: Reasons,
  ): readonly Clause[] | undefined {
    const clauses: Clause[] = []
    const needed = new Map([...reasons].map(([node, guards]) => [node, new Set(guards)]))
    let bad = logic.and(conjuncts)
    for (let node: Node | undefined = v; node; node = node.parent) {
      bad = this.simpler(bad, node)
      if (bad === logic.FALSE) break
      const denied = logic.disjuncts(bad).map(logic.not)
      if (denied.every((clause) => node!.label.has(clause))) break
      if (node === base) return denied.every((clause) => this.implied(node!, clause)) ? clauses : undefined
      // What was computed is checked, even where it cannot fail: a label that excludes the beginning proves everything.
      if (!node.step && !this.excludesNoBeginning(bad, node)) return undefined
      for (const clause of denied) clauses.push({ node, clause })
      if (!node.step) break
      const before = this.before(node, bad, [...(needed.get(node) ?? [])])
      if (before === undefined) return undefined
      for (const [at, guards] of before.reasons)
        for (const guard of guards) needed.set(at, (needed.get(at) ?? new Set()).add(guard))
      bad = before.formula
    }
    return clauses
  }

  /** Whether no first state is among these. */
  private excludesNoBeginning(bad: Term, root: Node): boolean {
    return this.contradictory(this.evaluate(bad, root))
  }

  /** The states before the step into `node` from which it leads to `bad`, by these guards; or more, but refuted. */
  private before(node: Node, bad: Term, guards: readonly Term[]): Projection | undefined {
    const { transition } = node.step!
    const before = logic.and(this.substituted(bad, transition), guards)
    return this.withoutInputs(before, transition, node.parent!)
  }

  /** Paths share their steps, and labels their conjuncts: what was computed once is kept. */
  private substituted(bad: Term, transition: Transition): Term {
    let known = this.substitutions.get(transition)
    if (!known) this.substitutions.set(transition, (known = new Map()))
    let result = known.get(bad)
    if (!result) known.set(bad, (result = logic.substitute(bad, transition.updates)))
    return result
  }

  /** A weakest precondition that has grown large: instead, that its variables have not the values of this path. */
  private simpler(bad: Term, node: Node): Term {
    if (logic.size(bad) <= LARGE) return bad
    const values = new Map(logic.freeVariables(bad).map((v) => [v, node.state.get(v) ?? this.initially(v)]))
    if ([...values.values()].some(({ op }) => op !== 'const') || logic.substitute(bad, values) !== logic.FALSE)
      return bad
    for (const [v, value] of [...values]) {
      values.delete(v)
      if (logic.substitute(bad, values) !== logic.FALSE) values.set(v, value)
    }
    return logic.or([...values].map(([v, value]) => logic.not(logic.eq(v, value))))
  }

  /**
   * Existential quantification over the inputs of a step that starts at `node`, or more; undefined if that is possible.
   * More than the quantification may need more guards of the path to be refuted: they come with it.
   */
  withoutInputs(formula: Term, { inputs }: Transition, node: Node): Projection | undefined {
    const own = new Set(inputs.map(({ term }) => term))
    const exact = withoutAll(formula, inputs)
    const free = logic.freeVariables(exact)
    if (!free.some((v) => own.has(v))) return { formula: exact, reasons: NO_REASONS }
    if (this.contradictory(exact)) return { formula: logic.FALSE, reasons: NO_REASONS }
    const projected = project(exact, new Set(free.filter((v) => !own.has(v))))
    const refutation = this.refute(node, logic.conjuncts(projected))
    return refutation.status === 'refuted' ? { formula: projected, reasons: refutation.reasons } : undefined
  }

  private contradictory(formula: Term): boolean {
    if (formula.op === 'const') return formula === logic.FALSE
    this.solver.push()
    this.solver.add(formula)
    const status = this.check([])
    this.solver.pop()
    return status === 'unsat'
  }

  // ---- sequence interpolants

  private sequenceInterpolants(v: Node, conjuncts: readonly Term[], reasons: Reasons): boolean {
    this.counts.interpolations++
    const path = pathTo(v)
    const { formulas, plain } = this.sequence(path, conjuncts, reasons)
    const methods: readonly Method[] = this.kind === 'auto' ? ['farkas', 'spacer'] : [this.kind as Method]
    for (const method of methods) {
      // Spacer does not count its steps.
      const limits = { rlimit: SOLVER_STEPS, ...(method === 'spacer' && { timeoutMs: SPACER_MS }) }
      const answer = interpolate(this.smt, formulas, { method, ...limits, validate: true })
      if (answer.status !== 'unsat') continue
      path.forEach((node, i) => {
        const label = logic.substitute(answer.interpolants[i]!, plain)
        for (const conjunct of logic.conjuncts(label)) this.strengthen(node, conjunct)
        if (label === logic.FALSE) this.strengthen(node, label)
      })
      return true
    }
    return false
  }

  /** init, the steps, and the conjuncts at the end, in static single assignment form and cut down to what matters. */
  private sequence(path: readonly Node[], conjuncts: readonly Term[], reasons: Reasons) {
    const relevant = relevantVariables(path, conjuncts, reasons)
    const index = new Map<Term, number>()
    const plain = new Map<Term, Term>()
    const current = (v: Term): Term => {
      const at = logic.indexed(v, index.get(v) ?? 0)
      plain.set(at, v)
      return at
    }
    const here = (term: Term, step: number): Term =>
      logic.renameVariables(term, (v) => (isInput(v) ? logic.variable(`${v.name}@step${step}`, v.sort) : current(v)))
    const formulas: Term[] = [
      logic.and(
        [...relevant[0]!].map((v) => logic.eq(current(v), this.transitions.initial(v).value)),
        this.transitions.initialFacts(),
      ),
    ]
    path.slice(1).forEach((node, i) => {
      const { transition } = node.step!
      const kept = [...transition.updates].filter(([v]) => relevant[i + 1]!.has(v))
      const guards = logic
        .conjuncts(transition.guard)
        .filter((g) => (reasons.get(node) ?? []).includes(g) || isAboutInputs(g))
        .map((g) => here(g, i))
      const values = kept.map(([, value]) => here(value, i))
      for (const [v] of kept) index.set(v, (index.get(v) ?? 0) + 1)
      formulas.push(
        logic.and(
          guards,
          kept.map(([v], k) => logic.eq(current(v), values[k]!)),
        ),
      )
    })
    formulas.push(logic.and(conjuncts.map((each) => here(each, -1))))
    return { formulas, plain }
  }
}

/** Eliminates the inputs one by one, as far as that is exact, with the ranges of their types. */
const withoutAll = (formula: Term, inputs: Transition['inputs']): Term => {
  let rest = formula
  for (const { term } of inputs)
    if (logic.freeVariables(rest).includes(term)) {
      const found = logic.or(logic.disjuncts(rest).map((each) => eliminate(each, term) ?? each))
      if (!logic.freeVariables(found).includes(term)) rest = found
    }
  return rest
}

const isAboutInputs = (guard: Term): boolean => {
  const free = logic.freeVariables(guard)
  return free.length > 0 && free.every((v) => isInput(v))
}

const reasonsOf = (
  core: readonly Term[],
  guards: ReadonlyMap<Term, { readonly node: Node; readonly guard: Term }>,
): Reasons => {
  const reasons = new Map<Node, Term[]>()
  for (const condition of core) {
    const { node, guard } = guards.get(condition)!
    const known = reasons.get(node)
    if (known) known.push(guard)
    else reasons.set(node, [guard])
  }
  return reasons
}

/** For each node of the path: the variables whose values there matter for the contradiction. */
const relevantVariables = (
  path: readonly Node[],
  conjuncts: readonly Term[],
  reasons: Reasons,
): readonly ReadonlySet<Term>[] => {
  const isProgram = (v: Term): boolean => !isInput(v)
  let relevant = new Set(conjuncts.flatMap((each) => logic.freeVariables(each)).filter(isProgram))
  const result: ReadonlySet<Term>[] = [relevant]
  for (let i = path.length - 1; i > 0; i--) {
    const node = path[i]!
    const { updates } = node.step!.transition
    const before = new Set<Term>()
    for (const v of relevant)
      for (const read of logic.freeVariables(updates.get(v) ?? v)) if (isProgram(read)) before.add(read)
    for (const guard of reasons.get(node) ?? [])
      for (const v of logic.freeVariables(guard)) if (isProgram(v)) before.add(v)
    result.unshift((relevant = before))
  }
  return result
}

/** Whether the path goes through a location vector again and again. */
const repeats = (v: Node): boolean => {
  const visits = new Map<string, number>()
  for (let node: Node | undefined = v; node; node = node.parent) {
    const count = (visits.get(node.control.key) ?? 0) + 1
    if (count > MANY_VISITS) return true
    visits.set(node.control.key, count)
  }
  return false
}
