// Arithmetic of slots: sets of offsets offset + i * step (0 <= i < count) into an object, the abstract pointers of
// points-to analysis. An exact offset has step 0 and count 1. Indexing an array that is declared as such stays inside
// it (an index that leaves it is an invalid access), so that fields beside an array keep apart from its elements.
import type { MemoryObject, Slot } from '../model.js'

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b))
const modulo = (a: number, b: number): number => ((a % b) + b) % b

/** Exact offsets may leave their object by this much before they mean any part of it: pointers that come back. */
const MARGIN = 4096

export const exactSlot = (object: MemoryObject, offset: number): Slot => ({ object, offset, step: 0, count: 1 })

export const wholeObject = (object: MemoryObject): Slot => residues(object, 0, 1)

/** Every offset of the object that is congruent to this one. */
const residues = (object: MemoryObject, offset: number, step: number): Slot => {
  const first = modulo(offset, step)
  return normal({ object, offset: first, step, count: Math.max(1, Math.ceil((object.size - first) / step)) })
}

const normal = (slot: Slot): Slot => (slot.count === 1 ? exactSlot(slot.object, slot.offset) : slot)

export const slotKey = ({ object, offset, step, count }: Slot): string => `${object.id}:${offset}:${step}:${count}`

/** The slot moved by a constant: a multiple of its step stays in it. */
export const shift = (slot: Slot, by: number): Slot => {
  const { object, step } = slot
  if (by === 0 || (step > 0 && by % step === 0)) return slot
  const offset = slot.offset + by
  return offset < -MARGIN || offset > object.size + MARGIN ? wholeObject(object) : { ...slot, offset }
}

/** The slot moved by any multiple of `step`: within the declared array that it lies in, or within the object. */
export const spread = (slot: Slot, step: number): Slot => {
  const wide = step === 0 ? slot.step : gcd(slot.step, step)
  if (wide === slot.step) return slot
  return withinArray(slot.object, slot.offset, wide) ?? residues(slot.object, slot.offset, wide)
}

const withinArray = (object: MemoryObject, offset: number, step: number): Slot | undefined => {
  let best: Slot | undefined
  for (const cell of object.cells) {
    const end = cell.offset + cell.step * cell.count
    if (cell.count < 2 || offset < cell.offset || offset >= end) continue
    if (step % cell.step !== 0 && cell.step % step !== 0) continue
    const first = cell.offset + modulo(offset - cell.offset, step)
    const slot = normal({ object, offset: first, step, count: Math.ceil((end - first) / step) })
    if (!best || slot.count > best.count) best = slot
  }
  return best
}

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
  const inside = slots.filter((s) => s.offset >= 0 && lastOffset(s) <= first.object.size)
  const [start, ...rest] = inside.length > 0 ? inside : slots
  const step = rest.reduce((g, slot) => gcd(gcd(g, slot.step), slot.offset - start!.offset), start!.step)
  if (step === 0) return start!
  const array = withinArray(first.object, start!.offset, step)
  return array && inside.every((s) => contains(array, s)) ? array : residues(first.object, start!.offset, step)
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
