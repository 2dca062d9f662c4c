// Happens-before of an execution, by vector clocks, and the pairs of units whose order could be turned round.
import { areDependent, canSwap, type Units } from './units.js'

/** Hashes are numbers below this: sums of two are exact. */
export const MODULUS = 2 ** 50

/** Unit i could have come after unit j, which is of this thread; j may be a unit that the run did not come to. */
export interface Race {
  readonly i: number
  readonly j: number
  readonly thread: number
}

export interface Order {
  readonly races: readonly Race[]
  readonly hashes: Float64Array
  /** Sum of the hashes before a unit. */
  readonly sums: Float64Array
  isBefore(i: number, j: number): boolean
}

/** For each object the last touch of each kind by each thread, as a list through columns. */
class LastTouches {
  private readonly heads: Int32Array
  private readonly keys: Float64Array
  readonly unit: Int32Array
  readonly what: Int32Array
  readonly next: Int32Array
  private count = 0

  constructor(touches: number) {
    const slots = 2 ** Math.ceil(Math.log2(2 * touches + 2))
    this.heads = new Int32Array(slots).fill(-1)
    this.keys = new Float64Array(slots)
    this.unit = new Int32Array(touches)
    this.what = new Int32Array(touches)
    this.next = new Int32Array(touches)
  }

  /** The first entry of an object, or -1; `next` leads on. */
  of(key: number): number {
    return this.heads[this.slotOf(key)]!
  }

  remember(key: number, what: number, unit: number, threads: Uint16Array): void {
    const slot = this.slotOf(key)
    const head = this.heads[slot]!
    for (let e = head; e >= 0; e = this.next[e]!)
      if (this.what[e] === what && threads[this.unit[e]!] === threads[unit]) {
        this.unit[e] = unit
        return
      }
    this.keys[slot] = key
    this.heads[slot] = this.count
    this.unit[this.count] = unit
    this.what[this.count] = what
    this.next[this.count++] = head
  }

  private slotOf(key: number): number {
    const mask = this.heads.length - 1
    let at = (Math.imul(key | 0, 0x9e3779b1) >>> 7) & mask
    while (this.heads[at]! >= 0 && this.keys[at] !== key) at = (at + 1) & mask
    return at
  }
}

/** A clock is a row with an entry for each thread. Units are fewer than a number of two bytes holds. */
export const happensBefore = (units: Units): Order => {
  const { count, total, thread: threads, touchStart, keys, touches, positions, isOwn } = units
  const width = 1 + highestThread(units)
  // The last row is for units that the run did not come to, one at a time.
  const clocks = new Uint16Array((count + 1) * width)
  const own = new Uint16Array(count)
  const before = new Uint16Array(width)
  const counts = new Int32Array(width)
  const lastOf = new Int32Array(width).fill(-1)
  /** What the last step of each thread that others could notice has for a hash: beginnings differ in these steps only. */
  const noticed = new Float64Array(width).fill(1)
  const started = new Int32Array(width).fill(-1)
  const last = new LastTouches(touchStart[total]!)
  const hashes = new Float64Array(count)
  const sums = new Float64Array(count + 1)
  const races: Race[] = []

  const join = (row: number, i: number): void => {
    if (i < 0) return
    for (let t = 0, from = i * width; t < width; t++, from++)
      if (clocks[from]! > clocks[row + t]!) clocks[row + t] = clocks[from]!
  }
  /** Unit u takes row j. */
  const visit = (u: number, j: number): void => {
    const thread = threads[u]!
    const row = j * width
    const previous = lastOf[thread]!
    if (j === count) clocks.fill(0, row)
    join(row, previous >= 0 ? previous : started[thread]!)
    for (let t = 0; t < width; t++) before[t] = clocks[row + t]!
    // A join comes after all of the other thread, and could yet have been in vain before some of it.
    if (units.joins[u]! >= 0) join(row, lastOf[units.joins[u]!]!)
    let hash = isOwn[u] ? 0 : mixed(mixed(thread * 31 + 7, positions[u]!), noticed[thread]!)
    const firstRace = races.length
    for (let at = touchStart[u]!; at < touchStart[u + 1]!; at++) {
      const touch = touches[at]!
      for (let e = last.of(keys[at]!); e >= 0; e = last.next[e]!) {
        const earlier = last.what[e]!
        if (!areDependent(earlier, touch)) continue
        const i = last.unit[e]!
        hash = (hash + mixed(hashes[i]!, 3)) % MODULUS
        const other = threads[i]!
        if (other !== thread && before[other]! < own[i]! && canSwap(earlier, touch) && isNew(races, firstRace, i))
          races.push({ i, j, thread })
        join(row, i)
      }
    }
    if (j === count) return
    own[j] = ++counts[thread]!
    clocks[row + thread] = own[j]!
    hashes[j] = hash
    if (!isOwn[u]) noticed[thread] = hash
    sums[j + 1] = (sums[j]! + hash) % MODULUS
    lastOf[thread] = j
    if (units.starts[u]! >= 0) started[units.starts[u]!] = j
    for (let at = touchStart[u]!; at < touchStart[u + 1]!; at++) last.remember(keys[at]!, touches[at]!, j, threads)
  }
  for (let u = 0; u < total; u++) visit(u, Math.min(u, count))
  return { races, hashes, sums, isBefore: (i, j) => clocks[j * width + threads[i]!]! >= own[i]! }
}

const isNew = (races: readonly Race[], from: number, i: number): boolean => {
  for (let r = from; r < races.length; r++) if (races[r]!.i === i) return false
  return true
}

const highestThread = ({ thread, joins, starts, total }: Units): number => {
  let highest = 0
  for (let k = 0; k < total; k++) highest = Math.max(highest, thread[k]!, joins[k]!, starts[k]!)
  return highest
}

/** Two lanes of 25 bits each: a search that remembers a million of these numbers should not meet two that are the same. */
export const mixed = (a: number, b: number): number => {
  const aLow = a | 0
  const aHigh = (a / 2 ** 32) | 0
  const bLow = b | 0
  const bHigh = (b / 2 ** 32) | 0
  let x = Math.imul(aLow ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(aHigh + 0x165667b1, 0xc2b2ae35)
  x = Math.imul(x ^ (x >>> 15) ^ bLow, 0x27d4eb2f) + bHigh
  x = Math.imul(x ^ (x >>> 13), 0x85ebca6b)
  let y = Math.imul(bLow ^ 0x2c1b3c6d, 0x297a2d39) ^ Math.imul(bHigh + 0x1b873593, 0x2545f491)
  y = Math.imul(y ^ (y >>> 14) ^ aLow, 0x1b56c4e9) + aHigh
  y = Math.imul(y ^ (y >>> 12), 0x7feb352d)
  return ((x ^ (x >>> 16)) >>> 7) * 2 ** 25 + ((y ^ (y >>> 15)) >>> 7)
}
