// Feasibility of a path and, where it is not, a refutation that no domain is needed to understand: what holds at each
// node of the path by the steps before it, and contradicts the steps after it. Where no method finds interpolants, the
// steps that contradict each other still say which variables, and which conditions on them, matter at each node.
import type { Model, Term } from '../../../logic/index.js'
import { and, conjuncts, FALSE, freeVariables, isConstant, TRUE } from '../../../logic/index.js'
import {
  type Interpolation,
  interpolate,
  type Method,
  type Smt,
  SolverError,
  SolverInterrupted,
  sharedVariables,
} from '../../../smt/index.js'
import { type PathFormulas, withoutIndex } from './path.js'

export type Refutation =
  /** `interpolants[k]` holds at node k of the path (the root is node 0), over plain variables; FALSE at the last. */
  | { readonly kind: 'spurious'; readonly interpolants: readonly Term[]; readonly hints: readonly Hint[] }
  | { readonly kind: 'feasible'; readonly model: Model }
  | { readonly kind: 'unknown'; readonly reason: string }

/** What matters at a node: variables of a core of the path, and conditions of its steps. */
export interface Hint {
  readonly variables: readonly Term[]
  readonly conditions: readonly Term[]
}

export interface RefuteOptions {
  /** `core`: no interpolants, only hints. */
  readonly method: Method | 'auto' | 'core'
  readonly timeoutMs: number
}

/**
 * Weakest preconditions come from the error and often are what a loop keeps true; partial sums of Farkas come from the
 * initial values and follow a counter step by step. Spacer either answers soon or, with arrays, hardly ever.
 */
const ORDER: readonly Method[] = ['newton', 'farkas', 'spacer']
const SPACER_MS = 400

export const refute = (smt: Smt, { formulas }: Pick<PathFormulas, 'formulas'>, options: RefuteOptions): Refutation => {
  const { method, timeoutMs } = options
  for (const each of method === 'auto' ? ORDER : method === 'core' ? [] : [method]) {
    const limit = method === 'auto' && each === 'spacer' ? Math.min(timeoutMs, SPACER_MS) : timeoutMs
    const answer = interpolants(smt, formulas, each, limit)
    if (answer.status === 'sat') return { kind: 'feasible', model: answer.model }
    if (answer.status === 'unsat')
      return { kind: 'spurious', interpolants: [...answer.interpolants.map(withoutIndex), FALSE], hints: [] }
  }
  return byCore(smt, formulas, timeoutMs)
}

const interpolants = (smt: Smt, formulas: readonly Term[], method: Method, timeoutMs: number): Interpolation => {
  try {
    return interpolate(smt, formulas, { method, timeoutMs })
  } catch (problem) {
    if (!(problem instanceof SolverError) || problem instanceof SolverInterrupted) throw problem
    return { status: 'unknown', reason: problem.message }
  }
}

const byCore = (smt: Smt, formulas: readonly Term[], timeoutMs: number): Refutation => {
  const solver = smt.solver({ timeoutMs })
  try {
    const parts = formulas.map(conjuncts)
    const status = solver.check([...new Set(parts.flat())])
    if (status === 'sat') return { kind: 'feasible', model: solver.model() }
    if (status === 'unknown') return { kind: 'unknown', reason: solver.reason() }
    const needed = new Set(solver.core())
    const core = parts.map((part) => part.filter((conjunct) => needed.has(conjunct)))
    return { kind: 'spurious', ...hintsOf(core) }
  } finally {
    solver.dispose()
  }
}

/** At each cut the variables that both sides speak of: the interpolant there, whatever it is, is about them. */
const hintsOf = (core: readonly (readonly Term[])[]): { interpolants: readonly Term[]; hints: readonly Hint[] } => {
  const shared = sharedVariables(core.map((part) => and(part)))
  const hints = shared.map((variables, cut): Hint => {
    const conditions = core
      .slice(cut + 1)
      .flat()
      .filter((condition) => freeVariables(condition).every((v) => variables.has(v)))
    return {
      variables: [...new Set([...variables].map(withoutIndex))],
      conditions: conditions.map(withoutIndex).filter((condition) => !isConstant(condition)),
    }
  })
  // Something holds at the node as soon as something is shared.
  const marks = hints.map(({ variables }) => (variables.length > 0 ? FALSE : TRUE))
  return { interpolants: [...marks, FALSE], hints }
}
