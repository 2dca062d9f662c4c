// Auxiliary variables (Owicki and Gries): they record what happened, and change nothing that the program does, so that a
// proof over them is a proof of the program. With them, assertions of one thread can tell what others cannot be doing.
//
// - The owner of a cell that some step tests and sets: who changed it last. Inside a lock that the program builds itself,
//   the owner is the thread itself, so that no second one is inside.
// - How many threads are at a location, none or one where there is one instance: counting abstraction. With them, how many
//   there are in all: they bound each of the counts where a loop starts so many of them.
import {
  add,
  and,
  conjuncts,
  eq,
  freeVariables,
  ge,
  INT_SORT,
  intConst,
  ite,
  sub,
  substitute,
  type Term,
  TRUE,
  variable,
} from '../../../logic/index.js'
import type { Location } from '../../../xcfa/index.js'
import type { Thread } from '../program/specialise.js'
import type { StateSpace, StateVariable } from '../program/state.js'
import type { Step } from '../program/steps.js'

// ---- owners

export interface Owner {
  readonly cell: Term
  readonly owner: StateVariable
}

/** More cells than this are not followed. */
const MAX_OWNERS = 4

/** For each shared cell that a step tests and changes: who changed it last. */
export const ownersOf = (space: StateSpace, steps: readonly Step[]): readonly Owner[] => {
  const isTestedAndSet = (cell: Term): boolean =>
    steps.some(({ guard, changes }) => changes.has(cell) && freeVariables(guard).includes(cell))
  const { type } = space.threads[0]!.template.self
  return space.shared
    .map(({ term }) => term)
    .filter((cell) => cell.sort.kind !== 'array' && isTestedAndSet(cell))
    .slice(0, MAX_OWNERS)
    .map((cell) => {
      const term = variable(`owner ${cell.name}`, space.encoding.sortOf(type))
      return { cell, owner: { term, initial: space.encoding.constant(type, 0), range: TRUE } }
    })
}

export const withOwners = (space: StateSpace, step: Step, owners: readonly Owner[]): Step => {
  const changes = new Map(step.changes)
  const facts = new Map(conjuncts(step.guard).flatMap(asFact))
  const self = space.value(step.thread, step.thread.template.self)
  for (const { cell, owner } of owners) {
    const value = step.changes.get(cell)
    if (value) changes.set(owner.term, ite(substitute(eq(value, cell), facts), owner.term, self))
  }
  return { ...step, changes }
}

/** What matters of a thread at a location: with owners, its number, too. */
export const liveWith = (space: StateSpace, thread: Thread, location: Location, owners: boolean): readonly Term[] => {
  const terms = space.live(thread, location)
  const self = space.value(thread, thread.template.self)
  return owners && thread.number === undefined && !terms.includes(self) ? [...terms, self] : terms
}

/** `v = constant` as a replacement. */
const asFact = (condition: Term): readonly (readonly [Term, Term])[] => {
  if (condition.op !== '=') return []
  const [a, b] = condition.args as readonly [Term, Term]
  if (a.op === 'var' && b.op === 'const') return [[a, b]]
  return b.op === 'var' && a.op === 'const' ? [[b, a]] : []
}

// ---- counts

export interface Counts {
  readonly terms: readonly Term[]
  /** Only main is somewhere. */
  readonly initial: ReadonlyMap<Term, Term>
  /** What is known where threads are at these locations: two at one place are two. */
  facts(places: readonly Place[]): Term
  /** New counts when a thread moves, and others start. */
  after(moved: Place, to: Location, started: readonly Thread[]): ReadonlyMap<Term, Term>
}

export interface Place {
  readonly thread: Thread
  readonly location: Location
}

const ZERO = intConst(0)
const ONE = intConst(1)

export const NO_COUNTS: Counts = { terms: [], initial: new Map(), facts: () => TRUE, after: () => new Map() }

/** Counts of the instances of each template at the locations where they may be seen. */
export const countsOf = (space: StateSpace, isSeen: (location: Location) => boolean): Counts => {
  const counts = new Map<Location, Term>()
  for (const { template, index } of space.threads)
    for (const location of template.locations)
      if (isSeen(location)) counts.set(location, variable(`at ${index}.${space.code(location).value}`, INT_SORT))
  const all = variable('started', INT_SORT)
  // The last one: equations then give a count by it, not it by the counts.
  const terms = [...counts.values(), all]
  const begin = counts.get(space.threads[0]!.template.initial)
  return {
    terms,
    initial: new Map(terms.map((term) => [term, term === begin ? ONE : ZERO])),
    facts: (places) => {
      const least = new Map<Term, number>()
      for (const { location } of places) {
        const count = counts.get(location)
        if (count) least.set(count, (least.get(count) ?? 0) + 1)
      }
      return and(terms.map((term) => ge(term, intConst(least.get(term) ?? 0))))
    },
    after: ({ location }, to, started) => {
      const values = new Map<Term, Term>()
      const change = (at: Location, by: (value: Term, amount: Term) => Term): void => {
        const count = counts.get(at)
        if (count) values.set(count, by(values.get(count) ?? count, ONE))
      }
      change(location, sub)
      change(to, add)
      for (const { template } of started) change(template.initial, add)
      values.set(all, add(all, intConst(started.length)))
      return new Map([...values].filter(([term, value]) => term !== value))
    },
  }
}
