// Breadth-first search over compiled states with persistent sets and sleep sets.
//
// Soundness (soundness.md 1-3, 5, 6). A thread's next edges count as one action; threads that end, halt or meet
// undefined behaviour stop only themselves. The set M explored in a state s is persistent: no thread outside M can do
// anything, from where it is on, that conflicts with a next edge of a thread in M, enabled or not.
//   Claim: if w leads from an explored state s with stored sleep set Z to a violation, and no initial action of w is in
// Z, then the violation is found. By induction on the length of w, then on the number of s, downwards:
// (a) w contains an action of M: the first one commutes to the front, is explored (or is in Z: excluded), w shrinks.
// (b) otherwise w is independent of M and still possible after any action of it. We require that some explored,
//     not sleeping, action of M leads to a state with a greater number (the proviso against ignoring); else all
//     enabled actions are explored, and (a) applies.
// A state reached again with a sleep set that does not contain Z keeps the intersection; if it was expanded already,
// the threads that are awake now are all expanded, whatever M was: an initial action of w in the difference is
// among them, and if there is none the claim for Z applies.
//   A search may go on with the states of an earlier one whose layout was too small. What was independent there in a state
// is independent in it now, since its own addresses were in the ranges of that layout; so sleep sets stay. But which sets
// are persistent depends on ranges of all states: each state remembers M, and all threads move where M no longer is one.
// Numbers stay as they were, and with them what the proviso saw.
//   Races are looked for in every visited state among all enabled actions: if M contains one of two conflicting next
// accesses it contains both, and they are enabled in s already. Deadlocks need no proviso, and get it nevertheless; but
// for them M must have an enabled action that is no spurious wake-up, since (b) is excluded only by an action that
// would still be enabled in the deadlock, and a spurious wake-up may be. Otherwise all threads move.

import type { Reason } from '../../verdict/reason.js'
import { inconclusive } from '../../verdict/reason.js'
import type { Env } from '../engine.js'
import type { Translate } from './carry.js'
import type { Compiled } from './compile/generator.js'
import type { Layout } from './compile/layout.js'
import type { Selection } from './selection.js'
import { extended, type States, Visited } from './visited.js'

export type Outcome =
  | { readonly kind: 'complete' }
  | { readonly kind: 'violation'; readonly state: number }
  | { readonly kind: 'stopped'; readonly reason: Reason }
  /** As many states as the caller asked for. */
  | { readonly kind: 'enough' }
  /** Every state that needs at most so many context switches. */
  | { readonly kind: 'bounded'; readonly switches: number }

export interface SearchOptions {
  readonly maxStates: number
  readonly maximalBytes: number
  /** By number of the compiled edge: whether a step over it violates the property, or is undefined behaviour. */
  readonly meaning: Uint8Array
  /** A property of states, asked before a state is expanded. */
  readonly violates?: (state: number, visited: States, counters: Int32Array) => boolean
  /** The end of the program depends on every action, and nothing after it matters. */
  readonly endMatters: boolean
  readonly selection: Selection
}

export const ERROR = 1
export const UNDEFINED = 2

const BATCH = 16
/** Batches between two questions whether to go on. */
const PATIENCE = 255

/** A state of the batch: which threads it was expanded for, and where the records of each begin. */
interface Expansion {
  state: number
  /** Threads that were expanded, in order, and the end of their records. */
  readonly threads: Int32Array
  readonly ends: Int32Array
  count: number
  /** Live threads that were not, for the proviso. */
  others: number
  readonly at: Int32Array
}

/** For each slot the counters of locations inside atomic blocks. */
export const atomicCounters = ({ slots }: Layout): readonly Uint8Array[] =>
  slots.map((slot) => {
    const flags = Uint8Array.from(slot.locations, (location) => (location?.atomic ? 1 : 0))
    for (const [location, counter] of slot.stopped) flags[counter] = location.atomic ? 1 : 0
    return flags
  })

/** The thread inside an atomic block, or -1. */
export const insideAtomic = (counters: Int32Array, atomic: readonly Uint8Array[]): number => {
  for (let slot = 0; slot < counters.length; slot++) if (atomic[slot]![counters[slot]!] === 1) return slot
  return -1
}

/** What a search that was interrupted has done, for one that goes on with it. */
export interface Progress {
  readonly visited: Visited
  /** All states before it were expanded. */
  readonly next: number
  /** Expanded states with threads to expand now. */
  readonly again: ReadonlyMap<number, number>
  /** The threads of M, for each state that was expanded. */
  readonly moved: Int32Array
  readonly transitions: number
  readonly provisos: number
  readonly reexpansions: number
}

