// Values and conversions: from lvalue to value, integer promotions, the usual arithmetic conversions and conversions
// as if by assignment (C11 6.3, 6.5.16.1). Constants are folded as they are built.
import type { Position, Value } from '../../../../xcfa/index.js'
import type { CExpr, CType } from '../../ast.js'
import { type Context, failAt, unsupported, warn } from '../context.js'
import {
  BOOL,
  bitFieldType,
  compatible,
  compatibleUnqualified,
  DOUBLE,
  FLOAT,
  INT,
  type IntCType,
  isArithmetic,
  isBitFieldType,
  isComplete,
  isExotic,
  isPointer,
  isVoid,
  LONG_DOUBLE,
  LONG_LONG,
  type PlainType,
  pointerTo,
  typeName,
  UNSIGNED_INT,
  UNSIGNED_LONG_LONG,
  unqualified,
} from '../types.js'
import { complexCast, isComplex, isComplexConversion, isNotZero } from './complex.js'
import { convertValue, isZero } from './values.js'

export const constant = (value: Value, type: CType, position: Position): CExpr => ({
  kind: 'constant',
  value,
  type,
  position,
})

/** A constant made of others: if one of them overflowed, this one did. */
export const foldedConstant = (value: Value, type: CType, position: Position, ...from: readonly CExpr[]): CExpr =>
  from.some((e) => e.kind === 'constant' && e.overflows)
    ? { kind: 'constant', value, type, position, overflows: true }
    : constant(value, type, position)

export const isLvalue = (e: CExpr): boolean => {
  switch (e.kind) {
    case 'variable':
    case 'deref':
    case 'string':
    case 'compound':
      return true
    case 'member':
      return isLvalue(e.record)
    default:
      return false
  }
}

/** The object that an lvalue is a part of must live in memory. */
export const takeAddress = (c: Context, lvalue: CExpr): void => {
  let object = lvalue
  while (object.kind === 'member') object = object.record
  if (c.unevaluated > 0) return
  if (object.kind === 'variable' || object.kind === 'compound') object.variable.addressTaken = true
  if (object.kind === 'function') object.function.addressTaken = true
}

/** Lvalue conversion, array and function decay (C11 6.3.2.1). */
export const toValue = (c: Context, e: CExpr): CExpr => {
  const type = unqualified(e.type)
  if (type.kind === 'function') {
    if (e.kind === 'deref') return { ...e.pointer, type: pointerTo(type) }
    takeAddress(c, e)
    return { kind: 'address', lvalue: e, type: pointerTo(type), position: e.position }
  }
  if (type.kind === 'array') {
    if (!isLvalue(e)) return failAt(e.position, 'array is not an lvalue')
    takeAddress(c, e)
    return { kind: 'address', lvalue: e, type: pointerTo(type.of), position: e.position }
  }
  if (!isLvalue(e)) return e
  refuseExotic(c, type, e.position)
  if (type.kind !== 'void' && !isComplete(type, c.target))
    return failAt(e.position, `use of an object of incomplete type '${typeName(type)}'`)
  return { kind: 'load', lvalue: e, type, position: e.position }
}

/** Values of vectors and of quadruple precision are not modelled. */
export const refuseExotic = (c: Context, type: CType, position: Position): void => {
  const exotic = isExotic(type)
  if (exotic && c.unevaluated === 0) unsupported(`value of type ${exotic}`, position)
}

export const isNullPointerConstant = (e: CExpr): boolean => {
  if (e.kind !== 'constant' || !isZero(e.value, e.type)) return false
  const type = unqualified(e.type)
  return type.kind === 'int' || (type.kind === 'pointer' && type.to.kind === 'void')
}

/** A `cast` node, unless the type is the same already; constants are converted at once. */
export const cast = (c: Context, e: CExpr, type: CType, position: Position = e.position): CExpr => {
  const goal = unqualified(type)
  if (goal.kind === 'void') return isVoid(e.type) ? e : { kind: 'cast', operand: e, type: goal, position }
  if (compatibleUnqualified(e.type, goal) && goal.kind !== 'pointer')
    // A conversion of a bit-field makes a value of the whole type, which is promoted by its type, not by its width.
    return bitFieldWidth(e) === undefined ? e : { kind: 'cast', operand: e, type: goal, position }
  if (goal.kind === 'pointer' && e.type.kind === 'pointer' && compatible(e.type.to, goal.to)) return e
  refuseExotic(c, goal, position)
  if (e.kind === 'constant') {
    const value = convertValue(e.value, e.type, goal, c.target)
    if (value !== undefined) return foldedConstant(value, goal, position, e)
  }
  return { kind: 'cast', operand: e, type: goal, position }
}

const RANKS: Readonly<Record<string, number>> = {
  _Bool: 0,
  char: 1,
  'signed char': 1,
  'unsigned char': 1,
  short: 2,
  'unsigned short': 2,
  int: 3,
  'unsigned int': 3,
  long: 4,
  'unsigned long': 4,
  'long long': 5,
  'unsigned long long': 5,
  __int128: 6,
  'unsigned __int128': 6,
}

/** The type of a bit-field that is wider than int ranks between int and long, the wider the higher. */
const rank = (type: IntCType): number => RANKS[type.name] ?? (isBitFieldType(type) ? 3 + type.width / 64 : 3)

