// Memory as state variables: array expansion for bounded arrays (redcomp.txt section VI). A small region is one
// variable a cell; a load through a pointer then is a case split, a store changes each cell on its condition. Larger
// regions, and those on the heap, are one array.
import { constArray, eq, ite, postorder, select, store, type Term } from '../../../logic/index.js'
import { rebuild } from '../../../logic/rewrite.js'
import { elementOf } from '../../../symbolic/initial.js'
import { type MemoryObject, POINTER, type Region } from '../../../xcfa/index.js'
import type { Encoding } from '../../../xcfa/terms/index.js'

/** Regions with more cells are arrays. */
const MAX_CELLS = 24

export type RegionLayout =
  | { readonly kind: 'cells'; readonly addresses: readonly number[] }
  | { readonly kind: 'array' }

/** `instances` numbers the instances of objects of thread storage; undefined: they cannot be enumerated. */
export const layoutOf = (region: Region, instances: readonly number[] | undefined): RegionLayout => {
  const addresses = new Set<number>()
  for (const { object, offset, step, count } of region.slots) {
    if (object.procedure !== undefined) continue
    const numbers = object.storage === 'static' ? [0] : object.storage === 'thread' ? instances : undefined
    if (!numbers || addresses.size + numbers.length * count > MAX_CELLS) return { kind: 'array' }
    for (const k of numbers)
      for (let i = 0; i < count; i++) addresses.add(object.base + k * object.stride + offset + i * step)
  }
  return { kind: 'cells', addresses: [...addresses] }
}

export const addressTerm = (encoding: Encoding, address: number): Term => {
  const { addressSort } = encoding
  return encoding.constant(POINTER[addressSort.kind === 'bv' && addressSort.width === 32 ? 32 : 64], address)
}

/** Cells as an array term, for symbolic execution; `cellValue` reads it back. */
export const memoryOfCells = (
  encoding: Encoding,
  region: Region,
  cells: readonly { readonly address: number; readonly value: Term }[],
): Term =>
  cells.reduce(
    (memory, { address, value }) => store(memory, addressTerm(encoding, address), value),
    constArray(encoding.regionSort(region), encoding.constant(elementOf(region), 0)),
  )

export const cellValue = (memory: Term, address: Term): Term => {
  if (memory.op === 'store') {
    const [inner, at, value] = memory.args as readonly [Term, Term, Term]
    return ite(eq(address, at), value, cellValue(inner, address))
  }
  if (memory.op === 'ite') {
    const [condition, a, b] = memory.args as readonly [Term, Term, Term]
    return ite(condition, cellValue(a, address), cellValue(b, address))
  }
  return memory.op === 'const-array' ? memory.args[0]! : select(memory, address)
}

/** The term without reads of cell arrays: case splits instead. Reads of arrays that are state variables stay. */
export const withoutCellReads = (root: Term): Term => {
  const done = new Map<Term, Term>()
  postorder([root], (term) => {
    const args = term.args.map((arg) => done.get(arg)!)
    const isCellRead = term.op === 'select' && isCells(args[0]!)
    if (isCellRead) done.set(term, cellValue(args[0]!, args[1]!))
    else done.set(term, args.every((arg, i) => arg === term.args[i]) ? term : rebuild(term, args))
  })
  return done.get(root)!
}

/** Whether an array term is made of cells, not of a state variable. */
const isCells = (memory: Term): boolean => {
  if (memory.op === 'store') return isCells(memory.args[0]!)
  if (memory.op === 'ite') return isCells(memory.args[1]!)
  return memory.op === 'const-array'
}

/** What a cell holds before anybody wrote: a constant, or undefined for anything. */
export const initialCell = (encoding: Encoding, region: Region, address: number): Term | undefined => {
  for (const { object } of region.slots) {
    const offset = offsetIn(object, address)
    if (offset === undefined) continue
    for (const { offset: from, type, value } of object.initial) {
      const whole = encoding.constant(type, value)
      if (region.element !== 'bytes' && from === offset) return encoding.reinterpret(type, region.element, whole)
      const byte = region.element === 'bytes' ? encoding.toBytes(type, whole)[offset - from] : undefined
      if (byte) return byte
    }
    return object.contents === 'any' ? undefined : encoding.constant(elementOf(region), 0)
  }
  return undefined
}

const offsetIn = ({ base, stride, size, storage }: MemoryObject, address: number): number | undefined => {
  const distance = address - base
  const offset = storage === 'static' || stride === 0 ? distance : distance % stride
  return distance >= 0 && offset < size ? offset : undefined
}

/** Addresses where an access of `size` bytes hits cells only. */
export const validAddresses = (region: Region, addresses: readonly number[], size: number): readonly number[] => {
  if (region.element !== 'bytes') return addresses
  const all = new Set(addresses)
  return addresses.filter((a) => Array.from({ length: size }, (_, i) => a + i).every((at) => all.has(at)))
}
