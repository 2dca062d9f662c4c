// One attempt to decide a program, in one arithmetic: the loop of trace abstraction. Several orders take turns; each turn
// is twice as long as the one before, and the assertions that one order needed are there for the next. A search goes by
// what ways tell (guide.ts); one that is told nothing new any more, and finds no trace, is a proof.
import * as logic from '../../logic/index.js'
import { defaultValue, type Model, type Term } from '../../logic/index.js'
import { type Control, ControlFlow, type ThreadControl } from '../../semantics/control.js'
import type { Step, Trace } from '../../semantics/index.js'
import type { Method, Smt } from '../../smt/index.js'
import { programValue, type Transitions } from '../../symbolic/index.js'
import type { Reason } from '../../verdict/reason.js'
import { inconclusive } from '../../verdict/reason.js'
import { type Edge, type Location, Unsupported, type Value, type Variable } from '../../xcfa/index.js'
import { factsOf, unsizedObjects } from '../../xcfa/passes/index.js'
import type { Obligation, ObligationKind } from '../../xcfa/terms/index.js'
import type { Env } from '../engine.js'
import { type Candidates, candidatesFor, type General, generalCandidates, scoreOf, weakened } from './candidates.js'
import { Commutativity } from './commutativity.js'
import { goalsOf } from './goals.js'
import { Ways } from './guide.js'
import { Learning } from './learning.js'
import { Alphabet, type Letter } from './letters.js'
import { LocalObligations } from './local.js'
import { type Order, orderOf, sequential } from './order.js'
import { ordersFor, type Touched } from './orders.js'
import { EVERYWHERE, Proof } from './proof.js'
import { Refiner, type Segment, type TraceStep, withoutInputs } from './refine.js'
import { placeOf, type SearchNode, type SearchResult, search, type VisitedNode } from './search.js'
import { loopHeads, simulate } from './simulate.js'
import type { CommuteOptions } from './spec.js'
import { Statics } from './statics.js'

export type Outcome =
  | { readonly kind: 'proved'; readonly visited: readonly VisitedNode[] }
  | { readonly kind: 'error'; readonly trace: Trace }
  | { readonly kind: 'open'; readonly obligation: ObligationKind }
  | { readonly kind: 'stopped'; readonly reason: Reason }

/** A trace of this order can neither be executed nor refuted. */
interface Stuck {
  readonly kind: 'stuck'
  readonly reason: string
}

/** Questions to solvers and nodes that the first turn of an order may take. */
const FIRST_TURN = 2000
/** How many loop heads before the last a trace is refuted from, before its beginning is tried. */
const HEADS_BACK = 3
/** The orders that promise least are not tried. */
const MAX_ORDERS = 4
/** What the program suggests is preferred to what has so many equations more. */
const BONUS = 1
/** Turns of proofs by heads before the first trace is looked for. */
const EARLY_LESSONS = 3
/** Searches in all. */
const MAX_ROUNDS = 20_000
const METHODS: readonly ('wp' | Method)[] = ['wp', 'farkas', 'newton', 'spacer']

type FoundTrace = Extract<SearchResult, { kind: 'trace' }>

export class Attempt {
  readonly counts = { nodes: 0, covered: 0, dead_ends: 0, rounds: 0, lessons: 0, head_nodes: 0, turns: 0 }
  readonly proof: Proof
  readonly commutativity: Commutativity
  /** The order of the proof that was found, or of the last turn. */
  order: Order = sequential
  private readonly flow: ControlFlow
  readonly alphabet: Alphabet
  private readonly refiner: Refiner
  private readonly local: LocalObligations
  private readonly statics: Statics
  private readonly heads: ReadonlySet<Location>
  /** Assertions at the places of the order at hand, and at all vectors, as executions suggest them. */
  private suggested: Pick<Candidates, 'places' | 'equations'> = { places: new Map(), equations: [] }
  private general: General = { vectors: new Map(), everywhere: [] }
  private readonly unwidened = new Set<string>()
  /** Without loops what is learnt at one place is tried at all. */
  private readonly scopeOf: (place: string) => string

