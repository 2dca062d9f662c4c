// Sets of events and binary relations over them as bits: a relation is a matrix with one row of 32-bit words for each
// event. Executions are small (tens of events, a few hundred at most), so every operation of a model is a handful of
// word operations, and no operation allocates more than its result.

/** A set of the events 0 … size-1. */
export class EventSet {
  readonly size: number
  readonly words: Uint32Array

  constructor(size: number, words = new Uint32Array((size + 31) >>> 5)) {
    this.size = size
    this.words = words
  }

  static of(size: number, members: Iterable<number>): EventSet {
    const result = new EventSet(size)
    for (const member of members) result.add(member)
    return result
  }

  has(event: number): boolean {
    return (this.words[event >>> 5]! & (1 << (event & 31))) !== 0
  }

  /** Only while the set is being built. */
  add(event: number): void {
    this.words[event >>> 5]! |= 1 << (event & 31)
  }

  get isEmpty(): boolean {
    return this.words.every((word) => word === 0)
  }

  *members(): Generator<number> {
    for (let event = 0; event < this.size; event++) if (this.has(event)) yield event
  }

  union(other: EventSet): EventSet {
    return new EventSet(
      this.size,
      this.words.map((word, i) => word | other.words[i]!),
    )
  }

  intersect(other: EventSet): EventSet {
    return new EventSet(
      this.size,
      this.words.map((word, i) => word & other.words[i]!),
    )
  }

  minus(other: EventSet): EventSet {
    return new EventSet(
      this.size,
      this.words.map((word, i) => word & ~other.words[i]!),
    )
  }

  complement(): EventSet {
    return universe(this.size).minus(this)
  }

  equals(other: EventSet): boolean {
    return this.words.every((word, i) => word === other.words[i])
  }
}

export const universe = (size: number): EventSet =>
  EventSet.of(
    size,
    Array.from({ length: size }, (_, i) => i),
  )

/** A binary relation over the events 0 … size-1. */
export class Relation {
  readonly size: number
  /** Words in a row. */
  readonly width: number
  readonly words: Uint32Array

  constructor(size: number, words?: Uint32Array) {
    this.size = size
    this.width = (size + 31) >>> 5
    this.words = words ?? new Uint32Array(size * this.width)
  }

  static of(size: number, pairs: Iterable<readonly [number, number]>): Relation {
    const result = new Relation(size)
    for (const [from, to] of pairs) result.add(from, to)
    return result
  }

  static identity(set: EventSet): Relation {
    const result = new Relation(set.size)
    for (const event of set.members()) result.add(event, event)
    return result
  }

  static product(from: EventSet, to: EventSet): Relation {
    const result = new Relation(from.size)
    for (const event of from.members()) result.words.set(to.words, event * result.width)
    return result
  }

  has(from: number, to: number): boolean {
    return (this.words[from * this.width + (to >>> 5)]! & (1 << (to & 31))) !== 0
  }

  /** Only while the relation is being built, or by the one that owns it. */
  add(from: number, to: number): void {
    this.words[from * this.width + (to >>> 5)]! |= 1 << (to & 31)
  }

  remove(from: number, to: number): void {
    this.words[from * this.width + (to >>> 5)]! &= ~(1 << (to & 31))
  }

  get isEmpty(): boolean {
    for (let i = 0; i < this.words.length; i++) if (this.words[i] !== 0) return false
    return true
  }

  *pairs(): Generator<[number, number]> {
    for (let from = 0; from < this.size; from++)
      for (let to = 0; to < this.size; to++) if (this.has(from, to)) yield [from, to]
  }

  *successors(from: number): Generator<number> {
    const row = from * this.width
    for (let word = 0; word < this.width; word++)
      for (let bits = this.words[row + word]!; bits !== 0; bits &= bits - 1)
        yield word * 32 + (31 - Math.clz32(bits & -bits))
  }

  equals(other: Relation): boolean {
    for (let i = 0; i < this.words.length; i++) if (this.words[i] !== other.words[i]) return false
    return true
  }

