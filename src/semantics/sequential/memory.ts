// Memory of one execution: blocks of bytes at addresses that only grow, each byte with a mask of the bits that are not
// known. Blocks of a frame are used again by the next call of the same procedure at the same depth.
import { bitcastValue, byteSize, canonical, intType, type Type, type Value, wrap } from '../../xcfa/index.js'
import { bitsOf, fromBits, isKnown, type Maybe } from './value.js'

export interface Block {
  readonly base: number
  size: number
  bytes: DataView
  /** For each byte the bits that are not known; absent when all are. */
  unknown: Uint8Array | undefined
  live: boolean
  readonly heap: boolean
  /** A string literal. */
  readOnly?: true
}

/** Nothing can be said of the execution from here on. */
export class GaveUp extends Error {}

const MAX_BYTES = 1 << 29
const ALIGNMENT = 16

const NOTHING = new DataView(new ArrayBuffer(0))

export class Memory {
  /** By address. */
  private readonly blocks: Block[] = []
  private next: number
  private total = 0
  private last: Block | undefined

  constructor(firstAddress: number) {
    this.next = firstAddress
  }

  /** A static object at its own address; in ascending order. */
  place(base: number, size: number): Block {
    this.count(size)
    const block: Block = { base, size, bytes: newBytes(size), unknown: undefined, live: true, heap: false }
    this.blocks.push(block)
    this.next = Math.max(this.next, roundUp(base + size + ALIGNMENT))
    return block
  }

  /** Where objects begin that come to life later. */
  startDynamicAt(address: number): void {
    this.next = Math.max(this.next, roundUp(address + ALIGNMENT))
  }

  allocate(size: number, contents: 'zero' | 'any', heap: boolean): Block {
    this.count(size)
    const unknown = contents === 'any' ? new Uint8Array(size).fill(255) : undefined
    const block: Block = { base: this.next, size, bytes: newBytes(size), unknown, live: true, heap }
    this.blocks.push(block)
    this.next = roundUp(this.next + size + ALIGNMENT)
    return block
  }

  private count(size: number): void {
    this.total += size
    if (this.total > MAX_BYTES) throw new GaveUp('more memory than one execution may have')
  }

  release(block: Block): void {
    this.total -= block.size
    block.live = false
    block.bytes = NOTHING
    block.unknown = undefined
  }

  /** The block that starts at this address. */
  startingAt(address: number): Block | undefined {
    const block = this.around(address)
    return block?.base === address ? block : undefined
  }

  private around(address: number): Block | undefined {
    let low = 0
    let high = this.blocks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.blocks[middle]!.base <= address) low = middle + 1
      else high = middle
    }
    return this.blocks[low - 1]
  }

  private at(address: Maybe, size: number): Block {
    if (typeof address !== 'number') throw new GaveUp('an access at an address that is not known')
    const { last } = this
    if (last?.live && address >= last.base && address + size <= last.base + last.size) return last
    const block = this.around(address)
    if (!block?.live || address < block.base || address + size > block.base + block.size)
      throw new GaveUp('undefined behaviour: an access outside of any object')
    this.last = block
    return block
  }

  load(address: Maybe, type: Type): Maybe {
    const size = byteSize(type)
    const { base, bytes, unknown } = this.at(address, size)
    const offset = (address as number) - base
    if (unknown) {
      let hidden = 0
      for (let i = offset; i < offset + size; i++) hidden |= unknown[i]!
      if (hidden !== 0) return partialAt(bytes, unknown, offset, type)
    }
    return read(bytes, offset, type)
  }

  store(address: Maybe, type: Type, value: Maybe): void {
    const size = byteSize(type)
    const block = this.at(address, size)
    if (block.readOnly) throw new GaveUp('undefined behaviour: a string literal is changed')
    const offset = (address as number) - block.base
    if (isKnown(value)) {
      write(block.bytes, offset, type, value)
      block.unknown?.fill(0, offset, offset + size)
      return
    }
    block.unknown ??= new Uint8Array(block.size)
    const { bits, unknown } = bitsOf(type, value)
    for (let i = 0; i < size; i++) {
      block.bytes.setUint8(offset + i, Number((bits >> BigInt(i * 8)) & 255n))
      // A _Bool has one bit, its byte eight.
      const hidden = Number((unknown >> BigInt(i * 8)) & 255n)
      block.unknown[offset + i] = value === undefined ? 255 : hidden
    }
  }
}

