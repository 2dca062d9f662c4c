// What interpolation is given and gives, and the first step of every method: which conjuncts are needed at all.
import { and, conjuncts, type Model, type Term } from '../../logic/index.js'
import type { Smt, SolverOptions } from '../interfaces.js'

/** Sequence interpolants of A_0 .. A_n, whose conjunction has no model: one for each cut between two of them. */
export type Interpolation =
  | { readonly status: 'unsat'; readonly interpolants: readonly Term[]; readonly method: Method }
  /** The conjunction has a model: there are no interpolants. */
  | { readonly status: 'sat'; readonly model: Model }
  | { readonly status: 'unknown'; readonly reason: string }

export type Method = 'farkas' | 'newton' | 'spacer'

/** A method gives interpolants of formulas that are known to be contradictory, or says why it cannot. */
export type Interpolator = (smt: Smt, formulas: readonly Term[], options: SolverOptions) => readonly Term[] | string

/** The formulas reduced to conjuncts that contradict each other: what is proved of them is proved of all. */
export const unsatisfiableCore = (
  smt: Smt,
  formulas: readonly Term[],
  options: SolverOptions,
): { readonly core: readonly Term[] } | { readonly sat: Model } | { readonly unknown: string } => {
  const parts = formulas.map(conjuncts)
  const solver = smt.solver(options)
  try {
    switch (solver.check([...new Set(parts.flat())])) {
      case 'sat':
        return { sat: solver.model() }
      case 'unknown':
        return { unknown: solver.reason() }
      case 'unsat': {
        const needed = new Set(solver.core())
        return { core: parts.map((part) => and(part.filter((conjunct) => needed.has(conjunct)))) }
      }
    }
  } finally {
    solver.dispose()
  }
}
