// Program expressions as bit-vectors and IEEE floats: exactly what src/xcfa/value.ts computes, for every input.

import type { FloatSort, Sort, Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Expr, Value } from '../expr.js'
import { byteSize, type FloatType, type Type } from '../types.js'
import { bitWidth, isSigned, rangeOf } from '../value.js'
import { type Encoding, type EncodingOptions, type Environment, NotExpressible } from './encoding.js'

type BinaryExpr = Extract<Expr, { kind: 'binary' }>

export const floatSortOf = (type: FloatType): FloatSort => (type.width === 32 ? logic.FLOAT32_SORT : logic.FLOAT64_SORT)

const sortOf = (type: Type): Sort => {
  switch (type.kind) {
    case 'bool':
      return logic.BOOL_SORT
    case 'float':
      return floatSortOf(type)
    case 'int':
    case 'pointer':
      return logic.bvSort(type.width)
  }
}

const constant = (type: Type, value: Value): Term => {
  switch (type.kind) {
    case 'bool':
      return logic.boolConst(Number(value) !== 0)
    case 'float':
      return logic.floatConst(Number(value), floatSortOf(type))
    case 'int':
    case 'pointer':
      return logic.bvConst(BigInt(value), type.width)
  }
}

/** Widens by the sign of the type, or keeps the low bits. */
const resize = (term: Term, signed: boolean, width: number): Term => {
  const from = logic.widthOf(term)
  if (width <= from) return logic.extract(width - 1, 0, term)
  return signed ? logic.signExtend(width - from, term) : logic.zeroExtend(width - from, term)
}

const convert = (from: Type, to: Type, term: Term): Term => {
  if (from.kind === 'bool') {
    if (to.kind === 'bool') return term
    return logic.ite(term, constant(to, 1), constant(to, 0))
  }
  if (to.kind === 'bool') return logic.not(isZero(from, term))
  if (to.kind === 'int' && to.width === 1 && !to.signed) return logic.boolToBv(logic.not(isZero(from, term)), 1)
  if (to.kind === 'float') {
    if (from.kind === 'float') return logic.fpFromFp(term, floatSortOf(to))
    return isSigned(from) ? logic.fpFromSigned(term, floatSortOf(to)) : logic.fpFromUnsigned(term, floatSortOf(to))
  }
  return from.kind === 'float' ? truncateFloat(from, to, term) : resize(term, isSigned(from), to.width)
}

const isZero = (type: Type, term: Term): Term =>
  type.kind === 'float' ? logic.fpEq(term, logic.floatConst(0, floatSortOf(type))) : logic.bvIsZero(term)

/** Towards zero; what does not fit (NaN included) gives 0. */
const truncateFloat = (from: FloatType, to: Type, term: Term): Term => {
  const sort = floatSortOf(from)
  const { low, high } = rangeOf(to)
  const below = Number(low - 1n)
  const exact = (from.width === 64 || Math.fround(below) === below) && BigInt(below) === low - 1n
  // Where low - 1 is no float, there is none between it and low.
  const above = exact
    ? logic.fpLt(logic.floatConst(below, sort), term)
    : logic.fpLe(logic.floatConst(Number(low), sort), term)
  const fits = logic.and(above, logic.fpLt(term, logic.floatConst(Number(high + 1n), sort)))
  const width = bitWidth(to)
  const whole = isSigned(to) ? logic.fpToSigned(term, width) : logic.fpToUnsigned(term, width)
  return logic.ite(fits, whole, logic.bvConst(0, width))
}

/** All bits in memory: of a truth value 8, of a bit-field its bytes, extended by its sign. */
const toBits = (type: Type, term: Term): Term => {
  const width = 8 * byteSize(type)
  switch (type.kind) {
    case 'bool':
      return logic.boolToBv(term, width)
    case 'float':
      return logic.fpToBits(term)
    default:
      return resize(term, isSigned(type), width)
  }
}

const fromBits = (type: Type, bits: Term): Term => {
  switch (type.kind) {
    case 'bool':
      return logic.eq(logic.extract(0, 0, bits), logic.bvConst(1, 1))
    case 'float':
      return logic.fpFromBits(bits, floatSortOf(type))
    default:
      return logic.extract(type.width - 1, 0, bits)
  }
}

const shift = (op: 'shl' | 'shr', e: BinaryExpr, left: Term, right: Term): Term => {
  const width = logic.widthOf(left)
  const signed = isSigned(e.type)
  const by = op === 'shl' ? logic.bvShl : signed ? logic.bvAshr : logic.bvLshr
  const countWidth = logic.widthOf(right)
  // A negative count extends to a huge one: both shift everything out.
  if (countWidth <= width) return by(left, resize(right, isSigned(e.right.type), width))
  const fits = logic.bvUlt(right, logic.bvConst(width, countWidth))
  const outside = op === 'shr' && signed ? logic.bvAshr(left, logic.bvConst(width - 1, width)) : logic.bvConst(0, width)
  return logic.ite(fits, by(left, logic.extract(width - 1, 0, right)), outside)
}

