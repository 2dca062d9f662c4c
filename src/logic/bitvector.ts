// Constructors of bit-vector terms: constants folded, neutral elements removed, commutative arguments ordered.

import { applyFolding, eq, isConstant, ite } from './build.js'
import { type BitVectorSort, BOOL_SORT, bvSort, INT_SORT } from './sort.js'
import { application, constant, FALSE, type Term, TRUE } from './term.js'

export const bvConst = (value: bigint | number, width: number): Term =>
  constant(bvSort(width), BigInt.asUintN(width, BigInt(value)))

export const widthOf = (term: Term): number => (term.sort as BitVectorSort).width

const isValue = (term: Term, value: bigint): boolean => term.op === 'const' && term.value === value
const allOnes = (width: number): bigint => (1n << BigInt(width)) - 1n

type Commutative = 'bvadd' | 'bvmul' | 'bvand' | 'bvor' | 'bvxor'

/** Constants to the right, otherwise by id; a constant of a nested application joins this one's. */
const commutative = (op: Commutative, a: Term, b: Term): Term => {
  if (isConstant(a)) return isConstant(b) ? applyFolding(op, a.sort, [a, b]) : commutative(op, b, a)
  if (isConstant(b)) {
    if (a.op === op && isConstant(a.args[1]!))
      return rewriteCommutative(op, a.args[0]!, applyFolding(op, a.sort, [a.args[1]!, b]))
    return application(op, a.sort, [a, b])
  }
  return application(op, a.sort, a.id < b.id ? [a, b] : [b, a])
}

const rewriteCommutative = (op: Commutative, a: Term, b: Term): Term => {
  switch (op) {
    case 'bvadd':
      return bvAdd(a, b)
    case 'bvmul':
      return bvMul(a, b)
    case 'bvand':
      return bvAnd(a, b)
    case 'bvor':
      return bvOr(a, b)
    case 'bvxor':
      return bvXor(a, b)
  }
}

export const bvAdd = (a: Term, b: Term): Term => {
  if (isValue(a, 0n)) return b
  if (isValue(b, 0n)) return a
  if ((b.op === 'bvneg' && b.args[0] === a) || (a.op === 'bvneg' && a.args[0] === b)) return bvConst(0, widthOf(a))
  return commutative('bvadd', a, b)
}
export const bvNeg = (a: Term): Term => (a.op === 'bvneg' ? a.args[0]! : applyFolding('bvneg', a.sort, [a]))
export const bvSub = (a: Term, b: Term): Term => (a === b ? bvConst(0, widthOf(a)) : bvAdd(a, bvNeg(b)))
export const bvMul = (a: Term, b: Term): Term => {
  if (isValue(a, 0n) || isValue(b, 1n)) return a
  if (isValue(b, 0n) || isValue(a, 1n)) return b
  return commutative('bvmul', a, b)
}
export const bvNot = (a: Term): Term => (a.op === 'bvnot' ? a.args[0]! : applyFolding('bvnot', a.sort, [a]))
export const bvAnd = (a: Term, b: Term): Term => {
  const ones = allOnes(widthOf(a))
  if (a === b || isValue(a, 0n) || isValue(b, ones)) return a
  if (isValue(b, 0n) || isValue(a, ones)) return b
  return commutative('bvand', a, b)
}
export const bvOr = (a: Term, b: Term): Term => {
  const ones = allOnes(widthOf(a))
  if (a === b || isValue(b, 0n) || isValue(a, ones)) return a
  if (isValue(a, 0n) || isValue(b, ones)) return b
  return commutative('bvor', a, b)
}
export const bvXor = (a: Term, b: Term): Term => {
  if (a === b) return bvConst(0, widthOf(a))
  if (isValue(b, 0n)) return a
  if (isValue(a, 0n)) return b
  return commutative('bvxor', a, b)
}

const binary = (op: 'bvudiv' | 'bvurem' | 'bvsdiv' | 'bvsrem' | 'bvshl' | 'bvlshr' | 'bvashr', neutral: bigint) => {
  return (a: Term, b: Term): Term => (isValue(b, neutral) ? a : applyFolding(op, a.sort, [a, b]))
}
/** A neutral element that no bit-vector equals: remainders have none. */
const NONE = -1n
export const bvUdiv = binary('bvudiv', 1n)
export const bvUrem = binary('bvurem', NONE)
export const bvSdiv = (a: Term, b: Term): Term =>
  widthOf(a) > 1 && isValue(b, 1n) ? a : applyFolding('bvsdiv', a.sort, [a, b])
