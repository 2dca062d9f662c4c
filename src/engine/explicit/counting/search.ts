// Search over states with counted instances (docs/any-number.md has the proofs).
//   A state is covered by one that differs only in having more instances: who can do something with fewer threads can do
// it with more. Where counts may be any number, a state with more instances than one that it came from, and otherwise the
// same, has any number of those (Karp and Miller, Parallel Program Schemata).
//   A thread moves alone where nothing that others may ever do conflicts with its next steps: a persistent set of one. The
// proviso against ignoring is that of ../search.ts: all it leads to are states with greater numbers, otherwise all move.
// States with one way on are passed, not kept, but for one in MAX_PASSED, so that a loop is noticed.
import type { Location } from '../../../xcfa/index.js'
import type { Facts } from './facts.js'
import type { Actor, Machine, Move, Taken } from './machine.js'
import {
  type CountedState,
  type Counts,
  countOf,
  countsKey,
  isCovered,
  type Kind,
  numberStarted,
  restKey,
} from './state.js'

export interface SearchOptions {
  /** Whether more instances cover fewer, and what grows is any number. */
  readonly anyNumber: boolean
  /** How many instances of a kind are counted before they are any number. */
  readonly maxCounted: number
  /** Depth first finds what needs all threads to end, breadth first what needs few steps, and few switches most bugs. */
  readonly order: 'depth' | 'breadth' | 'switches'
  /** So many instances leave their first location. */
  readonly maxMovers: number
  readonly maxTransitions: number
  /** Whether two of the actors are about to race. */
  readonly isRace?: (state: CountedState, actors: readonly Actor[]) => boolean
  readonly stopped: () => string | undefined
}

export type Outcome =
  | { readonly kind: 'complete' }
  | { readonly kind: 'violation'; readonly path: readonly Taken[] }
  | { readonly kind: 'stopped'; readonly reason: string }

export interface Start {
  readonly state: CountedState
  readonly path: readonly Taken[]
}

interface Node {
  readonly state: CountedState
  readonly rest: string
  readonly parent: number
  /** From the parent to here. */
  readonly path: readonly Taken[]
  /** How often somebody else went on than who had moved last, as far as that can be told of instances that are alike. */
  readonly switches: number
}

/** Where a way without branches ends. */
interface End {
  readonly state: CountedState
  readonly path: readonly Taken[]
  /** Nothing follows: an error, or nobody can move. */
  readonly isError: boolean
  readonly isDead: boolean
}

/** Ancestors that a state is compared with. */
const MAX_ANCESTORS = 64
/** States of a way without branches of which none is kept; fewer where what grows has to be noticed. */
const MAX_PASSED = 2000
const MAX_PASSED_GROWING = 64
const MAX_PREFIX = 200_000
/** States from which searches begin, where main had choices while it was alone. */
const MAX_STARTS = 16
const PATIENCE = 63

export class Search {
  readonly nodes: Node[] = []
  transitions = 0
  mostStarted = 0
  private readonly table = new Map<string, number[]>()
  /** Numbers of nodes; by their switches where these decide. */
  private readonly waiting: number[][] = []
  private readonly maxPassed: number
  private next = 0
  /** Before it no node waits. */
  private fewest = 0

  constructor(
    private readonly facts: Facts,
    private readonly machine: Machine,
    private readonly options: SearchOptions,
  ) {
    this.maxPassed = options.anyNumber ? MAX_PASSED_GROWING : MAX_PASSED
  }

  /** From states, and how they are reached. */
  run(initial: readonly Start[]): Outcome {
    for (const { state, path } of initial) this.add(state, -1, path, 0)
    for (let rounds = 0; ; rounds++) {
      const number = this.take()
      if (number === undefined) return { kind: 'complete' }
      if ((rounds & PATIENCE) === 0) {
        const reason = this.options.stopped()
        if (reason !== undefined) return { kind: 'stopped', reason }
      }
      if (this.transitions > this.options.maxTransitions) return { kind: 'stopped', reason: 'too many states' }
      const violation = this.expand(number)
      if (violation) return { kind: 'violation', path: [...this.pathTo(number), ...violation.path] }
    }
  }

  private take(): number | undefined {
    switch (this.options.order) {
      case 'depth':
        return this.waiting[0]?.pop()
      case 'breadth':
        return this.waiting[0]?.[this.next++]
      case 'switches':
        while (this.fewest < this.waiting.length && this.waiting[this.fewest]!.length === 0) this.fewest++
        return this.waiting[this.fewest]?.pop()
    }
  }

  private pathTo(number: number): readonly Taken[] {
    const paths: (readonly Taken[])[] = []
    for (let at = number; at >= 0; at = this.nodes[at]!.parent) paths.push(this.nodes[at]!.path)
    return paths.reverse().flat()
  }

