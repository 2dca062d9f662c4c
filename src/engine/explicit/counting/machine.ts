// The steps of a program whose instances are counted. Every step is executed by the concrete semantics; only who takes it,
// starts and joins are different: an instance moves as the thread SELF, and what it leaves behind is brought into one form.
//   A join waits for any instance of the template that has ended and was not joined before. Main asks for a certain one,
// so that this allows more than the program does, never less: if the one that is meant has ended, some one has. Once all
// of a template are joined, all of them have ended.
import { type ConcreteAccess, lazyChoice, type Step, type ThreadState } from '../../../semantics/index.js'
import type { Layout } from '../../../semantics/layout.js'
import { placeOf } from '../../../semantics/memory.js'
import { executeEdge, newThread, type Successor } from '../../../semantics/step/execute.js'
import type { Surroundings } from '../../../semantics/step/running.js'
import { byteSize, type Edge, type Load, type Program, type Store, type Value } from '../../../xcfa/index.js'
import { NotCountable, NumberCells } from './cells.js'
import { handleAt, hasNumber, withHandle, withNumber } from './handles.js'
import type { Identities } from './identities.js'
import {
  type CountedState,
  type Counts,
  changeCount,
  countOf,
  FIRST_NAME,
  GONE,
  type Kind,
  Kinds,
  numberStarted,
  SELF,
  stateFor,
  takeFrame,
  templateOf,
  withStarted,
} from './state.js'

/** Who moves: main, a thread that is named (its place in `named`), or one of a kind. */
export type Actor =
  | { readonly kind: 'main' }
  | { readonly kind: 'named'; readonly place: number }
  | { readonly kind: 'one of'; readonly of: Kind }

/** A step, with the steps to the end of its atomic block, and where it leads. */
export interface Move {
  readonly taken: Taken
  readonly state: CountedState
  /** The last step goes to an error. */
  readonly isError: boolean
}

/** What has to be known of a move to execute it with threads that have numbers. */
export interface Taken {
  readonly actor: Actor
  readonly steps: readonly Omit<Step, 'thread'>[]
  /** What became of an instance that moved; undefined: nobody has to know. */
  readonly to: Kind | undefined
  /** Threads that are named now, by their place before: -1 is who moved. */
  readonly names: readonly number[]
  /** Those that are named no longer, by their place before. */
  readonly released: readonly (readonly [number, Kind])[]
  readonly started: readonly Kind[]
  /** Numbers that main joined. */
  readonly joined: readonly number[]
}

/** What a step in the making did beside what the concrete semantics says of it. */
interface Effects {
  readonly handles: CountedState['handles']
  readonly started: CountedState['started']
  readonly joined: CountedState['joined']
  readonly counts: CountedState['counts']
  readonly joins: readonly number[]
}

interface Partial {
  readonly shared: Pick<CountedState, 'globals' | 'memory'>
  readonly main: ThreadState
  readonly mover: ThreadState | undefined
  readonly steps: Taken['steps']
  readonly newcomers: readonly ThreadState[]
  readonly effects: Effects
}

const NONE: readonly never[] = []
/** Steps inside an atomic block: longer ones are for others. */
const MAX_BLOCK = 2000
/** Steps of main to its end. */
const MAX_TAIL = 200_000

export class Machine {
  readonly kinds: Kinds
  /** Edges on which undefined behaviour stopped a thread. */
  readonly undefinedEdges = new Set<Edge>()
  private readonly cells: NumberCells
  private readonly frames: readonly number[]

  constructor(
    private readonly program: Program,
    readonly layout: Layout,
    readonly identities: Identities,
  ) {
    const hasJoins = program.main.edges.some(({ labels }) => labels.some(({ kind }) => kind === 'join'))
    this.kinds = new Kinds(layout, hasJoins)
    this.cells = new NumberCells(layout, identities)
    this.frames = layout.objects.flatMap(({ object, index }) => (object.storage === 'thread' ? [index] : []))
  }

  initial(globals: readonly Value[]): CountedState {
    const main = newThread(this.layout.templates.get(this.program.main.name)!, 0, [])
    const none = { named: [], counts: [], started: [], handles: [], joined: [] } as const
    return { globals, memory: [], main, ...none }
  }

