// Memory as bytes: one block for each instance of each object, copied on write. Regions of any kind are views of it:
// they are disjoint, and a cell of a typed region occupies its bytes.
// A byte that nobody has given a value is unknown; whoever loads it first decides it (see interpreter.ts).

import { BOOL, byteSize, type Type, type Value, wrap } from '../xcfa/index.js'
import { type Bytes, byteAt, bytesOf, withBytes } from './bytes.js'
import type { Layout, ObjectLayout } from './layout.js'
import { type Sequence, withItem } from './vector.js'

export interface Block {
  readonly bytes: Bytes
  /** 1 for each byte that has a value; absent when all have. */
  readonly known?: Bytes
  /** False after free. */
  readonly live: boolean
}

/** The instances of an object. */
type Column = Sequence<Block | undefined>

/** Blocks by object (index in the layout) and instance; a hole means first contents. */
export type Memory = readonly Column[]

export interface Place {
  readonly owner: ObjectLayout
  readonly instance: number
  readonly offset: number
}

/** The object, instance and offset that an address lies in; bounds and life are for `blockAt` to check. */
export const placeOf = (layout: Layout, address: Value): Place | undefined => {
  if (typeof address !== 'number' || address <= 0) return undefined
  let low = 0
  let high = layout.objects.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (layout.objects[middle]!.object.base <= address) low = middle + 1
    else high = middle
  }
  const owner = layout.objects[low - 1]
  if (!owner) return undefined
  const { object } = owner
  const distance = address - object.base
  const instance = object.storage === 'static' ? 0 : Math.floor(distance / Math.max(object.stride, 1))
  if (instance >= owner.capacity) return undefined
  return { owner, instance, offset: distance - instance * (object.storage === 'static' ? 0 : object.stride) }
}

const initialBlocks = new WeakMap<ObjectLayout, Block>()

/** First contents of an instance of a static or thread object. */
export const initialBlock = (owner: ObjectLayout): Block => {
  let block = initialBlocks.get(owner)
  if (!block) {
    const { object } = owner
    block = freshBlock(object.size, object.contents)
    for (const { offset, type, value } of object.initial) block = writeValue(block, offset, type, value)
    initialBlocks.set(owner, block)
  }
  return block
}

export const freshBlock = (size: number, contents: 'zero' | 'any'): Block => {
  const bytes = bytesOf(size)
  return contents === 'any' && size > 0 ? { bytes, known: bytesOf(size), live: true } : { bytes, live: true }
}

export const FREED: Block = { bytes: bytesOf(0), live: false }

/** The block at a place, if `size` bytes there belong to a live instance. `threads`: how many have been started. */
export const blockAt = (memory: Memory, place: Place, size: number, threads: number): Block | undefined => {
  const { owner, instance, offset } = place
  if (owner.object.procedure !== undefined) return undefined
  const stored = memory[owner.index]?.at(instance)
  const block = stored ?? (isAlive(owner, instance, threads) ? initialBlock(owner) : undefined)
  return block?.live && offset + size <= block.bytes.length ? block : undefined
}

const isAlive = (owner: ObjectLayout, instance: number, threads: number): boolean => {
  switch (owner.object.storage) {
    case 'static':
      return instance === 0
    case 'thread':
      return instance < threads
    case 'heap':
      return false
  }
}

const isNeverMarked = (): boolean => false

export const withBlock = (memory: Memory, place: Place, block: Block): Memory => {
  const next = memory.slice()
  let column = memory[place.owner.index] ?? []
  while (column.length < place.instance) column = withItem(column, column.length, undefined, isNeverMarked)
  next[place.owner.index] = withItem(column, place.instance, block, isNeverMarked)
  return next
}

/** Bytes of [offset, offset + size) that have no value yet. */
export const unknownBytes = (block: Block, offset: number, size: number): number => {
  if (!block.known) return 0
  let count = 0
  for (let i = offset; i < offset + size; i++) if (byteAt(block.known, i) === 0) count++
  return count
}

