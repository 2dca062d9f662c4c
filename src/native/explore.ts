// Systematic search: every execution is analysed for pairs of dependent units that could have come in the other order,
// and for each of them a schedule is made that begins with that order (Flanagan and Godefroid, POPL 2005; Abdulla and
// others, POPL 2014: the units that do not depend on the first of the pair come before the second). Instead of sleep
// sets, which need depth-first order, executions and beginnings that were seen are recognised by a hash of their
// happens-before order: so beginnings with few preemptions can go first, and several processes can take part.
import { joined, preemptions, segmentsOf, stepsUpTo, threadsIn, valuesOf } from './beginnings.js'
import type { Choice, RunAnswer, Segment } from './events.js'
import { areDependent, canSwap, pendingUnits, type Touch, type Unit, unitsOf } from './units.js'

export interface Beginning {
  readonly segments: readonly Segment[]
  readonly values: readonly Pick<Choice, 'thread' | 'value'>[]
  readonly preemptions: number
  /** If the last step turns out to be blocked: the same without it, and who else could go on there. */
  readonly otherwise?: { readonly segments: readonly Segment[]; readonly threads: readonly number[] }
}

const sizeOf = ({ segments, values, otherwise }: Beginning): number =>
  segments.length + values.length + (otherwise?.segments.length ?? 0)

const MAX_UNITS = 5000
/** Each unit has a clock with an entry for each thread: of runs with many threads fewer units are looked at. */
const MAX_CLOCK_ENTRIES = 200_000
const MAX_PENDING = 200_000
/** Turns and choices of all pending schedules together: what bounds the memory that they take. */
const MAX_PENDING_TURNS = 4_000_000
/** Choices of one run that are varied: the first ones. */
const MAX_VARIED = 100
/** How many orders of one execution are reversed, its latest ones. */
const MAX_REVERSED = 1000

export class Exploration {
  private readonly pending: Beginning[][] = [[{ segments: [], values: [], preemptions: 0 }]]
  private readonly beginnings = new Set<string>()
  private readonly executions = new Set<string>()
  private running = 0
  private turns = 0
  /** Something was left out: the search is not complete even if nothing is pending. */
  private cut = false
  private open = false

  constructor(private readonly openValues: readonly bigint[]) {}

  /** The next beginning with the fewest preemptions. */
  take(): Beginning | undefined {
    const level = this.pending.findIndex((list) => list !== undefined && list.length > 0)
    if (level < 0) return undefined
    this.running++
    const beginning = this.pending[level]!.pop()!
    this.turns -= sizeOf(beginning)
    return beginning
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

  /** What an execution that began like this has shown. */
  learn(beginning: Beginning, run: RunAnswer): void {
    this.running--
    if (run.diverged !== undefined && beginning.otherwise)
      for (const thread of beginning.otherwise.threads)
        this.add(
          {
            segments: joined(beginning.otherwise.segments, thread, 1),
            values: beginning.values,
            preemptions: beginning.preemptions,
          },
          '',
        )
    if (run.outcome === 'step-limit' || run.outcome === 'hung') this.cut = true
    if (this.executions.has(run.hash)) return
    this.executions.add(run.hash)
    const limit = Math.min(MAX_UNITS, Math.ceil(MAX_CLOCK_ENTRIES / Math.max(1, run.threads)))
    const units = unitsOf(run.events, limit)
    const order = happensBefore(units, pendingUnits(run.waiting, units.at(-1)?.thread))
    if (units.length === limit || order.races.length > MAX_REVERSED) this.cut = true
    for (const race of order.races.slice(-MAX_REVERSED)) this.reverse(units, order, race, run)
    if (units.length < limit) this.insteadOfEnd(units, order, run)
    this.otherChoices(beginning, units, run)
  }

  private add(beginning: Beginning, key: string): void {
    const name = key || `s${JSON.stringify(beginning.segments)}`
    if (this.beginnings.has(name)) return
    this.beginnings.add(name)
    if (this.beginnings.size > MAX_PENDING || this.turns > MAX_PENDING_TURNS) {
      this.cut = true
      return
    }
    this.turns += sizeOf(beginning)
    const list = (this.pending[beginning.preemptions] ??= [])
    list.push(beginning)
  }

  private reverse(units: readonly Unit[], order: Order, { i, j, thread }: Race, run: RunAnswer): void {
    const kept: number[] = []
    for (let k = i + 1; k < j; k++) if (!order.isBefore(i, k)) kept.push(k)
    let hash = order.sums[i]!
    for (const k of kept) hash = (hash + order.hashes[k]!) % MODULUS
    const isKept = new Set(kept)
    const values = valuesOf(run, units, (u) => u < i || isKept.has(u))
    const key = `${hash} ${thread} ${values.map(({ value }) => value).join()}`
    const base = segmentsOf(units, i, [])
    const all = segmentsOf(units, i, kept)
    const others = threadsIn(units[i]!.enabled).filter((t) => t !== units[i]!.thread)
    this.add(
      {
        segments: joined(all, thread, 1),
        values,
        preemptions: preemptions(units, i, kept, i) + 1,
        otherwise: { segments: base, threads: others },
      },
      key,
    )
  }

  /** The last step ended the program: whoever could have gone on may go first. */
  private insteadOfEnd(units: readonly Unit[], order: Order, run: RunAnswer): void {
    const last = units.length - 1
    if (last < 0) return
    const values = valuesOf(run, units, (u) => u < last)
    for (const thread of threadsIn(units[last]!.enabled)) {
      if (thread === units[last]!.thread) continue
      const segments = joined(segmentsOf(units, last, []), thread, 1)
      const key = `${order.sums[last]} ${thread} ${values.map(({ value }) => value).join()}`
      this.add({ segments, values, preemptions: preemptions(units, last, [], last) + 1 }, key)
    }
  }

  /** Choices that were left to the default: each alternative is a beginning. */
  private otherChoices(beginning: Beginning, units: readonly Unit[], run: RunAnswer): void {
    if (this.turns > MAX_PENDING_TURNS) return
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
      if (++varied > MAX_VARIED || this.turns > MAX_PENDING_TURNS) {
        this.cut = true
        return
      }
      const last = units.findIndex((u) => u.first + u.steps >= choice.step)
      if (last < 0) continue
      const { segments, cost } = stepsUpTo(units, choice.step)
      for (const value of this.alternatives(choice)) {
        const values = [...run.values.slice(0, at), { ...choice, value }]
        this.add({ segments, values, preemptions: cost + 1 }, `c${at} ${run.hash} ${value}`)
      }
    }
  }

