// States in the order of the context switches that they need: first all that one thread reaches before it waits, then
// those after one switch, and so on (Musuvathi and Qadeer, Iterative Context Bounding, PLDI 2007). Most bugs need few
// switches, and a level that is finished is an answer in itself: no violation within so many.
//
// A switch counts where the thread that is left could have gone on; where it waits or has ended, leaving it is free. A
// thread that only a spurious wake-up could move waits.
//   Claim: after level k every state is visited that an execution with at most k such switches reaches. A state of level
// l with owners T was reached with l switches, last by a thread of T, and not with fewer. Its owners go on within the
// level, all other threads in level l + 1. If it is reached again with c > l switches by a thread t, then t goes on from
// there in level l + 1 <= c at the latest, and any other thread in level c + 1 or earlier: nothing is missed. There is no
// partial-order reduction, which would leave out executions with few switches for others with more.
import type { PartialFact } from '../../verdict/index.js'
import { inconclusive } from '../../verdict/reason.js'
import type { Env } from '../engine.js'
import type { Compiled } from './compile/generator.js'
import { atomicCounters, ERROR, insideAtomic, type Outcome, type SearchOptions, UNDEFINED } from './search.js'
import { type States, Visited } from './visited.js'

/** Threads as bits. */
const MAX_THREADS = 31
const PATIENCE = 1023

export interface ContextOptions extends SearchOptions {
  /** Levels to visit; undefined: all. */
  readonly switches: number | undefined
  /** Whether a level that was visited says something of all values: none was only sampled. */
  readonly isWhole: () => boolean
}

export class ContextSearch {
  readonly visited: Visited
  transitions = 0
  readonly provisos = 0
  readonly reexpansions = 0
  private violation = -1
  /** For each state the threads that reached it first. */
  private owners: Int32Array = new Int32Array(1 << 12)
  /** The first state of the level that new ones belong to. */
  private level = 0
  /** States with an owner that has not gone on yet, as pairs. */
  private work: number[] = []
  private checked = 0
  private readonly counters: Int32Array
  private readonly width: number
  private readonly atomic: readonly Uint8Array[]
  private rounds = 0

  constructor(
    private readonly compiled: Compiled,
    private readonly options: ContextOptions,
    private readonly env: Env,
  ) {
    const { words, slots } = compiled.layout
    this.width = words
    this.visited = new Visited(words, compiled.multipliers, options.maximalBytes, false)
    this.counters = new Int32Array(slots.length)
    this.atomic = atomicCounters(compiled.layout)
  }

  run(initial: readonly Int32Array[]): Outcome {
    if (this.counters.length > MAX_THREADS)
      return { kind: 'stopped', reason: inconclusive(`more than ${MAX_THREADS} threads`) }
    for (const words of initial) this.addInitial(words)
    for (let switches = 0; ; switches++) {
      const ended = this.goOn() ?? this.checkStates()
      if (ended) return ended
      if (this.options.isWhole()) this.env.known?.({ kind: 'switches', switches } satisfies PartialFact)
      if (switches === this.options.switches) return { kind: 'bounded', switches }
      const from = this.level
      this.level = this.visited.count
      const stopped = this.switchThreads(from, this.level)
      if (stopped) return stopped
      if (this.visited.count === this.level) return this.nothingFurther()
    }
  }

  /** Who asks for a bound is never told more than that it was kept to. */
  private nothingFurther(): Outcome {
    const { switches } = this.options
    return switches === undefined ? { kind: 'complete' } : { kind: 'bounded', switches }
  }

  meaningOf(edge: number): number {
    return this.options.meaning[edge]!
  }

  /** Whether a state that is not among the visited ones violates the property. */
  isViolation(words: Int32Array, state: number, violates: NonNullable<SearchOptions['violates']>): boolean {
    this.compiled.counters(words, state * this.width, this.counters)
    return violates(state, { words, width: this.width, hashSum: () => 0 } satisfies States, this.counters)
  }

  private addInitial(words: Int32Array): void {
    this.visited.reserve(1)
    let sum = 0
    for (let i = 0; i < words.length; i++)
      sum = (sum + Math.imul(words[i]! ^ (words[i]! >>> 15), this.compiled.multipliers[i]!)) | 0
    this.arrive(words, 0, sum, -1, 0)
  }

  /** Within a level: every owner of a state takes its steps. */
  private goOn(): Outcome | undefined {
    for (let at = 0; at < this.work.length; at += 2) {
      const stopped = this.paused() ?? this.checkStates()
      if (stopped) return stopped
      const [state, thread] = [this.work[at]!, this.work[at + 1]!]
      this.decode(state)
      const movable = this.movable()
      if ((movable & (1 << thread)) !== 0 && !this.expand(state, thread)) return OUT_OF_MEMORY
      if (this.isWaiting(thread, movable)) this.handOver(state, movable)
    }
    this.work = []
    return undefined
  }