  constructor(
    readonly transitions: Transitions,
    smt: Smt,
    private readonly options: CommuteOptions,
    /** Whether signed operations have to be shown to stay in their types. */
    readonly owesOverflow: boolean,
    private readonly env: Env,
  ) {
    const { program } = transitions
    if (factsOf(program).startsInLoop)
      throw new Unsupported('threads started in a loop (engine commute)', program.main.position)
    const rangesOf = (formula: Term): Term => transitions.rangesOf(formula)
    this.flow = new ControlFlow(program)
    const unsized = unsizedObjects(program)
    this.heads = loopHeads(this.flow)
    const isLoopFree = this.heads.size === 0
    this.scopeOf = (place) => (isLoopFree ? EVERYWHERE : place)
    this.alphabet = new Alphabet(this.flow, transitions, unsized)
    this.proof = new Proof(smt, rangesOf)
    this.refiner = new Refiner(transitions, smt)
    this.local = new LocalObligations(transitions, smt, unsized, (each) => this.isOwed(each))
    this.statics = new Statics(program, (template, edge) => !this.local.isKept(template, edge))
    this.commutativity = new Commutativity(smt, this.proof, options.commutativity, rangesOf, (end, join) => {
      const { template } = this.threadOf(end)
      return end.ends && join.joins && this.statics.mayJoin(join.edges, template)
    })
  }

  dispose(): void {
    this.proof.dispose()
    this.refiner.dispose()
    this.local.dispose()
    this.commutativity.dispose()
  }

  /** The main loop; it yields after each turn, so that several attempts can take turns. */
  *main(): Generator<undefined, Outcome> {
    const orders = [...this.orders()]
    const learning = this.options.candidates === 'on' ? this.learning(orders) : undefined
    for (let i = 0; learning && i < EARLY_LESSONS; i++) {
      const outcome = this.learnt(learning)
      if (outcome) return outcome
      yield
    }
    for (let turn = 0; ; turn++) {
      const suggested = orders[turn % orders.length]!
      this.order = suggested.order
      this.suggested = suggested
      this.counts.turns++
      const work = orders.length === 1 ? Number.POSITIVE_INFINITY : FIRST_TURN * 2 ** Math.floor(turn / orders.length)
      const outcome = this.turn(work)
      if (outcome?.kind === 'stuck') {
        // Another order may have other traces.
        orders.splice(turn % orders.length, 1)
        if (orders.length === 0) return { kind: 'stopped', reason: inconclusive(outcome.reason) }
        turn--
      } else if (outcome) return outcome
      yield
      const later = learning && this.learnt(learning)
      if (later) return later
      if (this.counts.rounds > MAX_ROUNDS) return { kind: 'stopped', reason: inconclusive('no order led to a proof') }
    }
  }

  /** Proofs by what executions suggest at the heads of loops, and by what failed proofs teach. */
  private learning(orders: readonly Candidates[]): Learning {
    return new Learning(
      {
        ...{ ...this.searchParts(), refiner: this.refiner, heads: this.heads },
        candidatesAt: (node, suggested) => this.candidatesAt(node, suggested),
        guardedAt: (node, suggested) => this.guardedAt(node, suggested),
        isMeant: (formula, control) => this.isMeant(formula, control),
      },
      orders,
    )
  }

  private learnt(learning: Learning): Outcome | undefined {
    const outcome = learning.turn()
    this.counts.lessons = learning.counts.lessons
    this.counts.head_nodes = learning.counts.nodes
    if (outcome?.kind === 'trace') {
      const answer = this.refiner.refine(outcome.node.segment, logic.TRUE, 'wp')
      return answer.kind === 'feasible' ? { kind: 'error', trace: this.traceOf(answer.steps, answer.model) } : undefined
    }
    if (outcome?.kind === 'proved') this.order = outcome.order
    return outcome
  }

  /** The loop of trace abstraction; undefined: so much was tried, and there is more. */
  private turn(work: number): Outcome | Stuck | undefined {
    const last = this.work() + work
    while (this.work() < last && this.counts.rounds <= MAX_ROUNDS) {
      this.counts.rounds++
      const place = placeOf(this.flow.initial(), this.order.initial)
      const first = this.proof.initial((assertion) => this.refiner.holdsFirst(assertion), place)
      const guide = new Ways(
        this.proof,
        this.refiner,
        this.heads,
        this.order,
        this.unwidened,
        this.scopeOf,
        this.suggest,
      )
      const found = search({ ...this.searchParts(), guide }, first, this.counts)
      if (found.kind === 'stopped') return found
      if (guide.tellsMore) continue
      if (found.kind === 'proved') return found
      const outcome = this.refuted(guide, found)
      if (outcome) return outcome
    }
    return undefined
  }

  private work(): number {
    return this.counts.nodes + this.refiner.solverCalls() + this.proof.statistics().solver_calls
  }

