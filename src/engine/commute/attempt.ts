// One attempt to decide a program, in one arithmetic: the loop of trace abstraction. Several orders take turns; each turn
// is twice as long as the one before, and the assertions that one order needed are there for the next.
import * as logic from '../../logic/index.js'
import { defaultValue, type Model, type Term } from '../../logic/index.js'
import { ControlFlow } from '../../semantics/control.js'
import type { Step, Trace } from '../../semantics/index.js'
import type { Method, Smt } from '../../smt/index.js'
import { programValue, type Transitions } from '../../symbolic/index.js'
import type { Reason } from '../../verdict/reason.js'
import { inconclusive } from '../../verdict/reason.js'
import { type Edge, Unsupported, type Value, type Variable } from '../../xcfa/index.js'
import { factsOf, unsizedObjects } from '../../xcfa/passes/index.js'
import type { Obligation, ObligationKind } from '../../xcfa/terms/index.js'
import type { Env } from '../engine.js'
import { type Candidates, candidatesFor, generalEquations, ordersFor } from './candidates.js'
import { Commutativity } from './commutativity.js'
import { Alphabet, type Letter } from './letters.js'
import { LocalObligations } from './local.js'
import { type Order, orderOf, sequential } from './order.js'
import { Proof } from './proof.js'
import { Refiner, type TraceStep, withoutInputs } from './refine.js'
import { type SearchNode, search, type VisitedNode } from './search.js'
import { simulate } from './simulate.js'
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

/** Traces that the first turn of an order may refute. */
const FIRST_TURN = 12
/** The orders that promise least are not tried. */
const MAX_ORDERS = 4
/** Orders by turns, until this many rounds in all. */
const MAX_ROUNDS = 4000
const METHODS: readonly ('wp' | Method)[] = ['wp', 'farkas', 'newton', 'spacer']

export class Attempt {
  readonly counts = { nodes: 0, covered: 0, dead_ends: 0, rounds: 0, turns: 0 }
  readonly proof: Proof
  readonly commutativity: Commutativity
  /** The order of the proof that was found, or of the last turn. */
  order: Order = sequential
  private readonly flow: ControlFlow
  readonly alphabet: Alphabet
  private readonly refiner: Refiner
  private readonly local: LocalObligations
  private readonly statics: Statics

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

  main(): Outcome {
    const orders = [...this.orders()]
    for (let turn = 0; ; turn++) {
      const { order, equations } = orders[turn % orders.length]!
      this.order = order
      for (const equation of equations) this.proof.add(equation)
      this.counts.turns++
      const rounds = orders.length === 1 ? MAX_ROUNDS : FIRST_TURN * 2 ** Math.floor(turn / orders.length)
      const outcome = this.turn(rounds)
      if (outcome?.kind === 'stuck') {
        // Another order may have other traces.
        orders.splice(turn % orders.length, 1)
        if (orders.length === 0) return { kind: 'stopped', reason: inconclusive(outcome.reason) }
        turn--
      } else if (outcome) return outcome
      if (this.counts.rounds > MAX_ROUNDS) return { kind: 'stopped', reason: inconclusive('no order led to a proof') }
    }
  }

  /** The loop of trace abstraction; undefined: so many traces were refuted, and there are more. */
  private turn(rounds: number): Outcome | Stuck | undefined {
    for (let round = 0; round < rounds; round++) {
      this.counts.rounds++
      const first = this.proof.initial((assertion) => this.refiner.holdsFirst(assertion))
      const found = search(this.searchParts(), first, this.counts)
      if (found.kind !== 'trace') return found
      const outcome = this.refuted(found.node, found.owed, found.by)
      if (outcome) return outcome
    }
    return undefined
  }

  /** After a trace: an execution of it, or more assertions (undefined). */
  private refuted(node: SearchNode, owed: Obligation | undefined, by: Letter | undefined): Outcome | Stuck | undefined {
    const letters = lettersTo(node)
    const bad = owed ? withoutInputs(logic.not(owed.holds), by!).formula : logic.TRUE
    let reason = ''
    for (const method of METHODS) {
      const answer = this.refiner.refine(letters, bad, method)
      if (answer.kind === 'feasible') {
        if (owed) return { kind: 'open', obligation: owed.kind }
        return { kind: 'error', trace: this.traceOf(answer.steps, answer.model) }
      }
      if (answer.kind === 'unknown') reason = answer.reason
      else if (this.learn(answer.assertions)) return undefined
    }
    return { kind: 'stuck', reason: `a trace could not be refuted: ${reason || 'nothing new was learnt'}` }
  }

  private learn(assertions: readonly (readonly Term[])[]): boolean {
    let grown = false
    for (const each of assertions) for (const assertion of each) if (this.proof.add(assertion)) grown = true
    return grown
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
    const simulated = (each: Order) => simulate(this.flow, this.alphabet, this.transitions, each, isOver)
    const suggested = (each: Order): Candidates =>
      candidates === 'on' ? candidatesFor(each, simulated(each)) : { order: each, equations: [], score: 0 }
    const threads = this.threads()
    if (candidates === 'on')
      for (const equation of generalEquations(simulated(orderOf('random:1', threads)!))) this.proof.add(equation)
    if (order !== 'learnt') return [suggested(orderOf(order, threads)!)]
    const looping = simulated(sequential)
      .threads.filter(({ number, template }) => number > 0 && template.edges.some(({ back }) => back))
      .map(({ number }) => number)
    const all = ordersFor(threads, looping).map(suggested)
    return all.sort((a, b) => b.score - a.score).slice(0, MAX_ORDERS)
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
      ...{ decided_triples, solver_calls },
    }
  }
}

const lettersTo = (node: SearchNode): readonly Letter[] => {
  const letters: Letter[] = []
  for (let at: SearchNode | undefined = node; at?.letter; at = at.parent) letters.unshift(at.letter)
  return letters
}

/** Where undefined behaviour stops a thread, what it was about to do is not a step of the raw program. */
const executable = (edge: Edge): Edge =>
  edge.target.reason?.kind === 'undefined' ? { ...edge, origins: (edge.origins ?? [edge]).slice(0, -1) } : edge
