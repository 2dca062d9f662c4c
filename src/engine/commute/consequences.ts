// Which of many formulas follow from a premise: a model of the premise in which one of them fails tells of all that fail in
// it, so that most questions need a few calls of the solver, however many formulas there are.
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Smt, Solver } from '../../smt/index.js'

export class Consequences {
  readonly counts = { asked: 0, solved: 0 }
  private readonly solver: Solver
  private readonly known = new Map<Term, Map<Term, boolean>>()

  constructor(smt: Smt, rlimit: number) {
    this.solver = smt.solver({ rlimit })
  }

  dispose(): void {
    this.solver.dispose()
  }

  /** Those that hold wherever the premise does; what the solver does not know is left out. */
  of(premise: Term, formulas: readonly Term[], rangesOf: (formula: Term) => Term): ReadonlySet<Term> {
    let known = this.known.get(premise)
    if (!known) this.known.set(premise, (known = new Map()))
    let open: readonly Term[] = [...new Set(formulas)].filter((each) => !known.has(each))
    this.counts.asked += open.length
    if (open.length > 0) {
      this.solver.push()
      // One by one: of formulas that exclude each other `and` would leave no variable.
      this.solver.add(logic.and(premise, rangesOf(premise), open.map(rangesOf)))
      while (open.length > 0) open = this.round(open, known)
      this.solver.pop()
    }
    return new Set(formulas.filter((each) => known.get(each)))
  }

  /** Decides some of the formulas; what is left. */
  private round(open: readonly Term[], known: Map<Term, boolean>): readonly Term[] {
    const failing = logic.or(open.map(logic.not))
    if (failing === logic.FALSE) return decided(open, true, known)
    this.counts.solved++
    this.solver.push()
    this.solver.add(failing)
    const status = this.solver.check()
    const values = status === 'sat' ? this.solver.values(logic.freeVariables(failing)) : undefined
    this.solver.pop()
    if (status === 'unsat') return decided(open, true, known)
    const refuted = values ? open.filter((each) => logic.satisfies(each, values) === false) : []
    if (refuted.length > 0) {
      decided(refuted, false, known)
      return open.filter((each) => !known.has(each))
    }
    // Neither an answer nor a model that tells: one by one.
    const [first, ...rest] = open
    if (rest.length === 0) return decided(open, false, known)
    this.round([first!], known)
    return rest
  }
}

const decided = (formulas: readonly Term[], holds: boolean, known: Map<Term, boolean>): readonly Term[] => {
  for (const each of formulas) known.set(each, holds)
  return []
}
