// Algorithms 1 and 2 of impact.txt: MAIN, EXPAND, CLOSE and REFINE over the tree, with force cover. docs/impact.md
// names the departures; the rules of soundness.md 9 hold: a cover makes its coverer unwind what the covered node would
// have unwound, cover expansions do not replace a node's own EXPAND, and nodes that lose their cover are queued again.
import { conjuncts, FALSE, type Model, not, type Term, TRUE, variable } from '../../logic/index.js'
import type { Property } from '../../property/index.js'
import { type Action, ControlFlow, failing, type ThreadControl } from '../../semantics/control.js'
import type { Smt } from '../../smt/index.js'
import type { Transition, Transitions } from '../../symbolic/index.js'
import { inconclusive, type Reason } from '../../verdict/reason.js'
import type { Env } from '../engine.js'
import { interference } from './dependence.js'
import { Implications } from './implication.js'
import { type PartialOrder, Reduction } from './reduction.js'
import { type InterpolationKind, Refinement } from './refine.js'
import { type BadStates, badStates } from './suspicions.js'
import { type Node, nearestCommonAncestor, PathState, type TakenStep, Tree } from './tree.js'

export interface ImpactOptions {
  readonly por: PartialOrder
  readonly forceCover: boolean
  readonly interpolation: InterpolationKind
  readonly conditionalDependence: boolean
  readonly pruneEdges: boolean
  /** Which states are bad besides error locations: races and deadlocks. */
  readonly property?: Property
  /** Lines 13 and 14 of Algorithm 2; left out only to show that they are needed. */
  readonly coverExpansions?: boolean
}

export type Outcome =
  | { readonly kind: 'safe' }
  | { readonly kind: 'error'; readonly node: Node; readonly model: Model }
  | { readonly kind: 'stopped'; readonly reason: Reason }

/** How many older nodes a node is compared with. */
const COVER_CANDIDATES = 60
const FORCE_CANDIDATES = 12
/** How far covers are kept up by strengthening nodes that cover others, and so on. */
const KEPT_DEPTH = 3
/** Of so many nodes that are selected, one is the oldest instead of the youngest. */
const OLDEST_EVERY = 8

export class Impact {
  readonly tree = new Tree()
  readonly flow: ControlFlow
  readonly counts = { covers: 0, forced_covers: 0, cover_expansions: 0, uncovered: 0, pruned_edges: 0, alias_checks: 0 }
  readonly refinement: Refinement
  readonly implications: Implications
  readonly reduction: Reduction
  /** Q: uncovered nodes that are not expanded, by number of threads, the youngest on top. */
  private readonly queue: Node[][] = []
  private selections = 0
  private keeping = 0
  private strengthened = new Set<Node>()
  private readonly badStates: BadStates

  constructor(
    private readonly transitions: Transitions,
    smt: Smt,
    readonly options: ImpactOptions,
    private readonly env: Env,
  ) {
    this.flow = new ControlFlow(transitions.program)
    this.badStates = badStates(this.flow, transitions, options.property ?? 'assert')
    this.implications = new Implications(smt)
    this.refinement = new Refinement(
      transitions,
      smt,
      options.interpolation,
      (node, conjunct) => this.strengthen(node, conjunct),
      (node, formula) => this.implications.implied(node, formula),
    )
    const commute = (v: Node, thread: ThreadControl): boolean => this.commute(v, thread)
    const endMatters = options.property === 'no-deadlock'
    this.reduction = new Reduction(transitions.program, this.flow, options.por, commute, endMatters)
    this.enqueue(this.tree.add(this.flow.initial(), undefined, undefined, PathState.initial))
  }

  dispose(): void {
    this.refinement.dispose()
    this.implications.dispose()
  }

  /** MAIN. May be called again after labels were strengthened from outside. */
  main(): Outcome {
    for (let v = this.select(); v; v = this.select()) {
      const stopped = this.env.stopped()
      if (stopped) return { kind: 'stopped', reason: stopped }
      this.close(v)
      if (v.hidden || v.unreachable) continue
      if (failing(v.control)) {
        const outcome = this.refine(v)
        if (outcome) return outcome
      } else {
        const outcome = this.suspect(v)
        if (outcome) return outcome
        if (!v.hidden && !v.unreachable) this.expand(v)
        // Force cover makes up for it: with it, closing here only costs.
        if (!this.options.forceCover) this.closeStrengthened()
      }
      this.report()
    }
    return { kind: 'safe' }
  }

  // ---- EXPAND

  private expand(v: Node): void {
    v.expanded = true
    // soundness 9: what was unwound here for a cover does not replace the node's own threads.
    const threads = this.reduction.threadsAt(v)
    for (const thread of [...threads].reverse()) this.expandThread(thread, v, false)
    for (const covered of v.covers) this.expandFor(covered, v)
  }

  private expandThread(thread: number, v: Node, forCover: boolean): void {
    if (v.threads.has(thread)) return
    v.threads.add(thread)
    const { location } = v.control.threads[thread]!
    for (const edge of [...this.flow.edgesFrom(location)].reverse()) this.unwind(v, { thread, edge }, forCover)
  }