  /** All that an actor may do next. */
  moves(state: CountedState, actor: Actor): readonly Move[] {
    const before = this.beforeStep(state, actor)
    const found: Move[] = []
    const open: Partial[] = [before]
    for (let partial = open.pop(), rounds = 0; partial; partial = open.pop(), rounds++) {
      if (rounds > MAX_BLOCK) throw new NotCountable('a long atomic block')
      const thread = partial.mover ?? partial.main
      for (const edge of thread.template.outgoing.get(thread.location) ?? [])
        for (const { successor, effects } of this.execute(partial, edge)) {
          const next = this.after(partial, successor, effects)
          if (successor.undefined) {
            this.undefinedEdges.add(edge)
            // Inside an atomic block it keeps everybody from moving: nothing follows.
            if (partial.steps.length === 0) found.push(this.finished(state, actor, next))
          } else if (edge.target.atomic && edge.target.kind !== 'error') open.push(next)
          else found.push(this.finished(state, actor, next))
        }
    }
    return found
  }

  /** What an actor's next step may access, to the end of its atomic block, its own frame aside. */
  accesses(state: CountedState, actor: Actor): readonly ConcreteAccess[] {
    const found: ConcreteAccess[] = []
    const open: Partial[] = [this.beforeStep(state, actor)]
    for (let partial = open.pop(), rounds = 0; partial; partial = open.pop(), rounds++) {
      if (rounds > MAX_BLOCK) throw new NotCountable('a long atomic block')
      const thread = partial.mover ?? partial.main
      for (const edge of thread.template.outgoing.get(thread.location) ?? [])
        for (const { successor, effects } of this.execute(partial, edge)) {
          if (successor.undefined) continue
          for (const access of successor.accesses) if (!this.isPrivate(access, actor)) found.push(access)
          if (edge.target.atomic) open.push(this.after(partial, successor, effects))
        }
    }
    return found
  }

  /** Each instance has a frame of its own, and no address in another one's. */
  private isPrivate(access: ConcreteAccess, actor: Actor): boolean {
    if (access.kind !== 'memory' || actor.kind === 'main') return false
    const place = placeOf(this.layout, access.address)
    return place?.owner.object.storage === 'thread' && place.instance === SELF
  }

  /**
   * Whether main, left alone, comes to the end of the program by one way, without undefined behaviour, once all others
   * have ended.
   */
  mainEnds(state: CountedState): boolean {
    const undefinedBefore = this.undefinedEdges.size
    const ended = [...new Set(state.started.map(({ template }) => template))].map((name) => this.ended(name))
    const counts = ended.reduce<Counts>((all, kind) => changeCount(all, kind, Number.POSITIVE_INFINITY), NONE)
    let at: CountedState = { ...state, counts }
    for (let steps = 0; steps < MAX_TAIL; steps++) {
      const { kind, reason } = at.main.location
      if (kind !== 'plain') return kind === 'final' || reason?.kind === 'exit'
      const [move, another] = this.moves(at, { kind: 'main' })
      if (!move || another || move.state.main.stopped || this.undefinedEdges.size > undefinedBefore) return false
      at = move.state
    }
    return false
  }

  private beforeStep(state: CountedState, actor: Actor): Partial {
    const { handles, started, joined, counts } = state
    const effects = { handles, started, joined, counts, joins: NONE }
    const mover = actor.kind === 'main' ? undefined : actor.kind === 'named' ? state.named[actor.place]! : actor.of
    const name = actor.kind === 'named' ? FIRST_NAME + actor.place : undefined
    const seen = name === undefined ? state : { ...state, ...this.cells.replace(state, (n) => (n === name ? SELF : n)) }
    const { globals, memory, threads } = stateFor(seen, mover)
    return {
      shared: { globals, memory },
      main: threads.at(0)!,
      mover: threads.at(1),
      steps: NONE,
      newcomers: NONE,
      effects,
    }
  }

  // ---- one edge

  private execute(
    { shared, main, mover, effects }: Partial,
    edge: Edge,
  ): readonly { readonly successor: Successor; readonly effects: Effects }[] {
    let after = effects
    const surroundings: Surroundings = {
      start: (procedure) => {
        after = { ...after, started: withStarted(after.started, procedure) }
        // A handle that nobody joins is as good as any other.
        return this.kinds.hasJoins ? numberStarted(after.started) : SELF
      },
      join: (number) => {
        const joined = this.joined(after, number)
        if (joined) after = joined
        return joined !== undefined
      },
      load: (label, address) => this.handle(label, address, after),
      store: (label, address, value) => {
        if (!this.isHandle(label, address)) return false
        after = { ...after, handles: withHandle(after.handles, Number(address), value) }
        return true
      },
    }
    const threads = mover ? [main, mover] : [main]
    const state = { globals: shared.globals, memory: shared.memory, threads }
    const found = executeEdge(this.layout, state, threads.length - 1, edge, lazyChoice, surroundings)
    if (found.length > 1 && after !== effects) throw new NotCountable('a choice in a step that starts or joins threads')
    // Undefined behaviour undoes what its step did.
    return found.map((successor) => ({ successor, effects: successor.undefined ? effects : after }))
  }