const buffer = new DataView(new ArrayBuffer(8))

export const readValue = (block: Block, offset: number, type: Type): Value => {
  const { bytes } = block
  const size = byteSize(type)
  if (type.kind === 'float') {
    for (let i = 0; i < size; i++) buffer.setUint8(i, byteAt(bytes, offset + i))
    return type.width === 32 ? buffer.getFloat32(0, true) : buffer.getFloat64(0, true)
  }
  if (size <= 4) {
    let low = 0
    for (let i = size - 1; i >= 0; i--) low = low * 256 + byteAt(bytes, offset + i)
    return wrap(type, low)
  }
  let exact = 0n
  for (let i = size - 1; i >= 0; i--) exact = (exact << 8n) | BigInt(byteAt(bytes, offset + i))
  return wrap(type, exact)
}

export const writeValue = (block: Block, offset: number, type: Type, value: Value): Block => {
  const size = byteSize(type)
  if (type.kind === 'float') {
    if (type.width === 32) buffer.setFloat32(0, Number(value), true)
    else buffer.setFloat64(0, Number(value), true)
  } else buffer.setBigUint64(0, BigInt.asUintN(64, BigInt(type.kind === 'bool' ? wrap(BOOL, value) : value)), true)
  const bytes = withBytes(block.bytes, offset, size, (i) => buffer.getUint8(i))
  if (!block.known) return { bytes, live: true }
  const known = withBytes(block.known, offset, size, () => 1)
  return known.pages.every((page) => page.every((k) => k === 1)) ? { bytes, live: true } : { bytes, known, live: true }
}

/** Bytes that hold any value from now on. */
export const forgetBytes = (block: Block, offset: number, size: number): Block => {
  const { length } = block.bytes
  const known = block.known ?? withBytes(bytesOf(length), 0, length, () => 1)
  // What an unknown byte held does not matter: zero, so that equal contents are equal bytes.
  const bytes = withBytes(block.bytes, offset, size, () => 0)
  return { bytes, known: withBytes(known, offset, size, () => 0), live: true }
}

// ---- keys

const blockKeys = new WeakMap<Block, string>()
const columnKeys = new WeakMap<Column, { readonly layout: Layout; readonly key: number }>()

const blockKey = (block: Block): string => {
  let key = blockKeys.get(block)
  if (key === undefined) {
    key = `${block.live ? '' : '!'}${characters(block.bytes, block.known)}`
    blockKeys.set(block, key)
  }
  return key
}

/** A byte as its character, an unknown one as one beyond. */
const characters = (bytes: Bytes, known: Bytes | undefined): string => {
  let text = ''
  bytes.pages.forEach((page, number) => {
    const marks = known?.pages[number]
    for (let i = 0; i < page.length; i++) text += String.fromCharCode(marks && marks[i] === 0 ? 256 : page[i]!)
  })
  return text
}

/** Equal exactly for equal contents: what was never written counts as its first contents. */
export const memoryKey = (layout: Layout, memory: Memory): string => {
  const nothing = layout.intern('')
  let key = ''
  for (const owner of layout.objects) {
    const column = memory[owner.index]
    if (!column || column.length === 0) continue
    let known = columnKeys.get(column)
    if (known?.layout !== layout) {
      known = { layout, key: layout.intern(columnKey(owner, column)) }
      columnKeys.set(column, known)
    }
    if (known.key !== nothing) key += `${owner.index}:${known.key},`
  }
  return key
}

const columnKey = (owner: ObjectLayout, column: Column): string => {
  const initial = owner.object.storage === 'heap' ? undefined : blockKey(initialBlock(owner))
  let text = ''
  column.forEach((block, instance) => {
    const key = block && blockKey(block)
    if (key !== undefined && key !== initial) text += `${instance}=${key}\u{2001}`
  })
  return text
}