  /**
   * As far as one thread moves alone, whatever it chooses: nothing of it depends on how the search goes on. `who`: where
   * only main may move, no instance has left its first location, so that a search with few movers can begin there.
   */
  prefixes(start: Start, who: 'main' | 'anybody'): readonly Start[] {
    const ended: Start[] = []
    const open: Start[] = [start]
    for (let next = open.pop(); next; next = open.pop()) {
      const { state, path, choices } = this.prefix(next, who)
      if (choices.length === 0 || ended.length + open.length + choices.length > MAX_STARTS) ended.push({ state, path })
      else for (const move of choices) open.push({ state: move.state, path: [...path, move.taken] })
    }
    return ended
  }

  /** As far as there is one way on; `choices`: what one thread alone may do then. */
  private prefix(start: Start, who: 'main' | 'anybody'): Start & { readonly choices: readonly Move[] } {
    const wayOn = (state: CountedState) => (who === 'main' ? this.mainAlone(state) : this.onlyWay(state))
    let { state } = start
    const path = [...start.path]
    // A loop that never ends comes back to a state that was kept at a power of two (Brent).
    let kept = { state, length: path.length }
    while (path.length < MAX_PREFIX) {
      const moves = wayOn(state)
      if (moves === 'race' || moves.some(({ isError }) => isError)) break
      if (moves.length !== 1) return { state, path, choices: who === 'main' ? moves : this.aloneMoves(state) }
      state = moves[0]!.state
      path.push(moves[0]!.taken)
      if (isSame(state, kept.state)) return { state, path: path.slice(0, kept.length), choices: [] }
      if (path.length >= 2 * kept.length) kept = { state, length: path.length }
    }
    return { state, path, choices: [] }
  }

  // ---- expansion

  /** An error that was met. */
  private expand(number: number): End | undefined {
    const { state, path, switches } = this.nodes[number]!
    const actors = this.actorsOf(state)
    if (this.options.isRace?.(state, actors)) return { state, path: [], isError: true, isDead: false }
    const last = path.at(-1)
    const switchesTo = (actor: Actor): number => switches + (last && wentOn(last, actor) ? 0 : 1)
    for (const actor of actors.toReversed()) {
      if (!this.isAlone(state, actor, actors)) continue
      const moves = this.machine.moves(state, actor)
      if (moves.length === 0) continue
      // Who moves alone could as well have moved before.
      const { error, progress } = this.addAll(number, moves, switches)
      if (error || progress) return error
    }
    for (const actor of actors) {
      const { error } = this.addAll(number, this.machine.moves(state, actor), switchesTo(actor))
      if (error) return error
    }
    return undefined
  }

  /** Whether all of them lead to states with greater numbers. */
  private addAll(
    from: number,
    moves: readonly Move[],
    switches: number,
  ): { error: End | undefined; progress: boolean } {
    let progress = true
    for (const move of moves) {
      const end = this.follow(move)
      if (end.isError) return { error: end, progress }
      if (!end.isDead && this.add(end.state, from, end.path, switches) <= from) progress = false
    }
    return { error: undefined, progress }
  }

  /** On from a move as long as there is one way, and nothing is lost by not looking at another. */
  private follow(first: Move): End {
    const path = [first.taken]
    let move = first
    for (;;) {
      this.transitions++
      const { state, isError } = move
      if (isError) return { state, path, isError, isDead: false }
      if (path.length >= this.maxPassed) return { state, path, isError, isDead: false }
      const moves = this.onlyWay(state)
      if (moves === 'race') return { state, path, isError: true, isDead: false }
      if (moves.length !== 1) return { state, path, isError, isDead: moves.length === 0 }
      move = moves[0]!
      path.push(move.taken)
    }
  }

  /**
   * The moves of one that moves alone, otherwise those of all, as far as it matters whether there is more than one. One
   * move may be that of many instances, which race with each other.
   */
  private onlyWay(state: CountedState): readonly Move[] | 'race' {
    const actors = this.actorsOf(state)
    const alone = this.aloneMoves(state, actors)
    if (alone.length > 0) return alone
    if (this.options.isRace?.(state, actors)) return 'race'
    const all: Move[] = []
    for (const actor of actors) {
      for (const move of this.machine.moves(state, actor)) all.push(move)
      if (all.length > 1) break
    }
    return all
  }

  /** The moves of main, if it moves alone. */
  private mainAlone(state: CountedState): readonly Move[] {
    const actors = this.actorsOf(state)
    const main = actors.find(({ kind }) => kind === 'main')
    const isFree = main && (actors.length === 1 || this.isAlone(state, main, actors))
    return isFree ? this.machine.moves(state, main) : []
  }

