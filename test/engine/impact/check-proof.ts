// Whether a finished tree is a proof (Definitions 3.2, 4.4 and 4.5, Proposition 4.6): well-labelled, safe, and complete
// for the paths that its reduction keeps. Asks a solver of its own, and says what is wrong.

import type { Impact } from '../../../src/engine/impact/impact.js'
import type { Node } from '../../../src/engine/impact/tree.js'
import { and, eq, FALSE, freeVariables, not, primed, renameVariables, type Term } from '../../../src/logic/index.js'
import { failing } from '../../../src/semantics/control.js'
import { isValid, type Smt } from '../../../src/smt/index.js'
import type { Transition, Transitions } from '../../../src/symbolic/index.js'

export const checkProof = (impact: Impact, transitions: Transitions, smt: Smt): string | undefined => {
  const implied = (premise: Term, conclusion: Term): boolean =>
    isValid(smt, not(and(premise, not(conclusion)))) === true
  const [root] = impact.tree.nodes
  if (!implied(initialFormula(root!.phi, transitions), root!.phi)) return 'the root does not follow from the beginning'
  for (const v of impact.tree.nodes) {
    if (v.hidden && !v.coveredBy) continue
    const problem = v.coveredBy
      ? coverProblem(impact, v, v.coveredBy, implied)
      : nodeProblem(impact, transitions, v, implied)
    if (problem) return `node ${v.id}: ${problem}`
  }
  return undefined
}

type Implied = (premise: Term, conclusion: Term) => boolean

const coverProblem = (impact: Impact, v: Node, w: Node, implied: Implied): string | undefined => {
  if (v.parent?.hidden) return undefined
  if (v.control.key !== w.control.key) return 'covered by a node at another vector'
  if (w.hidden || w.unreachable) return `covered by ${w.id}, which is covered itself`
  if (!implied(v.phi, w.phi)) return `its label does not imply that of ${w.id}, which covers it`
  if (!impact.reduction.mayCover(w, v))
    return `after the local steps from ${w.id}, which covers it, threads are left out`
  const missing = impact.reduction.threadsAt(v).find((thread) => !w.threads.has(thread))
  return missing === undefined ? undefined : `thread ${missing} is not unwound at ${w.id}, which covers it`
}

const nodeProblem = (impact: Impact, transitions: Transitions, v: Node, implied: Implied): string | undefined => {
  if (v.unreachable) return undefined
  if (failing(v.control)) return implied(v.phi, FALSE) ? undefined : 'an error whose label is not False'
  const missing = impact.reduction.threadsAt(v).find((thread) => !v.threads.has(thread))
  if (!v.expanded || missing !== undefined) return `thread ${missing} is not unwound`
  for (const thread of v.threads)
    for (const edge of impact.flow.edgesFrom(v.control.threads[thread]!.location)) {
      const transition = transitions.of(v.control, { thread, edge })
      const child = v.children.find(({ step }) => step!.action.thread === thread && step!.action.edge === edge)
      const after = child ? primedFormula(child.phi, transition) : FALSE
      if (!implied(and(v.phi, transition.guard, child ? effects(child.phi, transition) : []), after))
        return `edge ${edge.id} of thread ${thread} leads out of the label of its target`
    }
  return undefined
}

/** The state after the step, for the variables of a formula that it changes. */
const effects = (formula: Term, { updates }: Transition): readonly Term[] =>
  [...updates].filter(([v]) => freeVariables(formula).includes(v)).map(([v, value]) => eq(primed(v), value))

const primedFormula = (formula: Term, { updates }: Transition): Term =>
  renameVariables(formula, (v) => (updates.has(v) ? primed(v) : v))

const initialFormula = (formula: Term, transitions: Transitions): Term => {
  const equations = freeVariables(formula).map((v) => eq(v, transitions.initial(v).value))
  return and(equations, transitions.initialFacts())
}
