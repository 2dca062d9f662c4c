// What a region holds before anybody wrote, as an array term. Undefined: anything. Where only a part of it is known
// (some objects are zero, others arbitrary), the known cells are stored into an arbitrary array if they are few.
import type { ArraySort, Term } from '../logic/index.js'
import * as logic from '../logic/index.js'
import { intType, type MemoryObject, POINTER, type Region, type Slot } from '../xcfa/index.js'
import type { Encoding } from '../xcfa/terms/index.js'

const BYTE = intType(8, false)
/** More cells than this are left arbitrary, which only adds behaviour. */
const MOST_CELLS = 256

export const initialRegion = (encoding: Encoding, region: Region): Term | undefined => {
  const element = region.element === 'bytes' ? BYTE : region.element
  const zero = encoding.constant(element, 0)
  const sort: ArraySort = encoding.regionSort(region)
  const objects = [...new Set(region.slots.map((slot) => slot.object))]
  const arbitrary = objects.filter(({ contents }) => contents === 'any')
  if (arbitrary.length === 0) return withInitialCells(encoding, region, logic.constArray(sort, zero))
  const known = region.slots.filter(({ object }) => object.storage === 'static' && object.contents === 'zero')
  const cells = known.flatMap(addressesOf)
  if (known.length === 0 || cells.length > MOST_CELLS) return undefined
  const base = logic.variable(`initial:${region.name}#${region.id}`, sort)
  const zeroed = cells.reduce((array, at) => logic.store(array, addressTerm(encoding, at), zero), base)
  return withInitialCells(encoding, region, zeroed)
}

const withInitialCells = (encoding: Encoding, region: Region, array: Term): Term => {
  const element = region.element === 'bytes' ? BYTE : region.element
  let result = array
  for (const object of new Set(region.slots.map((slot) => slot.object)))
    for (let k = 0; k < instancesOf(object); k++)
      for (const { offset, type, value } of object.initial) {
        const from = object.base + k * object.stride + offset
        if (!region.slots.some((slot) => slot.object === object && hits(slot, offset))) continue
        const constant = encoding.constant(type, value)
        const cells =
          region.element === 'bytes'
            ? encoding.toBytes(type, constant)
            : [encoding.reinterpret(type, element, constant)]
        cells.forEach((cell, i) => {
          result = logic.store(result, addressTerm(encoding, from + i), cell)
        })
      }
  return result
}

const instancesOf = (object: MemoryObject): number => (object.storage === 'static' ? 1 : (object.instances ?? 1))

const hits = ({ offset, step, count }: Slot, at: number): boolean =>
  at >= offset && at < offset + step * count && (step <= 1 || (at - offset) % step === 0)

const addressesOf = ({ object, offset, step, count }: Slot): readonly number[] =>
  Array.from({ length: count }, (_, i) => object.base + offset + i * step)

const addressTerm = (encoding: Encoding, address: number): Term =>
  encoding.constant(POINTER[encoding.addressSort === logic.bvSort(32) ? 32 : 64], address)
