// An execution as the beginning of others. It is kept in a few arrays of numbers, and a schedule that begins like it is
// made only when its turn comes: of a thousand that one execution suggests, most are never run.
import type { Choice, RunAnswer, Segment } from './events.js'
import { MODULUS, mixed, type Order } from './order.js'
import type { Units } from './units.js'

type Hashed = Pick<Order, 'hashes' | 'sums'>

export interface Beginning {
  readonly segments: readonly Segment[]
  readonly values: readonly Pick<Choice, 'thread' | 'value'>[]
  readonly preemptions: number
  /** If the last step turns out to be blocked: the same without it, and who else could go on there. */
  readonly otherwise?: { readonly segments: readonly Segment[]; readonly threads: readonly number[] }
}

export class Origin {
  /** How many pending schedules begin like it. */
  pending = 0
  /** How many units, and how many steps they take. */
  readonly size: number
  readonly steps: number
  private readonly threads: Uint16Array
  private readonly lengths: Uint32Array
  private readonly leads: Uint32Array
  private readonly first: Uint32Array
  private readonly enabledLow: Uint32Array
  private readonly enabledHigh: Uint32Array
  /** Preemptions of the first i + 1 units. */
  private readonly costs: Uint32Array
  /** Of each choice the unit that makes it; -1 where that was not looked at. */
  private readonly unitOfValue: readonly number[]
  private readonly values: readonly Choice[]
  private readonly hashOfValue: readonly number[]

  constructor(
    units: Units,
    run: RunAnswer,
    private readonly isBefore: (i: number, j: number) => boolean,
  ) {
    const { count } = units
    this.size = count
    this.threads = units.thread
    this.lengths = units.steps
    this.leads = units.leads
    this.first = units.first
    this.enabledLow = units.enabledLow
    this.enabledHigh = units.enabledHigh
    this.steps = count === 0 ? 0 : this.first[count - 1]! + this.lengths[count - 1]!
    this.costs = new Uint32Array(count)
    for (let k = 1; k < count; k++) this.costs[k] = this.costs[k - 1]! + this.preempts(k - 1, k)
    this.values = run.values
    this.hashOfValue = run.values.map(({ thread, value }) => mixed(thread + 11, Number(BigInt.asIntN(50, value))))
    this.unitOfValue = run.values.map(({ step }) => this.unitAt(step - 1))
  }

  /** Units between i and j that do not depend on i, in their order. */
  private kept(i: number, j: number): readonly number[] {
    const kept: number[] = []
    for (let k = i + 1; k < j; k++) if (!this.isBefore(i, k)) kept.push(k)
    return kept
  }

  /** Choices of the units before i and of those that are kept. */
  private valuesOf(i: number, kept: readonly number[]): readonly Choice[] {
    if (this.values.length === 0) return this.values
    const isKept = new Set(kept)
    return this.values.filter((_, at) => {
      const unit = this.unitOfValue[at]!
      return unit >= 0 && (unit < i || isKept.has(unit))
    })
  }

  /** A number for the units before i and those between i and j that do not depend on i, with their choices. */
  hashOfReversal(i: number, j: number, { hashes, sums }: Hashed): number {
    let hash = sums[i]!
    for (let k = i + 1; k < j; k++) if (!this.isBefore(i, k)) hash = (hash + hashes[k]!) % MODULUS
    for (let at = 0; at < this.values.length; at++) {
      const unit = this.unitOfValue[at]!
      if (unit >= 0 && (unit < i || (unit > i && unit < j && !this.isBefore(i, unit))))
        hash = mixed(hash, this.hashOfValue[at]!)
    }
    return hash
  }

  /** The units before i, then those up to j that do not depend on it, then i. */
  preemptions(i: number, j: number): number {
    let [count, before] = [i > 0 ? this.costs[i - 1]! : 0, i - 1]
    const add = (k: number): void => {
      if (before >= 0) count += this.preempts(before, k)
      before = k
    }
    for (let k = i + 1; k < j; k++) if (!this.isBefore(i, k)) add(k)
    add(i)
    return count
  }

  /** Unit j, of this thread, comes before i and all that depends on i. */
  reversed(i: number, j: number, thread: number): Beginning {
    const kept = this.kept(i, j)
    const others = this.threadsAt(i).filter((t) => t !== this.threads[i])
    return {
      // All of its steps up to the one in question, so that it shows whether that one is blocked.
      segments: joined(this.segments(i, kept), thread, this.leads[j]!),
      values: this.valuesOf(i, kept),
      preemptions: this.preemptions(i, j) + 1,
      otherwise: { segments: this.segments(i, []), threads: others },
    }
  }

  /** This thread goes on instead of unit i, and everything after it is open. */
  instead(i: number, thread: number): Beginning {
    const values = this.valuesOf(i, [])
    return { segments: joined(this.segments(i, []), thread, 1), values, preemptions: this.preemptions(i, i) + 1 }
  }

  /** Everything up to a choice, its step included, which now has this value. */
  varied(at: number, value: bigint): Beginning {
    const choice = this.values[at]!
    const end = this.endOf(choice.step)
    return {
      segments: this.segments(end, []),
      values: [...this.values.slice(0, at), { ...choice, value }],
      preemptions: this.costOfChoice(choice.step) + 1,
    }
  }

  costOfChoice(step: number): number {
    const end = this.endOf(step)
    return end > 0 ? this.costs[end - 1]! : 0
  }

  /** Threads that could go on at unit i. */
  threadsAt(i: number): readonly number[] {
    const result: number[] = []
    for (let t = 0; t < 64; t++) if (this.couldGoOn(i, t)) result.push(t)
    return result
  }

  threadOf(i: number): number {
    return this.threads[i]!
  }

  private couldGoOn(i: number, thread: number): boolean {
    if (thread >= 64) return false
    const word = thread < 32 ? this.enabledLow[i]! : this.enabledHigh[i]!
    return ((word >>> (thread % 32)) & 1) === 1
  }

  /** Whether unit k takes the turn from one that could have gone on. */
  private preempts(before: number, k: number): 0 | 1 {
    const thread = this.threads[before]!
    return thread !== this.threads[k] && this.couldGoOn(k, thread) ? 1 : 0
  }

  private segments(end: number, kept: readonly number[]): readonly Segment[] {
    const result: { thread: number; steps: number }[] = []
    const add = (k: number): void => {
      const last = result.at(-1)
      if (last?.thread === this.threads[k]) last!.steps += this.lengths[k]!
      else result.push({ thread: this.threads[k]!, steps: this.lengths[k]! })
    }
    for (let k = 0; k < end; k++) add(k)
    for (const k of kept) add(k)
    return result
  }

  /** The first unit that begins at this step or later. */
  private endOf(step: number): number {
    let [low, high] = [0, this.size]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.first[middle]! >= step) high = middle
      else low = middle + 1
    }
    return low
  }

  private unitAt(step: number): number {
    const unit = this.endOf(step + 1) - 1
    return unit >= 0 && step < this.first[unit]! + this.lengths[unit]! ? unit : -1
  }
}

export const joined = (segments: readonly Segment[], thread: number, steps: number): readonly Segment[] => {
  const last = segments.at(-1)
  return last?.thread === thread
    ? [...segments.slice(0, -1), { thread, steps: last.steps + steps }]
    : [...segments, { thread, steps }]
}
