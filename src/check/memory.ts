// Memory before the first step, and which addresses may be accessed, as the concrete semantics has them. Where exact
// contents would be too large to write down they are arbitrary, which only adds executions.

import type { Term } from '../logic/index.js'
import * as logic from '../logic/index.js'
import { intType, type MemoryObject, POINTER, type Region, type Slot } from '../xcfa/index.js'
import { addressInRegion, type Encoding } from '../xcfa/terms/index.js'

const BYTE = intType(8, false)
/** More cells than this are not written out. */
const MAX_CELLS = 4096
/** An address is compared with so many instances of an object; beyond, with their range. */
const FEW_INSTANCES = 8

export const addressConstant = (encoding: Encoding, value: number): Term => {
  const { addressSort } = encoding
  return encoding.constant(POINTER[addressSort.kind === 'bv' && addressSort.width === 32 ? 32 : 64], value)
}

/** `owner`: whose memory it is, of a region that each thread has for itself. */
export const firstMemory = (encoding: Encoding, region: Region, owner: number | undefined): Term => {
  const sort = encoding.regionSort(region)
  const element = region.element === 'bytes' ? BYTE : region.element
  const zero = encoding.constant(element, 0)
  const isArbitrary = region.slots.some(({ object }) => object.contents === 'any')
  let memory = isArbitrary
    ? logic.variable(`first:${region.name}#${region.id}${owner === undefined ? '' : `:${owner}`}`, sort)
    : logic.constArray(sort, zero)
  const write = (address: number, value: Term): void => {
    memory = logic.store(memory, addressConstant(encoding, address), value)
  }
  if (isArbitrary)
    for (const slot of region.slots)
      if (slot.object.contents === 'zero') for (const address of addressesOf(slot, owner)) write(address, zero)
  for (const object of new Set(region.slots.map((slot) => slot.object)))
    for (const instance of instancesOf(object, owner))
      for (const { offset, type, value } of object.initial) {
        if (!region.slots.some((slot) => slot.object === object && contains(slot, offset))) continue
        const at = object.base + instance * object.stride + offset
        const constant = encoding.constant(type, value)
        if (region.element === 'bytes')
          for (const [i, byte] of encoding.toBytes(type, constant).entries()) write(at + i, byte)
        else write(at, encoding.reinterpret(type, region.element, constant))
      }
  return memory
}

const instancesOf = (object: MemoryObject, owner: number | undefined): readonly number[] => {
  if (object.storage === 'static') return [0]
  return owner === undefined ? Array.from({ length: object.instances ?? 1 }, (_, k) => k) : [owner]
}

const contains = ({ offset, step, count }: Slot, at: number): boolean =>
  at >= offset && at < offset + step * count && (at - offset) % step === 0

const addressesOf = (slot: Slot, owner: number | undefined): readonly number[] => {
  const { object, offset, step, count } = slot
  const instances = instancesOf(object, owner)
  if (instances.length * count > MAX_CELLS) return []
  return instances.flatMap((k) =>
    Array.from({ length: count }, (_, i) => object.base + k * object.stride + offset + i * step),
  )
}

/**
 * The access hits an object, of whichever instance that addresses are reserved for: otherwise the thread stops. Whether
 * the instance is there already, or still, is left open, so that no access depends on starts and allocations.
 */
export const isAccessible = (encoding: Encoding, region: Region, address: Term, size: number): Term => {
  const reserved = ({ storage, instances }: MemoryObject): number => (storage === 'static' ? 1 : (instances ?? 1))
  const isMany = (object: MemoryObject): boolean => reserved(object) > FEW_INSTANCES
  const few = { ...region, slots: region.slots.filter(({ object }) => !isMany(object)) }
  const many = [...new Set(region.slots.map(({ object }) => object))].filter(isMany)
  const inRange = (object: MemoryObject): Term => {
    const end = addressConstant(encoding, object.base + reserved(object) * object.stride)
    const begin = addressConstant(encoding, object.base)
    return logic.and(atMost(encoding, begin, address), logic.not(atMost(encoding, end, address)))
  }
  return logic.or(addressInRegion(encoding, few, address, size, reserved), many.map(inRange))
}

export const atMost = (encoding: Encoding, a: Term, b: Term): Term =>
  encoding.arithmetic === 'int' ? logic.le(a, b) : logic.bvUle(a, b)

/** How far instance number `count` of an object lies behind the first. */
export const instanceOffset = (encoding: Encoding, { stride }: MemoryObject, count: Term): Term =>
  encoding.arithmetic === 'int'
    ? logic.mul(logic.intConst(stride), count)
    : logic.bvMul(count, addressConstant(encoding, stride))
