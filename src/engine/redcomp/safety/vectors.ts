// RuleSafety with the full view: IR_i ranges over all of V, as redcomp.txt prints it. The least assertions of all threads
// are then the same set of states, so that one relation stands for all of them, split by where every thread is: S4 and S5
// of a thread are S6 of all others. Inside a block only its thread moves. Exact, so that a derivation is an execution;
// the number of location vectors is what it costs.
import { and, FALSE, intConst, not, substitute, type Term } from '../../../logic/index.js'
import type { Relation, Rule } from '../../../smt/index.js'
import type { Location } from '../../../xcfa/index.js'
import { OBLIGATION_KINDS } from '../../../xcfa/terms/index.js'
import type { Thread } from '../program/specialise.js'
import { type StateSpace, UNSTARTED } from '../program/state.js'
import { owedBy, type Step, stepsOf } from '../program/steps.js'
import { type Assertion, atom, isIn } from './rule-safety.js'

export interface Vector {
  /** By thread; undefined: not started. */
  readonly locations: readonly (Location | undefined)[]
  readonly assertion: Assertion
}

export interface VectorRule extends Rule {
  readonly from: Vector | undefined
  readonly step: Step | undefined
  readonly to: Vector | undefined
}

export interface VectorClauses {
  readonly rules: readonly VectorRule[]
  readonly vectors: ReadonlyMap<Relation, Vector>
  readonly steps: readonly Step[]
}

/** A goal that is no error: something that a step takes for granted need not hold. */
export const isObligation = ({ head, name }: Rule): boolean =>
  head === undefined && OBLIGATION_KINDS.some((kind) => kind === name)

/** Undefined: more location vectors than `most`. */
export const ruleSafetyByVectors = (
  space: StateSpace,
  options: { readonly overflow: boolean; readonly most: number },
): VectorClauses | undefined => {
  const { threads } = space
  const shared = space.shared.map(({ term }) => term)
  const byThread = threads.map((thread) => {
    const bySource = new Map<Location, Step[]>()
    for (const step of stepsOf(space, thread)) {
      const known = bySource.get(step.edge.source)
      if (known) known.push(step)
      else bySource.set(step.edge.source, [step])
    }
    return bySource
  })
  const vectors = new Map<string, Vector>()
  const work: Vector[] = []
  const rules: VectorRule[] = []
  const vectorAt = (locations: readonly (Location | undefined)[]): Vector => {
    const name = `IR_${locations.map((l) => (l ? space.code(l).value : '')).join('_')}`
    let vector = vectors.get(name)
    if (!vector) {
      const terms = [...shared, ...threads.flatMap((t, i) => (locations[i] ? space.live(t, locations[i]) : []))]
      vector = { locations, assertion: { relation: { name, sorts: terms.map((t) => t.sort) }, terms } }
      vectors.set(name, vector)
      work.push(vector)
    }
    return vector
  }
  const main = threads[0]!
  const initial = vectorAt(threads.map((t) => (t === main ? t.template.initial : undefined)))
  rules.push(initialRule(space, main, initial))
  for (let vector = work.pop(); vector; vector = work.pop()) {
    if (vectors.size > options.most) return undefined
    for (const step of stepsAt(vector, threads, byThread))
      rules.push(...rulesOf(space, vector, step, vectorAt, options.overflow))
  }
  return {
    rules,
    vectors: new Map([...vectors.values()].map((v) => [v.assertion.relation, v])),
    steps: byThread.flatMap((steps) => [...steps.values()].flat()),
  }
}

const initialRule = (space: StateSpace, main: Thread, to: Vector): VectorRule => {
  const values = new Map<Term, Term>()
  const ranges: Term[] = []
  for (const { term, initial, range } of [...space.shared, ...space.own(main)])
    if (initial) values.set(term, initial)
    else ranges.push(range)
  return {
    head: atom(to.assertion, values),
    body: [],
    constraint: and(ranges),
    name: 'S1',
    from: undefined,
    step: undefined,
    to,
  }
}

/** Steps that the location vector admits: a thread inside a block excludes all others, one that stopped nobody (soundness 1). */
const stepsAt = (
  { locations }: Vector,
  threads: readonly Thread[],
  byThread: readonly ReadonlyMap<Location, readonly Step[]>[],
): readonly Step[] => {
  const inside = locations.findIndex((l) => l !== undefined && isIn(l))
  const movers = inside < 0 ? threads.map((_, i) => i) : [inside]
  return movers.flatMap((i) => (locations[i] ? (byThread[i]!.get(locations[i]) ?? []) : []))
}

const rulesOf = (
  space: StateSpace,
  from: Vector,
  step: Step,
  vectorAt: (locations: readonly (Location | undefined)[]) => Vector,
  overflow: boolean,
): readonly VectorRule[] => {
  const { threads } = space
  const counters = new Map(
    threads.map((t, i) => [space.counter(t), from.locations[i] ? space.code(from.locations[i]) : intConst(UNSTARTED)]),
  )
  const here = (term: Term): Term => substitute(term, counters)
  const guard = and(
    here(step.guard),
    step.started.map((child) => here(child.guard)),
  )
  const body = [atom(from.assertion)]
  const goals = owedBy(step, overflow)
    .map(
      ({ kind, holds }): VectorRule => ({
        head: undefined,
        body,
        constraint: not(here(holds)),
        name: kind,
        from,
        step,
        to: undefined,
      }),
    )
    .filter((rule) => rule.constraint !== FALSE)
  if (guard === FALSE) return goals
  if (step.edge.target.kind === 'error')
    return [...goals, { head: undefined, body, constraint: guard, name: 'S7', from, step, to: undefined }]
  const locations = [...from.locations]
  locations[step.thread.index] = step.edge.target
  const values = new Map<Term, Term>([...step.changes].map(([term, value]) => [term, here(value)]))
  for (const child of step.started) {
    locations[child.thread.index] = child.thread.template.initial
    for (const [term, value] of child.values) values.set(term, here(value))
  }
  const to = vectorAt(locations)
  return [...goals, { head: atom(to.assertion, values), body, constraint: guard, name: 'S5', from, step, to }]
}
