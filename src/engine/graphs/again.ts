// Iterations of a loop that only write again what they have written: `do n->next = t; while (!cas_weak(&top, &t, n));`,
// where the compare-exchange fails for no reason. The thread is where it was before its first write, with the same values,
// and has only made plain writes and then reads. It goes no further: what can happen after such an iteration can happen
// without it.
//
// Why: take the reads and the repeated writes W2 away, and let whoever reads from W2 read from the first ones, W1. Values
// are the same, and so is the order of writes if nobody else writes between W1 and W2. Fences are not allowed in between,
// so whatever comes after W1 by synchronisation comes after W2 as well; a write that is unordered with W1 or W2 is a
// racing write in an execution without the iteration, which is visited, too. If there was one, the search proves nothing
// (`Machine.isUnsureOfWrites`). Under pso, writes of one thread come in any order, and the rule is not used.
import { type Event, isBefore } from './event.js'
import type { Graph } from './graph.js'
import { isAtomicEdge } from './orders.js'
import { type Action, isSamePoint, type Point } from './point.js'

/** Whether the next write of the thread begins an iteration like the one before. */
export const writesAgain = (last: Event, action: Action): boolean => {
  if (action.kind !== 'effect' || action.effect.kind !== 'write') return false
  if (action.effect.isAtomic || isAtomicEdge(action.effect.edge)) return false
  let e: Event | undefined = last
  while (e && (e.kind === 'read' || e.kind === 'choice')) e = e.prev
  if (e === last) return false
  for (; e?.prev && e.kind === 'write' && !e.isAtomic; e = e.prev) {
    const { action: before } = e.prev.point
    if (before?.kind === 'effect' && isSameStep(before.at, action.at)) return true
  }
  return false
}

const isSameStep = (a: Point, b: Point): boolean =>
  isSamePoint(a, b) &&
  a.started === b.started &&
  a.known.length === 0 &&
  b.known.length === 0 &&
  a.done === b.done &&
  a.chosen?.edge === b.chosen?.edge &&
  a.chosen?.choices.join() === b.chosen?.choices.join()

/** Whether another thread has written there, and nothing orders the two writes. */
export const isRacingWrite = (graph: Graph, write: Event): boolean => {
  const clock = write.views?.hb ?? write.porf
  return graph
    .accessesOf(write.location)
    .writes.some(
      (w) => w.kind === 'write' && w.thread !== write.thread && !(w.isAtomic && write.isAtomic) && !isBefore(w, clock),
    )
}