const newBytes = (size: number): DataView => new DataView(new ArrayBuffer(size))
const roundUp = (value: number): number => Math.ceil(value / ALIGNMENT) * ALIGNMENT

const partialAt = (bytes: DataView, unknown: Uint8Array, offset: number, type: Type): Maybe => {
  if (type.kind !== 'int') return undefined
  let [word, hidden] = [0n, 0n]
  for (let i = byteSize(type) - 1; i >= 0; i--) {
    word = (word << 8n) | BigInt(bytes.getUint8(offset + i))
    hidden = (hidden << 8n) | BigInt(unknown[offset + i]!)
  }
  return fromBits(type, word, hidden)
}

const read = (bytes: DataView, offset: number, type: Type): Value => {
  switch (type.kind) {
    case 'float':
      if (type.width === 80) return readWide(bytes, offset, 10)
      return type.width === 32 ? bytes.getFloat32(offset, true) : bytes.getFloat64(offset, true)
    case 'bool':
      return wrap(type, bytes.getUint8(offset))
    case 'int':
    case 'pointer': {
      const isSigned = type.kind === 'int' && type.signed
      switch (type.width) {
        case 8:
          return isSigned ? bytes.getInt8(offset) : bytes.getUint8(offset)
        case 16:
          return isSigned ? bytes.getInt16(offset, true) : bytes.getUint16(offset, true)
        case 32:
          return isSigned ? bytes.getInt32(offset, true) : bytes.getUint32(offset, true)
        case 64: {
          const high = isSigned ? bytes.getInt32(offset + 4, true) : bytes.getUint32(offset + 4, true)
          if (high >= -0x200000 && high < 0x200000) {
            const word = high * 0x100000000 + bytes.getUint32(offset, true)
            if (Number.isSafeInteger(word)) return word
          }
          return canonical(isSigned ? bytes.getBigInt64(offset, true) : bytes.getBigUint64(offset, true))
        }
        case 128:
          return wrap(type, canonical(readWide(bytes, offset, 16)))
        default:
          if (type.width <= 8) return wrap(type, bytes.getUint8(offset))
          throw new GaveUp(`memory of ${type.width} bits`)
      }
    }
  }
}

const LONG_DOUBLE_BITS = intType(80, false)

const readWide = (bytes: DataView, offset: number, size: number): bigint => {
  let word = 0n
  for (let i = size - 1; i >= 0; i--) word = (word << 8n) | BigInt(bytes.getUint8(offset + i))
  return word
}

const writeWide = (bytes: DataView, offset: number, size: number, value: Value): void => {
  const word = BigInt(value)
  for (let i = 0; i < size; i++) bytes.setUint8(offset + i, Number((word >> BigInt(8 * i)) & 255n))
}

const write = (bytes: DataView, offset: number, type: Type, value: Value): void => {
  switch (type.kind) {
    case 'float':
      if (type.width === 80) writeWide(bytes, offset, 10, bitcastValue(type, LONG_DOUBLE_BITS, value))
      else if (type.width === 32) bytes.setFloat32(offset, Number(value), true)
      else bytes.setFloat64(offset, Number(value), true)
      return
    case 'bool':
      bytes.setUint8(offset, Number(value))
      return
    case 'int':
    case 'pointer':
      if (type.width <= 8) bytes.setUint8(offset, Number(value))
      else if (type.width === 16) bytes.setUint16(offset, Number(value), true)
      else if (type.width === 32) bytes.setUint32(offset, Number(value), true)
      else if (type.width === 128) writeWide(bytes, offset, 16, value)
      else if (type.width !== 64) throw new GaveUp(`memory of ${type.width} bits`)
      else if (typeof value === 'number') {
        bytes.setUint32(offset, value % 0x100000000, true)
        bytes.setInt32(offset + 4, Math.floor(value / 0x100000000), true)
      } else bytes.setBigUint64(offset, BigInt.asUintN(64, value), true)
  }
}
