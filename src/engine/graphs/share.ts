// A search in parts, for several processes or machines that need not talk to each other: each follows the first branches
// of the search, and below a certain weight only those subtrees that are its own. Which these are depends on nothing but
// the branches that lead to them, so that the parts are disjoint and together are the whole.
import type { Options } from '../engine.js'
import type { PathCell } from './graph.js'

export interface Share {
  /** From 0. */
  readonly index: number
  readonly count: number
}

/** Subtrees for each part, so that none has much more to do than another. */
const SUBTREES_EACH = 64

/** `--part 2 --parts 4`; undefined: the whole. */
export const shareOf = (options: Options): Share | 'wrong' | undefined => {
  const [part, parts] = [Number(options['part'] ?? 1), Number(options['parts'] ?? 1)]
  if (!Number.isInteger(part) || !Number.isInteger(parts) || part < 1 || part > parts) return 'wrong'
  return parts === 1 ? undefined : { index: part - 1, count: parts }
}

const isBelow = (path: PathCell | undefined, { count }: Share): boolean =>
  path !== undefined && path.weight <= 1 / (SUBTREES_EACH * count)

/** Whether a graph of this path is this part's business; `isLeaf`: nothing lies below it. */
export const isOwn = (path: PathCell | undefined, share: Share, isLeaf: boolean): boolean => {
  if (!isBelow(path, share)) return !isLeaf || share.index === 0
  let top = path!
  while (isBelow(top.before, share)) top = top.before!
  return hashOf(top) % share.count === share.index
}

const hashOf = (path: PathCell): number => {
  let hash = 0x811c9dc5
  for (let cell: PathCell | undefined = path; cell; cell = cell.before) hash = Math.imul(hash ^ cell.branch, 0x01000193)
  hash ^= hash >>> 15
  return Math.imul(hash, 0x2c1b3c6d) >>> 4
}