  /** Every other thread continues from the states of the level before. */
  private switchThreads(from: number, end: number): Outcome | undefined {
    for (let state = from; state < end; state++) {
      const stopped = this.paused()
      if (stopped) return stopped
      this.decode(state)
      const others = this.movable() & ~this.owners[state]!
      for (let rest = others; rest !== 0; rest &= rest - 1)
        if (!this.expand(state, 31 - Math.clz32(rest & -rest))) return OUT_OF_MEMORY
    }
    return undefined
  }

  private paused(): Outcome | undefined {
    if (this.visited.count >= this.options.maxStates) return { kind: 'enough' }
    if ((++this.rounds & PATIENCE) !== 0) return undefined
    const reason = this.env.stopped()
    if (reason !== undefined) return { kind: 'stopped', reason }
    this.env.progress('exploring', { states: this.visited.count, transitions: this.transitions })
    return undefined
  }

  /** Asks of every new state whether it violates the property. */
  private checkStates(): Outcome | undefined {
    const { violates } = this.options
    for (; violates && this.violation < 0 && this.checked < this.visited.count; this.checked++) {
      this.decode(this.checked)
      if (violates(this.checked, this.visited, this.counters)) this.violation = this.checked
    }
    return this.violation < 0 ? undefined : { kind: 'violation', state: this.violation }
  }

  private decode(state: number): void {
    this.compiled.counters(this.visited.words, state * this.width, this.counters)
  }

  /** The threads that have a next step, or the one inside an atomic block. */
  private movable(): number {
    const { numbers } = this.options.selection
    const inside = insideAtomic(this.counters, this.atomic)
    let live = 0
    for (let slot = 0; slot < this.counters.length; slot++)
      if (numbers[slot]![this.counters[slot]!] !== 0) live |= 1 << slot
    return inside >= 0 ? live & (1 << inside) : live
  }

  /** Takes the steps of a thread; false where memory ends. */
  private expand(state: number, thread: number): boolean {
    const { runtime, expand } = this.compiled
    runtime.top = 0
    expand[thread]!(this.visited.words, state * this.width, this.visited.hashSum(state), this.counters[thread]!)
    const recordSize = this.width + 2
    if (!this.visited.reserve(runtime.top / recordSize)) return false
    const { out } = runtime
    for (let at = 0; at < runtime.top; at += recordSize) {
      this.transitions++
      const edge = out[at + this.width + 1]!
      const isNew = this.arrive(out, at, out[at + this.width]!, state, thread)
      if (!isNew) continue
      if (this.meaningOf(edge) === ERROR) this.violation = this.visited.count - 1
      else if (this.meaningOf(edge) === UNDEFINED) runtime.undefined(edge)
    }
    return true
  }

  /** The last expansion was that of `thread`: whether it has no step but spurious wake-ups. */
  private isWaiting(thread: number, movable: number): boolean {
    if ((movable & (1 << thread)) === 0) return true
    const { runtime, edges } = this.compiled
    const recordSize = this.width + 2
    for (let at = 0; at < runtime.top; at += recordSize)
      if (!edges[runtime.out[at + this.width + 1]!]!.edge.sync?.spurious) return false
    return true
  }

  /** Leaving a thread that waits costs no switch. */
  private handOver(state: number, movable: number): void {
    const others = movable & ~this.owners[state]!
    this.owners[state] = this.owners[state]! | others
    for (let rest = others; rest !== 0; rest &= rest - 1) this.work.push(state, 31 - Math.clz32(rest & -rest))
  }

  /** Whether the state is new. */
  private arrive(words: Int32Array, at: number, sum: number, parent: number, thread: number): boolean {
    const before = this.visited.count
    const state = this.visited.insert(words, at, sum, parent, 0)
    if (state >= this.owners.length) this.owners = extended(this.owners, 2 * this.owners.length)
    // Reached with fewer switches before: its threads go on from there without this.
    if (state < this.level) return false
    if ((this.owners[state]! & (1 << thread)) === 0) {
      this.owners[state] = this.owners[state]! | (1 << thread)
      this.work.push(state, thread)
    }
    return state === before
  }
}

const OUT_OF_MEMORY: Outcome = { kind: 'stopped', reason: inconclusive('out of memory') }

const extended = (array: Int32Array, length: number): Int32Array => {
  const larger = new Int32Array(length)
  larger.set(array)
  return larger
}