/** For states from this number on, M is not remembered. */
const MAX_REMEMBERED = 1 << 20
const ALL = -1

export class Search {
  readonly visited: Visited
  transitions = 0
  /** States that needed all their threads because of the proviso. */
  provisos = 0
  reexpansions = 0
  private next = 0
  private violation = -1
  private readonly counters: Int32Array
  private readonly recordSize: number
  private readonly width: number
  private readonly batch: Expansion[]
  private readonly candidates: number[] = []
  private readonly atomic: readonly Uint8Array[]
  /** States that were expanded and then reached with a smaller sleep set, with the threads to expand now. */
  private readonly again = new Map<number, number>()
  /** Before it, every state is expanded, and all that comes of it is looked up. */
  private settled = 0
  /** What is expanded again now. */
  private awakening: { readonly state: number; readonly threads: number } | undefined
  /** By state: the set that was persistent there. */
  private moved: Int32Array
  /** Keeps the reads that warm the cache alive. */
  warmth = 0

  constructor(
    private readonly compiled: Compiled,
    private readonly options: SearchOptions,
    private readonly env: Env,
  ) {
    const { words, slots } = compiled.layout
    this.width = words
    this.visited = new Visited(words, compiled.multipliers, options.maximalBytes, options.selection.sleep)
    this.recordSize = words + 2
    this.counters = new Int32Array(slots.length)
    this.batch = Array.from({ length: BATCH }, () => ({
      state: 0,
      threads: new Int32Array(slots.length),
      ends: new Int32Array(slots.length),
      count: 0,
      others: 0,
      at: new Int32Array(slots.length),
    }))
    this.atomic = atomicCounters(compiled.layout)
    this.moved = new Int32Array(options.selection.persistent ? 1 << 12 : 0)
  }

  /** Undefined where there is too much of it, or nothing yet. */
  progress(): Progress | undefined {
    const { visited, settled, moved, transitions, provisos, reexpansions } = this
    if (visited.count === 0 || visited.count > MAX_REMEMBERED || visited.bytes > this.options.maximalBytes / 3)
      return undefined
    const again = new Map(this.again)
    if (this.awakening) {
      const { state, threads } = this.awakening
      again.set(state, (again.get(state) ?? 0) | threads)
    }
    return { visited, next: settled, again, moved, transitions, provisos, reexpansions }
  }

  /** Begins with what an earlier search has done; false if its states are no longer told apart. */
  goOnWith(progress: Progress, translate: Translate): boolean {
    const { visited, width, options } = this
    const earlier = progress.visited
    if (!visited.reserve(earlier.count)) return false
    const words = new Int32Array(width)
    for (let state = 0; state < earlier.count; state++) {
      translate(earlier.words, state * earlier.width, words)
      const sleeping = options.selection.sleep ? earlier.sleeping[state]! : 0
      if (visited.insert(words, 0, this.hashSum(words), earlier.parents[state]!, sleeping) !== state) return false
    }
    this.next = this.settled = progress.next
    for (const [state, threads] of progress.again) this.again.set(state, threads)
    this.transitions = progress.transitions
    this.provisos = progress.provisos
    this.reexpansions = progress.reexpansions
    if (options.selection.persistent) this.lookAgain(progress)
    return true
  }

  /** All threads move where those that did are no persistent set by what is known now. */
  private lookAgain({ moved, next }: Progress): void {
    this.remember(Math.max(0, next - 1), 0)
    this.moved.set(moved.subarray(0, next))
    const { visited, counters } = this
    const { selection } = this.options
    const at = new Int32Array(counters.length)
    for (let state = 0; state < next; state++) {
      const set = moved[state]!
      if (set === ALL) continue
      this.compiled.counters(visited.words, state * this.width, counters)
      let live = 0
      for (let slot = 0; slot < counters.length; slot++) {
        at[slot] = selection.numbers[slot]![counters[slot]!]!
        if (at[slot] !== 0) live |= 1 << slot
      }
      if (selection.isClosed(set & live, live, at)) continue
      const others = live & ~set & ~this.sleepingAt(state)
      if (others !== 0) this.again.set(state, (this.again.get(state) ?? 0) | others)
      this.moved[state] = ALL
    }
  }

  private remember(state: number, set: number): void {
    if (state >= MAX_REMEMBERED || !this.options.selection.persistent) return
    if (state >= this.moved.length) this.moved = extended(this.moved, 2 * Math.max(state, this.moved.length))
    this.moved[state] = set
  }

