// When events happen: a clock each. What the program orders anyway (program order, a start before what it starts) is
// known without asking the solver.
import { bvConst, bvSort, bvUlt, FALSE, type Term, TRUE, variable } from '../../../logic/index.js'
import type { Event } from './events.js'

export interface Order {
  /** a happens before b. */
  before(a: Event, b: Event): Term
  readonly clock: (event: Event) => Term
  /** Before every event; a clock may have this value, too. */
  readonly beginning: Term
  clockVariable(name: string): Term
  readonly constraints: readonly Term[]
}

export const orderOf = (events: readonly Event[], successors: (event: Event) => Iterable<Event>): Order => {
  const after = transitive(events, successors)
  const width = Math.max(1, Math.ceil(Math.log2(events.length + 1)))
  const clocks = events.map((e) => variable(`clock${e.id}`, bvSort(width)))
  const clock = (e: Event): Term => clocks[e.id]!
  const constraints = events.flatMap((e) => [...successors(e)].map((next) => bvUlt(clock(e), clock(next))))
  const before = (a: Event, b: Event): Term => {
    if (after[a.id]!.has(b.id)) return TRUE
    if (a === b || after[b.id]!.has(a.id)) return FALSE
    return bvUlt(clock(a), clock(b))
  }
  return {
    ...{ before, clock, constraints, beginning: bvConst(0, width) },
    clockVariable: (name) => variable(name, bvSort(width)),
  }
}

/** For each event those that are after it in every execution with both. */
const transitive = (
  events: readonly Event[],
  successors: (event: Event) => Iterable<Event>,
): readonly Set<number>[] => {
  const result: (Set<number> | undefined)[] = events.map(() => undefined)
  const visit = (root: Event): void => {
    const stack: { event: Event; next: Iterator<Event> }[] = [
      { event: root, next: successors(root)[Symbol.iterator]() },
    ]
    while (stack.length > 0) {
      const { event, next } = stack.at(-1)!
      const { value, done } = next.next()
      if (!done) {
        if (result[value.id] === undefined) stack.push({ event: value, next: successors(value)[Symbol.iterator]() })
        continue
      }
      stack.pop()
      const reach = new Set<number>()
      for (const successor of successors(event)) {
        reach.add(successor.id)
        for (const id of result[successor.id]!) reach.add(id)
      }
      result[event.id] = reach
    }
  }
  for (const event of events) if (result[event.id] === undefined) visit(event)
  return result as Set<number>[]
}
