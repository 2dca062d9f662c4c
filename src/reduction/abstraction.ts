// Persistent sets in an abstraction (aapor.txt 4.1 and 4.2). Algorithm 1 calls two actions dependent if they access a
// common object; Algorithm 2 only if the precision has an abstract variable about objects of both (Lemma 1); Algorithm 3
// also says which variables, if they came into the precision, would make the set too small (its validity set).
//
// Departures: threads stand for their actions, and those that are blocked count, as another thread could release them
// (soundness.md 2). Objects are what threads share: globals, memory, the lives of heap objects, the numbers and ends of
// threads; the last three are always tracked. `read-write` lets two reads commute (the paper's future work).
import type { Location, Program, Region, Variable } from '../xcfa/index.js'
import { addBit, type Bits, emptyBits, hasBit, intersects } from './bits.js'
import { type Footprint, Footprints } from './footprint.js'
import { type LocationFootprints, locationFootprints } from './future.js'
import { closedSet } from './persistent.js'

export type DependenceKind = 'objects' | 'read-write'

/** The shared objects of an abstract variable: orig(χ). */
export type AbstractVariable = readonly (Variable | Region)[]

/** Threads as bits; with more of them nothing is left out. */
export const MAX_THREADS = 31

const UNKNOWN = 0
const NO = 1
const YES = 2

export class AbstractDependence {
  private readonly footprints: Footprints
  private readonly locations: readonly LocationFootprints[]
  private readonly numbers = new Map<Location, number>()
  private readonly control: Bits
  private readonly objectOf = new Map<number, Variable | Region>()
  /** Undefined: every object is tracked, each by itself (Algorithm 1). */
  private abstractVariables: readonly Bits[] | undefined = undefined
  private readonly table: Uint8Array

  constructor(
    program: Program,
    private readonly kind: DependenceKind,
  ) {
    this.footprints = new Footprints(program)
    const locations: LocationFootprints[] = []
    for (const [location, entry] of locationFootprints(program, this.footprints))
      this.numbers.set(location, locations.push(entry) - 1)
    this.locations = locations
    this.control = this.bitsOf(this.footprints.controlItems)
    for (const object of [...program.globals, ...program.regions])
      for (const item of this.footprints.itemsOf(object)) this.objectOf.set(item, object)
    this.table = new Uint8Array(locations.length ** 2)
  }

  /** From now on dependence is with respect to this precision (Algorithm 2). */
  setPrecision(variables: readonly AbstractVariable[]): void {
    this.abstractVariables = variables
      .map((objects) => objects.flatMap((object) => this.footprints.itemsOf(object)))
      .filter((items) => items.length > 0)
      .map((items) => this.bitsOf(items))
    this.table.fill(UNKNOWN)
  }

  /**
   * Algorithms 1 and 2: the least set of threads with `seed` that is closed: nothing that a thread outside may ever do
   * depends on what a thread inside does next. `at` says where each thread is, `live` which of them have a next step.
   */
  persistentSet(seed: number, live: number, at: readonly Location[]): number {
    return closedSet(seed, live, (inside, outside) => this.futureConflict(at[inside]!, at[outside]!))
  }

  /** The closure of several threads: what was explored before is given as initial actions (Algorithm 4). */
  extended(threads: number, live: number, at: readonly Location[]): number {
    let set = 0
    for (let rest = threads; rest !== 0; rest &= rest - 1)
      set |= this.persistentSet(31 - Math.clz32(rest & -rest), live, at)
    return set
  }

  /** Algorithm 3, lines 7 to 9 and 15: untracked objects by which a thread outside could depend on the set. */
  validitySet(set: number, live: number, at: readonly Location[]): ReadonlySet<Variable | Region> {
    const objects = new Set<Variable | Region>()
    for (let inside = set; inside !== 0; inside &= inside - 1)
      for (let outside = live & ~set; outside !== 0; outside &= outside - 1) {
        const a = this.entry(at[31 - Math.clz32(inside & -inside)]!)
        const b = this.entry(at[31 - Math.clz32(outside & -outside)]!)
        if (a && b) for (const item of this.commonItems(a.next, b.future)) objects.add(this.objectOf.get(item)!)
      }
    return objects
  }

  /** Whether the next actions of two threads depend on each other, the ends of the threads included (sleep sets). */
  nextConflict(first: Location, second: Location): boolean {
    const [a, b] = [this.entry(first), this.entry(second)]
    return !a || !b || a.mayNotReturn || b.mayNotReturn || this.dependent(a.step, b.step)
  }

  private futureConflict(inside: Location, outside: Location): boolean {
    const a = this.numbers.get(inside)
    const b = this.numbers.get(outside)
    if (a === undefined || b === undefined) return false
    const index = a * this.locations.length + b
    const known = this.table[index]!
    if (known !== UNKNOWN) return known === YES
    const first = this.locations[a]!
    const answer = first.mayNotReturn || this.dependent(first.next, this.locations[b]!.future)
    this.table[index] = answer ? YES : NO
    return answer
  }

  /** Lemma 1 on sets of actions. */
  private dependent(a: Footprint, b: Footprint): boolean {
    if (!this.abstractVariables) return this.kind === 'objects' ? this.meet(a, b) : conflicts(a, b)
    // soundness 2: starts, ends, and lives of heap objects matter whatever is tracked.
    if (meetWithin(a, b, this.control)) return true
    // soundness 8: an abstract variable joins all that it is about.
    return this.abstractVariables.some((objects) =>
      this.kind === 'objects'
        ? touches(a, objects) && touches(b, objects)
        : (intersects(a.writes, objects) && touches(b, objects)) ||
          (touches(a, objects) && intersects(b.writes, objects)),
    )
  }

  private meet(a: Footprint, b: Footprint): boolean {
    return conflicts(a, b) || intersects(a.reads, b.reads)
  }

  private commonItems(a: Footprint, b: Footprint): readonly number[] {
    const items: number[] = []
    for (const item of this.objectOf.keys()) {
      const inA = hasBit(a.reads, item) || hasBit(a.writes, item)
      const inB = hasBit(b.reads, item) || hasBit(b.writes, item)
      const written = hasBit(a.writes, item) || hasBit(b.writes, item)
      if (inA && inB && (written || this.kind === 'objects')) items.push(item)
    }
    return items
  }

  private entry(location: Location): LocationFootprints | undefined {
    const number = this.numbers.get(location)
    return number === undefined ? undefined : this.locations[number]
  }

  private bitsOf(items: readonly number[]): Bits {
    const bits = emptyBits(this.footprints.size)
    for (const item of items) addBit(bits, item)
    return bits
  }
}

const conflicts = (a: Footprint, b: Footprint): boolean =>
  intersects(a.writes, b.writes) || intersects(a.writes, b.reads) || intersects(a.reads, b.writes)

const touches = ({ reads, writes }: Footprint, objects: Bits): boolean =>
  intersects(reads, objects) || intersects(writes, objects)

/** A conflict on one of these items. */
const meetWithin = (a: Footprint, b: Footprint, items: Bits): boolean => {
  for (let i = 0; i < items.length; i++) {
    const common = (a.writes[i]! & (b.writes[i]! | b.reads[i]!)) | (a.reads[i]! & b.writes[i]!)
    if ((common & items[i]!) !== 0) return true
  }
  return false
}
