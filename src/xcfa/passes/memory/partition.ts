// Splits memory into classes: two pieces are in one class if one access may mean either, or if they overlap. A class
// becomes a variable or a region; classes never share a byte.
import {
  byteSize,
  type Edge,
  type Load,
  type MemoryObject,
  type Procedure,
  type Program,
  type Slot,
  type Store,
  type Type,
} from '../../index.js'
import type { PointsTo } from './points-to.js'
import { hull, lastOffset, overlaps, slotKey } from './slot.js'

/** A load or store, with the pieces of memory that it may mean. */
interface AccessSite {
  readonly label: Load | Store
  readonly procedure: Procedure
  readonly pieces: readonly Piece[]
}

/** Offsets of an object, and the bytes that are accessed at each. */
interface Piece {
  readonly slot: Slot
  readonly size: number
}

export interface MemoryClass {
  /** Disjoint. For cells of one size: exactly the cells. Otherwise ranges of bytes. */
  readonly slots: readonly Slot[]
  /** The size of all cells, or `bytes` where accesses differ in size or alignment. */
  readonly cell: number | 'bytes'
  readonly types: readonly Type[]
  readonly sites: readonly AccessSite[]
}

export interface Partition {
  readonly classes: readonly MemoryClass[]
  /** The class that a label accesses; none if it can only be invalid. */
  classOf(label: Load | Store): MemoryClass | undefined
}

export const partition = (program: Program, pointers: PointsTo): Partition => {
  const sites = accessSites(program, pointers)
  const groups = new Groups()
  for (const { pieces } of sites) groups.unite(pieces)
  groups.uniteOverlapping()
  while (groups.uniteTouching());
  const classes = new Map<Piece, MemoryClass>()
  const bySite = new Map<Load | Store, MemoryClass>()
  const members = groups.members()
  for (const [root, pieces] of members) classes.set(root, describe(pieces, sitesOf(sites, root, groups)))
  for (const { label, pieces } of sites) if (pieces[0]) bySite.set(label, classes.get(groups.find(pieces[0]))!)
  return { classes: [...classes.values()], classOf: (label) => bySite.get(label) }
}

const sitesOf = (sites: readonly AccessSite[], root: Piece, groups: Groups): AccessSite[] =>
  sites.filter(({ pieces }) => pieces[0] && groups.find(pieces[0]) === root)

const accessSites = (program: Program, pointers: PointsTo): AccessSite[] => {
  const sites: AccessSite[] = []
  for (const procedure of program.templates.values())
    for (const edge of procedure.edges)
      for (const label of accessesOf(edge)) {
        const size = byteSize(label.type)
        const slots = pointers.targets(label.address, procedure).flatMap((slot) => clamp(slot, size) ?? [])
        sites.push({ label, procedure, pieces: slots.map((slot) => ({ slot, size })) })
      }
  return sites
}

const accessesOf = (edge: Edge): (Load | Store)[] =>
  edge.labels.flatMap((label) => (label.kind === 'load' || label.kind === 'store' ? [label] : []))

/** The part of a slot where an access of this size lies inside the object. */
const clamp = (slot: Slot, size: number): Slot | undefined => {
  const { object, offset, step } = slot
  if (object.procedure !== undefined) return undefined
  const skipped = offset >= 0 ? 0 : step === 0 ? Number.POSITIVE_INFINITY : Math.ceil(-offset / step)
  const last = Math.min(lastOffset(slot), object.size - size)
  const first = offset + (step === 0 ? (skipped > 0 ? Number.NEGATIVE_INFINITY : 0) : skipped * step)
  if (first < 0 || first > last) return undefined
  const count = step === 0 ? 1 : Math.floor((last - first) / step) + 1
  return { object, offset: first, step: count === 1 ? 0 : step, count }
}

/** Union-find over pieces; equal pieces are one. */
class Groups {
  private readonly known = new Map<string, Piece>()
  private readonly parents = new Map<Piece, Piece>()
  private readonly byObject = new Map<MemoryObject, Piece[]>()