  private joined(effects: Effects, number: number): Effects | undefined {
    if (hasNumber(effects.joined, number)) return effects
    const template = templateOf(effects.started, number)
    if (template === undefined || number <= 0) return undefined
    const ended = this.ended(template)
    if (countOf(effects.counts, ended) === 0) return undefined
    const counts = changeCount(effects.counts, ended, -1)
    return { ...effects, counts, joined: withNumber(effects.joined, number), joins: [...effects.joins, number] }
  }

  /** The kind of all instances of a template that have ended. */
  private ended(name: string): Kind {
    const template = this.layout.templates.get(name)!
    const thread = newThread(template, SELF, [])
    return this.kinds.of({ ...thread, location: template.procedure.final }, [], SELF)
  }

  private isHandle({ region, type }: Load | Store, address: Value): boolean {
    if (!this.identities.handleRegions.has(region)) return false
    const place = placeOf(this.layout, address)
    if (!place || !this.layout.hitsCell(region, place.owner.object, place.offset)) return false
    return place.owner.object.storage !== 'heap' && place.offset + byteSize(type) <= place.owner.object.size
  }

  private handle(label: Load, address: Value, { handles }: Effects): Value | undefined {
    if (!this.isHandle(label, address)) return undefined
    const stored = handleAt(handles, Number(address))
    if (stored !== undefined) return stored
    if (placeOf(this.layout, address)!.owner.object.contents === 'zero') return 0
    throw new NotCountable('a handle that nobody has given a value')
  }

  private after(partial: Partial, { state, step, undefined: stopped }: Successor, effects: Effects): Partial {
    const base = partial.mover ? 2 : 1
    const { thread: _, ...taken } = step
    return {
      shared: { globals: state.globals, memory: state.memory },
      main: state.threads.at(0)!,
      mover: partial.mover && state.threads.at(1),
      // Where undefined behaviour stops a thread it does not take its step.
      steps: stopped ? partial.steps : [...partial.steps, taken],
      newcomers:
        state.threads.length === base ? partial.newcomers : [...partial.newcomers, ...[...state.threads].slice(base)],
      effects,
    }
  }

  // ---- one form

  private finished(before: CountedState, actor: Actor, partial: Partial): Move {
    const { main, mover, newcomers, effects } = partial
    const isError = (mover ?? main).location.kind === 'error'
    const { memory, frame } = mover
      ? takeFrame(partial.shared.memory, this.frames)
      : { memory: partial.shared.memory, frame: [] }
    const to = mover && this.kinds.of(mover, frame, SELF)
    const mayMove = mover !== undefined && !mover.stopped && mover.location.kind === 'plain'
    const { shared, names } = this.renamed({ globals: partial.shared.globals, memory }, mayMove)
    const started = newcomers.length === 0 ? NONE : newcomers.map((thread) => this.kinds.of(thread, [], SELF))
    const isStill = (place: number): boolean => names.includes(place)
    let { counts } = effects
    const change = (kind: Kind, by: number): void => {
      counts = changeCount(counts, kind, by)
    }
    if (actor.kind === 'one of') change(actor.of, -1)
    // Who stopped or halted is never heard of again.
    if (to && !isStill(-1) && (mayMove || to.isEnded)) change(to, 1)
    const isMover = (place: number): boolean => actor.kind === 'named' && actor.place === place
    const released =
      before.named.length === 0
        ? NONE
        : before.named
            .map((kind, place) => [place, kind] as const)
            .filter(([place]) => !isMover(place) && !isStill(place))
    for (const [, kind] of released) change(kind, 1)
    for (const kind of started) change(kind, 1)
    // Field by field: a spread object takes longer than the step.
    const state: CountedState = {
      globals: shared.globals,
      memory: shared.memory,
      main,
      named: names.map((place) => (place < 0 ? to! : before.named[place]!)),
      counts,
      started: effects.started,
      handles: effects.handles,
      joined: effects.joined,
    }
    const { steps } = partial
    return { taken: { actor, steps, to, names, released, started, joined: effects.joins }, state, isError }
  }

  /** Names in the order in which they are found. */
  private renamed(
    shared: Partial['shared'],
    mayMove: boolean,
  ): { shared: Partial['shared']; names: readonly number[] } {
    const found = this.cells.numbersIn(shared)
    if (found.length === 0) return { shared, names: NONE }
    const numbers = found.filter((number) => number !== SELF || mayMove)
    const names = numbers.map((number) => (number === SELF ? -1 : number - FIRST_NAME))
    const rename = (number: number): number => {
      const place = numbers.indexOf(number)
      return place < 0 ? GONE : FIRST_NAME + place
    }
    return { shared: this.cells.replace(shared, rename), names }
  }
}
