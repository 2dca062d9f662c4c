// The cycle condition (esst.txt, Algorithm 2, corrected by soundness.md, 3): a cycle closes through any chain of covers,
// not only through a cover by an ancestor. When a cover closes one, some node on it must be fully expanded.
import { type ForestNode, isRunning } from '../node.js'

interface Reached {
  readonly node: ForestNode
  /** The last node on the way in which nobody runs. */
  readonly choice: ForestNode | undefined
}

/**
 * After `covered` was covered: a node that would have to be expanded fully, since there is a cycle through the cover
 * without a fully expanded one; undefined if there is none. (Cycles inside one block have no choice on them.)
 */
export const ignoringCycle = (covered: ForestNode): ForestNode | undefined => {
  const start = covered.coveredBy!
  const work: Reached[] = [{ node: start, choice: undefined }]
  const seen = new Set<string>()
  for (let at = work.pop(); at; at = work.pop()) {
    const { node } = at
    if (!isRunning(node) && node.isFull) continue
    const choice = isRunning(node) ? at.choice : node
    if (node === covered) {
      // The covered node itself is expanded nowhere: its coverer stands for it.
      const last = at.choice
      if (last) return last
      continue
    }
    const key = `${node.id} ${choice !== undefined}`
    if (seen.has(key)) continue
    seen.add(key)
    for (const child of node.children) work.push({ node: child, choice })
    if (node.coveredBy) work.push({ node: node.coveredBy, choice })
  }
  return undefined
}
