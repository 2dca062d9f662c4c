// A solution for every relation of a set of clauses, checked clause by clause. Spacer inlines relations, which is fast
// but leaves them without a formula. What it gave is put in their clauses, which are not recursive then, and solved again.
import { and, FALSE, not, type Term, TRUE } from '../../logic/index.js'
import {
  type Atom,
  affineInvariants,
  type CandidateOptions,
  checkHornSolution,
  givenUp,
  type HornOptions,
  type HornResult,
  instantiate,
  isValid,
  projected,
  type Relation,
  type Rule,
  type Smt,
  SolverError,
  strongestBounds,
  withInvariants,
} from '../../smt/index.js'

export type Solution = ReadonlyMap<Relation, Term>

/** One set of clauses; the solver giving up with an error of its own is an unknown. */
export const solveHorn = (smt: Smt, rules: readonly Rule[], options: HornOptions): HornResult => {
  const horn = smt.horn(options)
  try {
    return horn.solve(rules)
  } catch (error) {
    if (error instanceof SolverError) return givenUp(error.message)
    throw error
  } finally {
    horn.dispose()
  }
}

const CHECK_MS = 5000

/** Clauses with what is known of their relations before they are solved. */
export interface Strengthened {
  readonly original: readonly Rule[]
  readonly rules: readonly Rule[]
  readonly invariants: Solution
  /** A solution of the original clauses. */
  restore(solution: Solution): Solution
}

/** More clauses than this are solved as they are. */
const MAX_RULES = 3000

/** More than this are not solved a second time for the certificate alone. */
const MAX_RESOLVED_RULES = 400

/** `exact`: relations keep their arguments, so that a derivation can be read as an execution. */
export const strengthened = (original: readonly Rule[], exact: boolean): Strengthened => {
  if (original.length > MAX_RULES) return { original, rules: original, invariants: new Map(), restore: (s) => s }
  const invariants = affineInvariants(original)
  if (exact) return { original, rules: withInvariants(original, invariants), invariants, restore: (s) => s }
  return { original, invariants, ...projected(original, invariants) }
}

/** The same with bounds as facts, and without the goals that they exclude; undefined: not found by so many checks. */
export const bounded = (smt: Smt, facts: Strengthened, options: CandidateOptions): Strengthened | undefined => {
  const bounds = strongestBounds(smt, facts.rules, options)
  if (!bounds) return undefined
  const isOpen = ({ body, constraint }: Rule): boolean =>
    isValid(smt, not(and(constraint, ...body.map((a) => instantiate(bounds, a)))), { timeoutMs: CHECK_MS }) !== true
  const rules = facts.rules.filter((rule) => rule.head || isOpen(rule))
  const never = [...bounds].filter(([, bound]) => bound === FALSE)
  return {
    ...facts,
    rules: withInvariants(rules, bounds),
    restore: (solution) =>
      facts.restore(
        new Map([...never, ...[...solution].map(([r, formula]) => [r, and(formula, bounds.get(r) ?? [])] as const)]),
      ),
  }
}

/** What holds if no goal is left: everything that is known. */
export const withoutGoals = ({ rules }: Strengthened): Solution | undefined =>
  rules.every(({ head }) => head) ? new Map([...relationsOf(rules)].map((r) => [r, TRUE])) : undefined

/** Whether the invariants follow from the clauses by themselves. */
export const invariantsHold = (smt: Smt, { original, invariants }: Strengthened): boolean =>
  invariants.size === 0 ||
  checkHornSolution(
    smt,
    original.filter(({ head }) => head),
    invariants,
    { timeoutMs: CHECK_MS },
  ) === undefined

/** Formulas for all relations under which every clause holds; undefined: not found in this time. */
export const completeSolution = (
  smt: Smt,
  { original, rules, invariants, restore }: Strengthened,
  found: Solution,
  timeoutMs: number,
): Solution | undefined => {
  const proof = (solution: Solution): Solution | undefined => {
    const restored = restore(withNever(rules, solution))
    const relations = [...relationsOf(original)]
    if (relations.some((r) => !restored.has(r) && invariants.get(r) !== FALSE)) return undefined
    const whole = new Map(relations.map((r) => [r, and(restored.get(r) ?? FALSE, invariants.get(r) ?? [])]))
    return checkHornSolution(smt, original, whole, { timeoutMs: CHECK_MS }) === undefined ? whole : undefined
  }
  const first = proof(found)
  if (first) return first
  const rest = solveHorn(smt, withFormulas(rules, found), { inline: false, timeoutMs })
  const completed = rest.status === 'sat' ? proof(new Map([...rest.solution, ...found])) : undefined
  if (completed) return completed
  if (rules.length > MAX_RESOLVED_RULES) return undefined
  const again = solveHorn(smt, rules, { inline: false, timeoutMs })
  return again.status === 'sat' ? proof(again.solution) : undefined
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
