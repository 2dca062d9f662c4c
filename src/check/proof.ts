// Questions of a check to a fresh solver, each with the place in the certificate that it is about.

import { Rejected } from '../certificate/index.js'
import { and, not, type Term } from '../logic/index.js'
import { Queries, type Smt } from '../smt/index.js'

/** The solver gave up, or something is not checked: neither accepted nor rejected. */
export class Undecided extends Error {}

export class Proof {
  private readonly queries: Queries

  constructor(
    smt: Smt,
    private readonly stopped: () => string | undefined,
  ) {
    this.queries = new Queries(smt, { timeoutMs: 20_000 })
  }

  get questions(): number {
    return this.queries.statistics()['asked'] ?? 0
  }

  /** Whether the premise implies the conclusion. */
  implies(premise: Term, conclusion: Term, place: string): boolean {
    const reason = this.stopped()
    if (reason) throw new Undecided(reason)
    const open = this.queries.satisfiable(and(premise, not(conclusion)))
    if (open === undefined) throw new Undecided(`${place}: the solver does not know`)
    return !open
  }

  /** The same, where an answer that the solver does not give is as good as no. */
  isKnown(premise: Term, conclusion: Term): boolean {
    return this.queries.satisfiable(and(premise, not(conclusion))) === false
  }

  require(premise: Term, conclusion: Term, place: string, why: string): void {
    if (!this.implies(premise, conclusion, place)) throw new Rejected(place, why)
  }

  dispose(): void {
    this.queries.dispose()
  }
}
