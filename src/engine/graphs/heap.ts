// The life of heap blocks in a graph: an access needs a block that was allocated, is large enough, and was not freed.
import type { Graph } from './graph.js'
import type { InBlock } from './point.js'

/** What is wrong with an access to a place in the heap. */
export const lifeError = (graph: Graph, block: InBlock | undefined): string | undefined => {
  if (!block) return undefined
  const writes = graph.accesses[block.life]?.writes
  const state = Number(writes?.[writes.length - 1]?.value ?? 0)
  if (state === 0) return 'invalid access: nothing was allocated there'
  if (state < 0) return 'invalid access: it was freed before'
  return block.end > state - 1 ? `invalid access: beyond a block of ${state - 1} bytes` : undefined
}