  /** After a trace: an execution of it, or more assertions (undefined). */
  private refuted(guide: Ways, { node, owed, by }: FoundTrace): Outcome | Stuck | undefined {
    const bad = owed ? withoutInputs(logic.not(owed.holds), by!).formula : logic.TRUE
    for (const segment of this.segmentsTo(node)) {
      const answer = this.refiner.refine(segment, bad, 'wp')
      if (answer.kind === 'refuted' && guide.spread(node, segment, answer.assertions)) return undefined
    }
    const segment = lettersTo(node).reduce((at, letter) => this.refiner.extend(at, letter), this.refiner.first())
    let reason = ''
    for (const method of METHODS) {
      const answer = this.refiner.refine(segment, bad, method)
      if (answer.kind === 'feasible') {
        if (owed) return { kind: 'open', obligation: owed.kind }
        return { kind: 'error', trace: this.traceOf(answer.steps, answer.model) }
      }
      if (answer.kind === 'unknown') reason = answer.reason
      else if (guide.spread(node, segment, answer.assertions)) return undefined
    }
    if (this.forgetLess(node)) return undefined
    return { kind: 'stuck', reason: `a trace could not be refuted: ${reason || 'nothing new was learnt'}` }
  }

  /** From the loop heads before the last one on the way to a node. */
  private segmentsTo(node: SearchNode): readonly Segment[] {
    const segments: Segment[] = []
    const letters: Letter[] = []
    let heads = 0
    for (let at: SearchNode | undefined = node; at?.letter && segments.length < HEADS_BACK; at = at.parent) {
      if (at.isCut && heads++ > 0)
        segments.push(
          letters.reduce(
            (segment, letter) => this.refiner.extend(segment, letter),
            this.refiner.from(this.proof.formulas(at.state)),
          ),
        )
      letters.unshift(at.letter)
    }
    return segments
  }

  /** Keeps apart what came to the loop heads on the way to a node; false: that was tried. */
  private forgetLess(node: SearchNode): boolean {
    const before = this.unwidened.size
    for (let at: SearchNode | undefined = node; at; at = at.parent)
      if (at.isCut) this.unwidened.add(placeOf(at.control, at.order))
    return this.unwidened.size > before
  }

  /** What executions suggest for the place of a node is tried there; whether any of it is new. */
  private readonly suggest = (node: SearchNode): boolean => {
    const place = placeOf(node.control, node.order)
    return this.candidatesAt(node, this.suggested).filter((each) => this.proof.want(each, place)).length > 0
  }

  private candidatesAt(
    { control, order }: Pick<SearchNode, 'control' | 'order'>,
    { places, equations }: Pick<Candidates, 'places' | 'equations'>,
  ): readonly Term[] {
    const { vectors, everywhere } = this.general
    const candidates = [...(places.get(placeOf(control, order)) ?? equations), ...(vectors.get(control.key) ?? [])]
    if (control.threads.length > 1) candidates.push(...everywhere)
    return [...new Set(candidates)].filter((each) => this.isMeant(each, control))
  }

  private guardedAt(
    { control, order }: Pick<SearchNode, 'control' | 'order'>,
    { guarded }: Candidates,
  ): readonly Term[] {
    const { places, anywhere } = guarded()
    return (places.get(placeOf(control, order)) ?? anywhere).filter((each) => this.isMeant(each, control))
  }

  /** Whether all of its variables are there. */
  private isMeant(formula: Term, control: Control): boolean {
    return logic.freeVariables(formula).every((v) => this.isThere(v, control))
  }

  /** Whether a variable belongs to all, or to a thread that there is. */
  private isThere({ name }: Term, { threads }: Control): boolean {
    const owner = /^(\d+):/.exec(name!)?.[1]
    return owner === undefined || Number(owner) < threads.length
  }

  private searchParts() {
    return {
      ...{ flow: this.flow, alphabet: this.alphabet, proof: this.proof, commutativity: this.commutativity },
      ...{ statics: this.statics, order: this.order, env: this.env },
      isOwed: (obligation: Obligation) => this.isOwed(obligation),
      isKept: (letter: Letter) => this.local.keeps(letter),
    }
  }

  private isOwed({ kind }: Obligation): boolean {
    return kind !== 'overflow' || this.owesOverflow
  }

