// What variables and memory hold before the first step, as terms: init of impact.txt, section II. Where the contents
// of memory are too many to write out they are arbitrary, which allows more executions than there are: TRUE stays
// right, and a counterexample is replayed.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { intType, type MemoryObject, POINTER, type Region, type Slot, type Variable } from '../../xcfa/index.js'
import type { Encoding } from '../../xcfa/terms/index.js'

const BYTE = intType(8, false)

/** More cells than this are not written out one by one. */
const MOST_CELLS = 4096

const ARBITRARY = 'initial:'

/** A name for what something holds before anybody gave it a value. */
export const isArbitrary = (term: Term): boolean => term.name?.startsWith(ARBITRARY) === true

export interface Initial {
  readonly value: Term
  /** What is known of a value that may be anything. */
  readonly fact: Term
}

export const initialVariable = (v: Variable, encoding: Encoding): Initial => {
  if (v.initial !== 'any') return { value: encoding.constant(v.type, v.initial), fact: logic.TRUE }
  const value = logic.variable(`${ARBITRARY}${v.name}#${v.id}`, encoding.sortOf(v.type))
  return { value, fact: encoding.inRange(v.type, value) }
}

/** The memory of a region; `owner`: the thread that has it for itself, of a local one. */
export const initialRegion = (region: Region, owner: number | undefined, encoding: Encoding): Term => {
  const sort = encoding.regionSort(region)
  const element = region.element === 'bytes' ? BYTE : region.element
  const zero = encoding.constant(element, 0)
  const { slots } = region
  const arbitrary = slots.some(({ object }) => object.contents === 'any')
  const name = `${ARBITRARY}${region.name}#${region.id}${owner === undefined ? '' : `:${owner}`}`
  let memory = arbitrary ? logic.variable(name, sort) : logic.constArray(sort, zero)
  const write = (address: number, value: Term): void => {
    memory = logic.store(memory, encoding.constant(pointerType(encoding), address), value)
  }
  if (arbitrary)
    for (const slot of slots)
      if (slot.object.contents === 'zero') for (const address of fewAddresses(slot, owner)) write(address, zero)
  for (const object of new Set(slots.map((slot) => slot.object)))
    for (const k of instancesAtFirst(object, owner))
      for (const { offset, type, value } of object.initial) {
        const constant = encoding.constant(type, value)
        const at = object.base + k * object.stride + offset
        if (!holds(region, object, offset)) continue
        if (region.element === 'bytes')
          for (const [i, byte] of encoding.toBytes(type, constant).entries()) write(at + i, byte)
        else write(at, encoding.reinterpret(type, region.element, constant))
      }
  return memory
}

const pointerType = (encoding: Encoding) =>
  POINTER[encoding.addressSort.kind === 'bv' && encoding.addressSort.width === 32 ? 32 : 64]

const instancesAtFirst = (object: MemoryObject, owner: number | undefined): readonly number[] => {
  if (object.storage === 'static') return [0]
  if (owner !== undefined) return [owner]
  return object.initial.length === 0 ? [] : Array.from({ length: Math.min(object.instances ?? 1, 64) }, (_, k) => k)
}

const holds = (region: Region, object: MemoryObject, offset: number): boolean =>
  region.slots.some(
    (slot) =>
      slot.object === object &&
      offset >= slot.offset &&
      offset < slot.offset + slot.step * slot.count &&
      (offset - slot.offset) % slot.step === 0,
  )

const fewAddresses = ({ object, offset, step, count }: Slot, owner: number | undefined): readonly number[] => {
  const instances =
    object.storage === 'static'
      ? [0]
      : owner !== undefined
        ? [owner]
        : Array.from({ length: object.instances ?? 1 }, (_, k) => k)
  if (instances.length * count > MOST_CELLS) return []
  return instances.flatMap((k) =>
    Array.from({ length: count }, (_, i) => object.base + k * object.stride + offset + i * step),
  )
}