const bitFieldWidth = (e: CExpr): number | undefined => {
  if (e.kind === 'load' && e.lvalue.kind === 'member') return e.lvalue.field.bits?.width
  if ((e.kind === 'assign' || e.kind === 'compoundAssign' || e.kind === 'increment') && e.target.kind === 'member')
    return e.target.field.bits?.width
  return e.kind === 'comma' ? bitFieldWidth(e.right) : undefined
}

/**
 * Integer promotions; a bit-field narrower than int becomes int, whatever its declared type (C11 6.3.1.1p2). A wider one
 * keeps a type of as many bits as it has, as in gcc.
 */
const promotedType = (e: CExpr): PlainType => {
  const type = unqualified(e.type)
  if (type.kind !== 'int') return type
  const width = bitFieldWidth(e)
  if (width !== undefined && width <= 32) return width < 32 || type.signed ? INT : UNSIGNED_INT
  if (width !== undefined && width < type.width) return bitFieldType(width, type.signed)
  return rank(type) < 3 ? INT : type
}

export const promote = (c: Context, e: CExpr): CExpr => cast(c, e, promotedType(e))

/** The common type of the usual arithmetic conversions (C11 6.3.1.8). */
export const commonType = (c: Context, left: CExpr, right: CExpr): CType => {
  const a = promotedType(left)
  const b = promotedType(right)
  if (a.kind === 'float' || b.kind === 'float') {
    const exotic = [a, b].find((type) => isExotic(type))
    if (exotic) return exotic
    const widest = Math.max(...[a, b].map((type) => (type.kind === 'float' ? type.width : 0)))
    return widest === 80 ? LONG_DOUBLE : widest === 64 ? DOUBLE : FLOAT
  }
  if (a.kind !== 'int' || b.kind !== 'int') throw new Error('usual arithmetic conversions of a non-arithmetic type')
  if (a.signed === b.signed) return rank(a) >= rank(b) ? a : b
  const [signed, unsigned] = a.signed ? [a, b] : [b, a]
  if (rank(unsigned) >= rank(signed)) return unsigned
  if (signed.width > unsigned.width) return signed
  return rank(signed) === 4 ? c.target.unsignedLong : signed === LONG_LONG ? UNSIGNED_LONG_LONG : unsigned
}

/** Arguments beyond a prototype: float becomes double, small integers int. */
export const promoteArgument = (c: Context, e: CExpr): CExpr => {
  const type = unqualified(e.type)
  if (type.kind === 'float' && type.name === 'float') return cast(c, e, DOUBLE)
  if (type.kind !== 'int') return e
  const promoted = promote(c, e)
  return isBitFieldType(promoted.type) ? cast(c, promoted, type.signed ? LONG_LONG : UNSIGNED_LONG_LONG) : promoted
}

/**
 * Conversion as if by assignment. What gcc only warns about (pointers of other types, integers and pointers) is
 * converted with a warning; `doing` says what is done: "passing argument 1 of 'f'".
 */
export const convertAsAssigned = (c: Context, e: CExpr, type: CType, doing: string): CExpr => {
  const goal = unqualified(type)
  const from = unqualified(e.type)
  const incompatible = (): never =>
    failAt(e.position, `incompatible types in ${doing}: '${typeName(goal)}' from '${typeName(from)}'`)
  if (from.kind === 'void') return failAt(e.position, `void value in ${doing}`)
  if (isComplexConversion(from, goal)) return complexCast(c, e, goal)
  switch (goal.kind) {
    case 'int':
    case 'float':
      if (isArithmetic(from)) return cast(c, e, goal)
      if (from.kind !== 'pointer' || goal.kind === 'float') return incompatible()
      if (goal.name !== BOOL.name) warn(c, e.position, `${doing} makes integer from pointer without a cast`)
      return cast(c, e, goal)
    case 'pointer':
      if (from.kind === 'int') {
        if (!isNullPointerConstant(e)) warn(c, e.position, `${doing} makes pointer from integer without a cast`)
        return cast(c, e, goal)
      }
      if (from.kind !== 'pointer') return incompatible()
      if (!compatibleUnqualified(from.to, goal.to) && !isVoid(from.to) && !isVoid(goal.to))
        warn(c, e.position, `${doing} from incompatible pointer type: '${typeName(goal)}' from '${typeName(from)}'`)
      return cast(c, e, goal)
    case 'record':
      return from.kind === 'record' && compatibleUnqualified(from, goal) ? e : incompatible()
    default:
      return incompatible()
  }
}

/** The condition of if, while, ?:, and the operands of && and ||. */
/** Any number of its argument's sign. */
export const ANY_SIZE = '__heddle_any_of_sign'

/** Where a number is compared with zero only its sign matters. */
export const withoutSize = (e: CExpr): CExpr =>
  e.kind === 'call' && e.callee.kind === 'function' && e.callee.function.name === ANY_SIZE ? e.args[0]! : e

export const toCondition = (c: Context, e: CExpr): CExpr => {
  const value = toValue(c, e)
  if (isComplex(value.type)) return isNotZero(c, value)
  if (!isArithmetic(value.type) && !isPointer(value.type))
    return failAt(e.position, `a condition must be a number or a pointer, not '${typeName(value.type)}'`)
  return withoutSize(value)
}