  run(initial: readonly Int32Array[]): Outcome {
    if (this.visited.count === 0) for (const words of initial) this.addInitial(words)
    let rounds = 0
    while (this.next < this.visited.count || this.again.size > 0) {
      if (this.visited.count >= this.options.maxStates) return { kind: 'enough' }
      if ((++rounds & PATIENCE) === 0) {
        const reason = this.env.stopped()
        if (reason !== undefined) return { kind: 'stopped', reason }
        const open = this.visited.count - this.next
        this.env.progress('exploring', { states: this.visited.count, transitions: this.transitions, open })
      }
      const roomy = this.again.size > 0 ? this.expandAgain() : this.expandBatch()
      if (this.violation >= 0) return { kind: 'violation', state: this.violation }
      if (!roomy) return { kind: 'stopped', reason: inconclusive('out of memory') }
    }
    return { kind: 'complete' }
  }

  meaningOf(edge: number): number {
    return this.options.meaning[edge]!
  }

  /** Whether a state that is not among the visited ones violates the property. */
  isViolation(words: Int32Array, state: number, violates: NonNullable<SearchOptions['violates']>): boolean {
    this.compiled.counters(words, state * this.width, this.counters)
    // Sums of words are for the table, where this state is not.
    return violates(state, { words, width: this.width, hashSum: () => 0 }, this.counters)
  }

  private sleepingAt(state: number): number {
    return this.options.selection.sleep ? this.visited.sleeping[state]! : 0
  }

  private addInitial(words: Int32Array): void {
    this.visited.reserve(1)
    this.visited.insert(words, 0, this.hashSum(words), -1, 0)
  }

  private hashSum(words: Int32Array): number {
    let sum = 0
    for (let i = 0; i < words.length; i++)
      sum = (sum + Math.imul(words[i]! ^ (words[i]! >>> 15), this.compiled.multipliers[i]!)) | 0
    return sum
  }

  /** Expands the next states of the queue: all successors, then all home slots, then all lookups. */
  private expandBatch(): boolean {
    const { visited, batch, recordSize, width } = this
    const { runtime } = this.compiled
    runtime.top = 0
    let size = 0
    const last = Math.min(this.next + BATCH, visited.count)
    for (let state = this.next; state < last; state++) {
      const expansion = batch[size++]!
      if (this.decode(state, expansion)) return true
      this.expand(expansion)
    }
    this.next = last
    if (!visited.reserve(runtime.top / recordSize)) return false
    const { out } = runtime
    for (let at = 0; at < runtime.top; at += recordSize) this.warmth ^= visited.touch(out[at + width]!)
    let from = 0
    for (let i = 0; i < size; i++) {
      const expansion = batch[i]!
      const end = expansion.count > 0 ? expansion.ends[expansion.count - 1]! : from
      const progressed = this.insertAll(expansion, from, this.sleepingAt(expansion.state))
      from = end
      if (this.violation >= 0) return true
      if (!progressed && expansion.others !== 0 && !this.expandOthers(expansion)) return false
      if (this.violation >= 0) return true
    }
    this.settled = last
    return true
  }

  /** Reads program counters; true if the state itself violates the property. */
  private decode(state: number, expansion: Expansion): boolean {
    const { visited, counters } = this
    this.compiled.counters(visited.words, state * this.width, counters)
    expansion.state = state
    const { numbers } = this.options.selection
    for (let slot = 0; slot < counters.length; slot++) expansion.at[slot] = numbers[slot]![counters[slot]!]!
    if (!this.options.violates?.(state, visited, counters)) return false
    this.violation = state
    return true
  }

  /** Emits the successors by the threads of a persistent set, those asleep excepted. */
  private expand(expansion: Expansion): void {
    const { selection } = this.options
    expansion.count = 0
    expansion.others = 0
    this.remember(expansion.state, ALL)
    const inside = insideAtomic(this.counters, this.atomic)
    if (inside >= 0) {
      if (expansion.at[inside] !== 0) this.expandThread(expansion, inside)
      return
    }
    if (!selection.persistent && !selection.sleep) {
      this.expandEvery(expansion)
      return
    }
    let live = 0
    for (let slot = 0; slot < expansion.at.length; slot++) if (expansion.at[slot] !== 0) live |= 1 << slot
    const awake = live & ~this.sleepingAt(expansion.state)
    if (!selection.persistent) {
      this.expandSet(expansion, awake)
      return
    }
    selection.candidates(live, expansion.at, this.candidates)
    for (const set of this.candidates) {
      const start = this.compiled.runtime.top
      this.expandSet(expansion, set & awake)
      if (this.compiled.runtime.top > start) {
        expansion.others = awake & ~set
        if (this.options.endMatters && this.concernsAll(start)) {
          this.expandSet(expansion, expansion.others)
          expansion.others = 0
        } else this.remember(expansion.state, set)
        return
      }
      // Nothing awake and enabled in this set: another one, or in the end all that there is.
      expansion.count = 0
    }
    this.expandSet(expansion, awake)
  }

