// Rebuilding terms through the constructors: substitution, renaming, simplification.
import { add } from './arithmetic.js'
import * as bv from './bitvector.js'
import { and, constArray, ite, or, store } from './build.js'
import * as fp from './float.js'
import { BINARY, UNARY } from './operators.js'
import type { ArraySort, BitVectorSort, FloatSort } from './sort.js'
import { freeVariables, postorder, type Term } from './term.js'

/** The same operator on other arguments, through its constructor. */
export const rebuild = (term: Term, args: readonly Term[]): Term => {
  const [a, b, c] = args as readonly [Term, Term, Term]
  switch (term.op) {
    case 'const':
    case 'var':
      return term
    case 'and':
      return and(args)
    case 'or':
      return or(args)
    case 'ite':
      return ite(a, b, c)
    case '+':
      return add(...args)
    case 'store':
      return store(a, b, c)
    default: {
      const binary = BINARY[term.op]
      if (binary) return binary(a, b)
      return UNARY[term.op]?.(a) ?? rebuildWithSort(term, a)
    }
  }
}

/** Operators whose index or sort says what they give. */
const rebuildWithSort = (term: Term, a: Term): Term => {
  const { width } = term.sort as BitVectorSort
  const float = term.sort as FloatSort
  switch (term.op) {
    case 'const-array':
      return constArray(term.sort as ArraySort, a)
    case 'extract':
      return bv.extract(Math.floor(term.index / 65536), term.index % 65536, a)
    case 'zero_extend':
      return bv.zeroExtend(term.index, a)
    case 'sign_extend':
      return bv.signExtend(term.index, a)
    case 'int2bv':
      return bv.intToBv(width, a)
    case 'fp.from_bits':
      return fp.fpFromBits(a, float)
    case 'fp.from_fp':
      return fp.fpFromFp(a, float)
    case 'fp.from_signed':
      return fp.fpFromSigned(a, float)
    case 'fp.from_unsigned':
      return fp.fpFromUnsigned(a, float)
    case 'fp.to_signed':
      return fp.fpToSigned(a, width)
    case 'fp.to_unsigned':
      return fp.fpToUnsigned(a, width)
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
