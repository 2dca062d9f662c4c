// Arithmetic on addresses in either encoding, and which of them an access may use.
import type { Term } from '../logic/index.js'
import * as logic from '../logic/index.js'
import { byteSize, type Load, type MemoryObject, type Store } from '../xcfa/index.js'
import { addressConstant, addressInRegion, type Encoding } from '../xcfa/terms/index.js'

export const plus = (encoding: Encoding, a: Term, b: Term): Term =>
  encoding.arithmetic === 'int' ? logic.add(a, b) : logic.bvAdd(a, b)

export const times = (encoding: Encoding, a: Term, factor: number): Term =>
  encoding.arithmetic === 'int'
    ? logic.mul(logic.intConst(factor), a)
    : logic.bvMul(a, addressConstant(encoding, factor))

const atMost = (encoding: Encoding, a: Term, b: Term): Term =>
  encoding.arithmetic === 'int' ? logic.le(a, b) : logic.bvUle(a, b)

export const below = (encoding: Encoding, a: Term, b: Term): Term =>
  encoding.arithmetic === 'int' ? logic.lt(a, b) : logic.bvUlt(a, b)

/** Up to so many instances an address is compared with each; beyond, only with the whole range. */
const FEW_INSTANCES = 8

/**
 * The access hits an instance that there is: one of so many threads, or a heap instance that `count` numbers. Of
 * objects with many instances only that it lies in their range. Freed memory stays accessible.
 */
export const hitsInstance = (
  encoding: Encoding,
  { region, type }: Load | Store,
  address: Term,
  threads: number,
  count: (object: MemoryObject) => Term,
): Term => {
  const size = byteSize(type)
  const instances = ({ storage }: MemoryObject): number => (storage === 'thread' ? threads : 1)
  const isMany = ({ storage }: MemoryObject): boolean =>
    storage === 'heap' || (storage === 'thread' && threads > FEW_INSTANCES)
  const few = { ...region, slots: region.slots.filter(({ object }) => !isMany(object)) }
  const exact = few.slots.length === 0 ? logic.FALSE : addressInRegion(encoding, few, address, size, instances)
  const ranges = [...new Set(region.slots.map(({ object }) => object))].filter(isMany).map((object) => {
    const base = addressConstant(encoding, object.base)
    const live = object.storage === 'heap' ? count(object) : addressConstant(encoding, threads)
    const end = plus(encoding, base, times(encoding, live, object.stride))
    return logic.and(atMost(encoding, base, address), below(encoding, address, end))
  })
  return logic.or(exact, ranges)
}
