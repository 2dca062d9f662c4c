// Memory locations of a program, numbered as they are met: global variables, cells of memory, and for each heap block
// its life. A cell is the bytes of one access; two accesses that overlap without being the same bytes are not supported.
import type { Layout, ObjectLayout } from '../../semantics/layout.js'
import { initialBlock, placeOf, readValue, unknownBytes } from '../../semantics/memory.js'
import {
  bitcastValue,
  byteSize,
  type MemoryObject,
  type Position,
  type Region,
  sameType,
  type Type,
  Unsupported,
  type Value,
  type Variable,
  wrap,
} from '../../xcfa/index.js'
import type { InBlock, LocationId } from './point.js'

export interface LocationInfo {
  readonly id: LocationId
  readonly kind: 'variable' | 'cell' | 'life'
  readonly name: string
  readonly type: Type
  /** Absent: any value. */
  readonly initial: Value | undefined
  readonly address: number
  readonly size: number
  /** The library's own bookkeeping, which pictures leave out. */
  readonly isLibrary: boolean
  /** Declared atomic: nobody accesses it in any other way. */
  readonly isAtomic?: boolean
  /** Cells of a heap block: the location of its life. */
  readonly life?: LocationId
  readonly object?: MemoryObject
}

export type Resolved =
  | { readonly kind: 'cell'; readonly location: LocationInfo; readonly block?: InBlock }
  | { readonly kind: 'bad'; readonly text: string }

export class Locations {
  readonly all: LocationInfo[] = []
  private readonly variables: (LocationInfo | undefined)[] = []
  private readonly cells = new Map<number, LocationInfo>()
  private readonly lives = new Map<number, LocationInfo>()
  private readonly instances = new Map<string, number>()
  private readonly counts = new Map<ObjectLayout, number>()

  constructor(readonly layout: Layout) {}

  ofVariable(slot: number, variable: Variable): LocationInfo {
    return (this.variables[slot] ??= this.add({
      kind: 'variable',
      name: variable.source ?? variable.name,
      type: variable.type,
      initial: variable.initial === 'any' ? undefined : wrap(variable.type, variable.initial),
      address: 0,
      size: 0,
      isLibrary: variable.role !== undefined,
      isAtomic: variable.atomic === true,
    }))
  }

  /** The cell that an access hits, or why it hits none. */
  resolve(region: Region, address: Value, type: Type, position: Position): Resolved {
    if (address === 0) return { kind: 'bad', text: 'null pointer dereference' }
    const place = placeOf(this.layout, address)
    const bad = (): Resolved => ({
      kind: 'bad',
      text: `invalid access: ${place?.owner.object.name ?? `address ${address}`}`,
    })
    if (!place || place.owner.object.procedure !== undefined) return bad()
    const { owner, instance, offset } = place
    if (!this.layout.hitsCell(region, owner.object, offset)) return bad()
    const size = byteSize(type)
    const isHeap = owner.object.storage === 'heap'
    if (!isHeap && offset + size > owner.object.size) return bad()
    const life = isHeap ? this.lifeOf(owner, instance) : undefined
    const location = this.cells.get(address as number) ?? this.addCell(owner, instance, offset, type, position, life)
    if (location.size !== size) throw several(owner.object, position)
    return { kind: 'cell', location, ...(life && { block: { life: life.id, end: offset + size } }) }
  }

  private addCell(
    owner: ObjectLayout,
    instance: number,
    offset: number,
    type: Type,
    position: Position,
    life: LocationInfo | undefined,
  ): LocationInfo {
    const { object } = owner
    const size = byteSize(type)
    const address = object.base + (object.storage === 'static' ? 0 : instance * object.stride) + offset
    for (let byte = address - 15; byte < address + size; byte++) {
      const other = this.cells.get(byte)
      if (other && byte + other.size > address) throw several(object, position)
    }
    const suffix = `${object.storage === 'static' ? '' : `#${instance}`}${object.size > size ? `+${offset}` : ''}`
    const location = this.add({
      ...{ kind: 'cell', name: `${object.name}${suffix}`, type, address, size },
      initial: this.firstValue(owner, offset, type),
      isLibrary: object.role !== undefined,
      ...(life && { life: life.id }),
      object,
    })
    this.cells.set(address, location)
    return location
  }

  private firstValue(owner: ObjectLayout, offset: number, type: Type): Value | undefined {
    if (owner.object.storage === 'heap') return owner.object.contents === 'any' ? undefined : wrap(type, 0)
    const block = initialBlock(owner)
    return unknownBytes(block, offset, byteSize(type)) > 0 ? undefined : readValue(block, offset, type)
  }

  /** The life of a heap block: 0 before it is allocated, its size + 1 while it lives, -1 after it was freed. */
  lifeOf(owner: ObjectLayout, instance: number): LocationInfo {
    const { object } = owner
    const address = object.base + instance * object.stride
    let life = this.lives.get(address)
    if (!life) {
      const type: Type = { kind: 'int', width: 64, signed: true }
      life = this.add({
        ...{ kind: 'life', name: `block ${object.name}#${instance}`, type, initial: 0, address, size: 0 },
        isLibrary: true,
        object,
      })
      this.lives.set(address, life)
    }
    return life
  }

  /** The block that a thread's k-th allocation gives: which one does not depend on other threads. */
  allocate(
    object: MemoryObject,
    thread: number,
    k: number,
    position: Position,
  ): { address: number; life: LocationInfo } {
    const owner = this.layout.objects.find((o) => o.object === object)
    if (!owner) throw new Error(`object ${object.name} belongs to no part of the program`)
    const key = `${owner.index}:${thread}:${k}`
    let instance = this.instances.get(key)
    if (instance === undefined) {
      instance = this.counts.get(owner) ?? 0
      if (instance >= owner.capacity) throw new Unsupported(`more than ${owner.capacity} allocations`, position)
      this.counts.set(owner, instance + 1)
      this.instances.set(key, instance)
    }
    return { address: object.base + instance * object.stride, life: this.lifeOf(owner, instance) }
  }

  /** The block that begins at an address. */
  freed(address: Value): LocationInfo | undefined {
    const place = placeOf(this.layout, address)
    if (place?.offset !== 0 || place.owner.object.storage !== 'heap' || place.owner.object.automatic) return undefined
    return this.lifeOf(place.owner, place.instance)
  }

  private add(info: Omit<LocationInfo, 'id'>): LocationInfo {
    const location = { id: this.all.length, ...info }
    this.all.push(location)
    return location
  }
}

const several = ({ name }: MemoryObject, position: Position): Unsupported =>
  new Unsupported(`accesses of several sizes to ${name} in the engine graphs`, position)

/** A value as the type that a location has, or as the one that an access has. */
export const convert = (from: Type, to: Type, value: Value): Value =>
  sameType(from, to) ? value : bitcastValue(from, to, value)
