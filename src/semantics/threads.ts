// The threads of a state by number.
import type { ThreadState } from './state.js'
import { firstMarked, type Sequence, withItem } from './vector.js'

export type Threads = Sequence<ThreadState>

/** With another state of one thread, and with new threads at the end. */
export const withThread = (
  threads: Threads,
  number: number,
  thread: ThreadState,
  started: readonly ThreadState[],
): Threads => {
  let all = withItem(threads, number, thread, isInside)
  for (const next of started) all = withItem(all, all.length, next, isInside)
  return all
}

/** The thread inside an atomic block, or -1. */
export const insideAtomic = (threads: Threads): number => firstMarked(threads, isInside)

const isInside = ({ location }: ThreadState): boolean => location.atomic && location.kind !== 'final'