  /**
   * For deadlocks, whether the records from here on are no persistent set after all: one of them ends the program,
   * which depends on every action, or all are spurious wake-ups, which a deadlock may leave enabled.
   */
  private concernsAll(from: number): boolean {
    const { runtime, edges } = this.compiled
    let spurious = true
    for (let at = from; at < runtime.top; at += this.recordSize) {
      const index = runtime.out[at + this.width + 1]!
      const { target, sync } = edges[index]!.edge
      if (target.kind === 'halt' || target.kind === 'error' || runtime.undefinedEdges.has(index)) return true
      if (!sync?.spurious) spurious = false
    }
    return spurious
  }

  private expandEvery(expansion: Expansion): void {
    for (let slot = 0; slot < expansion.at.length; slot++)
      if (expansion.at[slot] !== 0) this.expandThread(expansion, slot)
  }

  private expandSet(expansion: Expansion, set: number): void {
    for (let rest = set; rest !== 0; rest &= rest - 1) this.expandThread(expansion, 31 - Math.clz32(rest & -rest))
  }

  private expandThread(expansion: Expansion, slot: number): void {
    const { visited, counters, compiled } = this
    const { state } = expansion
    compiled.expand[slot]!(visited.words, state * this.width, visited.hashSum(state), counters[slot]!)
    expansion.threads[expansion.count] = slot
    expansion.ends[expansion.count++] = compiled.runtime.top
  }

  /** Looks all records of an expansion up; whether one leads to a state with a greater number. */
  private insertAll(expansion: Expansion, from: number, sleeping: number): boolean {
    const { state, threads, ends, at } = expansion
    const { selection } = this.options
    let asleep = sleeping
    let progressed = false
    let record = from
    for (let i = 0; i < expansion.count; i++) {
      const thread = threads[i]!
      const end = ends[i]!
      const kept = selection.sleep && asleep !== 0 ? asleep & ~selection.dependents(thread, asleep, at) : 0
      if (selection.sleep && record < end) asleep |= 1 << thread
      for (; record < end; record += this.recordSize) if (this.insert(record, state, kept) > state) progressed = true
    }
    return progressed
  }

  private insert(at: number, parent: number, sleeping: number): number {
    const { visited } = this
    const { out } = this.compiled.runtime
    this.transitions++
    const before = visited.count
    const state = visited.insert(out, at, out[at + this.width]!, parent, sleeping)
    if (state === before) {
      const meaning = this.options.meaning[out[at + this.width + 1]!]
      if (meaning === ERROR) this.violation = state
      else if (meaning === UNDEFINED) this.compiled.runtime.undefined(out[at + this.width + 1]!)
      return state
    }
    if (!this.options.selection.sleep) return state
    const stored = visited.sleeping[state]!
    const awakened = stored & ~sleeping
    if (awakened !== 0) {
      visited.sleeping[state] = stored & sleeping
      if (state < this.next) this.again.set(state, (this.again.get(state) ?? 0) | awakened)
    }
    return state
  }

  /** The proviso: nothing new came of the persistent set, so the other threads move as well. */
  private expandOthers(expansion: Expansion): boolean {
    this.provisos++
    this.remember(expansion.state, ALL)
    let explored = 0
    for (let i = 0; i < expansion.count; i++) explored |= 1 << expansion.threads[i]!
    return this.expandNow(expansion, expansion.others, this.sleepingAt(expansion.state) | explored)
  }

  /** States that were reached again with a smaller sleep set: the threads that woke up. */
  private expandAgain(): boolean {
    const [state, threads] = this.again.entries().next().value!
    this.again.delete(state)
    this.awakening = { state, threads }
    this.reexpansions++
    const expansion = this.batch[0]!
    if (this.decode(state, expansion)) return true
    this.compiled.runtime.top = 0
    const inside = insideAtomic(this.counters, this.atomic)
    const movable = inside >= 0 ? 1 << inside : -1
    const roomy = this.expandNow(expansion, threads & movable, this.sleepingAt(state))
    this.awakening = undefined
    return roomy
  }

  private expandNow(expansion: Expansion, threads: number, sleeping: number): boolean {
    const { runtime, counters } = this.compiled
    counters(this.visited.words, expansion.state * this.width, this.counters)
    expansion.count = 0
    const from = runtime.top
    this.expandSet(expansion, threads)
    if (!this.visited.reserve((runtime.top - from) / this.recordSize)) return false
    this.insertAll(expansion, from, sleeping)
    return true
  }
}