  private alternatives({ bound, value }: Choice): readonly bigint[] {
    const all = bound === 0 ? this.openValues : Array.from({ length: bound }, (_, i) => BigInt(i))
    return all.filter((v) => v !== value)
  }
}

// ---- happens-before

const MODULUS = 2 ** 50

/** Unit i could have come after unit j, which is of this thread; j may be a unit that the run did not come to. */
interface Race {
  readonly i: number
  readonly j: number
  readonly thread: number
}

interface Order {
  readonly races: readonly Race[]
  readonly hashes: readonly number[]
  /** Sum of the hashes before a unit. */
  readonly sums: readonly number[]
  isBefore(i: number, j: number): boolean
}

interface Last {
  readonly unit: number
  readonly touch: Touch
}

const happensBefore = (units: readonly Unit[], pending: readonly Unit[]): Order => {
  const clocks: Map<number, number>[] = []
  const own: number[] = []
  const counts = new Map<number, number>()
  const lastOf = new Map<number, number>()
  const started = new Map<number, number>()
  const touched = new Map<number, Last[]>()
  const hashes: number[] = []
  const sums: number[] = [0]
  const races: Race[] = []
  const isBefore = (i: number, j: number): boolean => (clocks[j]!.get(units[i]!.thread) ?? 0) >= own[i]!

  ;[...units, ...pending].forEach((unit, j) => {
    const { thread } = unit
    const clock = new Map<number, number>()
    const join = (i: number | undefined): void => {
      if (i === undefined) return
      for (const [t, at] of clocks[i]!) if (at > (clock.get(t) ?? 0)) clock.set(t, at)
    }
    const previous = lastOf.get(thread)
    join(previous ?? started.get(thread))
    if (unit.joins !== undefined) join(lastOf.get(unit.joins))
    let hash = mixed(thread * 31 + 7, previous === undefined ? 1 : hashes[previous]!)
    const before = new Map(clock)
    const racing = new Set<number>()
    for (const touch of unit.touches)
      for (const { unit: i, touch: earlier } of touched.get(touch.key) ?? []) {
        if (!areDependent(earlier, touch)) continue
        hash = (hash + mixed(hashes[i]!, 3)) % MODULUS
        const other = units[i]!.thread
        if (other !== thread && canSwap(earlier, touch) && (before.get(other) ?? 0) < own[i]!) racing.add(i)
        join(i)
      }
    for (const i of racing) races.push({ i, j: Math.min(j, units.length), thread })
    if (j >= units.length) return
    own[j] = (counts.get(thread) ?? 0) + 1
    counts.set(thread, own[j]!)
    clock.set(thread, own[j]!)
    clocks[j] = clock
    hashes[j] = hash
    sums[j + 1] = (sums[j]! + hash) % MODULUS
    lastOf.set(thread, j)
    if (unit.starts !== undefined) started.set(unit.starts, j)
    for (const touch of unit.touches) remember(touched, touch, j, units)
  })
  return { races, hashes, sums, isBefore }
}

/** Of each thread the last touch of each kind and range of bytes. */
const remember = (touched: Map<number, Last[]>, touch: Touch, unit: number, units: readonly Unit[]): void => {
  const list = touched.get(touch.key) ?? []
  const { thread } = units[unit]!
  const rest = list.filter(
    ({ unit: u, touch: t }) =>
      units[u]!.thread !== thread || t.mask !== touch.mask || t.writes !== touch.writes || t.frees !== touch.frees,
  )
  touched.set(touch.key, [...rest, { unit, touch }])
}

const mixed = (a: number, b: number): number => {
  let x = Math.imul((a ^ (b * 0x9e3779b1)) | 0, 0x85ebca6b) ^ Math.floor(a / 65536)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35) ^ Math.imul(Math.floor(b / 4096) | 0, 0x27d4eb2f)
  return ((x >>> 0) * 262144 + ((Math.imul(x ^ (x >>> 16), 0x165667b1) ^ Math.floor(b)) >>> 14)) % MODULUS
}