const integerBinary = (e: BinaryExpr, left: Term, right: Term): Term => {
  const signed = isSigned(e.type)
  switch (e.op) {
    case 'add':
      return logic.bvAdd(left, right)
    case 'sub':
      return logic.bvSub(left, right)
    case 'mul':
      return logic.bvMul(left, right)
    case 'div': {
      const quotient = signed ? logic.bvSdiv(left, right) : logic.bvUdiv(left, right)
      return logic.ite(logic.bvIsZero(right), logic.bvConst(0, logic.widthOf(left)), quotient)
    }
    case 'rem':
      return signed ? logic.bvSrem(left, right) : logic.bvUrem(left, right)
    case 'bitand':
      return logic.bvAnd(left, right)
    case 'bitor':
      return logic.bvOr(left, right)
    case 'bitxor':
      return logic.bvXor(left, right)
    case 'shl':
    case 'shr':
      return shift(e.op, e, left, right)
  }
}

export const floatBinary = (e: BinaryExpr, left: Term, right: Term): Term => {
  switch (e.op) {
    case 'add':
      return logic.fpAdd(left, right)
    case 'sub':
      return logic.fpSub(left, right)
    case 'mul':
      return logic.fpMul(left, right)
    case 'div':
      return logic.fpDiv(left, right)
    default:
      throw new NotExpressible(`${e.op} of floats`)
  }
}

/** Comparisons of truth values and of floats, which both arithmetics share. */
export const compareShared = (op: 'eq' | 'ne' | 'lt' | 'le', type: Type, left: Term, right: Term): Term | undefined => {
  if (type.kind === 'float') {
    const equal = () => logic.fpEq(left, right)
    return op === 'eq'
      ? equal()
      : op === 'ne'
        ? logic.not(equal())
        : op === 'lt'
          ? logic.fpLt(left, right)
          : logic.fpLe(left, right)
  }
  if (op === 'eq') return logic.eq(left, right)
  if (op === 'ne') return logic.not(logic.eq(left, right))
  if (type.kind !== 'bool') return undefined
  return op === 'lt' ? logic.and(logic.not(left), right) : logic.or(logic.not(left), right)
}

const compareIntegers = (op: 'lt' | 'le', signed: boolean, left: Term, right: Term): Term => {
  if (op === 'lt') return signed ? logic.bvSlt(left, right) : logic.bvUlt(left, right)
  return signed ? logic.bvSle(left, right) : logic.bvUle(left, right)
}

const term = (e: Expr, environment: Environment): Term => {
  switch (e.kind) {
    case 'const':
      return constant(e.type, e.value)
    case 'var':
      return environment(e.variable)
    case 'unary': {
      const arg = term(e.arg, environment)
      if (e.type.kind === 'float') return logic.fpNeg(arg)
      return e.op === 'neg' ? logic.bvNeg(arg) : logic.bvNot(arg)
    }
    case 'binary': {
      const left = term(e.left, environment)
      const right = term(e.right, environment)
      return e.type.kind === 'float' ? floatBinary(e, left, right) : integerBinary(e, left, right)
    }
    case 'compare': {
      const left = term(e.left, environment)
      const right = term(e.right, environment)
      const shared = compareShared(e.op, e.left.type, left, right)
      return shared ?? compareIntegers(e.op as 'lt' | 'le', isSigned(e.left.type), left, right)
    }
    case 'not':
      return logic.not(term(e.arg, environment))
    case 'and':
      return logic.and(e.args.map((arg) => term(arg, environment)))
    case 'or':
      return logic.or(e.args.map((arg) => term(arg, environment)))
    case 'ite':
      return logic.ite(term(e.condition, environment), term(e.then, environment), term(e.else, environment))
    case 'cast':
      return convert(e.arg.type, e.type, term(e.arg, environment))
    case 'bitcast':
      return reinterpret(e.arg.type, e.type, term(e.arg, environment))
  }
}

const reinterpret = (from: Type, to: Type, value: Term): Term =>
  sortOf(from) === sortOf(to) ? value : fromBits(to, resize(toBits(from, value), false, 8 * byteSize(to)))

export const bitVectorEncoding = (options: EncodingOptions = {}): Encoding => {
  const addressSort = logic.bvSort(options.pointerWidth ?? 64)
  return {
    arithmetic: 'bv',
    wraps: true,
    addressSort,
    sortOf,
    regionSort: ({ element }) => logic.arraySort(addressSort, element === 'bytes' ? logic.bvSort(8) : sortOf(element)),
    constant,
    term,
    obligations: () => [],
    inRange: () => logic.TRUE,
    reinterpret,
    convert,
    toBytes: (type, value) => {
      const bits = toBits(type, value)
      return Array.from({ length: byteSize(type) }, (_, i) => logic.extract(8 * i + 7, 8 * i, bits))
    },
    fromBytes: (type, bytes) =>
      fromBits(
        type,
        bytes.reduceRight((high, low) => logic.concat(high, low)),
      ),
  }
}
