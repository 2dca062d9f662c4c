// Persistent sets (esst.txt, Algorithm 1). Between two barriers of the scheduler (the end of a pass, of an instant, of
// a delta cycle) every runnable thread runs, so that only what threads do before the next barrier counts. A waiting
// thread brings in who could wake it: the necessary enabling set of Definition 5.6 (soundness 2: who waits counts, too).

import type { Scheduler } from '../../../semantics/cooperative/schedulers/index.js'
import type { Configured } from '../node.js'
import type { Blocks } from './blocks.js'

/** Of the threads that the scheduler may choose, a persistent subset: the smallest over all starting points. */
export const persistentSet = (
  node: Configured,
  enabled: readonly number[],
  blocks: Blocks,
  scheduler: Scheduler,
): readonly number[] => {
  const all = node.threads.map((_, thread) => thread)
  const alive = all.filter((thread) => node.threads[thread]!.location.kind !== 'final')
  const wakers = all.map((thread) =>
    enabled.includes(thread)
      ? []
      : alive.filter(
          (other) =>
            other !== thread &&
            blocks.later(node, other).calls.some((call) => scheduler.wakes(node.scheduler, thread, call)),
        ),
  )
  const others = all.filter((thread) => enabled.includes(thread) || wakers[thread]!.length > 0)
  const neededBy = (thread: number): readonly number[] =>
    enabled.includes(thread)
      ? others.filter((other) => other !== thread && blocks.mayDependLater(node, thread, other))
      : wakers[thread]!
  let best = enabled
  for (const seed of enabled) {
    const closed = new Set([seed])
    for (const thread of closed) for (const other of neededBy(thread)) closed.add(other)
    const chosen = enabled.filter((thread) => closed.has(thread))
    if (chosen.length < best.length) best = chosen
    if (best.length === 1) break
  }
  return best
}
