// Persistent sets (esst.txt, Algorithm 1). Between two barriers of the scheduler (the end of a pass, of an instant, of
// a delta cycle) every runnable thread runs, so that only what threads do before the next barrier counts. A waiting
// thread brings in who could wake it: the necessary enabling set of Definition 5.6 (soundness 2: who waits counts, too).
import type { Configured } from '../node.js'
import type { Scheduler } from '../schedulers/index.js'
import type { Blocks } from './blocks.js'

/** Of the threads that the scheduler may choose, a persistent subset: the smallest over all starting points. */
export const persistentSet = (
  node: Configured,
  enabled: readonly number[],
  blocks: Blocks,
  scheduler: Scheduler,
): readonly number[] => {
  let best = enabled
  for (const seed of enabled) {
    const closed = closure(node, seed, enabled, blocks, scheduler)
    const chosen = enabled.filter((thread) => closed.has(thread))
    if (chosen.length < best.length) best = chosen
    if (best.length === 1) break
  }
  return best
}

const closure = (
  node: Configured,
  seed: number,
  enabled: readonly number[],
  blocks: Blocks,
  scheduler: Scheduler,
): ReadonlySet<number> => {
  const all = node.threads.map((_, thread) => thread)
  const isEnabled = (thread: number): boolean => enabled.includes(thread)
  const wakersOf = (thread: number): readonly number[] =>
    all.filter(
      (other) =>
        other !== thread &&
        node.threads[other]!.location.kind !== 'final' &&
        blocks.later(node, other).calls.some((call) => scheduler.wakes(node.scheduler, thread, call)),
    )
  const mayRun = (thread: number): boolean => isEnabled(thread) || wakersOf(thread).length > 0
  const closed = new Set([seed])
  for (const thread of closed) {
    const more = isEnabled(thread)
      ? all.filter((other) => other !== thread && mayRun(other) && blocks.mayDependLater(node, thread, other))
      : wakersOf(thread)
    for (const other of more) closed.add(other)
  }
  return closed
}
