// Which threads the search moves in a state: dependence and futures (src/reduction) as tables over the locations of
// each slot, so that the question costs a few array reads.
import { conflict, type LocationFootprints, sizeOf } from '../../reduction/index.js'
import type { Location } from '../../xcfa/index.js'
import type { Layout } from './compile/layout.js'
import { slotFootprints } from './footprints.js'

export type PartialOrder = 'none' | 'persistent' | 'sleep' | 'both'

/** Threads as bits; programs with more threads are searched without reduction. */
const MAX_THREADS = 31

const UNKNOWN = 0
const NO = 1
const YES = 2

export class Selection {
  readonly persistent: boolean
  readonly sleep: boolean
  /** For each slot: from its counter to the number of slot and location; 0 where the thread has no next step. */
  readonly numbers: readonly Int32Array[]
  private readonly locations: (LocationFootprints | undefined)[] = [undefined]
  private readonly futureConflicts: Table
  private readonly nextConflicts: Table
  /** For each thread, the threads that may ever conflict with what it does next. */
  private readonly conflicting = new Int32Array(32)

  constructor(layout: Layout, por: PartialOrder) {
    const reducible = layout.slots.length <= MAX_THREADS
    this.persistent = reducible && (por === 'persistent' || por === 'both')
    this.sleep = reducible && (por === 'sleep' || por === 'both')
    if (this.persistent || this.sleep) this.numbers = this.numberAll(layout)
    else
      this.numbers = layout.slots.map(({ locations }) => Int32Array.from(locations, (location) => (location ? 1 : 0)))
    const size = this.locations.length
    this.futureConflicts = new Table(size, (i, o) => i.mayNotReturn || conflict(i.next, o.future), this.locations)
    this.nextConflicts = new Table(
      size,
      (a, b) => a.mayNotReturn || b.mayNotReturn || conflict(a.step, b.step),
      this.locations,
    )
  }

  private numberAll(layout: Layout): readonly Int32Array[] {
    const bySlot = layout.slots.map(() => new Map<Location, number>())
    for (const { slot, locations } of slotFootprints(layout))
      for (const [location, entry] of locations) bySlot[slot]!.set(location, this.locations.push(entry) - 1)
    return layout.slots.map(({ number, locations }) =>
      Int32Array.from(locations, (location) => (location ? (bySlot[number]!.get(location) ?? 0) : 0)),
    )
  }

  /** Closed sets of the threads `live` (bits) at these locations, smallest first. */
  candidates(live: number, at: Int32Array, found: number[]): void {
    found.length = 0
    for (let rest = live; rest !== 0; rest &= rest - 1) {
      const inside = 31 - Math.clz32(rest & -rest)
      let conflicting = 1 << inside
      for (let others = live & ~conflicting; others !== 0; others &= others - 1) {
        const outside = 31 - Math.clz32(others & -others)
        if (this.futureConflicts.has(at[inside]!, at[outside]!)) conflicting |= 1 << outside
      }
      this.conflicting[inside] = conflicting
    }
    for (let rest = live; rest !== 0; rest &= rest - 1) {
      const set = this.closed(rest & -rest)
      if (!found.includes(set)) found.push(set)
    }
    if (found.length > 1) found.sort(bySize)
  }

  private closed(seed: number): number {
    let set = seed
    for (let unvisited = seed; unvisited !== 0; ) {
      const lowest = unvisited & -unvisited
      unvisited &= ~lowest
      const added = this.conflicting[31 - Math.clz32(lowest)]! & ~set
      set |= added
      unvisited |= added
    }
    return set
  }

  /** Whether no thread of `live` outside of the set can ever conflict with what one inside does next. */
  isClosed(set: number, live: number, at: Int32Array): boolean {
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const inside = 31 - Math.clz32(rest & -rest)
      for (let others = live & ~set; others !== 0; others &= others - 1)
        if (this.futureConflicts.has(at[inside]!, at[31 - Math.clz32(others & -others)]!)) return false
    }
    return true
  }

  /** Threads of `set` whose next step depends on the one of `thread`. */
  dependents(thread: number, set: number, at: Int32Array): number {
    let dependents = 0
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const other = 31 - Math.clz32(rest & -rest)
      if (other === thread || this.nextConflicts.has(at[thread]!, at[other]!)) dependents |= 1 << other
    }
    return dependents
  }
}

const bySize = (a: number, b: number): number => sizeOf(a) - sizeOf(b)

/** A relation of locations, computed when it is first asked. */
class Table {
  private readonly rows: (Uint8Array | undefined)[]

  constructor(
    private readonly size: number,
    private readonly relation: (a: LocationFootprints, b: LocationFootprints) => boolean,
    private readonly locations: readonly (LocationFootprints | undefined)[],
  ) {
    this.rows = new Array(size).fill(undefined)
  }

  has(a: number, b: number): boolean {
    const row = this.rows[a] ?? this.newRow(a)
    const known = row[b]!
    return known === UNKNOWN ? this.ask(row, a, b) : known === YES
  }

  private newRow(a: number): Uint8Array {
    const row = new Uint8Array(this.size)
    this.rows[a] = row
    return row
  }

  private ask(row: Uint8Array, a: number, b: number): boolean {
    const [one, other] = [this.locations[a], this.locations[b]]
    const answer = one !== undefined && other !== undefined && this.relation(one, other)
    row[b] = answer ? YES : NO
    return answer
  }
}
