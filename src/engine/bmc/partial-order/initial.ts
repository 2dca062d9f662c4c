// What memory and variables hold before anybody wrote: declared initial values, zero, or anything.
import { and, bvUle, eq, ite, le, or, select, type Term, variable } from '../../../logic/index.js'
import { intType, type MemoryObject, POINTER, type Region, type Variable } from '../../../xcfa/index.js'
import type { Encoding } from '../../../xcfa/terms/index.js'

const BYTE = intType(8, false)

export const initialValueOf = (encoding: Encoding, v: Variable): Term =>
  v.initial === 'any'
    ? variable(`initial:${v.name}#${v.id}`, encoding.sortOf(v.type))
    : encoding.constant(v.type, v.initial)

/** `owner` tells the threads' own memories apart; `instances` how many there may be of an object. */
export const initialMemory = (
  encoding: Encoding,
  region: Region,
  address: Term,
  owner: number,
  instances: (object: MemoryObject) => number,
): Term => {
  const sort = encoding.regionSort(region)
  const element = region.element === 'bytes' ? BYTE : region.element
  const zero = encoding.constant(element, 0)
  const objects = [...new Set(region.slots.map((s) => s.object))]
  const anything = objects.some((o) => o.contents === 'any')
  const at = (value: number): Term =>
    encoding.constant(POINTER[encoding.addressSort.kind === 'bv' && encoding.addressSort.width === 32 ? 32 : 64], value)
  const below = encoding.arithmetic === 'int' ? le : bvUle
  const within = (o: MemoryObject): Term => {
    const blocks = Array.from({ length: instances(o) }, (_, k) => o.base + k * o.stride)
    return or(blocks.map((from) => and(below(at(from), address), below(address, at(from + o.size)))))
  }
  let result: Term = anything ? select(variable(`initial:${region.name}#${region.id}:${owner}`, sort), address) : zero
  if (anything) for (const o of objects) if (o.contents === 'zero') result = ite(within(o), zero, result)
  for (const o of objects)
    for (let k = 0; k < instances(o); k++)
      for (const { offset, type, value } of o.initial) {
        const from = o.base + k * o.stride + offset
        const constant = encoding.constant(type, value)
        const cells =
          region.element === 'bytes'
            ? encoding.toBytes(type, constant)
            : [encoding.reinterpret(type, element, constant)]
        cells.forEach((cell, i) => {
          if (cell !== zero || anything) result = ite(eq(address, at(from + i)), cell, result)
        })
      }
  return result
}
