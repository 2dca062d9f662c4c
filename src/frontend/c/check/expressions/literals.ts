// Literals: integer constants with their type by C11 6.4.4.1, floating constants, characters and strings with escapes.
import { floatLiteral, type Value } from '../../../../xcfa/index.js'
import type { CType } from '../../ast.js'
import { rawByte } from '../../source-text.js'
import {
  CHAR,
  DOUBLE,
  FLOAT,
  INT,
  type IntCType,
  LONG_DOUBLE,
  LONG_LONG,
  type Target,
  UNSIGNED_INT,
  UNSIGNED_LONG_LONG,
  UNSIGNED_SHORT,
} from '../types.js'
import { normalize } from './values.js'

export interface Literal {
  readonly type: CType
  readonly value: Value
}

const parseFloating = (text: string): Literal | undefined => {
  const match = /^(0[xX][0-9a-fA-F.]+[pP][+-]?\d+|[0-9.]+(?:[eE][+-]?\d+)?)([fFlL]?)$/.exec(text)
  if (!match) return undefined
  const [, digits = '', suffix = ''] = match
  const type = /[fF]/.test(suffix) ? FLOAT : suffix ? LONG_DOUBLE : DOUBLE
  const value = floatLiteral(digits, type.width)
  return value === undefined ? undefined : { type, value }
}

/** Undefined if the text is no number. */
export const parseNumber = (spelling: string, target: Target): Literal | undefined => {
  const text = spelling.replace(/'/g, '')
  const hexadecimal = /^0[xX]/.test(text)
  if (hexadecimal ? /[pP.]/.test(text) : /[.eE]/.test(text) || /^[0-9]+[fF]$/.test(text)) return parseFloating(text)
  const match = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)([uUlL]*)$/.exec(text)
  if (!match) return undefined
  const [, digits = '', suffix = ''] = match
  if (!/^(u?l{0,2}|l{1,2}u)$/i.test(suffix)) return undefined
  const octal = /^0[0-7]+$/.test(digits)
  const value = BigInt(octal ? `0o${digits.slice(1)}` : digits)
  const decimal = /^[1-9]/.test(digits)
  const type = integerConstantType(value, suffix.toLowerCase(), decimal, target)
  return type && { type, value: normalize(value) }
}

const integerConstantType = (value: bigint, suffix: string, decimal: boolean, target: Target): IntCType | undefined => {
  const unsigned = suffix.includes('u')
  const longs = suffix.replace('u', '').length
  const candidates: readonly IntCType[] = [
    INT,
    UNSIGNED_INT,
    target.long,
    target.unsignedLong,
    LONG_LONG,
    UNSIGNED_LONG_LONG,
  ]
  return (
    candidates.slice(longs * 2).find((type) => {
      if (unsigned && type.signed) return false
      if (!unsigned && !type.signed && decimal) return false
      return value < 1n << BigInt(type.signed ? type.width - 1 : type.width)
    }) ?? (value < 1n << 64n ? UNSIGNED_LONG_LONG : undefined)
  )
}

const SIMPLE_ESCAPES: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  e: 27,
  '\\': 92,
  "'": 39,
  '"': 34,
  '?': 63,
}

interface CodeUnit {
  readonly code: number
  /** From an octal or hexadecimal escape: one unit as it stands, not a character to encode. */
  readonly raw: boolean
}

const decode = (body: string): CodeUnit[] => {
  const units: CodeUnit[] = []
  const pattern = /\\([0-7]{1,3})|\\x([0-9a-fA-F]+)|\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|\\(.)|([^\\])/gsu
  for (const [, octal, hexadecimal, short, long, simple, plain] of body.matchAll(pattern)) {
    if (octal !== undefined) units.push({ code: Number.parseInt(octal, 8), raw: true })
    else if (hexadecimal !== undefined) units.push({ code: Number.parseInt(hexadecimal.slice(-8), 16), raw: true })
    else if (short !== undefined || long !== undefined)
      units.push({ code: Number.parseInt((short ?? long)!, 16), raw: false })
    else if (simple !== undefined) units.push({ code: SIMPLE_ESCAPES[simple] ?? simple.codePointAt(0)!, raw: false })
    else {
      const code = plain!.codePointAt(0)!
      const byte = rawByte(code)
      units.push(byte === undefined ? { code, raw: false } : { code: byte, raw: true })
    }
  }
  return units
}

const utf8 = (code: number): number[] => {
  if (code < 0x80) return [code]
  if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 63)]
  if (code < 0x10000) return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)]
  return [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)]
}

const utf16 = (code: number): number[] =>
  code < 0x10000 ? [code] : [0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff)]

const bytesOf = (unit: CodeUnit): number[] => (unit.raw ? [unit.code & 255] : utf8(unit.code))

const elementType = (prefix: string): IntCType =>
  prefix === 'L' ? INT : prefix === 'U' ? UNSIGNED_INT : prefix === 'u' ? UNSIGNED_SHORT : CHAR

/** 'a', L'a', '\n', and multi-character constants as gcc values them. */
export const parseCharacter = (spelling: string): Literal | undefined => {
  const match = /^(L|u8|u|U)?'(.+)'$/s.exec(spelling)
  if (!match) return undefined
  const [, prefix = '', body = ''] = match
  const units = decode(body)
  if (units.length === 0) return undefined
  if (prefix && prefix !== 'u8') {
    const type = elementType(prefix)
    const code = units[units.length - 1]!.code
    return { type, value: type.signed ? code | 0 : code >>> 0 }
  }
  const bytes = units.flatMap(bytesOf)
  const value = bytes.length === 1 ? (bytes[0]! << 24) >> 24 : bytes.reduce((sum, byte) => (sum << 8) | byte, 0)
  return { type: INT, value }
}

export interface StringLiteral {
  readonly element: IntCType
  /** Elements with the terminating zero, not bytes. */
  readonly elements: readonly number[]
}

/** Adjacent literals are one string; a prefix of one counts for all. */
export const parseStrings = (spellings: readonly string[]): StringLiteral => {
  const pieces = spellings.map((spelling) => {
    const match = /^(L|u8|u|U)?"(.*)"$/s.exec(spelling)
    return { prefix: match?.[1] ?? '', units: decode(match?.[2] ?? '') }
  })
  const element = elementType(pieces.find(({ prefix }) => prefix && prefix !== 'u8')?.prefix ?? '')
  const units = pieces.flatMap((piece) => piece.units)
  const elements = units.flatMap((unit) => {
    if (element.width === 8) return bytesOf(unit)
    return unit.raw || element.width === 32 ? [unit.code] : utf16(unit.code)
  })
  return { element, elements: [...elements, 0] }
}
