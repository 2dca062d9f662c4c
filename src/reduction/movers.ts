// Locks held and movers (redcomp.txt section V-A). HC1 is solved as data flow over program counter and locks only, never
// over shared data: it ignores interference (soundness.md 14). Beyond the paper: threads that never run at the same time
// do not conflict, a lock counts only if nothing but its owner and its acquisitions writes it, and locks that a program
// builds itself count, too (lock-idioms.ts).
import {
  type Access,
  accessesOf,
  constantValue,
  type Edge,
  type Label,
  type Location,
  labelAccesses,
  type Procedure,
} from '../xcfa/index.js'
import { outgoing } from '../xcfa/passes/index.js'
import { areApart, areOwnCopies, residuesOf } from './apart.js'
import { freshAt, freshLabels } from './fresh.js'
import { instancesOf } from './instances/index.js'
import { takenCells } from './lock-idioms.js'
import { type Parallel, parallelThreads } from './movers-parallel.js'
import { isDefinite, isShared, mayMeet, mustCover, type Shared } from './places.js'

export type Mover = 'right' | 'left' | 'both' | 'non'

/** A thread, or (`many`) any number of instances of one template. */
export interface MoverThread {
  readonly template: Procedure
  readonly number: number | undefined
}

/** A lock by the address of its object; a variable that works as one has a negative number of its own. */
export type Lock = number

export interface Movers {
  of(edge: Edge): Mover
  /** lh_i(l): locks that the thread surely holds at a location. */
  held(location: Location): ReadonlySet<Lock>
  /** Every two steps of different threads with accesses that `race`, and whether locks or joins keep them apart. */
  conflicts(race: (a: Access, b: Access) => boolean): Iterable<Conflict>
  /** Locks that protect what they should: nobody writes them but who takes or holds them. */
  readonly locks: readonly Lock[]
  /** Locks that the step takes. */
  taken(edge: Edge): readonly Lock[]
  /** Locks that the step writes without taking them; `freed` are those that it certainly makes zero. */
  written(edge: Edge): { readonly all: readonly Lock[]; readonly freed: readonly Lock[] }
}

export interface Conflict {
  readonly edges: readonly [Edge, Edge]
  /** What the first one accesses. */
  readonly access: Access
  /** Both are never next at once. */
  isApart(): boolean
}

export const movers = (threads: readonly MoverThread[]): Movers => new MoverAnalysis(threads)

const NONE: ReadonlySet<Lock> = new Set()

class MoverAnalysis implements Movers {
  private readonly accesses = new Map<Edge, readonly Shared[]>()
  private readonly threadOf = new Map<Edge, MoverThread>()
  private readonly parallel: Parallel
  /** What acquisitions of a lock write: its owner. */
  private readonly cells = new Map<Lock, readonly Shared[]>()
  /** Locks that the program builds itself, by the steps that take them. */
  private readonly idioms = new Map<Edge, readonly Lock[]>()
  private locksAt = new Map<Location, ReadonlySet<Lock>>()
  private readonly classes = new Map<Edge, Mover>()
  private readonly edges: readonly Edge[]

  constructor(private readonly threads: readonly MoverThread[]) {
    this.parallel = parallelThreads(threads)
    for (const thread of threads)
      for (const edge of thread.template.edges) {
        this.threadOf.set(edge, thread)
        this.accesses.set(edge, accessesOf(edge).filter(isShared))
      }
    this.edges = [...this.threadOf.keys()]
    this.findLocks()
    do this.computeHeld()
    while (this.dropImproperLocks())
  }

  of(edge: Edge): Mover {
    let mover = this.classes.get(edge)
    if (mover === undefined) this.classes.set(edge, (mover = this.classify(edge)))
    return mover
  }

  held(location: Location): ReadonlySet<Lock> {
    return this.locksAt.get(location) ?? NONE
  }

