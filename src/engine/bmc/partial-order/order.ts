// When events happen, as formulas. `pairs`: a Boolean for each two events that the program does not order, with the
// axioms of a linear order; `cycles`: the same, but only those axioms that a model violated; `clocks`, `integers`: a
// number for each event. `auto`: pairs, unless there are too many axioms.
import {
  bvSort,
  bvUlt,
  evaluate,
  FALSE,
  INT_SORT,
  implies,
  lt,
  type Model,
  not,
  or,
  type Sort,
  type Term,
  TRUE,
  variable,
} from '../../../logic/index.js'
import { clausesAgainstCycles, type Graph, sorted } from './cycles.js'
import type { Event } from './events.js'
import type { ProgramOrder } from './program-order.js'

export type OrderEncoding = 'auto' | 'pairs' | 'cycles' | 'clocks' | 'integers'

export interface Order {
  /** a happens before b: a constant where the program says so. */
  before(a: Event, b: Event): Term
  /** What makes it an order, as far as that is told beforehand; to be asked after the last `before`. */
  axioms(): readonly Term[]
  /** What a model in which these events happen violates of that. */
  repair(model: Model, happening: readonly Event[]): readonly Term[]
  /** The events in the order of a model that violates nothing. */
  sorted(model: Model, happening: readonly Event[]): readonly Event[]
}

/** With more axioms than this, only those that are needed are told. */
const MAX_AXIOMS = 120_000

export const orderOf = (events: readonly Event[], program: ProgramOrder, encoding: OrderEncoding): Order =>
  encoding === 'clocks' || encoding === 'integers'
    ? clockOrder(events, program, encoding)
    : pairOrder(events, program, encoding)

/** If there are still cycles after so many models, clocks rule them out. */
const MAX_ROUNDS = 30

const clockSort = (events: readonly Event[]): Sort => bvSort(Math.max(1, Math.ceil(Math.log2(events.length + 1))))

const clockOrder = (events: readonly Event[], program: ProgramOrder, encoding: 'clocks' | 'integers'): Order => {
  const sort = encoding === 'integers' ? INT_SORT : clockSort(events)
  const less = encoding === 'integers' ? lt : bvUlt
  const clock = (e: Event): Term => variable(`clock${e.id}`, sort)
  return {
    before: (a, b) => {
      if (program.precedes(a, b)) return TRUE
      if (a === b || program.precedes(b, a) || program.exclude(a, b)) return FALSE
      return less(clock(a), clock(b))
    },
    axioms: () => events.flatMap((e) => program.next(e).map((next) => less(clock(e), clock(next)))),
    repair: () => [],
    sorted: (model, happening) => {
      const at = new Map(happening.map((e) => [e, evaluate(clock(e), model) as bigint]))
      return [...happening].sort((a, b) => Number(at.get(a)! - at.get(b)!) || a.id - b.id)
    },
  }
}

const pairOrder = (events: readonly Event[], program: ProgramOrder, encoding: OrderEncoding): Order => {
  /** Pairs that were asked for, by the event of the smaller number. */
  const asked = new Map<Event, Map<Event, Term>>()
  const pair = (a: Event, b: Event): Term => {
    if (a.id > b.id) return not(pair(b, a))
    let others = asked.get(a)
    if (!others) asked.set(a, (others = new Map()))
    let term = others.get(b)
    if (!term) others.set(b, (term = variable(`before:${a.id}:${b.id}`, TRUE.sort)))
    return term
  }
  const before = (a: Event, b: Event): Term => {
    if (program.precedes(a, b)) return TRUE
    if (a === b || program.precedes(b, a) || program.exclude(a, b)) return FALSE
    return pair(a, b)
  }
  const graphOf = (model: Model, happening: readonly Event[]): Graph => {
    const chosen = events.map((): { to: Event; literal: Term }[] => [])
    const happens = new Set(happening)
    for (const [a, others] of asked)
      if (happens.has(a))
        for (const [b, term] of others)
          if (happens.has(b)) {
            if (model.get(term) === true) chosen[a.id]!.push({ to: b, literal: term })
            else chosen[b.id]!.push({ to: a, literal: not(term) })
          }
    return { events, said: program.next, chosen: (e) => chosen[e.id]! }
  }
  let isComplete = false
  let rounds = 0
  const clock = (e: Event): Term => variable(`clock${e.id}`, clockSort(events))
  const earlier = (a: Event, b: Event): Term => bvUlt(clock(a), clock(b))
  const timed = new Set<Term>()
  /** The pairs that were asked for, as comparisons of clocks, those that are not told yet. */
  const timedPairs = (): readonly Term[] => {
    const said = timed.size === 0 ? events.flatMap((e) => program.next(e).map((next) => earlier(e, next))) : []
    const more = [...asked].flatMap(([a, others]) =>
      [...others].flatMap(([b, term]) => {
        if (timed.has(term)) return []
        timed.add(term)
        return [implies(term, earlier(a, b)), or(term, earlier(b, a))]
      }),
    )
    return [...said, ...more]
  }
  return {
    before,
    axioms: () => {
      if (encoding === 'cycles') return []
      const concerned = new Set([...asked].flatMap(([a, others]) => [a, ...others.keys()]))
      const most = encoding === 'auto' ? MAX_AXIOMS : Number.MAX_SAFE_INTEGER
      const axioms = linearOrder(
        events.filter((e) => concerned.has(e)),
        program,
        before,
        most,
      )
      isComplete = axioms !== undefined
      return axioms ?? []
    },
    repair: (model, happening) => {
      const clauses = isComplete ? [] : clausesAgainstCycles(graphOf(model, happening))
      return clauses.length > 0 && ++rounds > MAX_ROUNDS ? [...clauses, ...timedPairs()] : clauses
    },
    sorted: (model, happening) => {
      const happens = new Set(happening)
      return sorted(graphOf(model, happening)).filter((e) => happens.has(e))
    },
  }
}

/**
 * Transitivity. Where the program orders two of three events it is an implication between two pairs, needed only for
 * events next to each other; otherwise the three are of different threads. Undefined: more than `most` axioms.
 */
const linearOrder = (
  events: readonly Event[],
  program: ProgramOrder,
  before: Order['before'],
  most: number,
): readonly Term[] | undefined => {
  const isOpen = (a: Event, b: Event): boolean =>
    a !== b && !program.precedes(a, b) && !program.precedes(b, a) && !program.exclude(a, b)
  const open = new Map(events.map((a) => [a, events.filter((b) => isOpen(a, b))]))
  if ([...open.values()].reduce((sum, { length }) => sum + length, 0) > most) return undefined
  const axioms: Term[] = []
  for (const a of events) {
    for (const next of directlyAfter(a, events, program))
      for (const x of open.get(a)!) if (isOpen(x, next)) axioms.push(or(not(before(x, a)), before(x, next)))
    for (const b of open.get(a)!) {
      if (b.id < a.id) continue
      for (const c of open.get(b)!) {
        if (c.id < b.id || !isOpen(a, c)) continue
        axioms.push(or(not(before(a, b)), not(before(b, c)), before(a, c)))
        axioms.push(or(before(a, b), before(b, c), not(before(a, c))))
      }
      if (axioms.length > most) return undefined
    }
  }
  return axioms
}

/** The events after one, without those that come after others of them. */
const directlyAfter = (a: Event, events: readonly Event[], program: ProgramOrder): readonly Event[] => {
  const later = events.filter((e) => program.precedes(a, e))
  return later.filter((e) => !later.some((between) => program.precedes(between, e)))
}
