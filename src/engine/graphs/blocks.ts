// Atomic steps with several locations (`__VERIFIER_atomic_*`, condition variables, barriers): their accesses are
// events of their own that sequential consistency treats as one. They are added one after the other, nothing between.
//
// A graph with half a block need not be extensible: the block may have been put before others, by what it read first,
// and then its next write is one that a later read should have seen. TruSt needs extensibility to be complete: a write
// that comes later may revisit a read of the block, which then does something else. So the block gets stuck instead of
// being given up: the other threads go on, what they do counts for nothing, and only revisits can come of it.
import type { Event } from './event.js'
import type { Graph } from './graph.js'
import type { Machine } from './machine.js'

/** The number of the event at which a block is stuck. */
export const STUCK = -1

export const isStuck = ({ number }: Event): boolean => number === STUCK

/** Only a read of another location can be revisited so that the block does not come to this write. */
export const isStuckBlock = (graph: Graph, write: Event): boolean => {
  for (let e: Event | undefined = graph.threads[write.thread]; e && e.step === write.step; e = e.prev)
    if (e.kind === 'read' && e.location !== write.location) return true
  return false
}

/** The thread that is in the middle of a step, the one with the newest event first; -1: nobody. */
export const whoIsInAStep = (graph: Graph, machine: Machine): number => {
  let found = -1
  for (let thread = 0; thread < graph.threads.length; thread++) {
    const last = graph.threads[thread]!
    const { since } = last.point
    if (since === undefined || last.kind === 'wait') continue
    const action = machine.action(last.point)
    if (action.kind !== 'read' && action.kind !== 'effect' && action.kind !== 'choose') continue
    if (action.at.since === since && (found < 0 || last.stamp > graph.threads[found]!.stamp)) found = thread
  }
  return found
}
