// Systematic search: every execution is analysed for pairs of dependent units that could have come in the other order,
// and for each of them a schedule is made that begins with that order (Flanagan and Godefroid, POPL 2005; Abdulla and
// others, POPL 2014: the units that do not depend on the first of the pair come before the second). Instead of sleep
// sets, which need depth-first order, executions and beginnings that were seen are recognised by a hash of their
// happens-before order: so beginnings with few preemptions can go first, and several processes can take part.
import { type Beginning, joined, Origin } from './beginnings.js'
import type { Choice, Outcome, RunAnswer } from './events.js'
import { NumberSet } from './number-set.js'
import { happensBefore, mixed, type Order, type Race } from './order.js'
import { Units } from './units.js'

export type { Beginning }

/** A schedule to be tried that is no reversal: it is given, or has another choice. */
type Other =
  | { readonly kind: 'given'; readonly beginning: Beginning }
  | { readonly kind: 'varied'; readonly origin: Origin; readonly at: number; readonly value: bigint }

/**
 * Schedules to be tried, each made only when its turn comes. There are hundreds of thousands of them: a reversal is three numbers
 * beside its origin, so that the garbage collector has little to look at.
 */
class Pending {
  private readonly origins: (Origin | Other)[] = []
  private numbers = new Int32Array(96)

  get size(): number {
    return this.origins.length
  }

  /** Unit j of a thread comes before i; or, where j is i, the thread goes on instead of unit i. */
  push(origin: Origin | Other, i = 0, j = 0, thread = 0): void {
    const at = 3 * this.origins.length
    if (at + 3 > this.numbers.length) {
      const old = this.numbers
      this.numbers = new Int32Array(2 * old.length)
      this.numbers.set(old)
    }
    this.numbers[at] = i
    this.numbers[at + 1] = j
    this.numbers[at + 2] = thread
    this.origins.push(origin)
  }

  pop(): { readonly origin: Origin | undefined; readonly beginning: Beginning } {
    const at = 3 * (this.origins.length - 1)
    const origin = this.origins.pop()!
    if (!(origin instanceof Origin))
      return origin.kind === 'given'
        ? { origin: undefined, beginning: origin.beginning }
        : { origin: origin.origin, beginning: origin.origin.varied(origin.at, origin.value) }
    const [i, j, thread] = [this.numbers[at]!, this.numbers[at + 1]!, this.numbers[at + 2]!]
    return { origin, beginning: i === j ? origin.instead(i, thread) : origin.reversed(i, j, thread) }
  }
}

const FIRST: Beginning = { segments: [], values: [], preemptions: 0 }

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
  /** By the number of preemptions. */
  private readonly pending: Pending[] = []
  private readonly beginnings = new NumberSet()
  private readonly executions = new Set<string>()
  private running = 0
  private originUnits = 0
  /** Something was left out: the search is not complete even if nothing is pending. */
  private cut = false
  private open = false

  constructor(private readonly openValues: readonly bigint[]) {
    this.at(0).push({ kind: 'given', beginning: FIRST })
  }

  /** The next beginning with the fewest preemptions. */
  take(): Beginning | undefined {
    const list = this.pending.find((list) => list !== undefined && list.size > 0)
    if (!list) return undefined
    this.running++
    const { origin, beginning } = list.pop()
    if (origin && --origin.pending === 0) this.originUnits -= origin.size
    return beginning
  }

  /** Every execution has been run (of the inputs that were tried). */
  get isComplete(): boolean {
    return this.running === 0 && !this.cut && this.pending.every((list) => !list || list.size === 0)
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
      this.pending.findIndex((list) => list !== undefined && list.size > 0),
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
        if (this.isNew(hashOfSchedule(segments, values)))
          this.at(preemptions).push({ kind: 'given', beginning: { segments, values, preemptions } })
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

  private isNew(key: number): boolean {
    if (!this.beginnings.add(key)) return false
    if (this.beginnings.size <= MAX_PENDING && this.originUnits <= MAX_ORIGIN_UNITS) return true
    this.cut = true
    return false
  }

  private at(preemptions: number): Pending {
    return (this.pending[preemptions] ??= new Pending())
  }

  private keep(origin: Origin): void {
    if (origin.pending++ === 0) this.originUnits += origin.size
  }

  private reverse(origin: Origin, order: Order, { i, j, thread }: Race): void {
    if (!this.isNew(mixed(origin.hashOfReversal(i, j, order), thread))) return
    this.keep(origin)
    this.at(origin.preemptions(i, j) + 1).push(origin, i, j, thread)
  }

  /** The last step ended the program: whoever could have gone on may go first. */
  private insteadOfEnd(origin: Origin, order: Order): void {
    const i = origin.size - 1
    if (i < 0) return
    const ended = origin.threadOf(i)
    for (const thread of origin.threadsAt(i))
      if (thread !== ended && this.isNew(mixed(origin.hashOfReversal(i, i, order), thread))) {
        this.keep(origin)
        this.at(origin.preemptions(i, i) + 1).push(origin, i, i, thread)
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
        if (this.isNew(hashOfText(`c${at} ${run.hash} ${value}`))) {
          this.keep(origin)
          this.at(origin.costOfChoice(choice.step) + 1).push({ kind: 'varied', origin, at, value })
        }
    }
  }

  private alternatives({ bound, value }: Choice): readonly bigint[] {
    const all = bound === 0 ? this.openValues : Array.from({ length: bound }, (_, i) => BigInt(i))
    return all.filter((v) => v !== value)
  }
}

const hashOfText = (text: string): number => {
  let hash = text.length
  for (let i = 0; i < text.length; i++) hash = mixed(hash, text.charCodeAt(i))
  return hash
}

const hashOfSchedule = (segments: Beginning['segments'], values: Beginning['values']): number => {
  let hash = 1
  for (const { thread, steps } of segments) hash = mixed(mixed(hash, thread), steps)
  return values.length === 0
    ? hash
    : mixed(hash, hashOfText(values.map(({ thread, value }) => `${thread}:${value}`).join()))
}
