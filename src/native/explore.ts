// Systematic search: every execution is analysed for pairs of dependent units that could have come in the other order,
// and for each of them a schedule is made that begins with that order (Flanagan and Godefroid, POPL 2005; Abdulla and
// others, POPL 2014: the units that do not depend on the first of the pair come before the second). Instead of sleep
// sets, which need depth-first order, executions and beginnings that were seen are recognised by a hash of their
// happens-before order: so beginnings with few preemptions can go first, and several processes can take part.
import { type Beginning, joined, Origin } from './beginnings.js'
import type { Choice, Outcome, RunAnswer } from './events.js'
import { happensBefore, MODULUS, type Order, type Race } from './order.js'
import { Units } from './units.js'

export type { Beginning }

/** A schedule to be tried, made when its turn comes. */
interface Pending {
  readonly origin?: Origin
  readonly make: () => Beginning
}

const MAX_UNITS = 5000
/** Each unit has a clock with an entry for each thread: of runs with many threads fewer units are looked at. */
const MAX_CLOCK_ENTRIES = 200_000
const MAX_PENDING = 200_000
/** Units of all executions that pending schedules begin like: what bounds the memory that they take. */
const MAX_ORIGIN_UNITS = 8_000_000
/** Choices of one run that are varied: the first ones. */
const MAX_VARIED = 100
/** Of so many threads a step says whether they could go on. */
const MAX_NOTED_THREADS = 64
/** How many orders of one execution are reversed, its latest ones. */
const MAX_REVERSED = 1000

/** The run did not come to its end: what would have followed was not looked at. */
const INCOMPLETE: ReadonlySet<Outcome> = new Set(['step-limit', 'hung', 'unsupported', 'killed'])

export class Exploration {
  private readonly pending: Pending[][] = [[{ make: () => ({ segments: [], values: [], preemptions: 0 }) }]]
  private readonly beginnings = new Set<string>()
  private readonly executions = new Set<string>()
  private running = 0
  private originUnits = 0
  /** Something was left out: the search is not complete even if nothing is pending. */
  private cut = false
  private open = false

  constructor(private readonly openValues: readonly bigint[]) {}

  /** The next beginning with the fewest preemptions. */
  take(): Beginning | undefined {
    const level = this.pending.findIndex((list) => list !== undefined && list.length > 0)
    if (level < 0) return undefined
    this.running++
    const { origin, make } = this.pending[level]!.pop()!
    if (origin && --origin.pending === 0) this.originUnits -= origin.size
    return make()
  }

  /** Every execution has been run (of the inputs that were tried). */
  get isComplete(): boolean {
    return this.running === 0 && !this.cut && this.pending.every((list) => !list || list.length === 0)
  }

  /** Some run asked for an input of which not every value can be tried. */
  get hasOpenInputs(): boolean {
    return this.open
  }

  get distinct(): number {
    return this.executions.size
  }

  get bound(): number {
    return Math.max(
      0,
      this.pending.findIndex((list) => list !== undefined && list.length > 0),
    )
  }

  /** Whether such an execution was learnt from: its steps need not be read again. */
  readonly knows = (hash: string): boolean => this.executions.has(hash)

  /** What an execution that began like this has shown. */
  learn(beginning: Beginning, run: RunAnswer): void {
    this.running--
    if (run.diverged !== undefined && beginning.otherwise)
      for (const thread of beginning.otherwise.threads) {
        const segments = joined(beginning.otherwise.segments, thread, 1)
        const { values, preemptions } = beginning
        const key = `s${JSON.stringify(segments)} ${told(values)}`
        this.add(key, () => preemptions, { make: () => ({ segments, values, preemptions }) })
      }
    if (INCOMPLETE.has(run.outcome)) this.cut = true
    if (this.executions.has(run.hash)) return
    this.executions.add(run.hash)
    const limit = Math.min(MAX_UNITS, Math.ceil(MAX_CLOCK_ENTRIES / Math.max(1, run.threads)))
    const units = new Units(run.log, limit, run.waiting)
    const order = happensBefore(units)
    const origin = new Origin(units, run, order.isBefore)
    const { steps } = origin
    const isWhole = !units.isCut && steps >= run.steps
    if (!isWhole || order.races.length > MAX_REVERSED || run.threads > MAX_NOTED_THREADS) this.cut = true
    for (const race of order.races.slice(-MAX_REVERSED)) this.reverse(origin, order, race)
    if (isWhole) this.insteadOfEnd(origin, order)
    this.otherChoices(beginning, origin, run, steps)
  }

  private add(key: string, preemptions: () => number, pending: Pending): void {
    if (this.beginnings.has(key)) return
    this.beginnings.add(key)
    if (this.beginnings.size > MAX_PENDING || this.originUnits > MAX_ORIGIN_UNITS) {
      this.cut = true
      return
    }
    const { origin } = pending
    if (origin && origin.pending++ === 0) this.originUnits += origin.size
    const list = (this.pending[preemptions()] ??= [])
    list.push(pending)
  }

  private reverse(origin: Origin, order: Order, { i, j, thread }: Race): void {
    const kept = origin.kept(i, j)
    let hash = order.sums[i]!
    for (const k of kept) hash = (hash + order.hashes[k]!) % MODULUS
    const key = `${hash} ${thread} ${told(origin.valuesOf(i, kept))}`
    this.add(key, () => origin.preemptions(i, kept) + 1, { origin, make: () => origin.reversed(i, j, thread) })
  }

  /** The last step ended the program: whoever could have gone on may go first. */
  private insteadOfEnd(origin: Origin, order: Order): void {
    const last = origin.size - 1
    if (last < 0) return
    const ended = origin.threadOf(last)
    const values = told(origin.valuesOf(last, []))
    for (const thread of origin.threadsAt(last)) {
      if (thread === ended) continue
      const key = `${order.sums[last]} ${thread} ${values}`
      this.add(key, () => origin.preemptions(last, []) + 1, { origin, make: () => origin.instead(last, thread) })
    }
  }

  /** Choices that were left to the default: each alternative is a beginning. */
  private otherChoices(beginning: Beginning, origin: Origin, run: RunAnswer, steps: number): void {
    const given = new Map<number, number>()
    for (const { thread } of beginning.values) given.set(thread, (given.get(thread) ?? 0) + 1)
    const seen = new Map<number, number>()
    let varied = 0
    for (const [at, choice] of run.values.entries()) {
      if (choice.bound === 0) this.open = true
      const count = (seen.get(choice.thread) ?? 0) + 1
      seen.set(choice.thread, count)
      if (count <= (given.get(choice.thread) ?? 0)) continue
      // Each alternative keeps all choices before it: a run with thousands of them would never be done with.
      if (++varied > MAX_VARIED) {
        this.cut = true
        return
      }
      if (choice.step > steps) continue
      for (const value of this.alternatives(choice))
        this.add(`c${at} ${run.hash} ${value}`, () => origin.costOfChoice(choice.step) + 1, {
          origin,
          make: () => origin.varied(at, value),
        })
    }
  }

  private alternatives({ bound, value }: Choice): readonly bigint[] {
    const all = bound === 0 ? this.openValues : Array.from({ length: bound }, (_, i) => BigInt(i))
    return all.filter((v) => v !== value)
  }
}

const told = (values: Beginning['values']): string =>
  values.length === 0 ? '' : values.map(({ thread, value }) => `${thread}:${value}`).join()
