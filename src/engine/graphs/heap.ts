// The life of heap blocks in a graph: an access needs a block that was allocated, is large enough, and was not freed.
import { type Event, isInPrefix } from './event.js'
import type { Graph } from './graph.js'
import type { InBlock } from './point.js'

/**
 * What is wrong with an access to a place in the heap, as the next event after `last`. A block that somebody frees at
 * any time counts as live: the access may come first. (valid-memsafety has a read of the block's life before each
 * access, which sees both orders.)
 */
export const lifeError = (graph: Graph, last: Event, block: InBlock | undefined): string | undefined => {
  if (!block) return undefined
  const writes = (graph.accesses[block.life]?.writes ?? []).filter(({ kind }) => kind !== 'initial')
  if (writes.some((w) => w.value === -1 && isInPrefix(w, last))) return 'invalid access: it was freed before'
  const allocated = writes.find(({ value }) => value !== -1)
  if (!allocated) return 'invalid access: nothing was allocated there'
  const size = Number(allocated.value) - 1
  return block.end > size ? `invalid access: beyond a block of ${size} bytes` : undefined
}