  *conflicts(race: (a: Access, b: Access) => boolean): Iterable<Conflict> {
    const locks = this.heldBeforeBlocks()
    const fresh = new Map(this.threads.flatMap(({ template }) => [...freshAt(template)]))
    const accesses = new Map(
      this.edges.map((edge) => {
        const own = freshLabels(edge, fresh.get(edge.source) ?? new Map())
        const labels = untilJoined(edge).labels.filter((label) => !own.has(label))
        return [edge, accessesOf({ ...edge, labels }).filter(isShared)]
      }),
    )
    const reaching = this.edges.filter((edge) => locks.has(edge.source) && accesses.get(edge)!.length > 0)
    const residues = new Map(this.threads.map(({ template }) => [template, residuesOf(template)]))
    const instances = instancesOf(this.threads, (location) => this.held(location))
    const areDistinct = (a: Access, thread: MoverThread, b: Access, owner: MoverThread): boolean =>
      a.kind === 'memory' &&
      b.kind === 'memory' &&
      (areOwnCopies(a, thread, b, owner) ||
        areApart(a, residues.get(thread.template)!, b, residues.get(owner.template)!))
    for (const [i, edge] of reaching.entries())
      for (const other of reaching.slice(i)) {
        const [thread, owner] = [this.threadOf.get(edge)!, this.threadOf.get(other)!]
        if (owner === thread && thread.number !== undefined) continue
        const isRace = (a: Access, b: Access): boolean => race(a, b) && !areDistinct(a, thread, b, owner)
        const mine = locks.get(edge.source)!
        const neverMeet = (a: Access, b: Access): boolean =>
          a.kind === 'memory' && b.kind === 'memory' && instances.areApart(a, edge, thread, b, other, owner)
        for (const access of accesses.get(edge)!) {
          const racing = accesses.get(other)!.filter((b) => isRace(access, b))
          if (racing.length === 0) continue
          const isApart = (): boolean =>
            [...locks.get(other.source)!].some((m) => mine.has(m)) ||
            !this.parallel.together(edge, thread, other, owner) ||
            racing.every((b) => neverMeet(access, b))
          yield { edges: [edge, other], access, isApart }
        }
      }
  }

  /** Inside an atomic block: what was held before it, for all of its accesses are next to a thread that has yet to enter. */
  private heldBeforeBlocks(): ReadonlyMap<Location, ReadonlySet<Lock>> {
    const held = new Map([...this.locksAt].filter(([location]) => !location.atomic))
    for (let changed = true; changed; ) {
      changed = false
      for (const { source, target } of this.edges) {
        const before = held.get(source)
        if (!target.atomic || !before) continue
        const known = held.get(target)
        const met = known ? new Set([...known].filter((m) => before.has(m))) : before
        if (known && met.size === known.size) continue
        held.set(target, met)
        changed = true
      }
    }
    return held
  }

  get locks(): readonly Lock[] {
    return [...this.cells.keys()]
  }

  taken(edge: Edge): readonly Lock[] {
    return this.locks.filter((lock) => this.acquires(edge, lock))
  }

  written(edge: Edge): { readonly all: readonly Lock[]; readonly freed: readonly Lock[] } {
    const all = this.locks.filter((lock) => this.writes(edge, lock) && !this.acquires(edge, lock))
    return { all, freed: all.filter((lock) => this.frees(edge, lock)) }
  }

  // ---- locks

  /** The last write to the lock, to exactly its place, is a zero. */
  private frees(edge: Edge, lock: Lock): boolean {
    const cells = this.cells.get(lock)!
    const last = edge.labels.findLast((label) => writesOf(label).some((a) => cells.some((c) => mayMeet(a, c))))
    const value = last && storedValue(last)
    return value !== undefined && constantValue(value) === 0 && this.surelyWrites(last!, cells)
  }

  private surelyWrites(label: Label, cells: readonly Shared[]): boolean {
    return writesOf(label).some((a) => cells.some((c) => mustCover(a, c)))
  }

  private findLocks(): void {
    for (const edge of this.edges) {
      const lock = edge.sync?.kind === 'lock' && edge.sync.object ? constantValue(edge.sync.object) : undefined
      if (lock !== undefined)
        this.addLock(
          Number(lock),
          this.accesses.get(edge)!.filter((a) => a.write),
        )
      const taken = takenCells(edge)
      this.idioms.set(
        edge,
        taken.map(({ key }) => key),
      )
      for (const { key, matches } of taken)
        this.addLock(
          key,
          accessesOf({ ...edge, labels: edge.labels.filter(matches) })
            .filter(isShared)
            .filter((a) => a.write),
        )
    }
  }

  /** The owner of a lock is what every acquisition of it certainly writes. */
  private addLock(lock: Lock, written: readonly Shared[]): void {
    const known = this.cells.get(lock) ?? written.filter(isDefinite)
    this.cells.set(
      lock,
      known.filter((cell) => written.some((a) => mustCover(a, cell))),
    )
  }

