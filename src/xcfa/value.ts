// Arithmetic of concrete values: what C computes under -fwrapv, for every integer width 1..64, pointers and IEEE
// floats. Evaluation, constant folding and code generation all use these functions, so that they cannot differ.
// Canonical form: an integer is a number if it is a safe integer, otherwise a bigint; never -0. A long double is the
// bigint of its bits.
import type { BinaryOp, CompareOp, UnaryOp, Value } from './expr.js'
import {
  compareExtended,
  doubleOfExtended,
  type Extended,
  extendedOfDouble,
  extendedOfInteger,
  extendedValue,
  integerOfExtended,
  isZeroExtended,
  negateExtended,
} from './extended.js'
import type { FloatType, Type } from './types.js'

/** The canonical form of an integer. */
export const canonical = (value: bigint): Value =>
  value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value

/** Bits of a type: 1 for a truth value. */
export const bitWidth = (type: Type): number => (type.kind === 'bool' ? 1 : type.width)

export const isSigned = (type: Type): boolean => type.kind === 'int' && type.signed

/** Least and greatest value of an integer, pointer or truth type. */
export const rangeOf = (type: Type): { readonly low: bigint; readonly high: bigint } => {
  const width = BigInt(bitWidth(type))
  return isSigned(type)
    ? { low: -(1n << (width - 1n)), high: (1n << (width - 1n)) - 1n }
    : { low: 0n, high: (1n << width) - 1n }
}

/** The value of this type that has the same low bits; floats are rounded to their width. */
export const wrap = (type: Type, value: Value): Value => {
  switch (type.kind) {
    case 'float':
      if (type.width === 80) return extendedOf(value)
      return type.width === 32 ? Math.fround(Number(value)) : Number(value)
    case 'bool':
      return wrapInteger(1, false, value)
    case 'pointer':
      return wrapInteger(type.width, false, value)
    case 'int':
      return wrapInteger(type.width, type.signed, value)
  }
}

/** A number is meant by value, a bigint is the bits. */
const extendedOf = (value: Value): Extended => (typeof value === 'bigint' ? value : extendedOfDouble(value))

const isExtended = (type: Type): boolean => type.kind === 'float' && type.width === 80

const wrapInteger = (width: number, signed: boolean, value: Value): Value => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    if (width <= 32) {
      if (width === 32) return signed ? value | 0 : value >>> 0
      return signed ? (value << (32 - width)) >> (32 - width) : (value << (32 - width)) >>> (32 - width)
    }
    if (signed ? fitsSigned(width, value) : value >= 0 && (width >= 53 || value < 2 ** width)) return value + 0
  }
  const exact = BigInt(value)
  return canonical(signed ? BigInt.asIntN(width, exact) : BigInt.asUintN(width, exact))
}

const fitsSigned = (width: number, value: number): boolean =>
  width > 53 || (value >= -(2 ** (width - 1)) && value < 2 ** (width - 1))

export const unaryValue = (op: UnaryOp, type: Type, value: Value): Value => {
  if (type.kind === 'float') {
    if (op === 'bitnot') throw new Error('bitwise complement of a float')
    if (type.width === 80) return negateExtended(extendedOf(value))
    return -Number(value)
  }
  if (typeof value === 'number') return wrap(type, op === 'neg' ? 0 - value : -1 - value)
  return wrap(type, op === 'neg' ? -value : ~value)
}

/** `type` is the type of the left operand and of the result. */
export const binaryValue = (op: BinaryOp, type: Type, left: Value, right: Value): Value => {
  if (isExtended(type)) return extendedValue(op, extendedOf(left), extendedOf(right))
  if (type.kind === 'float') return wrap(type, floatValue(op, Number(left), Number(right)))
  if (op === 'shl' || op === 'shr') return shiftValue(op, type, left, right)
  if (typeof left === 'number' && typeof right === 'number') return numberValue(op, type, left, right)
  return wrap(type, bigintValue(op, BigInt(left), BigInt(right)))
}

const floatValue = (op: BinaryOp, left: number, right: number): number => {
  switch (op) {
    case 'add':
      return left + right
    case 'sub':
      return left - right
    case 'mul':
      return left * right
    case 'div':
      return left / right
    case 'rem':
      return left % right
    default:
      throw new Error(`${op} of floats`)
  }
}

const numberValue = (op: BinaryOp, type: Type, left: number, right: number): Value => {
  switch (op) {
    case 'add':
    case 'sub': {
      const result = op === 'add' ? left + right : left - right
      return Number.isSafeInteger(result)
        ? wrap(type, result)
        : wrap(type, bigintValue(op, BigInt(left), BigInt(right)))
    }
    case 'mul': {
      const result = left * right
      if (Number.isSafeInteger(result)) return wrap(type, result)
      if (bitWidth(type) <= 32) return wrap(type, Math.imul(left, right))
      return wrap(type, BigInt(left) * BigInt(right))
    }
    case 'div':
      return right === 0 ? 0 : wrap(type, (left - (left % right)) / right)
    case 'rem':
      return right === 0 ? left : wrap(type, left % right)
    case 'bitand':
    case 'bitor':
    case 'bitxor':
      if (bitWidth(type) > 32 && !(isSmall(left) && isSmall(right)))
        return wrap(type, bigintValue(op, BigInt(left), BigInt(right)))
      return wrap(type, op === 'bitand' ? left & right : op === 'bitor' ? left | right : left ^ right)
    default:
      throw new Error(`${op} is no number operation`)
  }
}

