// What edges read and write of what threads share, as sets of items: variables, cells of regions, the life of heap
// objects, the numbering and the ends of threads. Two edges of different threads are dependent if they share an item
// that one of them writes (read/write dependence). How finely memory and joins are told apart is up to a `Resolver`:
// the one here knows constant addresses; an engine that knows more about its threads brings its own.
import {
  type Access,
  byteSize,
  type Edge,
  type Label,
  type Load,
  labelAccesses,
  type MemoryObject,
  type Program,
  type Region,
  type Slot,
  type Store,
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

/** How the cells of a region are told apart: item numbers from 0 on within the region. */
export interface RegionItems {
  readonly count: number
  /** Those that belong to heap objects: a free touches them. */
  readonly heap: readonly number[]
}

/** What an edge's labels touch, as exactly as somebody knows; too much is allowed, too little never. */
export interface Resolver {
  cellsOf(region: Region): RegionItems
  /** Items of the label's region that it may access. */
  accessed(label: Load | Store, edge: Edge): readonly number[]
  /** Numbers of the automata whose end a join may wait for; see `automata`. */
  joined(label: Extract<Label, { kind: 'join' }>, edge: Edge): readonly number[]
}

/**
 * The numbering of items for a program, and footprints of edges over it. There is an end for each of `automata` kinds
 * of threads; by default they are the templates in their order, and memory is told apart by constant addresses.
 */
export class Footprints {
  private count = 0
  private readonly variables = new Map<Variable, number>()
  private readonly regions = new Map<Region, { readonly first: number } & RegionItems>()
  private readonly lives = new Map<MemoryObject, number>()
  private readonly templates: readonly string[]
  private readonly firstEnd: number
  private readonly threads: number
  private readonly known = new Map<Resolver, Map<Edge, Footprint>>()
  /** Lists of many items that resolvers return again and again, as bits: an access that may go anywhere is common. */
  private readonly wide = new Map<readonly number[], Bits>()
  private heapBits: Bits | undefined

  constructor(
    program: Program,
    automata = program.templates.size,
    private readonly resolver = constantAddresses(automata),
  ) {
    this.templates = [...program.templates.keys()]
    for (const variable of program.globals) this.variables.set(variable, this.count++)
    for (const region of program.regions) {
      if (region.scope === 'local') continue
      const { count, heap } = resolver.cellsOf(region)
      this.regions.set(region, { first: this.count, count, heap })
      this.count += count
    }
    for (const object of program.objects) if (object.storage === 'heap') this.lives.set(object, this.count++)
    this.firstEnd = this.count
    this.count += automata
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
    if ('slots' in object) {
      const { first, count } = this.regions.get(object) ?? { first: 0, count: 0 }
      return Array.from({ length: count }, (_, i) => first + i)
    }
    const item = this.variables.get(object)
    return item === undefined ? [] : [item]
  }

  /** Where two threads meet whatever data is about: lives of heap objects, numbers and ends of threads. */
  get controlItems(): readonly number[] {
    const ends = Array.from({ length: this.threads - this.firstEnd }, (_, i) => this.firstEnd + i)
    return [...this.lives.values(), ...ends, this.threads]
  }

  /** What one step over the edge touches, the end of its thread excepted. */
  of(edge: Edge, resolver = this.resolver): Footprint {
    let known = this.known.get(resolver)
    if (!known) this.known.set(resolver, (known = new Map()))
    let footprint = known.get(edge)
    if (!footprint) known.set(edge, (footprint = this.compute(edge, resolver)))
    return footprint
  }

  private compute(edge: Edge, resolver: Resolver): Footprint {
    const footprint = this.empty()
    for (const label of edge.labels) {
      for (const access of labelAccesses(label, false)) this.addAccess(footprint, access)
      switch (label.kind) {
        case 'load':
        case 'store': {
          const items = this.regions.get(label.region)
          if (!items) break
          const set = label.kind === 'store' ? footprint.writes : footprint.reads
          this.addItems(set, items.first, resolver.accessed(label, edge))
          break
        }
        case 'start':
          addBit(footprint.writes, this.threads)
          break
        case 'join':
          for (const automaton of resolver.joined(label, edge)) addBit(footprint.reads, this.firstEnd + automaton)
          break
        default:
      }
    }
    return footprint
  }

  private addItems(set: Bits, first: number, items: readonly number[]): void {
    if (items.length <= MAX_NARROW) {
      for (const item of items) addBit(set, first + item)
      return
    }
    let bits = this.wide.get(items)
    if (!bits) {
      bits = emptyBits(this.count)
      for (const item of items) addBit(bits, first + item)
      this.wide.set(items, bits)
    }
    addAll(set, bits)
  }

  /** Everything that the end of some heap object's life may touch. */
  private heapItems(): Bits {
    if (this.heapBits) return this.heapBits
    const bits = emptyBits(this.count)
    for (const life of this.lives.values()) addBit(bits, life)
    for (const { first, heap } of this.regions.values()) for (const item of heap) addBit(bits, first + item)
    this.heapBits = bits
    return bits
  }

  /**
   * The end of a thread: what joins wait for. It conflicts with them only where a join comes next: a join that comes
   * later cannot be executed before the end. Automata that are templates also go by their names.
   */
  addEnd(to: Footprint, automaton: number | string): void {
    const number = typeof automaton === 'number' ? automaton : this.templates.indexOf(automaton)
    addBit(to.writes, this.firstEnd + number)
  }

  private addAccess({ reads, writes }: Footprint, access: Access): void {
    const set = access.write ? writes : reads
    if (access.kind === 'variable') addBit(set, this.variables.get(access.variable)!)
    else if (access.kind === 'allocation') {
      // An allocation numbers its instance; a free ends the life of any, which every access to the heap notices.
      if (access.object) addBit(set, this.lives.get(access.object)!)
      else addAll(set, this.heapItems())
    }
  }
}

/** Lists of items that are not longer than this are added one by one. */
const MAX_NARROW = 16

// ---- constant addresses

/** Regions with more cells than this are one item. */
const MAX_CELLS = 512

interface FixedItems extends RegionItems {
  readonly all: readonly number[]
  /** By address, for objects at fixed addresses; undefined if they are not told apart. */
  readonly fixed: ReadonlyMap<number, number> | undefined
}

/** Tells apart constant addresses of static objects, and nothing else: joins may wait for any of `automata`. */
export const constantAddresses = (automata: number): Resolver => {
  const known = new Map<Region, FixedItems>()
  const cellsOf = (region: Region): FixedItems => {
    let items = known.get(region)
    if (!items) known.set(region, (items = fixedItems(region)))
    return items
  }
  const all = upTo(automata)
  return {
    cellsOf,
    joined: () => all,
    accessed({ region, address, type }) {
      const { all: cells, fixed } = cellsOf(region)
      if (address.kind === 'const' && fixed) {
        const at = Number(address.value)
        const items = Array.from({ length: byteSize(type) }, (_, i) => fixed.get(at + i)).filter((i) => i !== undefined)
        // Otherwise an address of a thread's or a heap object, or none at all.
        if (items.length > 0) return items
      }
      return cells
    },
  }
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

const fixedItems = (region: Region): FixedItems => {
  const hasHeap = region.slots.some(({ object }) => object.storage === 'heap')
  const cells = region.slots.reduce((sum, slot) => sum + slot.count, 0)
  if (cells > MAX_CELLS) return { count: 1, heap: hasHeap ? [0] : [], all: [0], fixed: undefined }
  const fixed = new Map<number, number>()
  const heap: number[] = []
  let count = 0
  for (const slot of region.slots) {
    if (slot.object.storage === 'heap') heap.push(count)
    if (slot.object.storage !== 'static') count++
    else for (const address of addressesOf(slot)) if (!fixed.has(address)) fixed.set(address, count++)
  }
  return { count, heap, all: upTo(count), fixed }
}

const addressesOf = ({ object, offset, step, count }: Slot): readonly number[] =>
  Array.from({ length: count }, (_, i) => object.base + offset + i * step)