  unite(pieces: readonly Piece[]): void {
    const [first, ...rest] = pieces.map((piece) => this.canonical(piece))
    for (const piece of rest) this.join(first!, piece)
  }

  find(piece: Piece): Piece {
    let root = this.canonical(piece)
    for (let up = this.parents.get(root)!; up !== root; up = this.parents.get(root)!) root = up
    return root
  }

  members(): Map<Piece, Piece[]> {
    const groups = new Map<Piece, Piece[]>()
    for (const piece of this.known.values()) {
      const root = this.find(piece)
      groups.set(root, [...(groups.get(root) ?? []), piece])
    }
    return groups
  }

  uniteOverlapping(): void {
    for (const pieces of this.byObject.values())
      pieces.forEach((a, i) => {
        for (const b of pieces.slice(i + 1)) if (overlaps(a.slot, a.size, b.slot, b.size)) this.join(a, b)
      })
  }

  /** Unites groups whose slots, as described, share a byte; true if there were any. */
  uniteTouching(): boolean {
    const taken = new Map<MemoryObject, { slot: Slot; size: number; root: Piece }[]>()
    let changed = false
    for (const [root, pieces] of this.members()) {
      const { slots, cell } = describe(pieces, [])
      for (const slot of slots) {
        const size = cell === 'bytes' ? 1 : cell
        const others = taken.get(slot.object) ?? []
        for (const other of others)
          if (this.find(other.root) !== this.find(root) && overlaps(slot, size, other.slot, other.size)) {
            this.join(root, other.root)
            changed = true
          }
        taken.set(slot.object, [...others, { slot, size, root }])
      }
    }
    return changed
  }

  private canonical(piece: Piece): Piece {
    const key = `${slotKey(piece.slot)}:${piece.size}`
    const known = this.known.get(key)
    if (known) return known
    this.known.set(key, piece)
    this.parents.set(piece, piece)
    const siblings = this.byObject.get(piece.slot.object)
    if (siblings) siblings.push(piece)
    else this.byObject.set(piece.slot.object, [piece])
    return piece
  }

  private join(a: Piece, b: Piece): void {
    this.parents.set(this.find(b), this.find(a))
  }
}

const describe = (pieces: readonly Piece[], sites: readonly AccessSite[]): MemoryClass => {
  const types = sites.map(({ label }) => label.type)
  const clusters = clustersOf(pieces)
  const size = pieces[0]!.size
  const cells = clusters.map((cluster) => hull(cluster.map(({ slot }) => slot) as [Slot, ...Slot[]]))
  const isTyped = pieces.every((p) => p.size === size) && cells.every((slot) => slot.step === 0 || slot.step >= size)
  if (!isTyped) return { slots: clusters.map(bytesOf), cell: 'bytes', types, sites }
  return { slots: cells.map((slot) => (slot.step === 0 ? { ...slot, step: size } : slot)), cell: size, types, sites }
}

/** Pieces of one object that overlap, directly or through others. */
const clustersOf = (pieces: readonly Piece[]): readonly Piece[][] => {
  const clusters: Piece[][] = []
  for (const piece of pieces) {
    const touching = clusters.filter((cluster) =>
      cluster.some((other) => overlaps(piece.slot, piece.size, other.slot, other.size)),
    )
    const merged = [...touching.flat(), piece]
    for (const cluster of touching) clusters.splice(clusters.indexOf(cluster), 1)
    clusters.push(merged)
  }
  return clusters
}

/** The range of bytes that the pieces lie in. */
const bytesOf = (pieces: readonly Piece[]): Slot => {
  const offset = Math.min(...pieces.map(({ slot }) => slot.offset))
  const end = Math.max(...pieces.map(({ slot, size }) => lastOffset(slot) + size))
  return { object: pieces[0]!.slot.object, offset, step: 1, count: end - offset }
}
