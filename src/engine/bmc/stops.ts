// Steps that need not be taken: both encodings leave them out.
import { accessesOf, type Edge } from '../../xcfa/index.js'

/**
 * The step only ends its thread: it writes nothing and starts nobody, so the thread might as well stop before it. Not
 * so inside a block that is one event, where others would not see what it did before; after the end of a thread inside
 * an atomic block nobody else moves any more.
 */
export const onlyStops = (edge: Edge): boolean =>
  edge.target.kind === 'halt' &&
  !edge.labels.some((label) => label.kind === 'start') &&
  !accessesOf(edge).some((access) => access.write)
