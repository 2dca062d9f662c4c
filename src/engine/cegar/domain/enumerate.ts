// Which values terms can have under a formula, by asking a solver for one model after the other and blocking it. Few
// values become cases of their own ("a bounded enumeration of successors"); many leave the term unknown.
import {
  and,
  eq,
  evaluate,
  FALSE,
  freeVariables,
  isConstant,
  not,
  type Term,
  valueTerm,
  variable,
} from '../../../logic/index.js'
import type { Smt, Solver } from '../../../smt/index.js'

export interface EnumerationOptions {
  /** A term with more values than this stays unknown. */
  readonly most: number
  readonly rlimit?: number
}

/** More combinations of truths than this are not told apart. */
const MAX_COMBINATIONS = 64

export class Enumeration {
  private readonly solver: Solver
  private readonly assignmentsKnown = new Map<string, readonly (readonly (Term | undefined)[])[]>()
  private readonly combinationsKnown = new Map<string, readonly (readonly boolean[])[] | undefined>()
  checks = 0

  constructor(
    smt: Smt,
    private readonly options: EnumerationOptions,
  ) {
    this.solver = smt.solver(options.rlimit === undefined ? {} : { rlimit: options.rlimit })
  }

  /** All joint values of the terms; undefined stands for any value of a term that has too many. */
  assignments(terms: readonly Term[], formula: Term): readonly (readonly (Term | undefined)[])[] {
    const key = `${terms.map((t) => t.id).join()}:${formula.id}`
    let known = this.assignmentsKnown.get(key)
    if (!known) this.assignmentsKnown.set(key, (known = this.enumerate(terms, formula)))
    return known
  }

  /** All joint truths of formulas; undefined: too many, or the solver gave up. */
  combinations(formulas: readonly Term[], formula: Term): readonly (readonly boolean[])[] | undefined {
    const key = `${formulas.map((t) => t.id).join()}:${formula.id}`
    if (this.combinationsKnown.has(key)) return this.combinationsKnown.get(key)
    const found = this.allOf(formulas, formula, MAX_COMBINATIONS)?.map((values) => values.map((v) => v.value === true))
    this.combinationsKnown.set(key, found)
    return found
  }

  dispose(): void {
    this.solver.dispose()
  }

  private enumerate(terms: readonly Term[], formula: Term): readonly (readonly (Term | undefined)[])[] {
    if (formula === FALSE) return []
    const few = terms.map((term) => isConstant(term) || this.hasFewValues(term, formula))
    const asked = terms.filter((_, i) => few[i])
    const found = this.allOf(asked, formula, this.options.most ** 2)
    if (!found) return [terms.map(() => undefined)]
    return found.map((values) => {
      let at = 0
      return few.map((isFew) => (isFew ? values[at++] : undefined))
    })
  }

  private hasFewValues(term: Term, formula: Term): boolean {
    const isFree = term.op === 'var' && !freeVariables(formula).includes(term)
    if (isFree)
      return term.sort.kind === 'bool' || (term.sort.kind === 'bv' && 2 ** term.sort.width <= this.options.most)
    const found = this.allOf([term], formula, this.options.most)
    return found !== undefined
  }

  /** Every joint value, or undefined if there are more than `most` or the solver does not know. */
  private allOf(terms: readonly Term[], formula: Term, most: number): readonly (readonly Term[])[] | undefined {
    const found: Term[][] = []
    const names = terms.map((term, i) => variable(`value!${i}`, term.sort))
    this.solver.push()
    try {
      this.solver.add(
        and(
          formula,
          names.map((name, i) => eq(name, terms[i]!)),
        ),
      )
      for (;;) {
        this.checks++
        const status = this.solver.check()
        if (status === 'unknown') return undefined
        if (status === 'unsat') return found
        if (found.length === most) return undefined
        const model = this.solver.values(names)
        const values = names.map((name) => valueTerm(name.sort, evaluate(name, model)))
        found.push(values)
        this.solver.add(not(and(names.map((name, i) => eq(name, values[i]!)))))
        if (names.length === 0) return found
      }
    } finally {
      this.solver.pop()
    }
  }
}