/** Bitwise operators of JavaScript see 32 bits: enough for these, whatever the width. */
const isSmall = (value: number): boolean => value >= -(2 ** 31) && value < 2 ** 31

const bigintValue = (op: BinaryOp, left: bigint, right: bigint): bigint => {
  switch (op) {
    case 'add':
      return left + right
    case 'sub':
      return left - right
    case 'mul':
      return left * right
    case 'div':
      return right === 0n ? 0n : left / right
    case 'rem':
      return right === 0n ? left : left % right
    case 'bitand':
      return left & right
    case 'bitor':
      return left | right
    case 'bitxor':
      return left ^ right
    default:
      throw new Error(`${op} is no bigint operation`)
  }
}

/** An over-wide or negative count shifts everything out: 0, or the sign for a signed right shift. */
const shiftValue = (op: 'shl' | 'shr', type: Type, left: Value, count: Value): Value => {
  const width = bitWidth(type)
  if (count < 0 || count >= width) return op === 'shr' && left < 0 ? -1 : 0
  const places = Number(count)
  if (width <= 32 && typeof left === 'number') {
    if (op === 'shl') return wrap(type, left << places)
    return isSigned(type) ? left >> places : left >>> places
  }
  const exact = BigInt(left)
  return wrap(type, op === 'shl' ? exact << BigInt(places) : exact >> BigInt(places))
}

/** Both operands are canonical values of one type, so that `===` and `<` of JavaScript are those of C but for one type. */
export const compareValue = (op: CompareOp, type: Type, left: Value, right: Value): boolean => {
  if (isExtended(type)) return compareExtended(op, extendedOf(left), extendedOf(right))
  switch (op) {
    case 'eq':
      return left === right
    case 'ne':
      return left !== right
    case 'lt':
      return left < right
    case 'le':
      return left <= right
  }
}

/** C's conversion by value. */
export const castValue = (from: Type, to: Type, value: Value): Value => {
  if (from.kind === 'float' && from.width === 80) return castExtended(extendedOf(value), to)
  // NaN is not zero.
  if (to.kind === 'bool' || (to.kind === 'int' && to.width === 1 && !to.signed)) return Number(value) === 0 ? 0 : 1
  if (to.kind === 'float') return toFloat(from, to, value)
  if (from.kind !== 'float') return wrap(to, value)
  const whole = Math.trunc(Number(value))
  if (!Number.isFinite(whole)) return 0
  const { low, high } = rangeOf(to)
  const exact = BigInt(whole)
  return exact < low || exact > high ? 0 : canonical(exact)
}

const toFloat = (from: Type, { width }: FloatType, value: Value): Value => {
  if (width === 80) return from.kind === 'float' ? extendedOf(value) : extendedOfInteger(BigInt(value))
  return width === 32 ? toFloat32(value) : Number(value)
}

const castExtended = (value: Extended, to: Type): Value => {
  if (to.kind === 'float') return to.width === 80 ? value : doubleOfExtended(value, to.width)
  if (to.kind === 'bool' || (to.kind === 'int' && to.width === 1 && !to.signed)) return isZeroExtended(value) ? 0 : 1
  const exact = integerOfExtended(value)
  const { low, high } = rangeOf(to)
  return exact === undefined || exact < low || exact > high ? 0 : canonical(exact)
}

/** One rounding only: a 64-bit integer loses its low bits to a sticky one before it becomes a double. */
const toFloat32 = (value: Value): number => {
  if (typeof value === 'number') return Math.fround(value)
  const magnitude = value < 0n ? -value : value
  // A 128-bit one loses more: 32 bits are enough for the float and the sticky bit.
  const places = BigInt(Math.max(11, magnitude.toString(2).length - 53))
  const kept = (magnitude >> places) | ((magnitude & ((1n << places) - 1n)) === 0n ? 0n : 1n)
  return Math.fround(Number(value < 0n ? -kept : kept) * 2 ** Number(places))
}

const scratch = new DataView(new ArrayBuffer(8))

/** The same bits as another type of the same width. */
export const bitcastValue = (from: Type, to: Type, value: Value): Value => {
  if (from.kind === 'float' && to.kind === 'float') return value
  if (isExtended(from)) return wrap(to, canonical(extendedOf(value)))
  if (isExtended(to)) return BigInt.asUintN(80, BigInt(value))
  if (from.kind === 'float') {
    if (from.width === 32) {
      scratch.setFloat32(0, Number(value))
      return wrap(to, scratch.getInt32(0))
    }
    scratch.setFloat64(0, Number(value))
    return wrap(to, scratch.getBigInt64(0))
  }
  if (to.kind === 'float') {
    if (to.width === 32) {
      scratch.setUint32(0, Number(BigInt.asUintN(32, BigInt(value))))
      return scratch.getFloat32(0)
    }
    scratch.setBigUint64(0, BigInt.asUintN(64, BigInt(value)))
    return scratch.getFloat64(0)
  }
  return wrap(to, value)
}
