// Rebuilding terms through the constructors: substitution, renaming, simplification.
import { add, div, intLess, intLessEqual, mod, mul, toReal } from './arithmetic.js'
import * as bv from './bitvector.js'
import { and, constArray, eq, ite, not, or, select, store } from './build.js'
import * as fp from './float.js'
import type { ArraySort, BitVectorSort, FloatSort } from './sort.js'
import { freeVariables, postorder, type Term } from './term.js'

/** The same operator on other arguments, through its constructor. */
export const rebuild = (term: Term, args: readonly Term[]): Term => {
  const [a, b, c] = args as readonly [Term, Term, Term]
  switch (term.op) {
    case 'const':
    case 'var':
      return term
    case 'not':
      return not(a)
    case 'and':
      return and(args)
    case 'or':
      return or(args)
    case '=':
      return eq(a, b)
    case 'ite':
      return ite(a, b, c)
    case '+':
      return add(...args)
    case '*':
      return mul(a, b)
    case 'div':
      return div(a, b)
    case 'mod':
      return mod(a, b)
    case '<=':
      return intLessEqual(a, b)
    case '<':
      return intLess(a, b)
    case 'to_real':
      return toReal(a)
    case 'select':
      return select(a, b)
    case 'store':
      return store(a, b, c)
    case 'const-array':
      return constArray(term.sort as ArraySort, a)
    default:
      return term.op.startsWith('fp.') ? rebuildFloat(term, a, b) : rebuildBitVector(term, a, b)
  }
}

const rebuildBitVector = (term: Term, a: Term, b: Term): Term => {
  switch (term.op) {
    case 'bvadd':
      return bv.bvAdd(a, b)
    case 'bvmul':
      return bv.bvMul(a, b)
    case 'bvneg':
      return bv.bvNeg(a)
    case 'bvnot':
      return bv.bvNot(a)
    case 'bvand':
      return bv.bvAnd(a, b)
    case 'bvor':
      return bv.bvOr(a, b)
    case 'bvxor':
      return bv.bvXor(a, b)
    case 'bvudiv':
      return bv.bvUdiv(a, b)
    case 'bvurem':
      return bv.bvUrem(a, b)
    case 'bvsdiv':
      return bv.bvSdiv(a, b)
    case 'bvsrem':
      return bv.bvSrem(a, b)
    case 'bvshl':
      return bv.bvShl(a, b)
    case 'bvlshr':
      return bv.bvLshr(a, b)
    case 'bvashr':
      return bv.bvAshr(a, b)
    case 'bvult':
      return bv.bvUlt(a, b)
    case 'bvule':
      return bv.bvUle(a, b)
    case 'bvslt':
      return bv.bvSlt(a, b)
    case 'bvsle':
      return bv.bvSle(a, b)
    case 'concat':
      return bv.concat(a, b)
    case 'extract':
      return bv.extract(Math.floor(term.index / 65536), term.index % 65536, a)
    case 'zero_extend':
      return bv.zeroExtend(term.index, a)
    case 'sign_extend':
      return bv.signExtend(term.index, a)
    case 'bv2nat':
      return bv.bvToInt(a)
    case 'int2bv':
      return bv.intToBv((term.sort as BitVectorSort).width, a)
    default:
      throw new Error(`no constructor for ${term.op}`)
  }
}

const rebuildFloat = (term: Term, a: Term, b: Term): Term => {
  const sort = term.sort as FloatSort
  switch (term.op) {
    case 'fp.add':
      return fp.fpAdd(a, b)
    case 'fp.sub':
      return fp.fpSub(a, b)
    case 'fp.mul':
      return fp.fpMul(a, b)
    case 'fp.div':
      return fp.fpDiv(a, b)
    case 'fp.neg':
      return fp.fpNeg(a)
    case 'fp.lt':
      return fp.fpLt(a, b)
    case 'fp.leq':
      return fp.fpLe(a, b)
    case 'fp.eq':
      return fp.fpEq(a, b)
    case 'fp.isNaN':
      return fp.fpIsNaN(a)
    case 'fp.from_bits':
      return fp.fpFromBits(a, sort)
    case 'fp.to_bits':
      return fp.fpToBits(a)
    case 'fp.from_fp':
      return fp.fpFromFp(a, sort)
    case 'fp.from_signed':
      return fp.fpFromSigned(a, sort)
    case 'fp.from_unsigned':
      return fp.fpFromUnsigned(a, sort)
    case 'fp.to_signed':
      return fp.fpToSigned(a, (term.sort as unknown as BitVectorSort).width)
    case 'fp.to_unsigned':
      return fp.fpToUnsigned(a, (term.sort as unknown as BitVectorSort).width)
    default:
      throw new Error(`no constructor for ${term.op}`)
  }
}

/** Replaces subterms, top down once: what comes in is not looked at again. */
export const transform = (root: Term, replace: (term: Term) => Term | undefined): Term => {
  const result = new Map<Term, Term>()
  postorder(
    [root],
    (term) => {
      if (!result.has(term)) {
        const args = term.args.map((arg) => result.get(arg)!)
        result.set(term, args.every((arg, i) => arg === term.args[i]) ? term : rebuild(term, args))
      }
    },
    (term) => {
      if (result.has(term)) return false
      const replacement = replace(term)
      if (replacement) result.set(term, replacement)
      return !replacement
    },
  )
  return result.get(root)!
}

/** All variables of the map replaced at once. */
export const substitute = (term: Term, map: ReadonlyMap<Term, Term>): Term =>
  freeVariables(term).some((v) => map.has(v))
    ? transform(term, (t) => (t.op === 'var' ? (map.get(t) ?? t) : undefined))
    : term

export const renameVariables = (term: Term, rename: (variable: Term) => Term): Term =>
  substitute(term, new Map(freeVariables(term).map((v) => [v, rename(v)])))

/** Rebuilds bottom up: worthwhile for terms that came from a solver or were built while less was known. */
export const simplify = (root: Term): Term => {
  const result = new Map<Term, Term>()
  postorder([root], (term) => {
    result.set(
      term,
      rebuild(
        term,
        term.args.map((arg) => result.get(arg)!),
      ),
    )
  })
  return result.get(root)!
}
