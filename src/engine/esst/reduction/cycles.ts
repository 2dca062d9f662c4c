// The cycle condition (esst.txt, Algorithm 2, corrected by soundness 3): a cycle closes through any chain of covers, not
// only through a cover by an ancestor. When a cover closes one, some node on it must be fully expanded.
//
// With the check for spurious cycles (5.2, after Algorithm 2) nothing is expanded for one that no execution follows. An
// execution that ignores a thread for ever follows infinitely many simple cycles, each from whatever node it first
// meets again: so a simple cycle is spurious only if it cannot be followed from any of its nodes.
import { type ForestNode, isRunning } from '../node.js'

/** From the covering node to the covered one. */
export type Cycle = readonly ForestNode[]

export type IsSpurious = (cycle: Cycle) => boolean

/** Beyond so many steps of the search, the cycle at hand counts as real. */
const MAX_STEPS = 2_000
const MAX_NODES = 60

/**
 * After `covered` was covered: a node that would have to be expanded fully, since there is a cycle through the cover
 * without a fully expanded one; undefined if there is none. (Cycles inside one block have no choice on them.)
 */
export const ignoringCycle = (covered: ForestNode, isSpurious?: IsSpurious): ForestNode | undefined => {
  const cycle = pathBack(covered)
  if (!cycle || !isSpurious) return cycle && lastChoice(cycle)
  for (const each of simpleCycles(covered)) {
    if (each.isCut || each.nodes.length > MAX_NODES) return lastChoice(cycle)
    const last = lastChoice(each.nodes)
    if (last && !isSpurious(each.nodes)) return last
  }
  return undefined
}

/** The node whose choices were reduced that comes last on the cycle: the covered one is expanded nowhere. */
const lastChoice = (cycle: Cycle): ForestNode | undefined => cycle.slice(0, -1).findLast((node) => !isRunning(node))

const isFull = (node: ForestNode): boolean => !isRunning(node) && node.isFull

const successors = (node: ForestNode): readonly ForestNode[] =>
  node.coveredBy ? [...node.children, node.coveredBy] : node.children

/** Whether a cover by this node leads back to the covered one without any choice: a block that loops. */
export const closesBlock = (covered: ForestNode): boolean => {
  const work = [covered.coveredBy!]
  const seen = new Set<ForestNode>()
  for (let node = work.pop(); node; node = work.pop()) {
    if (node === covered) return true
    if (seen.has(node) || !isRunning(node)) continue
    seen.add(node)
    work.push(...successors(node))
  }
  return false
}

interface Reached {
  readonly node: ForestNode
  readonly hasChoice: boolean
  readonly before: Reached | undefined
}

/** Some path from the coverer to the covered node with a choice and without a fully expanded node. */
const pathBack = (covered: ForestNode): Cycle | undefined => {
  const work: Reached[] = [{ node: covered.coveredBy!, hasChoice: false, before: undefined }]
  const seen = new Set<string>()
  for (let at = work.pop(); at; at = work.pop()) {
    const { node } = at
    if (isFull(node)) continue
    if (node === covered) {
      if (at.hasChoice) return nodesTo(at)
      continue
    }
    const hasChoice = at.hasChoice || !isRunning(node)
    const key = `${node.id} ${hasChoice}`
    if (seen.has(key)) continue
    seen.add(key)
    for (const next of successors(node)) work.push({ node: next, hasChoice, before: at })
  }
  return undefined
}

const nodesTo = (end: Reached): Cycle => {
  const nodes: ForestNode[] = []
  for (let at: Reached | undefined = end; at; at = at.before) nodes.push(at.node)
  return nodes.reverse()
}

interface SimpleCycle {
  readonly nodes: Cycle
  /** There may be others that were not looked for. */
  readonly isCut: boolean
}

/** All simple paths from the coverer to the covered node without a fully expanded one. */
function* simpleCycles(covered: ForestNode): Generator<SimpleCycle> {
  const path: ForestNode[] = []
  const onPath = new Set<ForestNode>()
  let steps = 0
  function* from(node: ForestNode): Generator<SimpleCycle> {
    if (onPath.has(node) || isFull(node)) return
    if (++steps > MAX_STEPS || path.length > MAX_NODES) {
      yield { nodes: path, isCut: true }
      return
    }
    path.push(node)
    onPath.add(node)
    if (node === covered) yield { nodes: [...path], isCut: false }
    else for (const next of successors(node)) yield* from(next)
    onPath.delete(node)
    path.pop()
  }
  yield* from(covered.coveredBy!)
}
