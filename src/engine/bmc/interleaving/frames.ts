// The interleaving encoding (peephole.txt, 3.1): in every time frame one thread takes one transition. Departures: a
// Boolean for each transition that may be taken instead of sel and pc as numbers (two edges that are enabled at one
// location must be told apart: soundness.md 11); only transitions that the control flow admits in that frame; values
// as definitions, so that what no transition of the frame assigns needs no copy.
import {
  and,
  constant,
  defaultValue,
  eq,
  evaluate,
  FALSE,
  freeVariables,
  iff,
  implies,
  indexed,
  ite,
  type Model,
  not,
  or,
  substitute,
  type Term,
  TRUE,
  variable,
} from '../../../logic/index.js'
import { threadsTerm } from '../../../reduction/guarded-independence-summary.js'
import type { Solver } from '../../../smt/index.js'
import { finishedThread, isStepInput } from '../../../symbolic/index.js'
import { intType } from '../../../xcfa/index.js'
import type { Node, Transition, Transitions } from './transitions.js'

/** A transition at a time frame. */
export interface Move {
  readonly transition: Transition
  readonly taken: Term
}

export interface Frame {
  readonly moves: readonly Move[]
  readonly state: FrameState
}

/** More threads are possible than the surroundings have room for. */
export class TooManyThreads extends Error {}

/** The state variables at one time frame. What nobody asks for is not told to the solver. */
export class FrameState {
  private readonly cache = new Map<Term, Term>()
  private readonly values = new Map<Term, Term>()
  constructor(
    readonly index: number,
    /** Where each thread may be, and whether it is there. */
    readonly places: ReadonlyMap<Node, Term>,
    /** The value of a state variable here, from its values a frame before. */
    private readonly define: (plain: Term) => Term,
  ) {}

  /** A state variable at this frame. */
  value(plain: Term): Term {
    const thread = finishedThread(plain)
    if (thread !== undefined) return this.finished(thread)
    if (isStepInput(plain)) return indexed(plain, this.index)
    let value = this.values.get(plain)
    if (!value) this.values.set(plain, (value = this.define(plain)))
    return value
  }

  /** A term over state variables at this frame; `choices` are those of another frame. */
  now(term: Term, choices?: { readonly of: readonly Term[]; readonly at: number }): Term {
    const known = choices ? undefined : this.cache.get(term)
    if (known) return known
    const map = new Map(
      freeVariables(term).map((v) => [v, choices?.of.includes(v) ? indexed(v, choices.at) : this.value(v)]),
    )
    const result = substitute(term, map)
    if (!choices) this.cache.set(term, result)
    return result
  }

  private finished(thread: number): Term {
    return or(
      [...this.places].filter(([n]) => n.thread === thread && n.location === n.template.final).map(([, at]) => at),
    )
  }
}

export class Frames {
  readonly frames: Frame[] = []
  state: FrameState
  /** How many constraints were given to the solver. */
  constraints = 0
  /** A check gave up: the solver is not to be asked again. */
  interrupted = false
  /** If one of these can hold, there is not room enough for all threads. */
  readonly full: Term[] = []

  constructor(
    readonly transitions: Transitions,
    private readonly solver: Solver,
  ) {
    const { main } = transitions.program
    const start = transitions.nodeAt(0, main, main.initial, 0)
    this.state = new FrameState(0, new Map([[start, TRUE]]), (plain) => this.initial(plain))
  }

  add(constraint: Term): void {
    if (constraint === TRUE) return
    this.constraints++
    this.solver.add(constraint)
  }

  /** One more step: SCH, apart from reductions, and TR of all threads. Empty: no thread has a transition left. */
  extend(): Frame {
    const { state } = this
    const candidates = [...state.places.keys()].flatMap((node) => this.transitions.from(node))
    const frame: Frame = {
      state,
      moves: this.feasible(candidates.map((transition) => this.move(transition, candidates.length))),
    }
    this.frames.push(frame)
    for (const move of frame.moves) this.constrain(move)
    this.addSelection(frame.moves)
    this.state = this.after(frame)
    return frame
  }

  /** Whether the frame's step ends at an error. */
  failing({ moves }: Frame): Term {
    return or(moves.filter((m) => m.transition.edge.target.kind === 'error').map((m) => m.taken))
  }

  /** The moves of a model, frame by frame. */
  taken(model: Model): readonly Move[] {
    return this.frames.map(({ moves }) => moves.find((m) => evaluate(m.taken, model) === true)!)
  }

  private initial(plain: Term): Term {
    const { initial, cells } = this.transitions
    const known = initial.get(plain) ?? cells.initial.get(plain)
    if (known) return known
    // Locals start as 0; so do the counters of threads and of heap objects.
    return constant(plain.sort, defaultValue(plain.sort))
  }

  private move(transition: Transition, count: number): Move {
    const { source, edge } = transition
    if (count === 1) return { transition, taken: TRUE }
    return { transition, taken: variable(`take:${source.id}:${edge.id}@${this.state.index}`, TRUE.sort) }
  }

  /** Starts that cannot happen are left out: a thread that is never started costs a lot of formula. */
  private feasible(moves: readonly Move[]): readonly Move[] {
    return moves.filter(({ transition, taken }) => {
      if (transition.summary.starts.length === 0 || taken === TRUE) return true
      const condition = and(this.state.places.get(transition.source)!, this.state.now(transition.guard))
      const status = this.solver.check([condition])
      if (status === 'unknown') this.interrupted = true
      return status !== 'unsat'
    })
  }

  private constrain({ transition, taken }: Move): void {
    const { state } = this
    this.add(implies(taken, state.places.get(transition.source)!))
    this.add(implies(taken, state.now(transition.guard)))
  }

