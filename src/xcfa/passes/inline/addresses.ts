// Addresses are given out at compile time: objects never touch, none reaches 2^31, 0 is NULL (model.ts, MemoryObject).
import { type MemoryObject, type Position, Unsupported } from '../../index.js'

export const FIRST_ADDRESS = 0x1000
const LIMIT = 2 ** 31
const GAP = 16
/** Between objects of a program that is checked for accesses out of bounds. */
export const WIDE_GAP = 4096

export interface AddressSpace {
  next: number
  /** Bytes between two objects, where more are wanted than objects need: an index out of bounds then hits none. */
  readonly gap?: number
}

const roundUp = (value: number, align = GAP): number => Math.ceil(value / align) * align

/** Distance between two instances of an object of this size. */
export const strideOf = (size: number, { gap = GAP }: AddressSpace, align = GAP): number =>
  roundUp(size + gap, Math.max(align, GAP))

/** Below this address there is room for the objects of many threads. */
const ROOMY = 2 ** 29

/** How many instances get addresses: fewer of large objects, so that all of them fit below 2^31. */
export const instancesOf = (storage: MemoryObject['storage'], stride: number, { next }: AddressSpace): number => {
  if (storage === 'static') return 1
  const wanted = storage === 'heap' ? (next < ROOMY ? 16_384 : 4096) : next < ROOMY ? 65_536 : 1024
  const least = storage === 'thread' ? 64 : 16
  return Math.max(least, Math.min(wanted, Math.floor(2 ** 22 / stride)))
}

/** The first address of an object. `align`: of all its addresses, if more than objects have anyway. */
export const reserve = (
  space: AddressSpace,
  stride: number,
  instances: number,
  position: Position,
  align = GAP,
): number => {
  const base = roundUp(space.next, Math.max(align, GAP))
  space.next = roundUp(base + stride * instances)
  if (space.next >= LIMIT) throw new Unsupported('a program with more than 2^31 bytes of objects', position)
  return base
}
