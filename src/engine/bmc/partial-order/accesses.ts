// What an unrolled edge touches: for races, and for the values of memory that nobody wrote.
import { evaluate, type Model, type Term } from '../../../logic/index.js'
import { programValue } from '../../../symbolic/index.js'
import {
  accessesOf,
  byteSize,
  type Edge,
  type Load,
  type MemoryObject,
  type Region,
  type Store,
  type Value,
  type Variable,
} from '../../../xcfa/index.js'

/** What an edge touches, for races. */
export interface EdgeAccess {
  readonly place: Variable | Region
  readonly address?: Term
  readonly size: number
  readonly write: boolean
  readonly atomic: boolean
}

/** A memory label as it is executed. */
export interface Touched {
  readonly label: Load | Store
  readonly address: Term
  /** What a load finds. */
  readonly value: Term
}

/** In the order of the edge's memory labels. */
export const accessesIn = (edge: Edge, touched: readonly Touched[]): readonly EdgeAccess[] => {
  const found: EdgeAccess[] = []
  let memory = 0
  for (const access of accessesOf(edge)) {
    const { write, atomic } = access
    if (access.kind === 'variable') found.push({ place: access.variable, size: 1, write, atomic })
    if (access.kind !== 'memory') continue
    const { address } = touched[memory++]!
    if (access.region.scope === 'global')
      found.push({ place: access.region, address, size: access.size, write, atomic })
  }
  return found
}

/**
 * Along the steps of a model: what loads found in bytes that were arbitrary until then. Asked for each step in order;
 * every byte has one value.
 */
export const arbitraryValues = (model: Model): ((touched: readonly Touched[]) => readonly Value[]) => {
  const known = new Set<number>()
  return (touched) =>
    touched.flatMap(({ label, address, value }) => {
      const at = Number(evaluate(address, model))
      const bytes = Array.from({ length: byteSize(label.type) }, (_, i) => at + i)
      const isFirst = !bytes.some((byte) => known.has(byte))
      for (const byte of bytes) known.add(byte)
      const isArbitrary = label.kind === 'load' && isFirst && startsArbitrary(label.region, at)
      return isArbitrary ? [programValue(label.type, evaluate(value, model))] : []
    })
}

const startsArbitrary = ({ slots }: Region, address: number): boolean => {
  const contains = ({ base, stride, size, instances = 1 }: MemoryObject): boolean =>
    address >= base && address < base + (instances - 1) * stride + size
  const object = slots.map((slot) => slot.object).find(contains)
  if (!object) return false
  const offset = (address - object.base) % (object.stride || 1)
  const isGiven = object.initial.some((i) => i.offset <= offset && offset < i.offset + byteSize(i.type))
  return object.contents === 'any' && !isGiven
}
