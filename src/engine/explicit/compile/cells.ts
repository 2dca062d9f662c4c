// JavaScript that reads and writes cells of a packed state, and keeps the hash sum of its words up to date.

import { type Helpers, literal } from './expression.js'
import type { Cells } from './layout.js'
import { fullDomain } from './range.js'

/** A state in an array of words: the array's name and the name of its first index. */
export interface StateName {
  readonly array: string
  readonly base: string
}

/** Where a cell is: a word's offset and a shift, both as code. */
interface Bits {
  readonly word: string
  readonly shift: string
}

const log2 = (power: number): number => 31 - Math.clz32(power)

const bitsAt = (cells: Cells, index: number | string): Bits => {
  if (typeof index === 'number') {
    const bit = cells.shift + index * cells.bits
    return { word: `${cells.word + (bit >> 5)}`, shift: `${bit & 31}` }
  }
  if (cells.count * cells.bits <= 32) {
    const shift = `(${index} << ${log2(cells.bits)})`
    return { word: `${cells.word}`, shift: cells.shift === 0 ? shift : `(${cells.shift} + ${shift})` }
  }
  if (cells.bits >= 32) return { word: `${cells.word} + ${index}${cells.bits === 64 ? ' * 2' : ''}`, shift: '0' }
  const perWord = log2(32 / cells.bits)
  return {
    word: `${cells.word} + (${index} >> ${perWord})`,
    shift: `((${index} & ${(1 << perWord) - 1}) << ${log2(cells.bits)})`,
  }
}

const maskOf = (bits: number): number => (bits >= 32 ? -1 : (1 << bits) - 1)

/** JavaScript for the value of a cell. */
export const readCode = (cells: Cells, index: number | string, state: StateName, helpers: Helpers): string => {
  if (cells.bits === 0 && cells.domain.kind === 'range') return literal(cells.domain.low)
  const { word, shift } = bitsAt(cells, index)
  const at = (offset: string): string => `${state.array}[${state.base} + ${offset}]`
  const { domain } = cells
  switch (domain.kind) {
    case 'raw':
      if (domain.as === 'float') return `${useFloat32(helpers)}(${at(word)})`
      return domain.as === 'signed' ? at(word) : `(${at(word)} >>> 0)`
    case 'wide':
      return `${useWide(helpers, domain.as)}(${at(word)}, ${at(`${word} + 1`)})`
    case 'range': {
      const bits = rawCode(at(word), shift, cells.bits)
      if (domain.low === 0) return bits
      return `(${bits} ${domain.low < 0 ? '-' : '+'} ${Math.abs(domain.low)})`
    }
  }
}

const rawCode = (word: string, shift: string, bits: number): string => {
  if (bits === 32) return `(${word} >>> 0)`
  const shifted = shift === '0' ? word : `(${word} >>> ${shift})`
  if (shift !== '0' && Number(shift) + bits === 32) return shifted
  return `(${shifted} & ${maskOf(bits)})`
}

/** A guard before a write, where the value may be outside the domain; '' where it cannot be. */
export const checkCode = (cells: Cells, value: string, owner: number): string => {
  const { domain, type } = cells
  if (domain.kind !== 'range') return ''
  const full = fullDomain(type)
  if (full.kind === 'range' && full.low >= domain.low && full.high <= domain.high) return ''
  return `if (!(${value} >= ${literal(domain.low)} && ${value} <= ${literal(domain.high)})) R.over(${owner}, ${value})\n`
}

/** The bits of a value in its place, for cells of at most 32 bits. */
export const encodeCode = (cells: Cells, value: string, shift: string, helpers: Helpers): string => {
  const { domain } = cells
  if (domain.kind === 'raw') return domain.as === 'float' ? `${useFloat32Bits(helpers)}(${value})` : `(${value} | 0)`
  if (domain.kind === 'wide') throw new Error('a wide cell has two words')
  const biased = domain.low === 0 ? value : `(${value} ${domain.low < 0 ? '+' : '-'} ${Math.abs(domain.low)})`
  return shift === '0' ? `(${biased} | 0)` : `(${biased} << ${shift})`
}

