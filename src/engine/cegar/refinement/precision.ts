// From a refutation to a finer precision: explicit values track the variables of the interpolants; predicate
// abstraction takes their conjuncts, which suffices for Cartesian posts to follow the interpolants along the path, or
// their atoms, where posts combine them; the product follows values where there are few, and takes predicates for the
// rest and where values do not help.

import { conjuncts, eq, freeVariables, isConstant, not, postorder, type Term, TRUE } from '../../../logic/index.js'
import type { Precision } from '../domain/index.js'
import type { CellwisePath } from './cellwise.js'
import type { Hint } from './refute.js'

export type PrecisionKind = 'values' | 'conjuncts' | 'atoms' | 'product'

export interface RefinementRule {
  readonly kind: PrecisionKind
  /** Whether the product follows the values of a variable or region: it had few of them so far. */
  readonly followsValues: (variable: Term) => boolean
  /** The same variable in the other threads of its kind, itself included. */
  readonly instances: (variable: Term) => readonly Term[]
}

/** Adds what the interpolants speak of; true if anything is new. */
export const refinePrecision = (precision: Precision, interpolants: readonly Term[], rule: RefinementRule): boolean => {
  const parts = [...new Set(interpolants.flatMap(conjuncts))].filter((conjunct) => !isConstant(conjunct))
  return addAll(parts, (conjunct) => {
    const variables = freeVariables(conjunct)
    if (isTracked(variables, rule)) return addAll(variables, (v) => track(precision, v, rule))
    return addPredicates(precision, rule.kind === 'atoms' ? atomsOf(conjunct) : [conjunct])
  })
}

/** Where following values does not refute a path: predicates about them. */
export const refineByPredicates = (precision: Precision, interpolants: readonly Term[]): boolean =>
  addPredicates(precision, [...new Set(interpolants.flatMap(conjuncts))])

/** The same from what matters at each node, where there are no interpolants. */
export const refineByHints = (precision: Precision, hints: readonly Hint[], rule: RefinementRule): boolean =>
  addAll(hints, ({ variables, conditions }) => {
    const tracked = addAll(
      variables.filter((v) => isTracked([v], rule)),
      (v) => track(precision, v, rule),
    )
    if (rule.kind === 'values') return tracked
    const atoms = conditions.flatMap(atomsOf).filter((atom) => !isTracked(freeVariables(atom), rule))
    return addPredicates(precision, atoms) || tracked
  })

const isTracked = (variables: readonly Term[], { kind, followsValues }: RefinementRule): boolean =>
  kind === 'values' || (kind === 'product' && variables.every(followsValues))

const track = (precision: Precision, v: Term, { instances }: RefinementRule): boolean =>
  addAll(instances(v), (instance) => precision.track(instance))

const addPredicates = (precision: Precision, formulas: readonly Term[]): boolean =>
  addAll(
    formulas.filter((formula) => !isConstant(formula)),
    (formula) => precision.addPredicate(positive(formula)),
  )

/** Does all of it; true if one of them changed anything. */
const addAll = <T>(items: readonly T[], add: (item: T) => boolean): boolean => items.filter(add).length > 0

/** Variables and cells whose values decide which cells are accessed: tracked, or told by predicates. */
export const refineByValues = (
  precision: Precision,
  values: ReadonlyMap<Term, Term>,
  { regionOf, overRegions }: Pick<CellwisePath, 'regionOf' | 'overRegions'>,
  rule: RefinementRule,
): boolean =>
  addAll([...values], ([v, value]) =>
    isTracked([regionOf(v)], rule)
      ? track(precision, regionOf(v), rule)
      : addPredicates(precision, [eq(overRegions(v), value)]),
  )

/** A predicate and its negation are one. */
const positive = (formula: Term): Term => {
  const opposite = not(formula)
  return formula.op === 'not' || opposite.id < formula.id ? opposite : formula
}

/** The formulas without connectives in it. */
const atomsOf = (formula: Term): readonly Term[] => {
  const atoms = new Set<Term>()
  postorder(
    [formula],
    (term) => {
      if (term.sort.kind === 'bool' && !isConnective(term) && !isConstant(term)) atoms.add(positive(term))
    },
    (term) => term.sort.kind === 'bool' && (isConnective(term) || !isConstant(term)),
  )
  return [...atoms]
}

const isConnective = (term: Term): boolean =>
  term.op === 'and' ||
  term.op === 'or' ||
  term.op === 'not' ||
  ((term.op === '=' || term.op === 'ite') && term.args.every((arg) => arg.sort.kind === 'bool'))

/** The first node of the path of which the refutation says anything: everything from there on may change. */
export const firstRefuted = (interpolants: readonly Term[]): number =>
  interpolants.findIndex((interpolant) => interpolant !== TRUE)
