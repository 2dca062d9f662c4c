// Values of which some bits are not known: what uninitialised memory holds. `undefined` is a value of which nothing is
// known, a `Partial` an integer with some known bits (a bit-field was written into an uninitialised unit). Arithmetic
// on either gives up all knowledge; the operators that bit-fields are made of keep what they can.
import {
  type BinaryOp,
  binaryValue,
  bitWidth,
  type CompareOp,
  canonical,
  castValue,
  compareValue,
  isSigned,
  type Type,
  type Value,
  wrap,
} from '../../xcfa/index.js'

export class Partial {
  /** Both as unsigned numbers of the type's width; `bits` is 0 where `unknown` is 1. */
  constructor(
    readonly bits: bigint,
    readonly unknown: bigint,
  ) {}
}

export type Maybe = Value | Partial | undefined

export const isKnown = (value: Maybe): value is Value => typeof value === 'number' || typeof value === 'bigint'

const ones = (type: Type): bigint => (1n << BigInt(bitWidth(type))) - 1n

const partialOf = (type: Type, value: Maybe): Partial => {
  if (value === undefined) return new Partial(0n, ones(type))
  return value instanceof Partial ? value : new Partial(BigInt.asUintN(bitWidth(type), BigInt(value)), 0n)
}

/** A value again where all bits are known, nothing where none is. */
export const fromBits = (type: Type, bits: bigint, unknown: bigint): Maybe => {
  const all = ones(type)
  const hidden = unknown & all
  if (hidden === 0n) return wrap(type, canonical(bits & all))
  return hidden === all ? undefined : new Partial(bits & all & ~hidden, hidden)
}

/** The bits of a value, and which of them are not known. */
export const bitsOf = (type: Type, value: Maybe): Partial => partialOf(type, value)

export const partialBinary = (op: BinaryOp, type: Type, left: Maybe, right: Maybe): Maybe => {
  if (isKnown(left) && isKnown(right)) return binaryValue(op, type, left, right)
  if (type.kind !== 'int') return undefined
  if (op === 'shl' || op === 'shr') return shifted(op, type, left, right)
  if (op !== 'bitand' && op !== 'bitor' && op !== 'bitxor') return undefined
  const [a, b] = [partialOf(type, left), partialOf(type, right)]
  const either = a.unknown | b.unknown
  switch (op) {
    case 'bitand':
      return fromBits(type, a.bits & b.bits, either & (a.unknown | a.bits) & (b.unknown | b.bits))
    case 'bitor':
      return fromBits(type, a.bits | b.bits, either & ~(a.bits | b.bits))
    case 'bitxor':
      return fromBits(type, a.bits ^ b.bits, either)
  }
}

const shifted = (op: 'shl' | 'shr', type: Type, left: Maybe, count: Maybe): Maybe => {
  if (!isKnown(count)) return undefined
  const width = bitWidth(type)
  if (count < 0 || count >= width) return undefined
  const places = BigInt(count)
  const { bits, unknown } = partialOf(type, left)
  if (op === 'shl') return fromBits(type, bits << places, unknown << places)
  const extend = (word: bigint): bigint => (isSigned(type) ? BigInt.asIntN(width, word) : word) >> places
  return fromBits(type, extend(bits), extend(unknown))
}

export const partialCompare = (op: CompareOp, type: Type, left: Maybe, right: Maybe): Maybe => {
  if (isKnown(left) && isKnown(right)) return compareValue(op, type, left, right) ? 1 : 0
  if (type.kind !== 'int' || (op !== 'eq' && op !== 'ne')) return undefined
  const [a, b] = [partialOf(type, left), partialOf(type, right)]
  const differ = ((a.bits ^ b.bits) & ~(a.unknown | b.unknown) & ones(type)) !== 0n
  return differ ? (op === 'eq' ? 0 : 1) : undefined
}

export const partialCast = (from: Type, to: Type, value: Maybe): Maybe => {
  if (isKnown(value)) return castValue(from, to, value)
  if (from.kind !== 'int' || to.kind !== 'int' || value === undefined) return undefined
  // _Bool is "not zero": one known bit that is set decides it.
  if (to.width === 1 && !to.signed) return value.bits !== 0n ? 1 : undefined
  const extend = (word: bigint): bigint => (from.signed ? BigInt.asIntN(from.width, word) : word)
  return fromBits(to, extend(value.bits), extend(value.unknown))
}