export const bvSrem = binary('bvsrem', NONE)
export const bvShl = binary('bvshl', 0n)
export const bvLshr = binary('bvlshr', 0n)
export const bvAshr = binary('bvashr', 0n)

const comparison = (op: 'bvult' | 'bvule' | 'bvslt' | 'bvsle') => {
  const reflexive = op === 'bvule' || op === 'bvsle' ? TRUE : FALSE
  return (a: Term, b: Term): Term => {
    if (a === b) return reflexive
    if (op === 'bvult' && isValue(b, 0n)) return FALSE
    if (op === 'bvule' && isValue(a, 0n)) return TRUE
    return applyFolding(op, BOOL_SORT, [a, b])
  }
}
export const bvUlt = comparison('bvult')
export const bvUle = comparison('bvule')
export const bvSlt = comparison('bvslt')
export const bvSle = comparison('bvsle')

export const concat = (high: Term, low: Term): Term => {
  if (high.op === 'extract' && low.op === 'extract' && high.args[0] === low.args[0]) {
    const [top, middle] = [Math.floor(high.index / 65536), high.index % 65536]
    if (Math.floor(low.index / 65536) === middle - 1) return extract(top, low.index % 65536, high.args[0]!)
  }
  return applyFolding('concat', bvSort(widthOf(high) + widthOf(low)), [high, low])
}

export const extract = (high: number, low: number, a: Term): Term => {
  const width = widthOf(a)
  if (low === 0 && high === width - 1) return a
  switch (a.op) {
    case 'extract': {
      const offset = a.index % 65536
      return extract(high + offset, low + offset, a.args[0]!)
    }
    case 'concat': {
      const lowWidth = widthOf(a.args[1]!)
      if (high < lowWidth) return extract(high, low, a.args[1]!)
      if (low >= lowWidth) return extract(high - lowWidth, low - lowWidth, a.args[0]!)
      break
    }
    case 'zero_extend':
    case 'sign_extend': {
      const inner = widthOf(a.args[0]!)
      if (high < inner) return extract(high, low, a.args[0]!)
      if (a.op === 'zero_extend' && low >= inner) return bvConst(0, high - low + 1)
      if (low === 0)
        return a.op === 'zero_extend'
          ? zeroExtend(high + 1 - inner, a.args[0]!)
          : signExtend(high + 1 - inner, a.args[0]!)
      break
    }
    case 'ite':
      if (isConstant(a.args[1]!) || isConstant(a.args[2]!))
        return ite(a.args[0]!, extract(high, low, a.args[1]!), extract(high, low, a.args[2]!))
      break
    default:
      break
  }
  return applyFolding('extract', bvSort(high - low + 1), [a], high * 65536 + low)
}

const extension = (op: 'zero_extend' | 'sign_extend') => {
  const extend = (bits: number, a: Term): Term => {
    if (bits === 0) return a
    if (a.op === op) return extend(bits + a.index, a.args[0]!)
    if (a.op === 'ite' && isConstant(a.args[1]!) && isConstant(a.args[2]!))
      return ite(a.args[0]!, extend(bits, a.args[1]!), extend(bits, a.args[2]!))
    return applyFolding(op, bvSort(widthOf(a) + bits), [a], bits)
  }
  return extend
}
export const zeroExtend = extension('zero_extend')
export const signExtend = extension('sign_extend')

/** The unsigned value as an integer, and back (modulo 2^width). */
export const bvToInt = (a: Term): Term => applyFolding('bv2nat', INT_SORT, [a])
export const intToBv = (width: number, a: Term): Term => applyFolding('int2bv', bvSort(width), [a], width)

/** A truth value as a bit-vector 0 or 1. */
export const boolToBv = (condition: Term, width: number): Term => ite(condition, bvConst(1, width), bvConst(0, width))
export const bvIsZero = (a: Term): Term => eq(a, bvConst(0, widthOf(a)))
