// Arithmetic of slots: sets of offsets offset + i * step (0 <= i < count) into an object, the abstract pointers of
// points-to analysis. An exact offset has step 0 and count 1. Indexing an array that is declared as such stays inside
// it (an index that leaves it is an invalid access), so that fields beside an array keep apart from its elements. Rows
// of an array of arrays are one array here, for programs go through all of them with one index; and bytes of a record
// that begins with an array of characters may be those of the whole record.
import { gcd } from '../../../logic/gcd.js'
import type { MemoryObject, Slot } from '../../model.js'

const modulo = (a: number, b: number): number => ((a % b) + b) % b

/** Exact offsets may leave their object by this much before they mean any part of it: pointers that come back. */
const MARGIN = 4096

/**
 * What malloc gave has no size before its site is inlined. It may be any: offsets that an index reaches must meet those
 * that a constant names. All addresses are below this.
 */
const UNKNOWN_SIZE = 2 ** 31

const extentOf = ({ storage, stride, size }: MemoryObject): number =>
  storage === 'heap' && stride === 0 ? UNKNOWN_SIZE : size

export const exactSlot = (object: MemoryObject, offset: number): Slot => ({ object, offset, step: 0, count: 1 })

export const wholeObject = (object: MemoryObject): Slot => residues(object, 0, 1)

/** Every offset of the object that is congruent to this one. */
const residues = (object: MemoryObject, offset: number, step: number): Slot => {
  const first = modulo(offset, step)
  return normal({ object, offset: first, step, count: Math.max(1, Math.ceil((extentOf(object) - first) / step)) })
}

const normal = (slot: Slot): Slot => (slot.count === 1 ? exactSlot(slot.object, slot.offset) : slot)

export const slotKey = ({ object, offset, step, count }: Slot): string => `${object.id}:${offset}:${step}:${count}`

/** The slot moved by a constant: a multiple of its step stays in it, unless it leaps over it, or back. */
export const shift = (slot: Slot, by: number): Slot => {
  const { object, step } = slot
  if (by === 0) return slot
  if (step > 0 && by % step === 0) return by > 0 && by <= lengthOf(slot) ? slot : residues(object, slot.offset, step)
  if (isResidueClass(slot)) return residues(object, slot.offset + by, step)
  const offset = slot.offset + by
  if (offset < -MARGIN || offset > extentOf(object) + MARGIN) return wholeObject(object)
  // Elements of an array: the place after the last one is a pointer, too, and may be moved back into the object.
  const hasEnd = step > 0 && by < 0 && lastOffset(slot) + step + by <= extentOf(object)
  return { ...slot, offset, count: slot.count + (hasEnd ? 1 : 0) }
}

/** Every offset of the object that is congruent to the first: it stands for those outside the object, too. */
const isResidueClass = (slot: Slot): boolean =>
  slot.step > 0 && slot.offset < slot.step && slot.offset >= 0 && lastOffset(slot) + slot.step >= extentOf(slot.object)

interface Spreading {
  readonly stride: number
  readonly widest: number
  readonly forward: number | undefined
}

/**
 * The slot moved by any multiple of `stride`, a sum of multiples of which the greatest is `widest`: within the declared
 * array that it lies in, if that is wide enough for it, or at most `forward`, or within the object.
 */
export const spread = (slot: Slot, { stride, widest, forward }: Spreading): Slot => {
  if (stride === 0) return slot
  const wide = gcd(slot.step, stride)
  if (wide === slot.step && widest <= lengthOf(slot)) return slot
  const reach = Math.max(widest, lengthOf(slot))
  return (
    withinArray(slot.object, slot.offset, wide, reach) ??
    forwards(slot, wide, forward) ??
    residues(slot.object, slot.offset, wide)
  )
}

/** Only forwards, to the end of the object at most. What stands for offsets outside the object tells no beginning. */
const forwards = (slot: Slot, step: number, by: number | undefined): Slot | undefined => {
  if (by === undefined || isResidueClass(slot)) return undefined
  const last = Math.max(lastOffset(slot), Math.min(lastOffset(slot) + by, extentOf(slot.object)))
  return normal({ object: slot.object, offset: slot.offset, step, count: Math.floor((last - slot.offset) / step) + 1 })
}

