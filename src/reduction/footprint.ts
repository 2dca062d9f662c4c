// What edges read and write of what threads share, as sets of items: variables, cells of regions, the life of heap
// objects, the numbering and the ends of threads. Two edges of different threads are dependent if they share an item
// that one of them writes (read/write dependence). Memory is told apart by address where addresses are constants.
import {
  type Access,
  accessesOf,
  type Edge,
  type MemoryObject,
  type Program,
  type Region,
  type Slot,
  type Variable,
} from '../xcfa/index.js'
import { addAll, addBit, type Bits, emptyBits, intersects } from './bits.js'

export interface Footprint {
  readonly reads: Bits
  readonly writes: Bits
}

/** Dependence of two footprints. */
export const conflict = (a: Footprint, b: Footprint): boolean =>
  intersects(a.writes, b.writes) || intersects(a.writes, b.reads) || intersects(a.reads, b.writes)

export const addFootprint = (to: Footprint, from: Footprint): boolean => {
  const reads = addAll(to.reads, from.reads)
  return addAll(to.writes, from.writes) || reads
}

/** Regions with more constant addresses than this are one item. */
const MOST_CELLS = 512

export class Footprints {
  private count = 0
  private readonly variables = new Map<Variable, number>()
  private readonly regions = new Map<Region, RegionItems>()
  private readonly lives = new Map<MemoryObject, number>()
  private readonly ends = new Map<string, number>()
  private readonly threads: number
  private readonly cache = new Map<Edge, Footprint>()

  constructor(program: Program) {
    for (const variable of program.globals) this.variables.set(variable, this.count++)
    for (const region of program.regions) if (region.scope === 'global') this.regions.set(region, this.cellsOf(region))
    for (const object of program.objects) if (object.storage === 'heap') this.lives.set(object, this.count++)
    for (const name of program.templates.keys()) this.ends.set(name, this.count++)
    this.threads = this.count++
  }

  /** How many items there are. */
  get size(): number {
    return this.count
  }

  empty(): Footprint {
    return { reads: emptyBits(this.count), writes: emptyBits(this.count) }
  }

  /** The items of a global variable or region: one, or one for each cell. */
  itemsOf(object: Variable | Region): readonly number[] {
    if ('slots' in object) return this.regions.get(object)?.all ?? []
    const item = this.variables.get(object)
    return item === undefined ? [] : [item]
  }

  /** Whether two threads meet here whatever data is about: lives of heap objects, numbers and ends of threads. */
  get controlItems(): readonly number[] {
    return [...this.lives.values(), ...this.ends.values(), this.threads]
  }

  /** What one step over the edge touches, the end of its thread excepted. */
  of(edge: Edge): Footprint {
    let footprint = this.cache.get(edge)
    if (!footprint) this.cache.set(edge, (footprint = this.compute(edge)))
    return footprint
  }

  /**
   * The end of a thread of this template: what joins wait for. It conflicts with them only where a join comes next: a
   * join that comes later cannot be executed before the end.
   */
  addEnd(to: Footprint, template: string): void {
    addBit(to.writes, this.ends.get(template)!)
  }

  private compute(edge: Edge): Footprint {
    const footprint = this.empty()
    for (const access of accessesOf(edge)) this.addAccess(footprint, access)
    for (const label of edge.labels) {
      if (label.kind === 'start') addBit(footprint.writes, this.threads)
      if (label.kind === 'join') for (const end of this.ends.values()) addBit(footprint.reads, end)
    }
    return footprint
  }

  private addAccess(footprint: Footprint, access: Access): void {
    const set = access.write ? footprint.writes : footprint.reads
    switch (access.kind) {
      case 'variable':
        addBit(set, this.variables.get(access.variable)!)
        return
      case 'memory': {
        const { region, address, size } = access
        const items = this.regions.get(region)
        if (!items) return
        for (const item of itemsAt(items, address.kind === 'const' ? Number(address.value) : undefined, size))
          addBit(set, item)
        return
      }
      case 'allocation':
        // An allocation numbers its instance; a free ends the life of any, which every access to the heap notices.
        if (access.object) {
          addBit(set, this.lives.get(access.object)!)
          return
        }
        for (const life of this.lives.values()) addBit(set, life)
        for (const { heap } of this.regions.values()) for (const item of heap) addBit(set, item)
    }
  }

  private cellsOf(region: Region): RegionItems {
    const cells = region.slots.reduce((sum, slot) => sum + slot.count, 0)
    if (cells > MOST_CELLS) {
      const item = this.count++
      const heap = region.slots.some(({ object }) => object.storage === 'heap') ? [item] : []
      return { all: [item], heap, fixed: undefined }
    }
    const fixed = new Map<number, number>()
    const movable: number[] = []
    const heap: number[] = []
    const all: number[] = []
    for (const slot of region.slots) {
      if (slot.object.storage !== 'static') {
        const item = this.count++
        movable.push(item)
        all.push(item)
        if (slot.object.storage === 'heap') heap.push(item)
      } else
        for (const address of addressesOf(slot)) {
          if (fixed.has(address)) continue
          const item = this.count++
          fixed.set(address, item)
          all.push(item)
        }
    }
    return { all, heap, fixed }
  }
}

interface RegionItems {
  readonly all: readonly number[]
  /** Those of heap objects. */
  readonly heap: readonly number[]
  /** By address, for objects at fixed addresses; undefined if they are not told apart. */
  readonly fixed: ReadonlyMap<number, number> | undefined
}

const addressesOf = ({ object, offset, step, count }: Slot): readonly number[] =>
  Array.from({ length: count }, (_, i) => object.base + offset + i * step)

const itemsAt = ({ all, fixed }: RegionItems, address: number | undefined, size: number): readonly number[] => {
  if (address === undefined || !fixed) return all
  const items = Array.from({ length: size }, (_, i) => fixed.get(address + i)).filter((item) => item !== undefined)
  // An address of a thread's or a heap object, or none at all.
  return items.length > 0 ? items : all
}
