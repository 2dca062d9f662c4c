// Memory as cells: the pieces that accesses read and write as a whole. Where all accesses to an object have one size,
// a cell is such an access; where they overlap in part, it is the largest piece that divides them all.

import type { LitmusTest, MemoryObject } from '../../frontend/litmus/test.js'
import { gcd } from '../../logic/gcd.js'

export interface CellPart {
  readonly cell: bigint
  /** Bytes. */
  readonly size: number
  /** Bits by which the cell's value is shifted in the access. */
  readonly shift: number
}

export class Layout {
  private readonly test: LitmusTest
  /** Bytes of a cell, by object; learnt from the accesses in a first round. */
  private readonly grain = new Map<string, number>()
  private readonly reach = new Map<string, number>()
  private somewhere = 0
  private frozen = false
  /** An access to a known address that no object has: tests that do this are not decided. */
  stray: bigint | undefined
  /** Whether an access is more than one cell. */
  split = false

  constructor(test: LitmusTest) {
    this.test = test
  }

  /** After the first round over all paths: cells are known now. */
  freeze(): void {
    this.frozen = true
  }

  objectAt(address: bigint): MemoryObject | undefined {
    return this.test.objects.find((object) => address >= object.address && address < object.address + 0x100000n)
  }

  accessed(address: bigint, size: number): void {
    const object = this.objectAt(address)
    if (!object) this.stray = address
    if (!object || this.frozen) return
    const offset = Number(address - object.address)
    this.grain.set(object.name, gcd(gcd(this.grain.get(object.name) ?? size, size), offset))
    this.reach.set(object.name, Math.max(this.reach.get(object.name) ?? 0, offset + size))
  }

  accessedSomewhere(size: number): void {
    if (!this.frozen) this.somewhere = gcd(this.somewhere, size)
  }

  grainOf(object: MemoryObject): number {
    const own = this.grain.get(object.name)
    const size = gcd(own ?? this.somewhere, this.somewhere)
    return size === 0 ? object.elementSize : size
  }

  /** Bytes of an object, as declared or as far as accesses reach. */
  sizeOf(object: MemoryObject): number {
    return object.size ?? Math.max(this.reach.get(object.name) ?? 0, object.elementSize)
  }

  /** Where an access whose address is not known before could go. */
  addresses(size: number): readonly bigint[] {
    return this.test.objects.flatMap((object) => {
      const result: bigint[] = []
      for (
        let offset = 0;
        offset + size <= Math.max(this.sizeOf(object), size);
        offset += this.frozen ? Math.min(this.grainOf(object), size) : size
      )
        result.push(object.address + BigInt(offset))
      return result
    })
  }

  cells(address: bigint, size: number): readonly CellPart[] {
    const object = this.objectAt(address)
    if (!object) return [{ cell: address, size, shift: 0 }]
    const grain = this.frozen ? this.grainOf(object) : size
    const result: CellPart[] = []
    for (let offset = 0; offset < size; offset += grain)
      result.push({ cell: address + BigInt(offset), size: grain, shift: offset * 8 })
    if (result.length > 1) this.split = true
    return result
  }

  /** The initial value of a cell. */
  initial(cell: bigint): bigint {
    const object = this.objectAt(cell)
    if (!object) return 0n
    const grain = this.grainOf(object)
    let value = 0n
    const start = Number(cell - object.address)
    for (const [offset, initial] of object.initial)
      for (
        let byte = 0;
        byte < Math.max(object.elementSize, object.size === undefined ? this.sizeOf(object) : 0);
        byte++
      ) {
        const at = offset + byte - start
        if (at >= 0 && at < grain) value |= ((initial >> BigInt(8 * byte)) & 0xffn) << BigInt(8 * at)
      }
    return value
  }
}
