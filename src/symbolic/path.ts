// A path as a sequence of formulas in static single assignment form: step k speaks of variables `x@i` before and
// `x@(i+1)` after it. This is what feasibility checks and interpolation take. Steps here are any labels of any thread;
// cegar has a form of its own (refinement/path.ts), for its steps are transitions already, which speak of several
// threads at once and whose arrays may have been split into cells.
import type { Term } from '../logic/index.js'
import * as logic from '../logic/index.js'
import type { Label } from '../xcfa/index.js'
import { type Obligation, regionTerm, variableTerm } from '../xcfa/terms/index.js'
import { type StepPolicy, stepOf } from './step.js'

export interface PathStep {
  /** Number of the thread that takes the step: its locals are its own. */
  readonly thread: number
  readonly labels: readonly Label[]
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

/** How steps are taken, apart from what the state is called. */
export type PathPolicy = Omit<StepPolicy, 'value' | 'memory'>

export const pathFormulas = (steps: readonly PathStep[], policy: PathPolicy): PathFormulas => {
  const { encoding } = policy
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
    const step = stepOf(labels, {
      ...policy,
      value: (v) => current(variableTerm(v, thread, encoding)),
      memory: (r) => current(regionTerm(r, thread, encoding)),
    })
    const equations: Term[] = []
    const assign = (v: Term, value: Term): void => {
      if (value === current(v)) return
      indices.set(v, (indices.get(v) ?? 0) + 1)
      equations.push(logic.eq(current(v), value))
    }
    for (const [v, value] of step.variables) assign(variableTerm(v, thread, encoding), value)
    for (const [r, value] of step.memories) assign(regionTerm(r, thread, encoding), value)
    formulas.push(logic.and(step.guard, equations))
    obligations.push(step.obligations)
  }
  snapshots.push(new Map(now))
  return { formulas, obligations, plain, current: snapshots }
}
