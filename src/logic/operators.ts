// The constructors of operators that have nothing but arguments, by their names in SMT-LIB, which are also ours.
import { div, intLess, intLessEqual, mod, mul, toReal } from './arithmetic.js'
import * as bv from './bitvector.js'
import { eq, not, select } from './build.js'
import * as fp from './float.js'
import type { Operator, Term } from './term.js'

export type Unary = (a: Term) => Term
export type Binary = (a: Term, b: Term) => Term

export const UNARY: Readonly<Partial<Record<Operator, Unary>>> = {
  not,
  to_real: toReal,
  bvneg: bv.bvNeg,
  bvnot: bv.bvNot,
  bv2nat: bv.bvToInt,
  'fp.neg': fp.fpNeg,
  'fp.isNaN': fp.fpIsNaN,
  'fp.to_bits': fp.fpToBits,
}

export const BINARY: Readonly<Partial<Record<Operator, Binary>>> = {
  '=': eq,
  '*': mul,
  div,
  mod,
  '<=': intLessEqual,
  '<': intLess,
  select,
  bvadd: bv.bvAdd,
  bvmul: bv.bvMul,
  bvand: bv.bvAnd,
  bvor: bv.bvOr,
  bvxor: bv.bvXor,
  bvudiv: bv.bvUdiv,
  bvurem: bv.bvUrem,
  bvsdiv: bv.bvSdiv,
  bvsrem: bv.bvSrem,
  bvshl: bv.bvShl,
  bvlshr: bv.bvLshr,
  bvashr: bv.bvAshr,
  bvult: bv.bvUlt,
  bvule: bv.bvUle,
  bvslt: bv.bvSlt,
  bvsle: bv.bvSle,
  concat: bv.concat,
  'fp.add': fp.fpAdd,
  'fp.sub': fp.fpSub,
  'fp.mul': fp.fpMul,
  'fp.div': fp.fpDiv,
  'fp.lt': fp.fpLt,
  'fp.leq': fp.fpLe,
  'fp.eq': fp.fpEq,
}
