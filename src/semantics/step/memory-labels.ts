// What labels do to memory: loads, stores, allocation, free.
import type { Label, Load, Store, Value } from '../../xcfa/index.js'
import { byteSize } from '../../xcfa/index.js'
import { byteAt, withBytes } from '../bytes.js'
import { BeyondBounds } from '../layout.js'
import {
  type Block,
  blockAt,
  FREED,
  forgetBytes,
  freshBlock,
  type Place,
  placeOf,
  readValue,
  unknownBytes,
  withBlock,
  writeValue,
} from '../memory.js'
import { interval } from './nondeterminism.js'
import { assign, branchOn, choicePoint, type Execution, type Outcome, type Running, recordMemory } from './running.js'

const blockFor = (
  x: Execution,
  running: Running,
  label: Load | Store,
  address: Value,
): { readonly place: Place; readonly block: Block } | undefined => {
  const place = placeOf(x.layout, address)
  if (!place || !x.layout.hitsCell(label.region, place.owner.object, place.offset)) return undefined
  const threads = x.state.threads.length + running.started.length
  const block = blockAt(running.memory, place, byteSize(label.type), threads)
  return block && { place, block }
}

export const runLoad = (x: Execution, running: Running, label: Load, address: Value, index: number): Outcome => {
  const size = byteSize(label.type)
  recordMemory(x, running, label, address, size)
  const found = blockFor(x, running, label, address)
  if (!found) return badAccess(x, running, address)
  const { place, block } = found
  if (unknownBytes(block, place.offset, size) === 0) {
    assign(x, running, label.target, readValue(block, place.offset, label.type))
    return 'next'
  }
  return decideBytes(x, running, label, found, index)
}

/** A load of bytes that nobody wrote: they get their value now, and keep it. */
const decideBytes = (
  x: Execution,
  running: Running,
  label: Load,
  { place, block }: { readonly place: Place; readonly block: Block },
  index: number,
): Outcome => {
  const { type, target } = label
  const size = byteSize(type)
  const point = choicePoint(x, running, target, index)
  const unknown = unknownBytes(block, place.offset, size)
  if (unknown === size) {
    const values = x.choose('indeterminate', { target: { ...target, type } }, point)
    if (values === 'open') throw new Error('a load has to decide its value')
    return branchOn(running, values, (way, chosen) => {
      way.indeterminate.push(chosen)
      way.memory = withBlock(way.memory, place, writeValue(block, place.offset, type, chosen))
      assign(x, way, target, chosen)
    })
  }
  // Some bytes have a value: the known ones stay, so each choice is a value of the whole that agrees with them.
  if (unknown > 1) throw new BeyondBounds('unbounded nondeterminism in partly written memory', x.edge.position)
  let hole = place.offset
  while (byteAt(block.known!, hole) !== 0) hole++
  return branchOn(running, interval(0n, 255n)!, (way, byte) => {
    const filled = fillByte(block, hole, Number(byte))
    const chosen = readValue(filled, place.offset, type)
    way.indeterminate.push(chosen)
    way.memory = withBlock(way.memory, place, filled)
    assign(x, way, target, chosen)
  })
}

const fillByte = (block: Block, offset: number, byte: number): Block => {
  const bytes = withBytes(block.bytes, offset, 1, () => byte)
  const known = withBytes(block.known!, offset, 1, () => 1)
  return { bytes, known, live: block.live }
}

export const runStore = (x: Execution, running: Running, label: Store, address: Value, value: Value): Outcome => {
  recordMemory(x, running, label, address, byteSize(label.type))
  const found = blockFor(x, running, label, address)
  if (!found) return badAccess(x, running, address)
  const { place, block } = found
  if (place.owner.object.readOnly)
    return { undefined: `invalid access: ${place.owner.object.name} cannot be changed`, violates: 'deref', traps: true }
  const { offset } = place
  const next = running.pending
    ? forgetBytes(block, offset, byteSize(label.type))
    : writeValue(block, offset, label.type, value)
  running.pending = false
  running.memory = withBlock(running.memory, place, next)
  return 'next'
}

export const runAllocate = (
  x: Execution,
  running: Running,
  label: Extract<Label, { kind: 'allocate' }>,
  size: Value,
): Outcome => {
  const { object, target } = label
  const owner = x.layout.objects.find((o) => o.object === object)
  if (!owner) throw new Error(`object ${object.name} belongs to no part of the program`)
  const instance = running.memory[owner.index]?.length ?? 0
  if (size > object.size) throw new BeyondBounds(`allocation of ${size} bytes`, x.edge.position)
  if (instance >= owner.capacity) throw new BeyondBounds(`more than ${owner.capacity} allocations`, x.edge.position)
  const block = freshBlock(Number(size), object.contents)
  running.memory = withBlock(running.memory, { owner, instance, offset: 0 }, block)
  assign(x, running, target, object.base + instance * object.stride)
  return 'next'
}

export const runFree = (x: Execution, running: Running, address: Value): Outcome => {
  if (address === 0) return 'next'
  const place = placeOf(x.layout, address)
  const isStart = place?.offset === 0 && place.owner.object.storage === 'heap'
  if (!place || !isStart || place.owner.object.automatic || !blockAt(running.memory, place, 0, 0))
    return { undefined: badFree(running, place, address), violates: 'free' }
  running.memory = withBlock(running.memory, place, FREED)
  return 'next'
}

const badAccess = (x: Execution, running: Running, address: Value): Outcome => {
  if (address === 0) return { undefined: 'null pointer dereference', violates: 'deref', traps: true }
  const text = `invalid access: ${whatIsAt(running, placeOf(x.layout, address), address)}`
  return { undefined: text, violates: 'deref' }
}

const badFree = (running: Running, place: Place | undefined, address: Value): string => {
  const isHeap = place?.owner.object.storage === 'heap' && !place.owner.object.automatic
  if (isHeap && running.memory[place.owner.index]?.at(place.instance)?.live === false)
    return `invalid free: ${objectName(place)} was freed before`
  if (isHeap && place.offset > 0) return `invalid free: not the beginning of ${objectName(place)}`
  return `invalid free: ${place ? `${objectName(place)} was not allocated` : `nothing was allocated at ${address}`}`
}

/** What a person wants to know about an address that must not be used. */
const whatIsAt = (running: Running, place: Place | undefined, address: Value): string => {
  if (!place) return `nothing is at address ${address}`
  const { object } = place.owner
  const block = running.memory[place.owner.index]?.at(place.instance)
  if (object.procedure !== undefined) return `${object.name} is a function`
  if (block?.live === false) return `${objectName(place)} was freed before`
  if (object.storage === 'heap' && !block) return `nothing is at address ${address}`
  const size = block?.bytes.length ?? object.size
  return `byte ${place.offset} of ${objectName(place)}, which has ${size} bytes`
}

const objectName = ({ owner: { object } }: Place): string =>
  object.storage === 'heap' && !object.automatic && object.position
    ? `what line ${object.position.line} allocated`
    : object.name