  /** A child of v by an action; an edge that the path's constants exclude is excluded by v's label instead. */
  private unwind(v: Node, action: Action, forCover: boolean): void {
    const transition = this.transitions.of(v.control, action)
    const inputs = new Map<Term, Term>()
    const id = this.tree.nodes.length
    for (const { term } of transition.inputs) inputs.set(term, variable(`${term.name}@node${id}`, term.sort))
    const guards = conjuncts(transition.guard)
    const conditions = guards.map((guard) => this.refinement.evaluate(guard, v, inputs))
    const impossible = conditions.indexOf(FALSE)
    if (impossible >= 0 && this.options.pruneEdges) {
      const bad = this.refinement.withoutInputs(guards[impossible]!, transition, v)
      if (bad !== undefined && this.exclude(v, bad.formula)) {
        this.counts.pruned_edges++
        return
      }
    }
    const changed = new Map<Term, Term>()
    for (const [term, value] of transition.updates) changed.set(term, this.refinement.evaluate(value, v, inputs))
    const step: TakenStep = { action, transition, guards, inputs, conditions, forCover }
    if (forCover) this.counts.cover_expansions++
    this.enqueue(this.tree.add(this.flow.after(v.control, action), v, step, v.state.after(changed)))
  }

  /** Of every action that was unwound at v. */
  transitionsFrom(v: Node): readonly Transition[] {
    return [...v.threads].flatMap((thread) =>
      this.flow
        .edgesFrom(v.control.threads[thread]!.location)
        .map((edge) => this.transitions.of(v.control, { thread, edge })),
    )
  }

  /** Strengthens labels so that phi(v) excludes these states, if the path to v does. */
  private exclude(v: Node, bad: Term): boolean {
    const refutation = this.refinement.refute(v, [bad])
    return refutation.status === 'refuted' && this.refinement.annotate(v, [bad], refutation.reasons, 'wp')
  }

  // ---- CLOSE

  /** Covers v by an older node, if one is as general; otherwise by one that v's path can be shown to be as strong as. */
  private close(v: Node): void {
    if (v.hidden || v.unreachable) return
    const candidates = this.candidates(v)
    const w = candidates.find((each) => this.implications.covers(each, v))
    if (w) this.cover(v, w)
    else if (this.options.forceCover && !v.expanded) this.forceCover(v, candidates)
  }

  /** The oldest nodes that may cover v: none whose label the values on v's path contradict. */
  private candidates(v: Node): readonly Node[] {
    const found: Node[] = []
    const values = new Map<Term, Term>()
    const contradicted = (conjunct: Term): boolean => {
      let value = values.get(conjunct)
      if (!value) values.set(conjunct, (value = this.refinement.evaluate(conjunct, v)))
      return value === FALSE
    }
    const threads = this.reduction.threadsAt(v)
    for (const w of this.tree.olderAtSameVector(v)) {
      if (w.hidden || w.unreachable || some(w.label, contradicted) || !this.reduction.mayCover(w, v)) continue
      if (!this.shares(w, threads)) continue
      found.push(w)
      if (found.length === COVER_CANDIDATES) break
    }
    return found
  }

  /** Whether w unwinds, or will unwind, one of these threads: otherwise to be covered by it saves nothing. */
  private shares(w: Node, threads: readonly number[]): boolean {
    const unwound = w.expanded ? w.threads : new Set(this.reduction.threadsAt(w))
    return threads.length === 0 || threads.some((thread) => unwound.has(thread))
  }

  private cover(v: Node, w: Node): void {
    this.counts.covers++
    this.enqueueAll(this.tree.cover(v, w))
    if (w.expanded) this.expandFor(v, w)
  }

  /** Lines 13 and 14: what v would have unwound is unwound at w, which covers it; if w waits, with the rest. soundness 9 */
  private expandFor(v: Node, w: Node): void {
    if (this.options.coverExpansions === false) return
    for (const thread of this.reduction.threadsAt(v)) this.expandThread(thread, w, true)
  }

  private forceCover(v: Node, candidates: readonly Node[]): void {
    for (const w of candidates.slice(0, FORCE_CANDIDATES))
      if (!w.hidden && !w.unreachable && this.force(v, w)) {
        this.counts.forced_covers++
        this.cover(v, w)
        return
      }
  }

  /** Makes phi(v) imply phi(w), if the path from their nearest common ancestor allows it. */
  private force(v: Node, w: Node): boolean {
    const missing = [...w.label].filter((conjunct) => !v.label.has(conjunct))
    for (const conjunct of missing) if (!this.forceConjunct(v, w, conjunct)) return false
    return !w.hidden && !v.hidden && this.implications.covers(w, v)
  }

  /** Makes phi(v) imply one conjunct of phi(w). */
  private forceConjunct(v: Node, w: Node, conjunct: Term): boolean {
    // What the path shows by its constants costs no solver call; that the label implies it might.
    if (v.label.has(conjunct)) return true
    if (this.refinement.evaluate(conjunct, v) !== TRUE && this.implications.implied(v, conjunct)) return true
    const bad = [not(conjunct)]
    const refutation = this.refinement.refute(v, bad)
    if (refutation.status !== 'refuted') return false
    const clauses = this.refinement.clausesUpTo(nearestCommonAncestor(v, w), v, bad, refutation.reasons)
    for (const { node, clause } of clauses ?? []) this.strengthen(node, clause)
    return clauses !== undefined
  }

