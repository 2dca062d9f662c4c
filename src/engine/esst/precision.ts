// Precisions (esst.txt, 4.1): predicates at locations of threads, for whole threads, and for the global region.
import type { Term } from '../../logic/index.js'
import { FALSE, freeVariables, not, TRUE } from '../../logic/index.js'
import type { Location } from '../../xcfa/index.js'

/** Where a predicate over one thread's locals and globals goes: to its location, its thread, or the global region. */
export type Level = 'location' | 'thread' | 'global'

export class Precision {
  private readonly locations = new Map<string, Set<Term>>()
  private readonly threads = new Map<number, Set<Term>>()
  private readonly everywhere = new Set<Term>()

  constructor(private readonly level: Level) {}

  /** For the global region. */
  get global(): readonly Term[] {
    return [...this.everywhere]
  }

  at(thread: number, location: Location): readonly Term[] {
    const here = this.locations.get(`${thread}@${location.id}`)
    const always = this.threads.get(thread)
    if (!here) return always ? [...always] : []
    return always ? [...new Set([...always, ...here])] : [...here]
  }

  /**
   * A predicate from the cut after a step of `thread`, which is then at `location` (4.5). One that speaks of other
   * threads' locals belongs to the global region. False: it was there already.
   */
  add(predicate: Term, thread: number, location: Location): boolean {
    const positive = predicate.op === 'not' ? not(predicate) : predicate
    if (positive === TRUE || positive === FALSE) return false
    const isOwn = freeVariables(positive).every((v) => ownerOf(v) === undefined || ownerOf(v) === thread)
    const set = isOwn ? this.setFor(thread, location) : this.everywhere
    if (set.has(positive)) return false
    set.add(positive)
    return true
  }

  private setFor(thread: number, location: Location): Set<Term> {
    if (this.level === 'global') return this.everywhere
    const [map, key] =
      this.level === 'thread'
        ? [this.threads as Map<unknown, Set<Term>>, thread]
        : [this.locations as Map<unknown, Set<Term>>, `${thread}@${location.id}`]
    let set = map.get(key)
    if (!set) map.set(key, (set = new Set()))
    return set
  }

  /** Different predicates, wherever they are. */
  get size(): number {
    const all = new Set(this.everywhere)
    for (const set of [...this.locations.values(), ...this.threads.values()]) for (const p of set) all.add(p)
    return all.size
  }
}

/** Locals are named with their thread's number in front (xcfa/terms/path.ts). */
const ownerOf = (v: Term): number | undefined => {
  const match = /^(\d+):/.exec(v.name)
  return match ? Number(match[1]) : undefined
}
