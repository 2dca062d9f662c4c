// A solution for every relation of a set of clauses, checked clause by clause. Spacer inlines relations, which is fast
// but leaves them without a formula. What it gave is put in their clauses, which are not recursive then, and solved again.
import { and, FALSE, not, type Term } from '../../logic/index.js'
import {
  type Atom,
  checkHornSolution,
  type HornOptions,
  type HornResult,
  instantiate,
  type Relation,
  type Rule,
  type Smt,
  SolverError,
} from '../../smt/index.js'

export type Solution = ReadonlyMap<Relation, Term>

/** One set of clauses; the solver giving up with an error of its own is an unknown. */
export const solveHorn = (smt: Smt, rules: readonly Rule[], options: HornOptions): HornResult => {
  const horn = smt.horn(options)
  try {
    return horn.solve(rules)
  } catch (error) {
    if (error instanceof SolverError) return { status: 'unknown', reason: error.message }
    throw error
  } finally {
    horn.dispose()
  }
}

const CHECK_MS = 5000

/** Formulas for all relations under which every clause holds; undefined: not found in this time. */
export const completeSolution = (
  smt: Smt,
  rules: readonly Rule[],
  found: Solution,
  timeoutMs: number,
): Solution | undefined => {
  const isProof = (solution: Solution | undefined): solution is Solution =>
    solution !== undefined &&
    [...relationsOf(rules)].every((relation) => solution.has(relation)) &&
    checkHornSolution(smt, rules, solution, { timeoutMs: CHECK_MS }) === undefined
  if (isProof(found)) return found
  const rest = solveHorn(smt, withFormulas(rules, found), { inline: false, timeoutMs })
  const completed = rest.status === 'sat' ? new Map([...rest.solution, ...found]) : undefined
  if (isProof(completed)) return completed
  const whole = solveHorn(smt, rules, { inline: false, timeoutMs })
  const again = whole.status === 'sat' ? withNever(rules, whole.solution) : undefined
  return isProof(again) ? again : undefined
}

export const relationsOf = (rules: readonly Rule[]): ReadonlySet<Relation> => {
  const relations = new Set<Relation>()
  for (const { head, body } of rules) for (const { relation } of head ? [head, ...body] : body) relations.add(relation)
  return relations
}

/** What no rule derives is false. */
const withNever = (rules: readonly Rule[], solution: Solution): Solution => {
  const derived = new Set(rules.flatMap(({ head }) => (head ? [head.relation] : [])))
  const never = [...relationsOf(rules)].filter((r) => !solution.has(r) && !derived.has(r))
  return new Map([...solution, ...never.map((r) => [r, FALSE] as const)])
}

/** The clauses with formulas in the place of their relations. */
const withFormulas = (rules: readonly Rule[], solution: Solution): readonly Rule[] => {
  const isKnown = ({ relation }: Atom): boolean => solution.has(relation)
  return rules.map(({ head, body, constraint, name }) => {
    const formulas = body.filter(isKnown).map((a) => instantiate(solution, a))
    const goal = head && isKnown(head) ? not(instantiate(solution, head)) : []
    return {
      head: head && !isKnown(head) ? head : undefined,
      body: body.filter((a) => !isKnown(a)),
      constraint: and(constraint, formulas, goal),
      ...(name !== undefined && { name }),
    }
  })
}
