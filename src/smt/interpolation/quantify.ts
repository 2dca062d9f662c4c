// Elimination of havocked values from weakest preconditions: there is a value that satisfies the formula exactly if one
// of a few candidates does, the bounds that the formula's comparisons set and their neighbours (virtual substitution).
// Where a value occurs in another way there is no answer.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { rational } from '../../logic/index.js'

/** More candidates than this make formulas too large. */
const MAX_CANDIDATES = 9
const MAX_SIZE = 400

/** A formula without `x` that is true exactly where some value of x makes `formula` true; undefined if not found. */
export const eliminate = (formula: Term, x: Term): Term | undefined => {
  const candidates = candidatesFor(formula, x)
  if (!candidates || candidates.size > MAX_CANDIDATES) return undefined
  const cases = [...candidates].map((value) => logic.substitute(formula, new Map([[x, value]])))
  const result = logic.or(cases)
  return logic.size(result) > MAX_SIZE ? undefined : result
}

const candidatesFor = (formula: Term, x: Term): ReadonlySet<Term> | undefined => {
  if (x.sort.kind === 'bool') return new Set([logic.TRUE, logic.FALSE])
  if (x.sort.kind === 'bv' && x.sort.width === 1) return new Set([logic.bvConst(0, 1), logic.bvConst(1, 1)])
  const candidates = new Set<Term>()
  let understood = true
  logic.postorder(
    [formula],
    (term) => {
      if (term === x) understood = false
    },
    // Comparisons that set a bound are not entered; x elsewhere is not understood.
    (term) => {
      const bounds = isComparison(term) && logic.freeVariables(term).includes(x) ? boundsOf(term, x) : undefined
      for (const bound of bounds ?? []) candidates.add(bound)
      return bounds === undefined
    },
  )
  if (!understood) return undefined
  if (candidates.size === 0)
    candidates.add(x.sort.kind === 'int' ? logic.intConst(0) : logic.bvConst(0, logic.widthOf(x)))
  return candidates
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<=', '<', 'bvult', 'bvule', 'bvslt', 'bvsle'])
const isComparison = (term: Term): boolean => COMPARISONS.has(term.op)
const boundsOf = (term: Term, x: Term): readonly Term[] | undefined =>
  term.args[0]!.sort.kind === 'int' ? integerBound(term, x) : bitVectorBound(term, x)

/** Of `x + rest` compared with 0: the term where the comparison changes, and its neighbours. */
const integerBound = (atom: Term, x: Term): readonly Term[] | undefined => {
  const [a, b] = atom.args as readonly [Term, Term]
  const form = logic.linearForm([
    [a, rational(1n, 1n)],
    [b, rational(-1n, 1n)],
  ])
  const coefficient = form.coefficients.get(x)
  if (coefficient?.denominator !== 1n || coefficient.numerator ** 2n !== 1n) return undefined
  const rest = new Map([...form.coefficients].filter(([term]) => term !== x))
  if ([...rest.keys()].some((term) => logic.freeVariables(term).includes(x))) return undefined
  const sum = logic.linearTerm(logic.INT_SORT, { coefficients: rest, constant: form.constant })
  const at = coefficient.numerator === 1n ? logic.neg(sum) : sum
  return [at, logic.add(at, logic.intConst(1)), logic.add(at, logic.intConst(-1))]
}

/** Comparisons with constants only: bit-vectors wrap. */
const bitVectorBound = (atom: Term, x: Term): readonly Term[] | undefined => {
  const [a, b] = atom.args as readonly [Term, Term]
  const other = a === x ? b : b === x ? a : undefined
  if (other?.op !== 'const' || other.sort.kind !== 'bv') return undefined
  const { width } = other.sort
  const value = other.value as bigint
  return [value, value + 1n, value - 1n].map((each) => logic.bvConst(BigInt.asUintN(width, each), width))
}
