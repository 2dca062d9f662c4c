// What memory and variables hold before anybody wrote: declared initial values, zero, or anything.
import { and, bvUle, eq, FALSE, ite, le, not, or, type Term, variable } from '../../../logic/index.js'
import { intType, type MemoryObject, POINTER, type Region, type Variable } from '../../../xcfa/index.js'
import type { Encoding } from '../../../xcfa/terms/index.js'
import type { Unrolling } from './unroll.js'

const BYTE = intType(8, false)

export const initialValueOf = (encoding: Encoding, v: Variable): Term =>
  v.initial === 'any'
    ? variable(`initial:${v.name}#${v.id}`, encoding.sortOf(v.type))
    : encoding.constant(v.type, v.initial)

/** Memory before anybody wrote to it. What is arbitrary there is a variable for each address: no array theory is needed. */
export class InitialMemory {
  private readonly arbitrary = new Map<string, Map<Term, Term>>()

  /** `instances`: how many there may be of an object. */
  constructor(
    private readonly encoding: Encoding,
    private readonly instances: (object: MemoryObject) => number,
  ) {}

  /** `owner` tells the threads' own memories apart. */
  at(region: Region, address: Term, owner: number | 'all'): Term {
    const { encoding, instances } = this
    const element = region.element === 'bytes' ? BYTE : region.element
    const zero = encoding.constant(element, 0)
    const objects = [...new Set(region.slots.map((s) => s.object))]
    const anything = objects.some((o) => o.contents === 'any')
    let result: Term = anything ? this.anything(region, address, owner) : zero
    if (anything)
      for (const o of objects) if (o.contents === 'zero') result = ite(this.within(o, address), zero, result)
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
            if (cell !== zero || anything) result = ite(eq(address, this.addressTerm(from + i)), cell, result)
          })
        }
    return result
  }

  /** The same address holds the same. */
  constraints(): readonly Term[] {
    return [...this.arbitrary.values()].flatMap((contents) => {
      const cells = [...contents]
      return cells.flatMap(([a, one], i) =>
        cells.slice(i + 1).flatMap(([b, other]) => {
          const same = eq(a, b)
          return same === FALSE ? [] : [or(not(same), eq(one, other))]
        }),
      )
    })
  }

  private anything(region: Region, address: Term, owner: number | 'all'): Term {
    const name = `initial:${region.name}#${region.id}:${owner}`
    let contents = this.arbitrary.get(name)
    if (!contents) this.arbitrary.set(name, (contents = new Map()))
    let cell = contents.get(address)
    const { element } = this.encoding.regionSort(region)
    if (!cell) contents.set(address, (cell = variable(`${name}.${contents.size}`, element)))
    return cell
  }

  private within(o: MemoryObject, address: Term): Term {
    const below = this.encoding.arithmetic === 'int' ? le : bvUle
    const blocks = Array.from({ length: this.instances(o) }, (_, k) => o.base + k * o.stride)
    const between = (from: number, to: number): Term =>
      and(below(this.addressTerm(from), address), below(address, this.addressTerm(to)))
    return or(blocks.map((from) => between(from, from + o.size)))
  }

  private addressTerm(value: number): Term {
    const { addressSort } = this.encoding
    return this.encoding.constant(POINTER[addressSort.kind === 'bv' && addressSort.width === 32 ? 32 : 64], value)
  }
}

/** How many instances of an object there can be in the unrolled program. */
export const instancesIn = (unrolling: Unrolling): ((object: MemoryObject) => number) => {
  const threads = Math.max(...unrolling.instances.map((i) => i.number)) + 1
  const allocations = new Map<MemoryObject, number>()
  for (const { nodes } of unrolling.instances)
    for (const node of nodes)
      for (const { edge } of node.outgoing)
        for (const label of edge.labels)
          if (label.kind === 'allocate') allocations.set(label.object, (allocations.get(label.object) ?? 0) + 1)
  return (object) => {
    if (object.storage === 'heap') return allocations.get(object) ?? 0
    return object.storage === 'thread' ? threads : 1
  }
}
