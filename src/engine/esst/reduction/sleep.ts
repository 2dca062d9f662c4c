// Sleep sets (esst.txt, Algorithm 3), with coverage that respects them (soundness.md, 5): the paper ignores them when a
// node is covered, and then loses what only the covered node would have explored.
import type { Configured } from '../node.js'
import type { Blocks } from './blocks.js'

export interface Reduced {
  readonly thread: number
  /** The sleep set of the node after the block. */
  readonly sleep: ReadonlySet<number>
}

export const sleepSets = (
  node: Configured,
  enabled: readonly number[],
  sleep: ReadonlySet<number>,
  blocks: Blocks,
): readonly Reduced[] => {
  const asleep = new Set(sleep)
  return enabled
    .filter((thread) => !sleep.has(thread))
    .map((thread) => {
      const kept = [...asleep].filter((other) => !blocks.areDependentNow(node, thread, other))
      asleep.add(thread)
      return { thread, sleep: new Set(kept) }
    })
}

/** Threads that sleep at the coverer, but would be explored from the covered node. */
export const missing = (coverer: ReadonlySet<number>, covered: ReadonlySet<number>): readonly number[] =>
  [...coverer].filter((thread) => !covered.has(thread))

export const common = (a: ReadonlySet<number>, b: ReadonlySet<number>): ReadonlySet<number> =>
  new Set([...a].filter((thread) => b.has(thread)))