  /** The moves of somebody who moves alone. */
  private aloneMoves(state: CountedState, actors: readonly Actor[] = this.actorsOf(state)): readonly Move[] {
    for (const actor of actors.toReversed()) {
      if (!this.isAlone(state, actor, actors)) continue
      const moves = this.machine.moves(state, actor)
      if (moves.length > 0) return moves
    }
    return []
  }

  /** Those that may have a step, last who should go on first: who is named holds something that others wait for. */
  private actorsOf(state: CountedState): readonly Actor[] {
    const started = numberStarted(state.started)
    this.mostStarted = Math.max(this.mostStarted, started)
    const first: Actor[] = []
    const later: Actor[] = []
    let waiting = 0
    for (const [kind, count] of state.counts) {
      if (kind.isEnded) continue
      if (isFirst(kind)) {
        waiting += count
        first.push({ kind: 'one of', of: kind })
      } else later.push({ kind: 'one of', of: kind })
    }
    if (!this.facts.isIdle(state)) later.push({ kind: 'main' })
    for (let place = 0; place < state.named.length; place++) later.push({ kind: 'named', place })
    return started - waiting < this.options.maxMovers ? [...first, ...later] : later
  }

  /** Whether nothing that others may ever do conflicts with what this one does next. */
  private isAlone(state: CountedState, actor: Actor, actors: readonly Actor[]): boolean {
    const location = locationOf(state, actor)
    const own = this.facts.footprints.get(location)
    if (!own || own.mayNotReturn) return false
    return actors.every((other) => {
      if (other === actor && !(actor.kind === 'one of' && hasSecond(state.counts, actor.of))) return true
      return !this.facts.mayDisturb(locationOf(state, other), location)
    })
  }

  // ---- states

  /** The number of the state, or of one that covers it. */
  private add(state: CountedState, parent: number, path: readonly Taken[], switches: number): number {
    const { anyNumber, order } = this.options
    const rest = restKey(this.machine.layout, this.machine.kinds, state)
    const counts = anyNumber ? this.accelerated(this.capped(state.counts), rest, parent) : state.counts
    const key = anyNumber ? rest : `${rest}|${countsKey(counts)}`
    let same = this.table.get(key)
    if (!same) this.table.set(key, (same = []))
    const known = same.find((number) => !anyNumber || isCovered(counts, this.nodes[number]!.state.counts))
    if (known !== undefined) return known
    const number = this.nodes.push({ state: { ...state, counts }, rest, parent, path, switches }) - 1
    same.push(number)
    const at = order === 'switches' ? switches : 0
    for (let i = this.waiting.length; i <= at; i++) this.waiting.push([])
    this.waiting[at]!.push(number)
    this.fewest = Math.min(this.fewest, at)
    return number
  }

  private capped(counts: Counts): Counts {
    return counts.map(([kind, count]) => [kind, count > this.options.maxCounted ? Number.POSITIVE_INFINITY : count])
  }

  private accelerated(counts: Counts, rest: string, parent: number): Counts {
    let grown = counts
    for (let number = parent, i = 0; number >= 0 && i < MAX_ANCESTORS; i++) {
      const ancestor = this.nodes[number]!
      if (ancestor.rest === rest && isCovered(ancestor.state.counts, grown))
        grown = grown.map(([kind, count]) =>
          count > countOf(ancestor.state.counts, kind)
            ? ([kind, Number.POSITIVE_INFINITY] as const)
            : ([kind, count] as const),
        )
      number = ancestor.parent
    }
    return grown
  }
}

/** Whether the actor may be who took the last step. */
const wentOn = ({ actor: before, names, to }: Taken, actor: Actor): boolean => {
  switch (actor.kind) {
    case 'main':
      return before.kind === 'main'
    case 'named':
      return names[actor.place] === -1
    case 'one of':
      return to === actor.of
  }
}

export const locationOf = (state: CountedState, actor: Actor): Location => {
  switch (actor.kind) {
    case 'main':
      return state.main.location
    case 'named':
      return state.named[actor.place]!.thread.location
    case 'one of':
      return actor.of.thread.location
  }
}

/** As far as it takes to notice a loop. */
const isSame = (a: CountedState, b: CountedState): boolean =>
  a.main.location === b.main.location &&
  a.main.locals.every((value, i) => Object.is(value, b.main.locals[i])) &&
  a.globals.every((value, i) => Object.is(value, b.globals[i])) &&
  a.memory === b.memory &&
  a.started === b.started &&
  a.handles === b.handles &&
  a.joined === b.joined &&
  a.named.length === b.named.length &&
  a.named.every((kind, i) => kind === b.named[i]) &&
  isCovered(a.counts, b.counts) &&
  isCovered(b.counts, a.counts)

const isFirst = ({ thread }: Kind): boolean => thread.location === thread.template.procedure.initial

const hasSecond = (counts: Counts, kind: Kind): boolean => countOf(counts, kind) > 1
