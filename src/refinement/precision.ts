// From a refutation to a finer precision: explicit values track the variables of the interpolants; predicate
// abstraction takes their conjuncts, which suffices for Cartesian posts to follow the interpolants along the path, or
// their atoms, where posts combine them; the product tracks what has few values and takes predicates for the rest.
import type { Precision } from '../domain/index.js'
import { conjuncts, eq, freeVariables, isConstant, not, postorder, type Term, TRUE } from '../logic/index.js'
import type { CellwisePath } from './cellwise.js'
import type { Hint } from './refute.js'

export type PrecisionKind = 'values' | 'conjuncts' | 'atoms' | 'product'

export interface RefinementRule {
  readonly kind: PrecisionKind
  /** Whether a variable only ever has few values (locks, flags, thread numbers): the product tracks it. */
  readonly hasFewValues: (variable: Term) => boolean
  /** The same variable in the other threads of its kind, itself included. */
  readonly instances: (variable: Term) => readonly Term[]
}

/** Adds what the interpolants speak of; true if anything is new. */
export const refinePrecision = (precision: Precision, interpolants: readonly Term[], rule: RefinementRule): boolean => {
  let grown = false
  const track = (v: Term): void => {
    for (const instance of rule.instances(v)) if (precision.track(instance)) grown = true
  }
  for (const interpolant of interpolants)
    for (const conjunct of conjuncts(interpolant)) {
      if (isConstant(conjunct)) continue
      const variables = freeVariables(conjunct)
      if (rule.kind === 'values' || (rule.kind === 'product' && variables.every(rule.hasFewValues)))
        variables.forEach(track)
      else
        for (const predicate of rule.kind === 'atoms' ? atomsOf(conjunct) : [positive(conjunct)])
          if (precision.addPredicate(predicate)) grown = true
    }
  return grown
}

/** The same from what matters at each node, where there are no interpolants. */
export const refineByHints = (precision: Precision, hints: readonly Hint[], rule: RefinementRule): boolean => {
  let grown = false
  for (const { variables, conditions } of hints) {
    for (const v of variables)
      if (rule.kind === 'values' || (rule.kind === 'product' && rule.hasFewValues(v)))
        for (const instance of rule.instances(v)) if (precision.track(instance)) grown = true
    if (rule.kind === 'values') continue
    for (const atom of conditions.flatMap(atomsOf))
      if (!(rule.kind === 'product' && freeVariables(atom).every(rule.hasFewValues)))
        if (precision.addPredicate(atom)) grown = true
  }
  return grown
}

/** Variables and cells whose values decide which cells are accessed: tracked, or told by predicates. */
export const refineByValues = (
  precision: Precision,
  values: ReadonlyMap<Term, Term>,
  { regionOf, overRegions }: Pick<CellwisePath, 'regionOf' | 'overRegions'>,
  rule: RefinementRule,
): boolean => {
  let grown = false
  for (const [v, value] of values)
    if (rule.kind === 'product' || rule.kind === 'values') {
      for (const instance of rule.instances(regionOf(v))) if (precision.track(instance)) grown = true
    } else if (precision.addPredicate(positive(eq(overRegions(v), value)))) grown = true
  return grown
}

/** A predicate and its negation are one. */
const positive = (formula: Term): Term => {
  const opposite = not(formula)
  return formula.op === 'not' || opposite.id < formula.id ? opposite : formula
}

/** The formulas without connectives in it. */
export const atomsOf = (formula: Term): readonly Term[] => {
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