  /** Exactly one transition is taken. */
  private addSelection(moves: readonly Move[]): void {
    this.add(or(moves.map((m) => m.taken)))
    const threads = [...new Set(moves.map((m) => m.transition.source.thread))]
    const selected = threads.map((thread) => this.selects(moves, thread))
    const atomic = [...this.state.places.keys()].filter((n) => n.location.atomic).map((n) => n.thread)
    const inside = new Map([...new Set(atomic)].map((thread) => [thread, this.insideAtomic(thread)]))
    selected.forEach((a, i) => {
      for (const b of selected.slice(i + 1)) this.add(or(not(a), not(b)))
      for (const [other, b] of inside) if (other !== threads[i]) this.add(or(not(a), not(b)))
    })
    const bySource = new Map<Node, Term[]>()
    for (const { transition, taken } of moves) {
      const others = bySource.get(transition.source) ?? []
      for (const other of others) this.add(or(not(other), not(taken)))
      bySource.set(transition.source, [...others, taken])
    }
  }

  /** The thread is inside an atomic block. */
  private insideAtomic(thread: number): Term {
    const { index, places } = this.state
    const there = [...places].filter(([n]) => n.location.atomic && n.thread === thread).map(([, at]) => at)
    return this.named(`inside:${thread}@${index}`, or(there))
  }

  private readonly selections = new Map<readonly Move[], Map<number, Term>>()

  /** sel = thread. */
  selects(moves: readonly Move[], thread: number): Term {
    let known = this.selections.get(moves)
    if (!known) this.selections.set(moves, (known = new Map()))
    let term = known.get(thread)
    if (!term) {
      const own = moves.filter((m) => m.transition.source.thread === thread).map((m) => m.taken)
      const index = this.frames.findIndex((f) => f.moves === moves)
      term = this.named(`sel:${thread}@${index}`, or(own))
      known.set(thread, term)
    }
    return term
  }

  /** A variable that is defined as the term, unless the term is as simple as a variable. */
  named(name: string, term: Term): Term {
    if (term.args.length === 0 || (term.op === 'not' && term.args[0]!.args.length === 0)) return term
    const result = variable(name, term.sort)
    this.add(term.sort.kind === 'bool' ? iff(result, term) : eq(result, term))
    return result
  }

  private after({ moves, state }: Frame): FrameState {
    const started = moves.flatMap((move) => this.startedBy(move))
    const changes = new Map<Term, { readonly condition: Term; readonly value: () => Term }[]>()
    const assign = (plain: Term, condition: Term, value: () => Term): void => {
      const others = changes.get(plain)
      if (others) others.push({ condition, value })
      else changes.set(plain, [{ condition, value }])
    }
    for (const { transition, taken } of moves)
      for (const [plain, value] of transition.effects) assign(plain, taken, () => state.now(value))
    for (const { condition, node, args } of started)
      node.template.parameters.forEach((parameter, i) => {
        const value = args[i]
        if (value) assign(this.transitions.term(parameter, node.thread), condition, () => value)
      })
    const index = state.index + 1
    return new FrameState(index, this.placesAfter(moves, started), (plain) => {
      const changed = changes.get(plain)
      if (!changed) return state.value(plain)
      const now = changed.reduce((before, { condition, value }) => ite(condition, value(), before), state.value(plain))
      return this.named(`${plain.name}@${index}`, now)
    })
  }

  private placesAfter(moves: readonly Move[], started: readonly Started[]): ReadonlyMap<Node, Term> {
    const { places, index } = this.state
    const entered = new Map<Node, Term[]>([...places.keys()].map((node) => [node, []]))
    const left = new Map<Node, Term[]>()
    const note = (map: Map<Node, Term[]>, node: Node, term: Term): void =>
      void map.set(node, [...(map.get(node) ?? []), term])
    for (const { transition, taken } of moves) {
      if (transition.source === transition.target) continue
      note(entered, transition.target, taken)
      note(left, transition.source, taken)
    }
    for (const { condition, node } of started) note(entered, node, condition)
    const result = new Map<Node, Term>()
    for (const [node, ways] of entered) {
      const stays = and(places.get(node) ?? FALSE, not(or(left.get(node) ?? [])))
      const at = this.named(`at:${node.id}@${index + 1}`, or(ways, stays))
      if (at !== FALSE) result.set(node, at)
    }
    return result
  }

  private startedBy({ transition, taken }: Move): readonly Started[] {
    const { surroundings, exactNumbers, program, nodeAt } = this.transitions
    const { encoding, threads } = surroundings
    const result: Started[] = []
    transition.summary.starts.forEach(({ procedure }, i) => {
      const template = program.templates.get(procedure)!
      const args = transition.arguments[i]!.map((term) => this.state.now(term))
      const first = exactNumbers ? transition.source.starts + i + 1 : 1
      const last = exactNumbers ? first : threads - 1
      if (first >= threads) throw new TooManyThreads()
      const before = this.state.now(threadsTerm(encoding))
      for (let number = first; number <= last; number++) {
        const count = encoding.constant(NUMBER, number - 1 - i)
        const condition = exactNumbers ? taken : and(taken, eq(before, count))
        const node = nodeAt.call(this.transitions, number, template, template.initial, 0)
        if (condition !== FALSE) result.push({ condition, node, args })
      }
      if (!exactNumbers)
        this.full.push(
          and(this.state.places.get(transition.source)!, eq(before, encoding.constant(NUMBER, threads - 1 - i))),
        )
    })
    return result
  }
}

const NUMBER = intType(32, false)

interface Started {
  readonly condition: Term
  readonly node: Node
  readonly args: readonly Term[]
}
