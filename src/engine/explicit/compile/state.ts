// States outside generated code: the initial one, and values read back for ranges and for people. Slow, rarely used.
import { byteSize, type MemoryObject, type Type, type Value, type Variable, wrap } from '../../../xcfa/index.js'
import { highWord, lowWord, wideValue } from './cells.js'
import type { Cells, Layout } from './layout.js'
import type { RegionCells } from './memory.js'

const float = new DataView(new ArrayBuffer(4))

/** The value of a cell in the state whose words begin at `base`. */
export const readCell = (words: Int32Array, base: number, cells: Cells, index: number): Value => {
  if (cells.bits === 0 && cells.domain.kind === 'range') return cells.domain.low
  const bit = cells.shift + index * cells.bits
  const word = words[base + cells.word + (bit >> 5)]!
  const { domain } = cells
  switch (domain.kind) {
    case 'wide':
      return wideValue(domain.as, word, words[base + cells.word + (bit >> 5) + 1]!)
    case 'raw':
      if (domain.as === 'signed') return word
      if (domain.as === 'unsigned') return word >>> 0
      float.setInt32(0, word)
      return float.getFloat32(0)
    case 'range':
      return (cells.bits === 32 ? word >>> 0 : (word >>> (bit & 31)) & ((1 << cells.bits) - 1)) + domain.low
  }
}

/** Writes a cell; the value must be in its domain. */
export const writeCell = (words: Int32Array, base: number, cells: Cells, index: number, value: Value): void => {
  const bit = cells.shift + index * cells.bits
  const at = base + cells.word + (bit >> 5)
  const { domain } = cells
  switch (domain.kind) {
    case 'wide':
      words[at] = lowWord(domain.as, value)
      words[at + 1] = highWord(domain.as, value)
      return
    case 'raw':
      if (domain.as === 'float') {
        float.setFloat32(0, Number(value))
        words[at] = float.getInt32(0)
      } else words[at] = Number(value) | 0
      return
    case 'range': {
      if (value < domain.low || value > domain.high) throw new OutsideDomain(cells, value)
      if (cells.bits === 0) return
      const mask = cells.bits === 32 ? -1 : ((1 << cells.bits) - 1) << (bit & 31)
      words[at] = (words[at]! & ~mask) | ((Number(value) - domain.low) << (bit & 31))
    }
  }
}

export class OutsideDomain extends Error {
  constructor(
    readonly cells: Cells,
    readonly value: Value,
  ) {
    super('a value does not fit its cell')
  }
}

/** The state before the first step. Globals that start as any value: by `chosen`; locals that nobody reads: no value. */
export const initialState = (
  layout: Layout,
  chosen: ReadonlyMap<Variable, Value>,
  isLive: (variable: Variable) => boolean,
): Int32Array => {
  const words = new Int32Array(layout.words)
  const main = layout.slots[0]!.templates[0]!
  writeCell(words, 0, layout.slots[0]!.counter, 0, main.counters.get(main.procedure.initial)!)
  for (const [variable, cells] of main.locals) if (isLive(variable)) writeCell(words, 0, cells, 0, 0)
  writeCell(words, 0, layout.threadCount, 0, 1)
  for (const [variable, cells] of layout.globals)
    if (!layout.unchosen.has(variable))
      writeCell(words, 0, cells, 0, variable.initial === 'any' ? (chosen.get(variable) ?? 0) : variable.initial)
  for (const flag of layout.unchosen.values()) writeCell(words, 0, flag, 0, 1)
  for (const region of layout.regions.values()) initialiseRegion(words, region)
  return words
}

const initialiseRegion = (words: Int32Array, region: RegionCells): void => {
  const { places, cells, unchosen, elementType } = region
  const contents = new Map<MemoryObject, Contents>()
  places.forEach(({ object, offset }, index) => {
    let first = contents.get(object)
    if (!first) contents.set(object, (first = contentsOf(object)))
    const size = byteSize(elementType)
    if (first.known.subarray(offset, offset + size).every((known) => known === 1))
      writeCell(words, 0, cells, index, valueIn(first.bytes, offset, elementType))
    else {
      // Which value stands for "not chosen yet" must not matter: the one whose bits are all zero.
      writeCell(words, 0, unchosen!, index, 1)
    }
  })
}

interface Contents {
  readonly bytes: DataView
  readonly known: Uint8Array
}

/** First contents of an object, as bytes. */
const contentsOf = (object: MemoryObject): Contents => {
  const bytes = new DataView(new ArrayBuffer(object.size + 8))
  const known = new Uint8Array(object.size + 8).fill(object.contents === 'zero' ? 1 : 0)
  for (const { offset, type, value } of object.initial) {
    const size = byteSize(type)
    known.fill(1, offset, offset + size)
    if (type.kind === 'float') {
      if (type.width === 32) bytes.setFloat32(offset, Number(value), true)
      else bytes.setFloat64(offset, Number(value), true)
    } else
      for (let i = 0; i < size; i++)
        bytes.setUint8(offset + i, Number(BigInt.asUintN(8, BigInt(value) >> BigInt(8 * i))))
  }
  return { bytes, known }
}

const valueIn = (bytes: DataView, offset: number, type: Type): Value => {
  if (type.kind === 'float') return type.width === 32 ? bytes.getFloat32(offset, true) : bytes.getFloat64(offset, true)
  let bits = 0n
  for (let i = byteSize(type) - 1; i >= 0; i--) bits = (bits << 8n) | BigInt(bytes.getUint8(offset + i))
  return wrap(type, bits)
}