/** Statements that write one cell at once. `hash` is the name of the variable with the hash sum. */
export const writeCode = (
  cells: Cells,
  index: number | string,
  value: string,
  state: StateName,
  hash: string,
  owner: number,
  helpers: Helpers,
): string => {
  const check = checkCode(cells, value, owner)
  if (cells.bits === 0) return check
  const { word, shift } = bitsAt(cells, index)
  if (cells.domain.kind === 'wide') {
    const [low, high] = wideParts(helpers, cells.domain.as)
    return `${check}${replaceWord(state, word, `${low}(${value})`, hash)}${replaceWord(state, `${word} + 1`, `${high}(${value})`, hash)}`
  }
  const bits = encodeCode(cells, value, shift, helpers)
  if (cells.bits === 32) return check + replaceWord(state, word, bits, hash)
  const mask = /^\d+$/.test(shift)
    ? `${~(maskOf(cells.bits) << Number(shift))}`
    : `~(${maskOf(cells.bits)} << ${shift})`
  return check + replaceWord(state, word, `(x & ${mask}) | ${bits}`, hash)
}

/** Puts new bits into a word (they may mention the old word as x) and corrects the hash sum. */
export const replaceWord = (state: StateName, word: string, bits: string, hash: string): string => {
  const constant = /^\d+$/.test(word)
  const at = constant ? word : 'i'
  const multiplier = constant ? `${multiplierOf(Number(word))}` : 'C[i]'
  return (
    `{ ${constant ? '' : `const i = ${word}; `}const x = ${state.array}[${state.base} + ${at}], y = ${bits}; ` +
    `${state.array}[${state.base} + ${at}] = y; ` +
    `${hash} = (${hash} + Math.imul(y ^ (y >>> 15), ${multiplier}) - Math.imul(x ^ (x >>> 15), ${multiplier})) | 0 }\n`
  )
}

/** Odd multipliers of the hash sum, one a word. */
export const multiplierOf = (word: number): number => {
  let x = Math.imul(word + 1, 0x9e3779b1)
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) | 1
}

export const multipliers = (words: number): Int32Array => Int32Array.from({ length: words }, (_, i) => multiplierOf(i))

// ---- bits of floats and of 64-bit values

const view = new DataView(new ArrayBuffer(8))

const useFloat32 = (helpers: Helpers): string =>
  helpers.use('float32', () => (bits: number) => {
    view.setInt32(0, bits)
    return view.getFloat32(0)
  })

const useFloat32Bits = (helpers: Helpers): string =>
  helpers.use('float32Bits', () => (value: number) => {
    view.setFloat32(0, value)
    return view.getInt32(0)
  })

type WideKind = 'signed' | 'unsigned' | 'float'

const useWide = (helpers: Helpers, as: WideKind): string =>
  helpers.use(`wide_${as}`, () => (low: number, high: number) => wideValue(as, low, high))

export const wideValue = (as: WideKind, low: number, high: number): number | bigint => {
  if (as === 'float') {
    view.setInt32(0, high)
    view.setInt32(4, low)
    return view.getFloat64(0)
  }
  const top = as === 'signed' ? high : high >>> 0
  if (top >= -(2 ** 21) && top < 2 ** 21) {
    const value = top * 2 ** 32 + (low >>> 0)
    if (Number.isSafeInteger(value)) return value
  }
  return (BigInt(top) << 32n) | BigInt(low >>> 0)
}

export const lowWord = (as: WideKind, value: number | bigint): number => {
  if (as === 'float') {
    view.setFloat64(0, Number(value))
    return view.getInt32(4)
  }
  return typeof value === 'number' ? value | 0 : Number(BigInt.asIntN(32, value))
}

export const highWord = (as: WideKind, value: number | bigint): number => {
  if (as === 'float') {
    view.setFloat64(0, Number(value))
    return view.getInt32(0)
  }
  return typeof value === 'number' ? Math.floor(value / 2 ** 32) | 0 : Number(BigInt.asIntN(32, value >> 32n))
}

export const wideParts = (helpers: Helpers, as: WideKind): readonly [string, string] => [
  helpers.use(`low_${as}`, () => (value: number | bigint) => lowWord(as, value)),
  helpers.use(`high_${as}`, () => (value: number | bigint) => highWord(as, value)),
]
