// A path as a sequence of formulas in static single assignment form: step k speaks of variables `x@i` before and
// `x@(i+1)` after it. This is what feasibility checks and interpolation take.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Label, Region, Variable } from '../model.js'
import type { Encoding } from './encoding.js'
import { type Executed, executeAll, type Hooks, symbolicState } from './execute.js'
import type { Obligation } from './obligation.js'

export interface PathStep {
  /** Number of the thread that takes the step: its locals are its own. */
  readonly thread: number
  readonly labels: readonly Label[]
}

export interface Names {
  variable(v: Variable, thread: number): string
  region(r: Region, thread: number): string
}

/** Globals by their name, locals with the thread's number before it; ids tell equal names apart. */
export const defaultNames: Names = {
  variable: (v, thread) => (v.scope === 'global' ? `${v.name}#${v.id}` : `${thread}:${v.name}#${v.id}`),
  region: (r, thread) => (r.scope === 'global' ? `memory:${r.name}#${r.id}` : `${thread}:memory:${r.name}#${r.id}`),
}

export interface PathFormulas {
  /** One for each step; their conjunction is satisfiable exactly if the path can be executed from any state. */
  readonly formulas: readonly Term[]
  readonly obligations: readonly (readonly Obligation[])[]
  /** The variable without index for each one with: from SSA back to the program's names. */
  readonly plain: ReadonlyMap<Term, Term>
  /** Before step k (and after the last): the current SSA variable of each plain one that the path mentions. */
  readonly current: readonly ReadonlyMap<Term, Term>[]
}

/** The plain term of a variable or a region, as `Names` calls it. */
export const variableTerm = (v: Variable, thread: number, encoding: Encoding, names: Names = defaultNames): Term =>
  logic.variable(names.variable(v, thread), encoding.sortOf(v.type))
export const regionTerm = (r: Region, thread: number, encoding: Encoding, names: Names = defaultNames): Term =>
  logic.variable(names.region(r, thread), encoding.regionSort(r))

export const pathFormulas = (
  steps: readonly PathStep[],
  encoding: Encoding,
  hooks: Hooks,
  names: Names = defaultNames,
): PathFormulas => {
  const indices = new Map<Term, number>()
  const plain = new Map<Term, Term>()
  const now = new Map<Term, Term>()
  const current = (v: Term): Term => {
    const at = logic.indexed(v, indices.get(v) ?? 0)
    plain.set(at, v)
    now.set(v, at)
    return at
  }
  const formulas: Term[] = []
  const obligations: (readonly Obligation[])[] = []
  const snapshots: ReadonlyMap<Term, Term>[] = []
  for (const { thread, labels } of steps) {
    snapshots.push(new Map(now))
    const state = symbolicState(
      (v) => current(variableTerm(v, thread, encoding, names)),
      (r) => current(regionTerm(r, thread, encoding, names)),
    )
    const step: Executed = executeAll(labels, state, encoding, hooks)
    const equations: Term[] = []
    const assign = (v: Term, value: Term): void => {
      if (value === current(v)) return
      indices.set(v, (indices.get(v) ?? 0) + 1)
      equations.push(logic.eq(current(v), value))
    }
    for (const [v, value] of step.next.changedVariables) assign(variableTerm(v, thread, encoding, names), value)
    for (const [r, value] of step.next.changedRegions) assign(regionTerm(r, thread, encoding, names), value)
    formulas.push(logic.and(step.guard, equations))
    obligations.push(step.obligations)
  }
  snapshots.push(new Map(now))
  return { formulas, obligations, plain, current: snapshots }
}
