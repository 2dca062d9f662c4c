// Threads that wait where an execution under a memory model ends: for deadlocks.
import {
  type Model as Assignment,
  and,
  eq,
  evaluate,
  FALSE,
  implies,
  not,
  or,
  type Term,
} from '../../../../logic/index.js'
import type { Event, Execution } from '../events.js'
import type { Unrolling } from '../unroll.js'
import { coherenceBefore, type Sites, sameLocation, type WriteSite } from './sites.js'

/** Where the execution ends: whoever waits for a lock sees the last value that was written to it. */
export const finalValues = (event: Event, looked: Term, { reads, writes }: Sites): readonly Term[] =>
  reads
    .filter((read) => read.event === event)
    .flatMap((read) => {
      const others = writes.filter((w) => w.event !== event && sameLocation(w, read) !== FALSE)
      const here = (w: WriteSite): Term => and(w.condition, sameLocation(w, read))
      const isLast = (w: WriteSite): Term =>
        and(others.filter((other) => other !== w).map((other) => implies(here(other), coherenceBefore(other, w))))
      return [
        ...others.map((w) => implies(and(looked, here(w), isLast(w)), eq(read.value, w.value))),
        implies(and(looked, not(or(others.map(here)))), eq(read.value, read.initial)),
      ]
    })

/** For a deadlock: who waits, and where. */
export const waitingThreads = (
  { instances }: Unrolling,
  { reached, taken }: Execution,
  assignment: Assignment,
): readonly string[] => {
  const holds = (term: Term | undefined): boolean => term !== undefined && evaluate(term, assignment) === true
  return instances.flatMap(({ index, nodes, template }) =>
    nodes
      .filter((n) => n.location !== template.final && holds(reached.get(n)))
      .filter((n) => n.outgoing.length > 0 && !n.outgoing.some((e) => holds(taken.get(e))))
      .map(
        ({ outgoing }) =>
          `thread ${index} waits for ever at line ${outgoing[0]!.edge.position.line}: ${outgoing[0]!.edge.text}`,
      ),
  )
}
