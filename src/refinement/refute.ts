// Feasibility of a path and, where it is not, a refutation that no domain is needed to understand: what holds at each
// node of the path by the steps before it, and contradicts the steps after it.
import type { Model, Term } from '../logic/index.js'
import { FALSE } from '../logic/index.js'
import { interpolate, type Method, type Smt } from '../smt/index.js'
import { type PathFormulas, withoutIndex } from './path.js'

export type Refutation =
  /** `interpolants[k]` holds at node k of the path (the root is node 0), over plain variables; FALSE at the last. */
  | { readonly kind: 'spurious'; readonly interpolants: readonly Term[]; readonly method: Method }
  | { readonly kind: 'feasible'; readonly model: Model }
  | { readonly kind: 'unknown'; readonly reason: string }

export interface RefuteOptions {
  readonly method: Method | 'auto'
  readonly timeoutMs: number
}

export const refute = (smt: Smt, { formulas }: Pick<PathFormulas, 'formulas'>, options: RefuteOptions): Refutation => {
  const answer = interpolate(smt, formulas, { method: options.method, timeoutMs: options.timeoutMs })
  switch (answer.status) {
    case 'sat':
      return { kind: 'feasible', model: answer.model }
    case 'unknown':
      return { kind: 'unknown', reason: answer.reason }
    case 'unsat':
      return {
        kind: 'spurious',
        interpolants: [...answer.interpolants.map(withoutIndex), FALSE],
        method: answer.method,
      }
  }
}
