// Systematic search: every execution is analysed for pairs of dependent units that could have come in the other order,
// and for each of them a schedule is made that begins with that order (Flanagan and Godefroid, POPL 2005; Abdulla and
// others, POPL 2014: the units that do not depend on the first of the pair come before the second). Instead of sleep
// sets, which need depth-first order, executions and beginnings that were seen are recognised by a hash of their
// happens-before order: so beginnings with few preemptions can go first, and several processes can take part.
import { type Beginning, joined, Origin } from './beginnings.js'
import type { Choice, Outcome, RunAnswer } from './events.js'
import { areDependent, canSwap, pendingUnits, type Touch, type Unit, unitsOf } from './units.js'

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
        this.add(`s${JSON.stringify(segments)}`, () => preemptions, { make: () => ({ segments, values, preemptions }) })
      }
    if (INCOMPLETE.has(run.outcome)) this.cut = true
    if (this.executions.has(run.hash)) return
    this.executions.add(run.hash)
    const limit = Math.min(MAX_UNITS, Math.ceil(MAX_CLOCK_ENTRIES / Math.max(1, run.threads)))
    const units = unitsOf(run.events, limit)
    const order = happensBefore(units, pendingUnits(run.waiting, units.at(-1)?.thread))
    const origin = new Origin(units, run, order.isBefore)
    const last = units.at(-1)
    const steps = last ? last.first + last.steps : 0
    const isWhole = units.length < limit && steps >= run.steps
    if (!isWhole || order.races.length > MAX_REVERSED) this.cut = true
    for (const race of order.races.slice(-MAX_REVERSED)) this.reverse(origin, order, race)
    if (isWhole) this.insteadOfEnd(origin, order, last?.thread)
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
  private insteadOfEnd(origin: Origin, order: Order, ended: number | undefined): void {
    const last = origin.size - 1
    if (last < 0) return
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

const told = (values: readonly Choice[]): string => (values.length === 0 ? '' : values.map((v) => v.value).join())

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
  readonly hashes: Float64Array
  /** Sum of the hashes before a unit. */
  readonly sums: Float64Array
  isBefore(i: number, j: number): boolean
}

interface Last {
  unit: number
  readonly touch: Touch
}

/** Vector clocks: a row for each unit, with an entry for each thread. Units are fewer than a number of two bytes holds. */
const happensBefore = (units: readonly Unit[], pending: readonly Unit[]): Order => {
  const count = units.length
  const width = 1 + Math.max(highestThread(units), highestThread(pending))
  // The last row is for units that the run did not come to, one at a time.
  const clocks = new Uint16Array((count + 1) * width)
  const own = new Uint16Array(count)
  const threads = new Uint16Array(count)
  for (let k = 0; k < count; k++) threads[k] = units[k]!.thread
  const before = new Uint16Array(width)
  const [counts, lastOf, started] = [0, -1, -1].map((start) => new Int32Array(width).fill(start)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  const touched = new Map<number, Last[]>()
  const hashes = new Float64Array(count)
  const sums = new Float64Array(count + 1)
  const races: Race[] = []

  const join = (row: number, i: number): void => {
    if (i < 0) return
    for (let t = 0, from = i * width; t < width; t++, from++)
      if (clocks[from]! > clocks[row + t]!) clocks[row + t] = clocks[from]!
  }
  const visit = (unit: Unit, j: number, isPending: boolean): void => {
    const { thread } = unit
    const row = j * width
    const previous = lastOf[thread]!
    if (isPending) clocks.fill(0, row)
    join(row, previous >= 0 ? previous : started[thread]!)
    if (unit.joins !== undefined) join(row, lastOf[unit.joins]!)
    let hash = mixed(thread * 31 + 7, previous < 0 ? 1 : hashes[previous]!)
    before.set(clocks.subarray(row, row + width))
    let racing: Set<number> | undefined
    for (const touch of unit.touches)
      for (const { unit: i, touch: earlier } of touched.get(touch.key) ?? []) {
        if (!areDependent(earlier, touch)) continue
        hash = (hash + mixed(hashes[i]!, 3)) % MODULUS
        const other = threads[i]!
        if (other !== thread && canSwap(earlier, touch) && before[other]! < own[i]!) (racing ??= new Set()).add(i)
        join(row, i)
      }
    if (racing) for (const i of racing) races.push({ i, j, thread })
    if (isPending) return
    own[j] = ++counts[thread]!
    clocks[row + thread] = own[j]!
    hashes[j] = hash
    sums[j + 1] = (sums[j]! + hash) % MODULUS
    lastOf[thread] = j
    if (unit.starts !== undefined) started[unit.starts] = j
    for (const touch of unit.touches) remember(touched, touch, j, threads)
  }
  units.forEach((unit, j) => {
    visit(unit, j, false)
  })
  for (const unit of pending) visit(unit, count, true)
  return { races, hashes, sums, isBefore: (i, j) => clocks[j * width + threads[i]!]! >= own[i]! }
}

const highestThread = (units: readonly Unit[]): number => {
  let highest = 0
  for (const { thread, joins = 0, starts = 0 } of units) highest = Math.max(highest, thread, joins, starts)
  return highest
}

/** Of each thread the last touch of each kind and range of bytes. */
const remember = (touched: Map<number, Last[]>, touch: Touch, unit: number, threads: Uint16Array): void => {
  const list = touched.get(touch.key)
  if (!list) {
    touched.set(touch.key, [{ unit, touch }])
    return
  }
  const same = list.find(
    ({ unit: u, touch: t }) =>
      threads[u] === threads[unit] && t.mask === touch.mask && t.writes === touch.writes && t.frees === touch.frees,
  )
  if (same) same.unit = unit
  else list.push({ unit, touch })
}

const mixed = (a: number, b: number): number => {
  let x = Math.imul((a ^ (b * 0x9e3779b1)) | 0, 0x85ebca6b) ^ Math.floor(a / 65536)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35) ^ Math.imul(Math.floor(b / 4096) | 0, 0x27d4eb2f)
  return ((x >>> 0) * 262144 + ((Math.imul(x ^ (x >>> 16), 0x165667b1) ^ Math.floor(b)) >>> 14)) % MODULUS
}
