// The set of visited states: an arena of packed words that is also the breadth-first queue, and an open-addressing
// table of state numbers, each beside a few bits of its hash (platform.md). The arena is touched only when they match.

/** States one after the other, as a property of states sees them. */
export interface States {
  readonly words: Int32Array
  readonly width: number
  hashSum(state: number): number
}

export class Visited implements States {
  /** Words of all states, one after the other. */
  words: Int32Array
  /** For each state the number of the one it was reached from; -1 for initial states. */
  parents: Int32Array
  /** For each state the set of threads that need not move there (sleep set), as bits; empty without sleep sets. */
  sleeping: Int32Array
  count = 0
  private capacity: number
  private table: Int32Array
  private mask: number
  private numberBits: number
  private limit: number

  constructor(
    readonly width: number,
    private readonly multipliers: Int32Array,
    private readonly maximalBytes: number,
    /** Whether sleep sets are kept. */
    private readonly sleeps: boolean,
  ) {
    this.capacity = 1 << 12
    this.words = new Int32Array(this.capacity * width)
    this.parents = new Int32Array(this.capacity)
    this.sleeping = new Int32Array(sleeps ? this.capacity : 0)
    this.numberBits = 13
    this.table = new Int32Array(1 << this.numberBits)
    this.mask = this.table.length - 1
    this.limit = Math.floor(this.table.length * 0.8)
  }

  get bytes(): number {
    return 4 * (this.words.length + this.parents.length + this.sleeping.length + this.table.length)
  }

  /** Makes room for `more` states; false if that needs too much memory. Call before a batch of inserts. */
  reserve(more: number): boolean {
    while (this.count + more > this.capacity || this.count + more > this.limit) {
      if (this.bytes * 2 > this.maximalBytes) return false
      if (this.count + more > this.capacity) this.growArena()
      else this.growTable()
    }
    return true
  }

  private growArena(): void {
    this.capacity = Math.ceil(this.capacity * (this.capacity < 1 << 20 ? 2 : 1.5))
    this.words = extended(this.words, this.capacity * this.width)
    this.parents = extended(this.parents, this.capacity)
    if (this.sleeps) this.sleeping = extended(this.sleeping, this.capacity)
  }

  private growTable(): void {
    // Small tables grow faster: each growth computes all hashes again.
    this.numberBits += this.numberBits < 20 ? 2 : 1
    this.table = new Int32Array(1 << this.numberBits)
    this.mask = this.table.length - 1
    this.limit = Math.floor(this.table.length * 0.8)
    for (let state = 0; state < this.count; state++) {
      const hash = mixed(this.hashSum(state))
      let slot = hash & this.mask
      while (this.table[slot] !== 0) slot = (slot + 1) & this.mask
      this.table[slot] = this.entry(hash, state)
    }
  }

  /** Hash tag above, state number + 1 below: 0 is an empty slot. */
  private entry(hash: number, state: number): number {
    return ((hash >>> this.numberBits) << this.numberBits) | (state + 1)
  }

  /** The sum over words that generated code corrects step by step. */
  hashSum(state: number): number {
    const { words, width, multipliers } = this
    const base = state * width
    let sum = 0
    for (let i = 0; i < width; i++) {
      const word = words[base + i]!
      sum = (sum + Math.imul(word ^ (word >>> 15), multipliers[i]!)) | 0
    }
    return sum
  }

  /** Brings the home slot of a hash into the cache; the result is of no use. */
  touch(hashSum: number): number {
    return this.table[mixed(hashSum) & this.mask]!
  }

  /**
   * The number of the state at record[at...]; it is inserted if it is new (then its number was `count` before).
   * There must be room.
   */
  insert(record: Int32Array, at: number, hashSum: number, parent: number, sleeping: number): number {
    const { table, mask, words, width } = this
    const hash = mixed(hashSum)
    const tag = (hash >>> this.numberBits) << this.numberBits
    const numberMask = (1 << this.numberBits) - 1
    let slot = hash & mask
    for (;;) {
      const entry = table[slot]!
      if (entry === 0) break
      if ((entry & ~numberMask) === tag) {
        const state = (entry & numberMask) - 1
        const base = state * width
        let i = 0
        while (i < width && words[base + i] === record[at + i]) i++
        if (i === width) return state
      }
      slot = (slot + 1) & mask
    }
    const state = this.count++
    table[slot] = tag | (state + 1)
    const base = state * width
    for (let i = 0; i < width; i++) words[base + i] = record[at + i]!
    this.parents[state] = parent
    if (this.sleeps) this.sleeping[state] = sleeping
    return state
  }
}

export const extended = (array: Int32Array, length: number): Int32Array => {
  const larger = new Int32Array(length)
  larger.set(array)
  return larger
}

/** Spreads the sum over all bits. */
const mixed = (sum: number): number => {
  let x = Math.imul(sum ^ (sum >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return x ^ (x >>> 16)
}