  /** The orders to try, the most promising first, with assertions that executions suggest. */
  private orders(): readonly Candidates[] {
    const { order, candidates } = this.options
    const isOver = (): boolean => this.env.stopped() !== undefined
    const { flow, alphabet, transitions, heads } = this
    const simulated = (each: Order) => simulate({ flow, alphabet, transitions, heads, order: each, isOver })
    const none = (each: Order): Candidates => ({
      ...{ order: each, places: new Map(), equations: [] },
      guarded: () => ({ places: new Map(), anywhere: [] }),
    })
    const threads = this.threads()
    if (candidates === 'off' && order !== 'learnt') return [none(orderOf(order, threads)!)]
    const anyhow = simulated(whoever())
    const goals = goalsOf(transitions)
    const suggestions = {
      formulas: this.refiner.notAlways([...weakened(anyhow.atoms), ...goals]),
      bitsOf: (v: Term) => unsignedBits(transitions, v),
    }
    if (candidates === 'on') this.general = generalCandidates(anyhow, suggestions)
    const suggested = (each: Order): Candidates => candidatesFor(each, simulated(each), suggestions)
    if (order !== 'learnt') return [suggested(orderOf(order, threads)!)]
    const looping = anyhow.threads
      .filter(({ number, template }) => number > 0 && template.edges.some(({ back }) => back))
      .map(({ number }) => number)
    const tried = ordersFor(threads, looping, goals, anyhow, this.touchedBy(anyhow.threads))
    const scored = (each: Order, bonus: number) => {
      const executions = simulated(each)
      return { order: each, executions, score: scoreOf(executions) + bonus }
    }
    const best = [...tried.suggested.map((each) => scored(each, BONUS)), ...tried.others.map((each) => scored(each, 0))]
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_ORDERS)
    if (candidates !== 'on') return best.map((each) => none(each.order))
    return best.map(({ order: each, executions }) => candidatesFor(each, executions, suggestions))
  }

  private touchedBy(threads: readonly ThreadControl[]): Touched {
    const { transitions } = this
    const reads = new Map(threads.map(({ number }) => [number, new Set<Term>()]))
    const writes = new Map(threads.map(({ number }) => [number, new Set<Term>()]))
    for (const { number, template } of threads)
      for (const edge of template.edges) {
        const { guard, updates } = transitions.of({ threads, key: '' }, { thread: number, edge })
        for (const each of [guard, ...updates.values()])
          for (const v of logic.freeVariables(each)) reads.get(number)!.add(v)
        for (const v of updates.keys()) writes.get(number)!.add(v)
      }
    return { reads, writes }
  }

  /** How many threads main and others start. */
  private threads(): number {
    const { templates } = this.transitions.program
    const starts = [...templates.values()].flatMap(({ edges }) =>
      edges.flatMap(({ labels }) => labels.flatMap((label) => (label.kind === 'start' ? [label.procedure] : []))),
    )
    return Math.max(1, new Set(starts).size)
  }

  private threadOf({ edges }: Letter) {
    const template = [...this.transitions.program.templates.values()].find((each) => each.edges.includes(edges[0]!))!
    return { template }
  }

  private traceOf(steps: readonly TraceStep[], model: Model): Trace {
    const { program, initial, variable } = this.transitions
    const chosen = (term: Term, v: Variable): Value => programValue(v.type, model.get(term) ?? defaultValue(term.sort))
    const taken = steps.flatMap(({ letter, inputs }): readonly Step[] => {
      const choices = letter.inputs.map(({ term, variable: v }) => chosen(inputs.get(term)!, v))
      let used = 0
      return letter.edges.map((edge) => {
        const count = edge.labels.filter(({ kind }) => kind === 'havoc').length
        used += count
        return { thread: letter.thread, edge: executable(edge), choices: choices.slice(used - count, used) }
      })
    })
    const first = new Map<Variable, Value>()
    for (const v of program.globals)
      if (v.initial === 'any')
        first.set(v, chosen(initial.call(this.transitions, variable.call(this.transitions, v, 0)).value, v))
    return { steps: taken, ...(first.size > 0 ? { initial: first } : {}) }
  }

  statistics() {
    const { solver_calls, decided_triples } = this.proof.statistics()
    return {
      ...this.counts,
      order: this.order.name,
      assertions: this.proof.assertions.length,
      ...this.commutativity.counts,
      ...this.refiner.counts,
      ...{ decided_triples, solver_calls: solver_calls + this.refiner.solverCalls() },
    }
  }
}

/** For executions only: no order prefers anybody. */
const whoever = (): Order => {
  let state = 12345
  const draw = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0)
  return { ...sequential, rank: draw }
}

/** Of a variable whose type has no sign and so many bits. */
const unsignedBits = (transitions: Transitions, v: Term): number | undefined => {
  const range = transitions.inRange(v)
  const isIn = (value: bigint): boolean => logic.satisfies(range, { get: () => value }) === true
  if (range === logic.TRUE || isIn(-1n)) return undefined
  return [8, 16, 32, 64].find((bits) => isIn((1n << BigInt(bits)) - 1n) && !isIn(1n << BigInt(bits)))
}

const lettersTo = (node: SearchNode): readonly Letter[] => {
  const letters: Letter[] = []
  for (let at: SearchNode | undefined = node; at?.letter; at = at.parent) letters.unshift(at.letter)
  return letters
}

/** Where undefined behaviour stops a thread, what it was about to do is not a step of the raw program. */
const executable = (edge: Edge): Edge =>
  edge.target.reason?.kind === 'undefined' ? { ...edge, origins: (edge.origins ?? [edge]).slice(0, -1) } : edge
