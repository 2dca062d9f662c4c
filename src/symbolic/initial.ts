// What variables and memory hold before the first step, as terms: declared values, zero, or anything. Contents that are
// too many to write out, or that belong to instances which cannot be enumerated, are arbitrary: that allows more
// executions than there are, so that TRUE stays right, and a counterexample is replayed.
import type { Term } from '../logic/index.js'
import * as logic from '../logic/index.js'
import { intType, type MemoryObject, type Region, type Type, type Variable } from '../xcfa/index.js'
import { addressConstant, type Encoding } from '../xcfa/terms/index.js'

const BYTE = intType(8, false)

/** The type of what a region holds at one address. */
export const elementOf = ({ element }: Region): Type => (element === 'bytes' ? BYTE : element)

export interface Initial {
  readonly value: Term
  /** What is known of a value that may be anything. */
  readonly fact: Term
}

export const initialVariable = (v: Variable, encoding: Encoding): Initial => {
  if (v.initial !== 'any') return { value: encoding.constant(v.type, v.initial), fact: logic.TRUE }
  const value = logic.variable(`initial:${v.name}#${v.id}`, encoding.sortOf(v.type))
  return { value, fact: encoding.inRange(v.type, value) }
}

export interface InitialPolicy {
  /** The thread that has the region for itself; undefined: all threads share it. */
  readonly owner: number | undefined
  /** The instances that an object may have; undefined: they cannot be enumerated. */
  readonly instances: (object: MemoryObject) => readonly number[] | undefined
  /** More cells than this are not written out one by one. */
  readonly maxCells: number
}

/** All instances that addresses are reserved for, and of a thread's own memory its own. */
export const reservedInstances =
  (owner: number | undefined): InitialPolicy['instances'] =>
  ({ storage, instances = 1 }) => {
    if (storage === 'static') return [0]
    return owner !== undefined && storage === 'thread' ? [owner] : Array.from({ length: instances }, (_, k) => k)
  }

export interface InitialMemory {
  readonly value: Term
  /** The variable for contents that may be anything. It keeps its value: nobody writes to it. */
  readonly arbitrary?: Term
}

interface InitialCell {
  readonly address: number
  readonly value: Term
}

export const initialMemory = (encoding: Encoding, region: Region, policy: InitialPolicy): InitialMemory => {
  const zero = encoding.constant(elementOf(region), 0)
  const sort = encoding.regionSort(region)
  const objects = [...new Set(region.slots.map(({ object }) => object))].filter((o) => o.procedure === undefined)
  const declared = new Map(objects.map((object) => [object, declaredCells(encoding, region, object, policy)]))
  const isKnown = (object: MemoryObject): boolean => object.contents === 'zero' && declared.get(object) !== undefined
  const write = (memory: Term, { address, value }: InitialCell): Term =>
    logic.store(memory, addressConstant(encoding, address), value)
  const written = objects.flatMap((object) => declared.get(object) ?? [])
  if (objects.every(isKnown)) return { value: written.reduce(write, logic.constArray(sort, zero)) }
  const owner = policy.owner === undefined ? '' : `:${policy.owner}`
  const arbitrary = logic.variable(`initial:${region.name}#${region.id}${owner}`, sort)
  const zeros = objects.filter(isKnown).flatMap((object) => addressesOf(region, object, policy))
  const zeroed = zeros.map((address) => ({ address, value: zero }))
  return { value: [...zeroed, ...written].reduce(write, arbitrary), arbitrary }
}

/** Cells with a declared value, in all instances; undefined: they are not written out. */
const declaredCells = (
  encoding: Encoding,
  region: Region,
  object: MemoryObject,
  { instances, maxCells }: InitialPolicy,
): readonly InitialCell[] | undefined => {
  const initial = object.initial.filter(({ offset }) => holds(region, object, offset))
  if (initial.length === 0) return []
  const numbers = instances(object)
  if (!numbers || numbers.length * initial.length > maxCells) return undefined
  return numbers.flatMap((k) =>
    initial.flatMap(({ offset, type, value }) => {
      const constant = encoding.constant(type, value)
      const cells =
        region.element === 'bytes'
          ? encoding.toBytes(type, constant)
          : [encoding.reinterpret(type, region.element, constant)]
      return cells.map((cell, i) => ({ address: object.base + k * object.stride + offset + i, value: cell }))
    }),
  )
}

const holds = (region: Region, object: MemoryObject, offset: number): boolean =>
  region.slots.some(
    (slot) =>
      slot.object === object &&
      offset >= slot.offset &&
      offset < slot.offset + slot.step * slot.count &&
      (slot.step <= 1 || (offset - slot.offset) % slot.step === 0),
  )

/** All addresses of an object in a region; none where they are too many to write out. */
const addressesOf = (
  region: Region,
  object: MemoryObject,
  { instances, maxCells }: InitialPolicy,
): readonly number[] => {
  const slots = region.slots.filter((slot) => slot.object === object)
  const numbers = instances(object)
  if (!numbers || numbers.length * slots.reduce((sum, { count }) => sum + count, 0) > maxCells) return []
  return numbers.flatMap((k) =>
    slots.flatMap(({ offset, step, count }) =>
      Array.from({ length: count }, (_, i) => object.base + k * object.stride + offset + i * step),
    ),
  )
}
