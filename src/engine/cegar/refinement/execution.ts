// A path executed in the logic step by step: every variable is a term over the choices made on the way, so that most
// guards fold to truth values, and what is left is a question about choices only. Where a guard folds to false, or
// guards contradict each other, the variables from which they were computed are what explicit values must track.

import { and, FALSE, freeVariables, type Model, substitute, type Term, TRUE, variable } from '../../../logic/index.js'
import type { Smt } from '../../../smt/index.js'
import type { Transition } from '../../../symbolic/index.js'
import type { Refutation } from './refute.js'

/** `choices[k]`: how the choices of step k are named. */
export const refuteByExecution = (
  smt: Smt,
  initial: Transition,
  steps: readonly Transition[],
  choices: readonly (readonly Term[])[],
  fact: (v: Term) => Term,
  timeoutMs: number,
): Refutation => {
  const transitions = [initial, ...steps]
  const guards = execute(transitions, [[], ...choices], fact)
  const contradiction = guards.indexOf(FALSE)
  if (contradiction >= 0) return spurious(transitions, [contradiction])
  const open = guards.flatMap((guard, k) => (guard === TRUE ? [] : [{ guard, k }]))
  if (open.length === 0) return { kind: 'feasible', model: new Map() }
  const solver = smt.solver({ timeoutMs })
  try {
    switch (solver.check([...new Set(open.map(({ guard }) => guard))])) {
      case 'sat':
        return { kind: 'feasible', model: solver.model() satisfies Model }
      case 'unknown':
        return { kind: 'unknown', reason: solver.reason() }
      case 'unsat': {
        const core = new Set(solver.core())
        return spurious(
          transitions,
          open.filter(({ guard }) => core.has(guard)).map(({ k }) => k),
        )
      }
    }
  } finally {
    solver.dispose()
  }
}

/** The same where no solver is needed: a guard that folds to false; otherwise undefined. */
export const refuteByFolding = (
  initial: Transition,
  steps: readonly Transition[],
  choices: readonly (readonly Term[])[],
  fact: (v: Term) => Term,
): Refutation | undefined => {
  const transitions = [initial, ...steps]
  const contradiction = execute(transitions, [[], ...choices], fact).indexOf(FALSE)
  return contradiction < 0 ? undefined : spurious(transitions, [contradiction])
}

/** The guard of each step over the choices before and in it. */
const execute = (
  transitions: readonly Transition[],
  choices: readonly (readonly Term[])[],
  fact: (v: Term) => Term,
): readonly Term[] => {
  const values = new Map<Term, Term>()
  return transitions.map((transition, k) => {
    const now = new Map(values)
    const facts: Term[] = []
    for (const [i, { term }] of transition.inputs.entries()) now.set(term, choices[k]![i]!)
    const evaluate = (term: Term): Term => {
      for (const v of freeVariables(term))
        if (!now.has(v)) {
          const first = variable(`${v.name}@0`, v.sort)
          now.set(v, first)
          values.set(v, first)
          facts.push(substitute(fact(v), new Map([[v, first]])))
        }
      return substitute(term, now)
    }
    const guard = evaluate(transition.guard)
    const after = [...transition.updates].map(([v, value]) => [v, evaluate(value)] as const)
    for (const [v, value] of after) values.set(v, value)
    return and(guard, facts)
  })
}

/** At each node the variables from which the guards of these steps are computed, backwards from the last of them. */
const spurious = (transitions: readonly Transition[], contradicting: readonly number[]): Refutation => {
  const wanted = new Set(contradicting)
  const needed: Set<Term>[] = transitions.map(() => new Set())
  let after = new Set<Term>()
  for (let k = transitions.length - 1; k > 0; k--) {
    const { guard, updates, inputs } = transitions[k]!
    const before = new Set<Term>()
    for (const v of after) {
      const value = updates.get(v)
      if (value === undefined) before.add(v)
      else for (const source of freeVariables(value)) before.add(source)
    }
    if (wanted.has(k)) for (const v of freeVariables(guard)) before.add(v)
    for (const { term } of inputs) before.delete(term)
    needed[k - 1] = before
    after = before
  }
  const hints = needed.slice(0, -1).map((variables) => ({ variables: [...variables], conditions: [] }))
  const marks = hints.map(({ variables }) => (variables.length > 0 ? FALSE : TRUE))
  return { kind: 'spurious', interpolants: [...marks, FALSE], hints }
}
