// Checking answers with a solver of one's own: Horn solutions, sequence interpolants. Whoever relies on an answer for
// a verdict checks it, with a fresh solver.
import { and, FALSE, freeVariables, not, print, substitute, type Term, TRUE } from '../logic/index.js'
import {
  type Atom,
  parameter,
  type Relation,
  type Rule,
  type Smt,
  type Solver,
  type SolverOptions,
} from './interfaces.js'

/** Answers whether formulas hold in all models (undefined: the solver does not know), with solvers of its own. */
class Validity {
  private readonly incremental: Solver

  constructor(
    private readonly smt: Smt,
    private readonly options: SolverOptions,
  ) {
    this.incremental = smt.solver(options)
  }

  holds(formula: Term): boolean | undefined {
    if (formula === TRUE || formula === FALSE) return formula === TRUE
    const once = needsPreprocessing(formula)
    const solver = once ? this.smt.solver({ ...this.options, once }) : this.incremental
    // A solver for one check must not see a push: it would give up preprocessing.
    if (!once) solver.push()
    solver.add(not(formula))
    const status = solver.check()
    if (once) solver.dispose()
    else solver.pop()
    return status === 'unknown' ? undefined : status === 'unsat'
  }

  dispose(): void {
    this.incremental.dispose()
  }
}

const withValidity = <T>(smt: Smt, options: SolverOptions, use: (validity: Validity) => T): T => {
  const validity = new Validity(smt, options)
  try {
    return use(validity)
  } finally {
    validity.dispose()
  }
}

/** Whether the formula holds in all models; undefined: the solver does not know. */
export const isValid = (smt: Smt, formula: Term, options: SolverOptions = {}): boolean | undefined =>
  withValidity(smt, options, (validity) => validity.holds(formula))

/** Bit-vectors gain much from eliminated equations; setting that up costs more than a check of small integers. */
const needsPreprocessing = (formula: Term): boolean =>
  freeVariables(formula).some(({ sort }) => {
    const scalar = sort.kind === 'array' ? sort.element : sort
    return scalar.kind === 'bv' || scalar.kind === 'float'
  })

/** The meaning of an atom under a solution. */
export const instantiate = (solution: ReadonlyMap<Relation, Term>, { relation, args }: Atom): Term => {
  const formula = solution.get(relation)
  if (!formula) throw new Error(`no solution for ${relation.name}`)
  return substitute(formula, new Map(args.map((arg, i) => [parameter(relation, i), arg])))
}

/** What is wrong with a Horn solution; undefined: every rule is valid under it. */
export const checkHornSolution = (
  smt: Smt,
  rules: readonly Rule[],
  solution: ReadonlyMap<Relation, Term>,
  options: SolverOptions = {},
): string | undefined => withValidity(smt, options, (validity) => firstBrokenRule(validity, rules, solution))

const firstBrokenRule = (
  validity: Validity,
  rules: readonly Rule[],
  solution: ReadonlyMap<Relation, Term>,
): string | undefined => {
  for (const rule of rules) {
    const body = and(
      rule.constraint,
      rule.body.map((atom) => instantiate(solution, atom)),
    )
    const head = rule.head ? instantiate(solution, rule.head) : FALSE
    const valid = validity.holds(not(and(body, not(head))))
    if (valid !== true) return `rule ${rule.name ?? ''} is ${valid === false ? 'not valid' : 'undecided'}`
  }
  return undefined
}

/**
 * What is wrong with interpolants I_1 .. I_(n-1) of formulas A_1 .. A_n; undefined: nothing. I_k follows from
 * I_(k-1) and A_k, the last one contradicts A_n, and each speaks only of what occurs both before and after it.
 */
export const checkInterpolants = (
  smt: Smt,
  formulas: readonly Term[],
  interpolants: readonly Term[],
  options: SolverOptions = {},
): string | undefined => withValidity(smt, options, (validity) => firstBrokenStep(validity, formulas, interpolants))

const firstBrokenStep = (
  validity: Validity,
  formulas: readonly Term[],
  interpolants: readonly Term[],
): string | undefined => {
  if (interpolants.length !== formulas.length - 1)
    return `${interpolants.length} interpolants of ${formulas.length} formulas`
  for (let k = 0; k < formulas.length; k++) {
    const before = k === 0 ? TRUE : interpolants[k - 1]!
    const after = k === formulas.length - 1 ? FALSE : interpolants[k]!
    const valid = validity.holds(not(and(before, formulas[k]!, not(after))))
    if (valid !== true) return `step ${k}: ${print(after)} does not follow${valid === undefined ? ' (undecided)' : ''}`
  }
  const shared = sharedVariables(formulas)
  for (const [k, interpolant] of interpolants.entries()) {
    const foreign = freeVariables(interpolant).find((v) => !shared[k]!.has(v))
    if (foreign) return `interpolant ${k} mentions ${foreign.name}`
  }
  return undefined
}

/** For each cut between two formulas: the variables that occur both before and after it. */
export const sharedVariables = (formulas: readonly Term[]): readonly ReadonlySet<Term>[] => {
  const first = new Map<Term, number>()
  const last = new Map<Term, number>()
  for (const [k, formula] of formulas.entries())
    for (const v of freeVariables(formula)) {
      if (!first.has(v)) first.set(v, k)
      last.set(v, k)
    }
  return formulas.slice(1).map((_, cut) => {
    const shared = new Set<Term>()
    for (const [v, k] of first) if (k <= cut && last.get(v)! > cut) shared.add(v)
    return shared
  })
}
