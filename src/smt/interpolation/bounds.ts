// Elimination of an integer from a conjunction of linear comparisons by Fourier and Motzkin: every lower bound is at most
// every upper one. It is exact where of each two bounds one has no coefficient. Disjunctions in which the integer occurs
// are multiplied out.
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { rational } from '../../logic/index.js'

const MAX_CASES = 32
const MAX_PAIRS = 100

interface Bound {
  /** Positive. */
  readonly factor: bigint
  /** What `factor * x` is at least, or at most. */
  readonly term: Term
}

/** A formula without `x` that is true exactly where some integer x makes `formula` true; undefined if not found. */
export const eliminateByBounds = (formula: Term, x: Term): Term | undefined => {
  if (x.sort.kind !== 'int') return undefined
  const cases = multipliedOut(formula, x)
  if (!cases) return undefined
  const results = cases.map((each) => fromConjunction(each, x))
  return results.every((each) => each !== undefined) ? logic.or(results as readonly Term[]) : undefined
}

/** The cases of a formula as lists of conjuncts, of which those with x are no junctions. */
const multipliedOut = (formula: Term, x: Term): readonly (readonly Term[])[] | undefined => {
  const done: (readonly Term[])[] = []
  const open: (readonly Term[])[] = [logic.conjuncts(formula)]
  for (let next = open.pop(); next; next = open.pop()) {
    if (done.length + open.length > MAX_CASES) return undefined
    const junction = next.find((each) => has(each, x) && (each.op === 'or' || isUnequal(each)))
    if (!junction) done.push(next)
    else {
      const rest = next.filter((each) => each !== junction)
      for (const each of alternatives(junction)) open.push([...rest, ...logic.conjuncts(each)])
    }
  }
  return done
}

const isUnequal = ({ op, args }: Term): boolean =>
  op === 'not' && args[0]!.op === '=' && args[0]!.args[0]!.sort.kind === 'int'

const alternatives = (junction: Term): readonly Term[] => {
  if (junction.op === 'or') return junction.args
  const [a, b] = junction.args[0]!.args as readonly [Term, Term]
  return [logic.lt(a, b), logic.lt(b, a)]
}

const fromConjunction = (conjuncts: readonly Term[], x: Term): Term | undefined => {
  const rest = conjuncts.filter((each) => !has(each, x))
  const lower: Bound[] = []
  const upper: Bound[] = []
  for (const each of conjuncts) {
    if (!has(each, x)) continue
    const bound = boundOf(each, x)
    if (!bound) return undefined
    if (bound.kind !== 'upper') lower.push(bound)
    if (bound.kind !== 'lower') upper.push(bound)
    if (bound.kind === 'value' && bound.factor === 1n)
      return logic.substitute(logic.and(conjuncts), new Map([[x, bound.term]]))
  }
  if (lower.length * upper.length > MAX_PAIRS) return undefined
  if (lower.some((low) => upper.some((high) => low.factor !== 1n && high.factor !== 1n))) return undefined
  const pairs = lower.flatMap((low) =>
    upper.map((high) =>
      logic.le(logic.mul(logic.intConst(high.factor), low.term), logic.mul(logic.intConst(low.factor), high.term)),
    ),
  )
  return logic.and(rest, pairs)
}

/** `factor * x` compared with a term in which x does not occur. */
const boundOf = (atom: Term, x: Term): (Bound & { readonly kind: 'lower' | 'upper' | 'value' }) | undefined => {
  const isStrict = atom.op === '<'
  if (atom.op !== '<=' && !isStrict && atom.op !== '=') return undefined
  const [a, b] = atom.args as readonly [Term, Term]
  if (a.sort.kind !== 'int') return undefined
  const ONE = rational(1n, 1n)
  const form = logic.linearForm([
    [a, ONE],
    [b, rational(-1n, 1n)],
  ])
  const coefficient = form.coefficients.get(x)
  if (coefficient?.denominator !== 1n) return undefined
  const rest = new Map([...form.coefficients].filter(([term]) => term !== x))
  if ([...rest.keys()].some((term) => has(term, x))) return undefined
  const others = logic.linearTerm(logic.INT_SORT, { coefficients: rest, constant: form.constant })
  const sum = isStrict ? logic.add(others, logic.intConst(1)) : others
  const isPositive = coefficient.numerator > 0n
  const kind = atom.op === '=' ? 'value' : isPositive ? 'upper' : 'lower'
  return isPositive
    ? { kind, factor: coefficient.numerator, term: logic.neg(sum) }
    : { kind, factor: -coefficient.numerator, term: sum }
}

const has = (term: Term, x: Term): boolean => logic.freeVariables(term).includes(x)