  private like(combine: (a: number, b: number) => number, other: Relation): Relation {
    const words = new Uint32Array(this.words.length)
    for (let i = 0; i < words.length; i++) words[i] = combine(this.words[i]!, other.words[i]!)
    return new Relation(this.size, words)
  }

  union(other: Relation): Relation {
    return this.like((a, b) => a | b, other)
  }

  intersect(other: Relation): Relation {
    return this.like((a, b) => a & b, other)
  }

  minus(other: Relation): Relation {
    return this.like((a, b) => a & ~b, other)
  }

  complement(): Relation {
    const all = universe(this.size)
    return Relation.product(all, all).minus(this)
  }

  inverse(): Relation {
    const result = new Relation(this.size)
    for (let from = 0; from < this.size; from++) for (const to of this.successors(from)) result.add(to, from)
    return result
  }

  compose(other: Relation): Relation {
    const result = new Relation(this.size)
    const { width } = this
    for (let from = 0; from < this.size; from++) {
      const row = from * width
      for (let word = 0; word < width; word++)
        for (let bits = this.words[row + word]!; bits !== 0; bits &= bits - 1) {
          const middle = (word * 32 + (31 - Math.clz32(bits & -bits))) * width
          for (let k = 0; k < width; k++) result.words[row + k]! |= other.words[middle + k]!
        }
    }
    return result
  }

  withIdentity(): Relation {
    const result = new Relation(this.size, this.words.slice())
    for (let event = 0; event < this.size; event++) result.add(event, event)
    return result
  }

  /** Warshall's closure on rows of words. */
  transitiveClosure(): Relation {
    const result = new Relation(this.size, this.words.slice())
    const { width, words } = result
    for (let middle = 0; middle < this.size; middle++)
      for (let from = 0; from < this.size; from++)
        if (result.has(from, middle))
          for (let k = 0; k < width; k++) words[from * width + k]! |= words[middle * width + k]!
    return result
  }

  get isIrreflexive(): boolean {
    for (let event = 0; event < this.size; event++) if (this.has(event, event)) return false
    return true
  }

  /** Removes events without a predecessor or successor until nothing is left, or a cycle is. */
  get isAcyclic(): boolean {
    const degree = new Int32Array(this.size)
    for (let from = 0; from < this.size; from++) for (const to of this.successors(from)) degree[to]!++
    const ready: number[] = []
    for (let event = 0; event < this.size; event++) if (degree[event] === 0) ready.push(event)
    let done = 0
    for (let event = ready.pop(); event !== undefined; event = ready.pop()) {
      done++
      for (const to of this.successors(event)) if (--degree[to]! === 0) ready.push(to)
    }
    return done === this.size
  }

  domain(): EventSet {
    const result = new EventSet(this.size)
    for (let from = 0; from < this.size; from++)
      for (let k = 0; k < this.width; k++)
        if (this.words[from * this.width + k] !== 0) {
          result.add(from)
          break
        }
    return result
  }

  range(): EventSet {
    const result = new EventSet(this.size)
    for (let from = 0; from < this.size; from++)
      for (let k = 0; k < this.width; k++) result.words[k]! |= this.words[from * this.width + k]!
    return result
  }

  /** A shortest path from one event to another over at least one edge, both ends included. */
  path(start: number, goal: number): readonly number[] | undefined {
    const before = new Int32Array(this.size).fill(-1)
    const queue = [start]
    for (let head = 0; head < queue.length; head++) {
      const from = queue[head]!
      for (const to of this.successors(from)) {
        if (to === goal) {
          const path = [goal]
          for (let event = from; event !== start; event = before[event]!) path.push(event)
          path.push(start)
          return path.reverse()
        }
        if (before[to] !== -1 || to === start) continue
        before[to] = from
        queue.push(to)
      }
    }
    return undefined
  }

  /** A shortest cycle, its first event repeated at the end. */
  shortestCycle(): readonly number[] | undefined {
    let best: readonly number[] | undefined
    for (let event = 0; event < this.size; event++) {
      const cycle = this.path(event, event)
      if (cycle && (!best || cycle.length < best.length)) best = cycle
    }
    return best
  }
}
