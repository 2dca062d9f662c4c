// Memory regions as cells: every address that a region can hold has a cell number, found by a table of pages.
import type { MemoryObject, Program, Region, Slot, Type, Value } from '../../../xcfa/index.js'
import { BYTE, type Cells, type HeapLayout, type PlaceArray, type Shape } from './layout.js'
import { range } from './range.js'

export interface RegionCells {
  readonly region: Region
  readonly elementType: Type
  readonly cells: Cells
  /** Set while a cell holds an arbitrary value that nobody has chosen yet; absent where no object starts so. */
  readonly unchosen: Cells | undefined
  readonly addresses: AddressTable
  /** For each cell: which object's instance it belongs to and at which offset. */
  readonly places: readonly Place[]
  /** For each cell: the number of its heap instance, -1 outside the heap. */
  readonly heapInstance: Int32Array
  /** For each cell: its offset in its object. */
  readonly offsets: Int32Array
}

interface Place {
  readonly object: MemoryObject
  readonly instance: number
  readonly offset: number
}

/** From address to cell, in pages: a region may hold objects that lie far apart. */
export interface AddressTable {
  readonly first: number
  readonly last: number
  readonly pages: readonly (Int32Array | undefined)[]
  /** Addresses with a cell in their order, and their cells. */
  readonly sorted: Float64Array
  readonly cells: Int32Array
}

const PAGE_BITS = 10
const IN_PAGE = (1 << PAGE_BITS) - 1

/** The cell at an address, or -1. */
export const cellAt = ({ first, last, pages }: AddressTable, address: Value): number => {
  if (typeof address === 'bigint' || !(address >= first && address <= last)) return -1
  const index = address - first
  const page = pages[index >>> PAGE_BITS]
  return page ? page[index & IN_PAGE]! : -1
}

/** The cells at these addresses, both included. */
export const cellsWithin = ({ sorted, cells }: AddressTable, low: number, high: number): readonly number[] => {
  let from = 0
  for (let to = sorted.length; from < to; ) {
    const middle = (from + to) >> 1
    if (sorted[middle]! < low) from = middle + 1
    else to = middle
  }
  const found: number[] = []
  for (let i = from; i < sorted.length && sorted[i]! <= high; i++) found.push(cells[i]!)
  return found
}

/** An object with more cells than this has no place in a state. */
const MAX_CELLS = 1 << 24
/** Addresses that are further apart are not told by a number of 32 bits. */
const MAX_SPAN = 2 ** 32

export class TooMuchMemory extends Error {}

export const placeRegion = (
  region: Region,
  program: Program,
  shape: Shape,
  heap: HeapLayout,
  array: PlaceArray,
): RegionCells => {
  const elementType = region.element === 'bytes' ? BYTE : region.element
  const places = region.slots.flatMap((slot) => placesOf(slot, program, shape))
  const count = Math.max(1, places.length)
  const cells = array(region, elementType, count)
  const unchosen = places.some(({ object }) => object.contents === 'any')
    ? array(`unchosen ${region.id}`, BYTE, count, range(0, 1))
    : undefined
  return {
    region,
    elementType,
    cells,
    unchosen,
    addresses: addressTable(region, places),
    places,
    heapInstance: Int32Array.from(places, ({ object, instance }) =>
      object.storage === 'heap' ? heap.instances.get(object)!.first + instance : -1,
    ),
    offsets: Int32Array.from(places, ({ offset }) => offset),
  }
}

const placesOf = ({ object, offset, step, count: most }: Slot, program: Program, shape: Shape): Place[] => {
  const instances = instancesOf(object, program, shape)
  const bytes = shape.heap.get(object)?.bytes ?? object.size
  const count = Math.min(most, Math.max(0, Math.ceil((bytes - offset) / Math.max(1, step))))
  // A function has an address and no readable byte.
  if (object.procedure !== undefined) return []
  if (instances.length * count > MAX_CELLS) throw new TooMuchMemory(`object ${object.name} is too large`)
  return instances.flatMap((instance) =>
    Array.from({ length: count }, (_, i) => ({ object, instance, offset: offset + i * step })),
  )
}

/** The instances that can exist under a shape. */
const instancesOf = (object: MemoryObject, program: Program, shape: Shape): number[] => {
  switch (object.storage) {
    case 'static':
      return [0]
    case 'heap':
      return Array.from({ length: shape.heap.get(object)?.count ?? 0 }, (_, i) => i)
    case 'thread': {
      const owners = [...program.templates.values()].filter((p) => p.objects.includes(object)).map((p) => p.name)
      const numbers = shape.slots.map((_, number) => number)
      if (owners.length === 0) return numbers
      return numbers.filter((number) => shape.slots[number]!.some((name) => owners.includes(name)))
    }
  }
}

const addressTable = (region: Region, places: readonly Place[]): AddressTable => {
  const addresses = places.map(({ object, instance, offset }) => object.base + instance * object.stride + offset)
  const order = Int32Array.from(addresses, (_, cell) => cell).sort((a, b) => addresses[a]! - addresses[b]!)
  const sorted = Float64Array.from(order, (cell) => addresses[cell]!)
  const [first, last] = [sorted[0] ?? 0, sorted.at(-1) ?? -1]
  if (last - first >= MAX_SPAN) throw new TooMuchMemory(`region ${region.name} spans too many addresses`)
  const pages: (Int32Array | undefined)[] = []
  addresses.forEach((address, cell) => {
    const index = address - first
    const page = (pages[index >>> PAGE_BITS] ??= new Int32Array(1 << PAGE_BITS).fill(-1))
    page[index & IN_PAGE] = cell
  })
  return { first, last, pages, sorted, cells: order }
}
