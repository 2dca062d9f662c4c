// Which threads the search moves in a state: dependence and futures (src/reduction) as tables over the program's
// locations, so that the question costs a few array reads.
import { closedSet, conflict, type LocationFootprints, locationFootprints, sizeOf } from '../../reduction/index.js'
import type { Location } from '../../xcfa/index.js'
import type { Layout } from './compile/layout.js'

export type PartialOrder = 'none' | 'persistent' | 'sleep' | 'both'

/** Threads as bits; programs with more threads are searched without reduction. */
export const MOST_THREADS = 31

const UNKNOWN = 0
const NO = 1
const YES = 2

export class Selection {
  readonly persistent: boolean
  readonly sleep: boolean
  /** For each slot: from its counter to the location's number; 0 where the thread has no next step. */
  readonly numbers: readonly Int32Array[]
  private readonly locations: LocationFootprints[] = []
  private readonly futureTable: Uint8Array
  private readonly nextTable: Uint8Array
  private readonly width: number

  constructor(layout: Layout, por: PartialOrder) {
    const reducible = layout.slots.length <= MOST_THREADS
    this.persistent = reducible && (por === 'persistent' || por === 'both')
    this.sleep = reducible && (por === 'sleep' || por === 'both')
    const footprints = locationFootprints(layout.program)
    const numbers = new Map<Location, number>()
    for (const [location, entry] of footprints) numbers.set(location, this.locations.push(entry))
    this.numbers = layout.slots.map(({ locations }) =>
      Int32Array.from(locations, (location) => (location ? (numbers.get(location) ?? 0) : 0)),
    )
    this.width = this.locations.length + 1
    this.futureTable = new Uint8Array(this.width * this.width)
    this.nextTable = new Uint8Array(this.width * this.width)
  }

  /** Whether something that a thread at location `outside` may ever do conflicts with what one at `inside` does next. */
  futureConflict(inside: number, outside: number): boolean {
    const at = inside * this.width + outside
    const known = this.futureTable[at]!
    if (known !== UNKNOWN) return known === YES
    const a = this.locations[inside - 1]
    const b = this.locations[outside - 1]
    const answer = a !== undefined && b !== undefined && (a.mayNotReturn || conflict(a.next, b.future))
    this.futureTable[at] = answer ? YES : NO
    return answer
  }

  /** Whether what two threads do next is dependent. */
  nextConflict(one: number, other: number): boolean {
    const at = one * this.width + other
    const known = this.nextTable[at]!
    if (known !== UNKNOWN) return known === YES
    const a = this.locations[one - 1]
    const b = this.locations[other - 1]
    const answer = a !== undefined && b !== undefined && (a.mayNotReturn || b.mayNotReturn || conflict(a.step, b.step))
    this.nextTable[at] = answer ? YES : NO
    return answer
  }

  /** Closed sets of the threads `live` (bits) at these locations, smallest first. */
  candidates(live: number, at: Int32Array, found: number[]): void {
    found.length = 0
    const conflicts = (inside: number, outside: number): boolean => this.futureConflict(at[inside]!, at[outside]!)
    for (let rest = live; rest !== 0; rest &= rest - 1) {
      const set = closedSet(31 - Math.clz32(rest & -rest), live, conflicts)
      if (!found.includes(set)) found.push(set)
    }
    if (found.length > 1) found.sort((a, b) => sizeOf(a) - sizeOf(b))
  }

  /** Threads of `set` whose next step depends on the one of `thread`. */
  dependents(thread: number, set: number, at: Int32Array): number {
    let dependents = 0
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const other = 31 - Math.clz32(rest & -rest)
      if (other === thread || this.nextConflict(at[thread]!, at[other]!)) dependents |= 1 << other
    }
    return dependents
  }
}
