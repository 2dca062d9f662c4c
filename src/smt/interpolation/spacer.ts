// Interpolants by Spacer: a chain of Horn clauses, one relation for each cut over the variables shared there. Without
// inlining each relation gets a quantifier-free formula, usually a general one; with it, the strongest postcondition.
import { substitute, type Term } from '../../logic/index.js'
import { parameter, type Relation, type Rule } from '../interfaces.js'
import { sharedVariables } from '../validate.js'
import type { Interpolator } from './problem.js'

export const spacer: Interpolator = (smt, formulas, options) => {
  const shared = sharedVariables(formulas).map((variables) => [...variables].sort((a, b) => a.id - b.id))
  const relations = shared.map(
    (variables, cut): Relation => ({ name: `cut${cut}`, sorts: variables.map((v) => v.sort) }),
  )
  const atom = (cut: number) => ({ relation: relations[cut]!, args: shared[cut]! })
  const rules = formulas.map(
    (constraint, k): Rule => ({
      head: k < relations.length ? atom(k) : undefined,
      body: k > 0 ? [atom(k - 1)] : [],
      constraint,
      name: `step${k}`,
    }),
  )
  const horn = smt.horn(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs })
  const result = horn.solve(rules)
  horn.dispose()
  if (result.status !== 'sat') return `spacer: ${result.status === 'unknown' ? result.reason : 'not contradictory'}`
  const interpolants: Term[] = []
  for (const [cut, relation] of relations.entries()) {
    const formula = result.solution.get(relation)
    if (!formula) return `spacer: no formula for cut ${cut}`
    interpolants.push(substitute(formula, new Map(shared[cut]!.map((v, i) => [parameter(relation, i), v]))))
  }
  return interpolants
}