const withinArray = (object: MemoryObject, offset: number, step: number, reach: number): Slot | undefined => {
  const array = arraysOf(object).find(
    (each) => each.offset <= offset && offset < each.end && step % each.step === 0 && each.offset + reach < each.end,
  )
  if (!array) return undefined
  const first = array.offset + modulo(offset - array.offset, step)
  return normal({ object, offset: first, step, count: Math.ceil((array.end - first) / step) })
}

interface DeclaredArray {
  readonly offset: number
  readonly end: number
  readonly step: number
}

const declaredArrays = new WeakMap<MemoryObject, readonly DeclaredArray[]>()

const arraysOf = (object: MemoryObject): readonly DeclaredArray[] => {
  let arrays = declaredArrays.get(object)
  if (!arrays)
    declaredArrays.set(object, (arrays = rowsJoined(object).filter((array) => !isBytesOfMore(array, object))))
  return arrays
}

const rowsJoined = ({ cells }: MemoryObject): readonly DeclaredArray[] => {
  const arrays: (DeclaredArray & { readonly shape: string })[] = []
  for (const { offset, step, count, path } of cells) {
    if (count < 2) continue
    const shape = path.replace(/\[\d+\]/g, '[]')
    const before = arrays.at(-1)
    const isNextRow = before?.end === offset && before.step === step && before.shape === shape
    if (isNextRow) arrays.pop()
    arrays.push({ offset: isNextRow ? before.offset : offset, end: offset + step * count, step, shape })
  }
  return arrays
}

/** Characters at the beginning of a record with more in it: its bytes may be gone through from there. */
const isBytesOfMore = ({ offset, end, step }: DeclaredArray, { cells }: MemoryObject): boolean => {
  if (step > 1) return false
  const path = cells.find((cell) => cell.offset === offset && cell.step === step)?.path ?? ''
  const records = [...path.matchAll(/\./g)].map(({ index }) => path.slice(0, index + 1))
  return records.some((record) => {
    const members = cells.filter((cell) => cell.path.startsWith(record))
    return members.every((cell) => cell.offset >= offset) && members.some((cell) => cell.offset >= end)
  })
}

/** From the first offset of a slot to its last. */
const lengthOf = ({ step, count }: Slot): number => step * (count - 1)

/** Last offset of a slot. */
export const lastOffset = (slot: Slot): number => slot.offset + slot.step * (slot.count - 1)

/** The step of both slots together; 0 for two exact ones. */
export const commonStep = (a: Slot, b: Slot): number => gcd(a.step, b.step)

export const contains = (big: Slot, small: Slot): boolean => {
  if (big.object !== small.object) return false
  if (small.offset < big.offset || lastOffset(small) > lastOffset(big)) return false
  if (big.step === 0) return small.step === 0
  return (small.offset - big.offset) % big.step === 0 && small.step % big.step === 0
}

/** Whether accesses of these sizes at the two slots can share a byte (for the same instance). */
export const overlaps = (a: Slot, sizeA: number, b: Slot, sizeB: number): boolean => {
  if (a.object !== b.object) return false
  if (a.offset >= lastOffset(b) + sizeB || b.offset >= lastOffset(a) + sizeA) return false
  const step = gcd(a.step, b.step)
  if (step === 0) return true
  const distance = modulo(b.offset - a.offset, step)
  return distance < sizeA || step - distance < sizeB
}

/** One slot that contains all of these, which lie in one object. */
export const cover = (slots: readonly [Slot, ...Slot[]]): Slot => {
  const [first] = slots
  const inside = slots.filter((s) => s.offset >= 0 && lastOffset(s) <= extentOf(first.object))
  const start = inside[0] ?? first
  // Pointers outside the object may come back: what they are congruent to counts, although the cover has no such offset.
  const step = slots.reduce((g, slot) => gcd(gcd(g, slot.step), slot.offset - start.offset), 0)
  if (step === 0) return start
  const array = withinArray(first.object, start.offset, step, step)
  return array && inside.every((s) => contains(array, s)) ? array : residues(first.object, start.offset, step)
}

/** The least and the greatest offset, with the step that all share: addresses actually meant, nothing beyond. */
export const hull = (slots: readonly [Slot, ...Slot[]]): Slot => {
  const first = slots.reduce((a, b) => (b.offset < a.offset ? b : a))
  const step = slots.reduce((g, slot) => gcd(gcd(g, slot.step), slot.offset - first.offset), 0)
  const last = Math.max(...slots.map(lastOffset))
  return step === 0
    ? first
    : { object: first.object, offset: first.offset, step, count: (last - first.offset) / step + 1 }
}
