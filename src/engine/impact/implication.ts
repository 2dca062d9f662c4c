// Cascaded implication checks (impact.txt, section V): conjuncts that are there literally, answers that are known, and
// only then the solver.
import { and, type Term, TRUE } from '../../logic/index.js'
import { Queries, type Smt } from '../../smt/index.js'
import type { Node } from './tree.js'

const SOLVER_STEPS = 30_000

export class Implications {
  private readonly queries: Queries
  readonly counts = { implications: 0, syntactic: 0 }

  constructor(smt: Smt) {
    this.queries = new Queries(smt, { rlimit: SOLVER_STEPS })
  }

  /** Whether phi(v) implies a formula; what the solver cannot tell is taken as no. */
  implied(v: Node, formula: Term): boolean {
    this.counts.implications++
    if (formula === TRUE || v.label.has(formula) || v.unreachable) {
      this.counts.syntactic++
      return true
    }
    if (v.label.size === 0) return false
    return this.queries.implies(v.phi, formula) === true
  }

  /** Whether no state of phi(v) satisfies the formula. */
  contradicts(v: Node, formula: Term): boolean {
    this.counts.implications++
    return v.unreachable || this.queries.satisfiable(and(v.phi, formula)) === false
  }

  /** phi(v) implies phi(w). */
  covers(w: Node, v: Node): boolean {
    for (const conjunct of w.label) if (!this.implied(v, conjunct)) return false
    return true
  }

  statistics() {
    const { cached = 0, evaluated = 0, solved = 0 } = this.queries.statistics()
    return { ...this.counts, cached: cached + evaluated, solved }
  }

  dispose(): void {
    this.queries.dispose()
  }
}
