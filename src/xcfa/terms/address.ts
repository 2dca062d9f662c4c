// Which addresses belong to a region: the condition under which an access hits a cell of a live instance.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { MemoryObject, Region, Slot } from '../model.js'
import { POINTER } from '../types.js'
import type { Encoding } from './encoding.js'

/** A slot with more cells than this in all its instances becomes a range with a remainder. */
const ENUMERATION_LIMIT = 8

/** An address or a distance as a term of the address sort. */
export const addressConstant = (encoding: Encoding, address: number): Term =>
  encoding.constant(POINTER[encoding.addressSort === logic.bvSort(32) ? 32 : 64], address)

const atMost = (encoding: Encoding, a: Term, b: Term): Term =>
  encoding.arithmetic === 'int' ? logic.le(a, b) : logic.bvUle(a, b)

const isMultiple = (encoding: Encoding, difference: Term, step: number): Term => {
  if (step === 1) return logic.TRUE
  return encoding.arithmetic === 'int'
    ? logic.eq(logic.mod(difference, logic.intConst(step)), logic.intConst(0))
    : logic.bvIsZero(logic.bvUrem(difference, logic.bvConst(step, logic.widthOf(difference))))
}

/** The cells of one instance whose block begins at `base`. `size`: bytes of the access, for regions of bytes. */
const inSlot = (encoding: Encoding, region: Region, slot: Slot, base: number, address: Term, size: number): Term => {
  const first = base + slot.offset
  if (region.element === 'bytes') {
    const last = first + slot.step * (slot.count - 1) + 1 - size
    if (last < first) return logic.FALSE
    return logic.and(
      atMost(encoding, addressConstant(encoding, first), address),
      atMost(encoding, address, addressConstant(encoding, last)),
    )
  }
  if (slot.count <= ENUMERATION_LIMIT)
    return logic.or(
      Array.from({ length: slot.count }, (_, i) => logic.eq(address, addressConstant(encoding, first + i * slot.step))),
    )
  const last = first + (slot.count - 1) * slot.step
  const from = addressConstant(encoding, first)
  const difference = encoding.arithmetic === 'int' ? logic.sub(address, from) : logic.bvSub(address, from)
  return logic.and(
    atMost(encoding, from, address),
    atMost(encoding, address, addressConstant(encoding, last)),
    isMultiple(encoding, difference, slot.step),
  )
}

/** `instances` says how many instances of a thread or heap object there may be. */
export const addressInRegion = (
  encoding: Encoding,
  region: Region,
  address: Term,
  size: number,
  instances: (object: MemoryObject) => number,
): Term =>
  logic.or(
    region.slots.flatMap((slot) => {
      const { object } = slot
      if (object.procedure !== undefined) return []
      const count = object.storage === 'static' ? 1 : instances(object)
      return Array.from({ length: count }, (_, k) =>
        inSlot(encoding, region, slot, object.base + k * object.stride, address, size),
      )
    }),
  )
