// Loops that end by what their thread alone decides: T2 of redcomp.txt, Figure 3, thread by thread, whatever the others do
// to V_G. An infinite execution takes infinitely many steps of some thread, round a loop of its automaton; if a function
// of the thread's own variables decreases on every round of it, that cannot be. What is left is for IRound.
import {
  and,
  conjuncts,
  freeVariables,
  intConst,
  le,
  print,
  substitute,
  type Term,
  TRUE,
  variable,
} from '../../../logic/index.js'
import type { Edge, Location } from '../../../xcfa/index.js'
import type { Thread } from '../program/specialise.js'
import type { StateSpace } from '../program/state.js'
import { type Step, stepsOf } from '../program/steps.js'
import { type Cut, components, cutsOf } from './graph.js'
import { ownRanges, type Ranges } from './own-ranges.js'
import type { Prover } from './prover.js'
import type { Loop, Ranking } from './ranking.js'

export interface OwnLoops {
  /** Edges that may be taken infinitely often, as far as this shows. */
  readonly endless: ReadonlySet<Edge>
  /** The functions that decrease. */
  readonly rankings: readonly string[]
}

export const ownLoops = (space: StateSpace, prover: Prover): OwnLoops => {
  const endless = new Set<Edge>()
  const rankings: string[] = []
  for (const thread of space.threads) {
    const steps = stepsOf(space, thread)
    const ranges = space.encoding.wraps ? ownRanges(thread.template) : undefined
    const arrows = steps
      .filter(({ edge }) => !edge.sync?.spurious)
      .map((step): StepArrow => ({ step, from: step.edge.source, to: step.edge.target }))
    for (const cut of cutsOf<Location, StepArrow>(arrows, ({ step }) => step.edge.back === true)) {
      const inner = arrows.filter(({ from, to }) => cut.nodes.has(from) && cut.nodes.has(to))
      const path = new OwnPath(space, thread, rangeFacts(space, thread, ranges?.get(cut.cut)))
      const rankingOf = (some: readonly StepArrow[]): Ranking | undefined => {
        const loops = waysRound(cut, some, path)
        return loops && prover.ranking(path.variables, loops)
      }
      const ranking = rankingOf(alike(space, inner)) ?? rankingOf(inner)
      if (ranking) rankings.push(print(ranking.rank))
      else for (const { step } of inner) endless.add(step.edge)
    }
  }
  return { endless, rankings }
}

interface StepArrow {
  readonly step: Step
  readonly from: Location
  readonly to: Location
}

/** The arrows without what they say of shared values; those that then do the same are one. */
const alike = (space: StateSpace, arrows: readonly StepArrow[]): readonly StepArrow[] => {
  const kept = new Map<string, StepArrow>()
  for (const { step, from, to } of arrows) {
    const { thread } = step
    const own = new Set(space.own(thread).map(({ term }) => term))
    const isOwn = (term: Term): boolean => freeVariables(term).every((v) => own.has(v))
    const live = new Set(space.live(thread, to))
    const guard = and(conjuncts(step.guard).filter(isOwn))
    const changes = new Map([...step.changes].filter(([v]) => live.has(v)))
    const text = [...changes].map(([v, value]) => `${v.name} := ${print(value)}`)
    const key = `${from.id} ${to.id} ${print(guard)} ${text.join(', ')}`
    if (!kept.has(key)) kept.set(key, { from, to, step: { ...step, guard, changes } })
  }
  return [...kept.values()]
}

const rangeFacts = (space: StateSpace, thread: Thread, ranges: Ranges = new Map()): readonly Term[] =>
  [...ranges].map(([v, { low, high }]) => {
    const term = space.value(thread, v)
    return and(le(intConst(low), term), le(term, intConst(high)))
  })

/** Values are values of their types, where operations wrap. */
const rangesOf = (space: StateSpace, thread: Thread, terms: readonly Term[]): Term => {
  if (!space.encoding.wraps) return TRUE
  const used = new Set(terms.flatMap((t) => [...freeVariables(t)]))
  return and([...space.shared, ...space.own(thread)].filter((v) => used.has(v.term)).map(({ range }) => range))
}

const MAX_PATHS = 64

/** All ways from the cut back to it; what cycles in between change may be anything after them. */
const waysRound = (
  { cut, nodes }: Cut<Location>,
  arrows: readonly StepArrow[],
  start: OwnPath,
): readonly Loop[] | undefined => {
  const rest = new Set([...nodes].filter((node) => node !== cut))
  const inner = components(rest, arrows)
  const cycleAt = (location: Location): ReadonlySet<Location> | undefined => inner.find((c) => c.has(location))
  const loops: Loop[] = []
  const walk = (from: readonly StepArrow[], path: OwnPath): boolean =>
    from.every(({ step, to }) => {
      const next = path.after(step)
      if (to === cut) return loops.push(next.loop()) <= MAX_PATHS
      const cycle = cycleAt(to)
      if (!cycle)
        return walk(
          arrows.filter((a) => a.from === to),
          next,
        )
      const inside = arrows.filter((a) => cycle.has(a.from) && cycle.has(a.to))
      const leaving = arrows.filter((a) => cycle.has(a.from) && !cycle.has(a.to))
      return walk(leaving, next.anything(inside.flatMap(({ step: each }) => [...each.changes.keys()])))
    })
  const complete = walk(
    arrows.filter((a) => a.from === cut),
    start,
  )
  return complete ? loops : undefined
}

/** A path of one thread: its own variables as terms over what they were, everything else anew in every step. */
class OwnPath {
  readonly variables: readonly Term[]

  constructor(
    private readonly space: StateSpace,
    private readonly thread: Thread,
    facts: readonly Term[],
    private readonly values: ReadonlyMap<Term, Term> = new Map(),
    private readonly constraints: readonly Term[] = [],
    private readonly length = 0,
  ) {
    this.variables = space
      .own(thread)
      .map(({ term }) => term)
      .filter((t) => t.sort.kind === 'int')
    if (length === 0) this.constraints = [...facts, rangesOf(space, thread, this.variables)]
  }

  after({ guard, changes }: Step): OwnPath {
    const at = (term: Term): Term => substitute(term, new Map(freeVariables(term).map((v) => [v, this.now(v)])))
    const changed = [...changes].filter(([v]) => this.isOwn(v)).map(([v, value]) => [v, at(value)] as const)
    const ranges = rangesOf(this.space, this.thread, [guard, ...changed.map(([v]) => changes.get(v)!)])
    return this.next(new Map([...this.values, ...changed]), [...this.constraints, at(and(guard, ranges))])
  }

  anything(changed: readonly Term[]): OwnPath {
    const unknown = changed.filter((v) => this.isOwn(v)).map((v) => [v, this.fresh(v)] as const)
    const values = new Map([...this.values, ...unknown])
    const ranges = substitute(
      rangesOf(
        this.space,
        this.thread,
        unknown.map(([v]) => v),
      ),
      new Map(unknown),
    )
    return this.next(values, [...this.constraints, ranges])
  }

  loop(): Loop {
    return { constraint: and(this.constraints), after: this.values }
  }

  private isOwn(v: Term): boolean {
    return this.variables.includes(v)
  }

  private now(v: Term): Term {
    return this.isOwn(v) ? (this.values.get(v) ?? v) : this.fresh(v)
  }

  private next(values: ReadonlyMap<Term, Term>, constraints: readonly Term[]): OwnPath {
    return new OwnPath(this.space, this.thread, [], values, constraints, this.length + 1)
  }

  private fresh(v: Term): Term {
    return variable(`${v.name}@${this.length}`, v.sort)
  }
}
