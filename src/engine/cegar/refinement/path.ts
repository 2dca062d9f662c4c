// An abstract counterexample as formulas in static single assignment form: one for the initial state, one for each
// step. Step k speaks of variables `x@i` before and `x@(i+1)` after it; its choices carry its number.

import { and, eq, freeVariables, indexed, substitute, type Term, unindexed, variable } from '../../../logic/index.js'
import type { Transition } from '../../../symbolic/index.js'

export interface PathFormulas {
  /** The initial state first. */
  readonly formulas: readonly Term[]
  /** The choices of each step, as they are named in its formula. */
  readonly choices: readonly (readonly Term[])[]
  /** The path as it ends: a formula over the plain variables becomes one over those after the last step. */
  atEnd(formula: Term): Term
}

export const pathFormulas = (
  initial: Transition,
  steps: readonly Transition[],
  fact: (v: Term) => Term,
): PathFormulas => {
  const indices = new Map<Term, number>()
  const now = (v: Term): Term => indexed(v, indices.get(v) ?? 0)
  const choices: (readonly Term[])[] = []
  const formulas = [initial, ...steps].map((transition, k) => {
    const made = new Map(transition.inputs.map(({ term }) => [term, variable(`${term.name}~${k}`, term.sort)]))
    const facts = new Map<Term, Term>()
    const rename = (term: Term): Term => {
      const map = new Map<Term, Term>()
      for (const v of freeVariables(term)) {
        const choice = made.get(v)
        map.set(v, choice ?? now(v))
        if (!choice && !facts.has(v)) facts.set(v, substitute(fact(v), new Map([[v, now(v)]])))
      }
      return substitute(term, map)
    }
    const guard = rename(transition.guard)
    const after = [...transition.updates].map(([v, value]) => [v, rename(value)] as const)
    const equations = after.map(([v, value]) => {
      indices.set(v, (indices.get(v) ?? 0) + 1)
      return eq(now(v), value)
    })
    choices.push(transition.inputs.map(({ term }) => made.get(term)!))
    return and(guard, equations, [...facts.values()])
  })
  return {
    formulas,
    choices: choices.slice(1),
    atEnd: (formula) => substitute(formula, new Map(freeVariables(formula).map((v) => [v, now(v)]))),
  }
}

/** An interpolant over indexed variables, over the plain ones. */
export const withoutIndex = (formula: Term): Term =>
  substitute(formula, new Map(freeVariables(formula).map((v) => [v, unindexed(v).base])))
