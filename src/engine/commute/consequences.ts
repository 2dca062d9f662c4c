// Which of many formulas follow from a premise: a model of the premise in which one of them fails tells of all that fail in
// it, so that most questions need a few calls of the solver, however many formulas there are. Models of earlier premises
// are tried first: many satisfy the next one, too, which is the same way from a label that says a little less.
import type { Model, Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Smt, Solver } from '../../smt/index.js'

/** How many models are kept: more cost more evaluation than they save. */
const KEPT_MODELS = 12

export class Consequences {
  readonly counts = { asked: 0, solved: 0 }
  private readonly solver: Solver
  private readonly known = new Map<Term, Map<Term, boolean>>()
  private models: readonly Model[] = []

  constructor(smt: Smt, rlimit: number) {
    this.solver = smt.solver({ rlimit })
  }

  dispose(): void {
    this.solver.dispose()
  }

  /** Those that hold wherever the premise does; what the solver does not know is left out. */
  of(premise: Term, formulas: readonly Term[], rangesOf: (formula: Term) => Term): ReadonlySet<Term> {
    const known = this.knownOf(premise)
    let open = this.leftOpen(premise, formulas, known)
    if (open.length > 0)
      this.under(premise, open, rangesOf, () => {
        while (open.length > 0) open = this.round(premise, open, known)
      })
    return new Set(formulas.filter((each) => known.get(each)))
  }

  /** Whether all of them hold wherever the premise does, as far as the solver knows: one call at most. */
  all(premise: Term, formulas: readonly Term[], rangesOf: (formula: Term) => Term): boolean {
    const known = this.knownOf(premise)
    const fails = (): boolean => formulas.some((each) => known.get(each) === false)
    if (fails()) return false
    const open = this.leftOpen(premise, formulas, known)
    if (fails()) return false
    if (open.length === 0) return true
    let left: readonly Term[] = open
    this.under(premise, open, rangesOf, () => {
      left = this.round(premise, open, known)
    })
    return left.length === 0 && !fails()
  }

  private knownOf(premise: Term): Map<Term, boolean> {
    let known = this.known.get(premise)
    if (!known) this.known.set(premise, (known = new Map()))
    return known
  }

  /** Formulas of which nothing is known, after the models that were found before have been tried. */
  private leftOpen(premise: Term, formulas: readonly Term[], known: Map<Term, boolean>): readonly Term[] {
    let open: readonly Term[] = [...new Set(formulas)].filter((each) => !known.has(each))
    this.counts.asked += open.length
    if (open.length === 0) return open
    for (const model of this.models) {
      if (logic.satisfies(premise, model) !== true) continue
      decided(
        open.filter((each) => logic.satisfies(each, model) === false),
        false,
        known,
      )
      open = open.filter((each) => !known.has(each))
      if (open.length === 0) break
    }
    return open
  }

  private under(premise: Term, open: readonly Term[], rangesOf: (formula: Term) => Term, ask: () => void): void {
    this.solver.push()
    // One by one: of formulas that exclude each other `and` would leave no variable.
    this.solver.add(logic.and(premise, rangesOf(premise), open.map(rangesOf)))
    ask()
    this.solver.pop()
  }

  /** Decides some of the formulas; what is left. */
  private round(premise: Term, open: readonly Term[], known: Map<Term, boolean>): readonly Term[] {
    const failing = logic.or(open.map(logic.not))
    if (failing === logic.FALSE) return decided(open, true, known)
    this.counts.solved++
    this.solver.push()
    this.solver.add(failing)
    const status = this.solver.check()
    const free = new Set([...logic.freeVariables(failing), ...logic.freeVariables(premise)])
    const values = status === 'sat' ? this.solver.values([...free]) : undefined
    this.solver.pop()
    if (status === 'unsat') return decided(open, true, known)
    if (values) this.models = [values, ...this.models.slice(0, KEPT_MODELS - 1)]
    const refuted = values ? open.filter((each) => logic.satisfies(each, values) === false) : []
    if (refuted.length > 0) {
      decided(refuted, false, known)
      return open.filter((each) => !known.has(each))
    }
    // Neither an answer nor a model that tells: one by one.
    const [first, ...rest] = open
    if (rest.length === 0) return decided(open, false, known)
    this.round(premise, [first!], known)
    return rest
  }
}

const decided = (formulas: readonly Term[], holds: boolean, known: Map<Term, boolean>): readonly Term[] => {
  for (const each of formulas) known.set(each, holds)
  return []
}
