// Yes/no questions with fewer solver calls: constants, a cache by formula, models of earlier answers that satisfy the
// formula at hand, and only then one incremental solver.
import { and, FALSE, freeVariables, type Model, not, satisfies, type Term, TRUE } from '../logic/index.js'
import type { Smt, Solver, SolverOptions, Statistics } from './interfaces.js'

/** How many models are kept: more cost more evaluation than they save. */
const KEPT_MODELS = 8

export class Queries {
  private readonly solver: Solver
  private readonly answers = new Map<Term, boolean>()
  private models: Model[] = []
  private readonly counts = { asked: 0, cached: 0, evaluated: 0, solved: 0 }

  constructor(smt: Smt, options: SolverOptions = {}) {
    this.solver = smt.solver(options)
  }

  /** Undefined: the solver does not know. */
  satisfiable(formula: Term): boolean | undefined {
    if (formula === TRUE || formula === FALSE) return formula === TRUE
    this.counts.asked++
    const known = this.answers.get(formula)
    if (known !== undefined) {
      this.counts.cached++
      return known
    }
    const answer = this.hasKnownModel(formula) || this.solve(formula)
    if (answer !== undefined) this.answers.set(formula, answer)
    return answer
  }

  implies(a: Term, b: Term): boolean | undefined {
    if (a === b || a === FALSE || b === TRUE) return true
    const open = this.satisfiable(and(a, not(b)))
    return open === undefined ? undefined : !open
  }

  valid(formula: Term): boolean | undefined {
    return this.implies(TRUE, formula)
  }

  statistics(): Statistics {
    return this.counts
  }

  dispose(): void {
    this.solver.dispose()
  }

  private hasKnownModel(formula: Term): boolean {
    const index = this.models.findIndex((model) => satisfies(formula, model) === true)
    if (index < 0) return false
    this.counts.evaluated++
    this.models.unshift(...this.models.splice(index, 1))
    return true
  }

  private solve(formula: Term): boolean | undefined {
    this.counts.solved++
    this.solver.push()
    this.solver.add(formula)
    const status = this.solver.check()
    if (status === 'sat') {
      this.models = [this.solver.values(freeVariables(formula)), ...this.models.slice(0, KEPT_MODELS - 1)]
    }
    this.solver.pop()
    return status === 'unknown' ? undefined : status === 'sat'
  }
}