  /** Certainly taking the lock, by whatever call: it then was free, or the thread's own. */
  private acquires(edge: Edge, lock: Lock): boolean {
    if (this.idioms.get(edge)!.includes(lock)) return true
    const kind = edge.sync?.kind
    if (kind !== 'lock' && kind !== 'trylock' && kind !== 'wake') return false
    const cells = this.cells.get(lock)!
    return edge.labels.some((label) => {
      const value = storedValue(label)
      return value !== undefined && constantValue(value) !== 0 && this.surelyWrites(label, cells)
    })
  }

  private writes(edge: Edge, lock: Lock): boolean {
    const cells = this.cells.get(lock)!
    return this.accesses.get(edge)!.some((a) => a.write && cells.some((c) => mayMeet(a, c)))
  }

  /** HC1: the locks that every way to a location leaves held; soundness 14: never over shared data. */
  private computeHeld(): void {
    const locks = [...this.cells.keys()]
    this.locksAt = new Map()
    for (const { template } of this.threads) {
      const from = outgoing(template.edges)
      this.locksAt.set(template.initial, new Set())
      const work = [template.initial]
      for (let location = work.pop(); location; location = work.pop())
        for (const edge of from.get(location) ?? []) {
          const before = this.locksAt.get(location)!
          const after = new Set(locks.filter((m) => this.acquires(edge, m) || (before.has(m) && !this.writes(edge, m))))
          const known = this.locksAt.get(edge.target)
          const met = known ? new Set([...known].filter((m) => after.has(m))) : after
          if (known && met.size === known.size) continue
          this.locksAt.set(edge.target, met)
          work.push(edge.target)
        }
    }
  }

  /** A lock that somebody writes who neither holds nor takes it protects nothing. */
  private dropImproperLocks(): boolean {
    const improper = [...this.cells.keys()].filter((lock) =>
      this.edges.some(
        (edge) =>
          this.parallel.someoneElse(edge, this.threadOf.get(edge)!) &&
          this.writes(edge, lock) &&
          !this.acquires(edge, lock) &&
          !this.held(edge.source).has(lock),
      ),
    )
    for (const lock of improper) this.cells.delete(lock)
    return improper.length > 0
  }

  // ---- movers

  private classify(edge: Edge): Mover {
    const thread = this.threadOf.get(edge)!
    const taken = [...this.cells.keys()].filter((m) => this.acquires(edge, m))
    const released = [...this.cells.keys()].filter(
      (m) => !taken.includes(m) && this.writes(edge, m) && this.held(edge.source).has(m),
    )
    const conflicts = this.edges.some((other) =>
      this.conflict(edge, thread, other, [...taken, ...this.held(edge.source)]),
    )
    if (conflicts) return 'non'
    // soundness 15: start moves left only, join right only.
    const rightOnly = taken.length > 0 || edge.labels.some((l) => l.kind === 'join')
    const leftOnly = released.length > 0 || edge.labels.some((l) => l.kind === 'start')
    if (rightOnly && leftOnly) return 'non'
    return rightOnly ? 'right' : leftOnly ? 'left' : 'both'
  }

  /** Whether another thread's edge may be next to this one, with accesses that do not commute. */
  private conflict(edge: Edge, thread: MoverThread, other: Edge, operated: readonly Lock[]): boolean {
    const owner = this.threadOf.get(other)!
    if (owner === thread && thread.number !== undefined) return false
    const common = this.accesses
      .get(edge)!
      .some((a) =>
        this.accesses
          .get(other)!
          .some((b) => (a.write || b.write) && mayMeet(a, b) && !this.isExcluded(a, other, operated)),
      )
    if (!common) return false
    const mine = this.held(edge.source)
    if ([...this.held(other.source)].some((m) => mine.has(m))) return false
    return this.parallel.together(edge, thread, other, owner)
  }

  /** The cell of a lock that this edge takes or holds: who else holds it, or takes it, cannot be next to the edge. */
  private isExcluded(access: Shared, other: Edge, operated: readonly Lock[]): boolean {
    return operated.some(
      (m) =>
        this.cells.get(m)!.some((cell) => mayMeet(cell, access)) &&
        (this.held(other.source).has(m) || this.acquires(other, m)),
    )
  }
}

/** After a join an edge reads only what the thread that has ended left for it. */
const untilJoined = (edge: Edge): Edge => {
  const at = edge.labels.findIndex(({ kind }) => kind === 'join')
  return at < 0 ? edge : { ...edge, labels: edge.labels.slice(0, at + 1) }
}

/** What others may see that the label writes. */
const writesOf = (label: Label): readonly Shared[] =>
  labelAccesses(label, true).filter((access) => access.write && isShared(access))

const storedValue = (label: Label) => (label.kind === 'assign' || label.kind === 'store' ? label.value : undefined)