  /** Conditional dependence: the path to v's parent shows that v's step and any next one of the thread commute. */
  private commute(v: Node, { number: thread, location }: ThreadControl): boolean {
    if (!this.options.conditionalDependence || v.step!.action.edge.source.atomic) return false
    const known = v.commutes.get(thread)
    if (known !== undefined) return known
    this.counts.alias_checks++
    const first = { ...v.step!.action, transition: v.step!.transition }
    const commutes = this.flow.edgesFrom(location).every((edge) => {
      const second = { thread, edge, transition: this.transitions.of(v.control, { thread, edge }) }
      const bad = interference(first, second, (variable, of) => this.transitions.variable(variable, of))
      return bad !== undefined && (bad === FALSE || this.exclude(v.parent!, bad))
    })
    v.commutes.set(thread, commutes)
    return commutes
  }

  // ---- REFINE

  private refine(v: Node): Outcome | undefined {
    const refutation = this.refinement.refute(v, [])
    switch (refutation.status) {
      case 'possible':
        return { kind: 'error', node: v, model: refutation.model }
      case 'unknown':
        return { kind: 'stopped', reason: inconclusive('the solver does not know whether a path is feasible') }
      case 'refuted':
        if (!this.refinement.annotate(v, [], refutation.reasons))
          return { kind: 'stopped', reason: inconclusive('no interpolants found') }
        this.closeStrengthened()
        return undefined
    }
  }

  /** Makes phi(v) exclude races and deadlocks: like an error location, for some states of the vector only. */
  private suspect(v: Node): Outcome | undefined {
    const open = this.badStates(v.control).filter((bad) => !this.implications.implied(v, not(bad)))
    for (const bad of open) {
      const refutation = this.refinement.refute(v, [bad])
      switch (refutation.status) {
        case 'possible':
          return { kind: 'error', node: v, model: refutation.model }
        case 'unknown':
          return { kind: 'stopped', reason: inconclusive('the solver does not know whether a state is reachable') }
        case 'refuted':
          if (!this.refinement.annotate(v, [bad], refutation.reasons))
            return { kind: 'stopped', reason: inconclusive('no interpolants found') }
      }
      if (v.hidden || v.unreachable) break
    }
    if (open.length > 0) this.closeStrengthened()
    return undefined
  }

  /** Lines 41 and 42: nodes of the path may be covered now. */
  private closeStrengthened(): void {
    const nodes = [...this.strengthened].sort((a, b) => a.id - b.id)
    this.strengthened.clear()
    for (const node of nodes) if (!node.hidden && node.expanded) this.close(node)
  }

  private strengthen(node: Node, conjunct: Term): void {
    if (node.label.has(conjunct)) return
    node.addToLabel(conjunct)
    this.strengthened.add(node)
    if (conjunct === FALSE) this.enqueueAll(this.tree.discard(node))
    // soundness 9: what is not covered any more is queued again.
    for (const covered of [...node.covers])
      if (covered.coveredBy === node && !this.staysCovered(covered, node, conjunct) && covered.coveredBy === node) {
        this.counts.uncovered++
        this.enqueueAll(this.tree.uncover(covered))
      }
  }

  /** Whether v can be made as strong as its coverer w has just become. */
  private staysCovered(v: Node, w: Node, conjunct: Term): boolean {
    if (v.label.has(conjunct)) return true
    if (!this.options.forceCover || this.keeping >= KEPT_DEPTH) return false
    if (this.refinement.evaluate(conjunct, v) === FALSE) return false
    this.keeping++
    const kept = this.forceConjunct(v, w, conjunct)
    this.keeping--
    return kept
  }

  // ---- Q

  private enqueue(v: Node): void {
    if (v.queued) return
    v.queued = true
    const threads = v.control.threads.length
    while (this.queue.length <= threads) this.queue.push([])
    this.queue[threads]!.push(v)
  }

  private enqueueAll(nodes: readonly Node[]): void {
    for (const v of nodes) this.enqueue(v)
  }

  /**
   * Fewer threads first: a loop that starts threads must not keep the others from being looked at. Now and then the
   * oldest, so that a loop that is unwound again and again does not either.
   */
  private select(): Node | undefined {
    const next = (nodes: Node[]): Node | undefined =>
      ++this.selections % OLDEST_EVERY === 0 ? nodes.shift() : nodes.pop()
    for (const sameThreads of this.queue)
      for (let v = next(sameThreads); v; v = next(sameThreads)) {
        v.queued = false
        if (!v.hidden && !v.expanded && !v.unreachable) return v
      }
    return undefined
  }

  private report(): void {
    this.env.progress('unwinding', { nodes: this.tree.nodes.length, refinements: this.refinement.counts.refinements })
  }
}

const some = <T>(values: Iterable<T>, holds: (value: T) => boolean): boolean => {
  for (const value of values) if (holds(value)) return true
  return false
}
