// Constructors of floating-point terms. Arithmetic rounds to nearest even, conversion to integers truncates, as C has
// it. `eq` on floats is identity of values (NaN is itself, 0 and -0 differ); C's == is fpEq.
import { applyFolding } from './build.js'
import { BOOL_SORT, bvSort, type FloatSort } from './sort.js'
import { constant, type Term } from './term.js'

export const floatConst = (value: number, sort: FloatSort): Term =>
  constant(sort, sort.significand === 24 ? Math.fround(value) : value)

const binary = (op: 'fp.add' | 'fp.sub' | 'fp.mul' | 'fp.div') => {
  return (a: Term, b: Term): Term => applyFolding(op, a.sort, [a, b])
}
export const fpAdd = binary('fp.add')
export const fpSub = binary('fp.sub')
export const fpMul = binary('fp.mul')
export const fpDiv = binary('fp.div')
export const fpNeg = (a: Term): Term => applyFolding('fp.neg', a.sort, [a])

export const fpLt = (a: Term, b: Term): Term => applyFolding('fp.lt', BOOL_SORT, [a, b])
export const fpLe = (a: Term, b: Term): Term => applyFolding('fp.leq', BOOL_SORT, [a, b])
export const fpEq = (a: Term, b: Term): Term => applyFolding('fp.eq', BOOL_SORT, [a, b])
export const fpIsNaN = (a: Term): Term => applyFolding('fp.isNaN', BOOL_SORT, [a])

export const fpFromBits = (a: Term, sort: FloatSort): Term => applyFolding('fp.from_bits', sort, [a])
export const fpToBits = (a: Term): Term => {
  const sort = a.sort as FloatSort
  return applyFolding('fp.to_bits', bvSort(sort.exponent + sort.significand), [a])
}
export const fpFromFp = (a: Term, sort: FloatSort): Term =>
  a.sort === sort ? a : applyFolding('fp.from_fp', sort, [a])
export const fpFromSigned = (a: Term, sort: FloatSort): Term => applyFolding('fp.from_signed', sort, [a])
export const fpFromUnsigned = (a: Term, sort: FloatSort): Term => applyFolding('fp.from_unsigned', sort, [a])
/** Unspecified outside the range: guard it. */
export const fpToSigned = (a: Term, width: number): Term => applyFolding('fp.to_signed', bvSort(width), [a], width)
export const fpToUnsigned = (a: Term, width: number): Term => applyFolding('fp.to_unsigned', bvSort(width), [a], width)
