// From heads with labels (heads.ts) to a proof as a certificate has it: every node of the ways gets what it has to know,
// backwards along its letters from what was decided below it. The label of a head has to say all that its ways need.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { failing } from '../../semantics/control.js'
import type { Head, WayNode } from './heads.js'
import type { Letter } from './letters.js'
import type { Proof } from './proof.js'
import { type Refiner, withoutInputs } from './refine.js'
import type { SearchNode, VisitedNode } from './search.js'

/** The nodes of all ways from the first head; undefined: what they need could not be told without inputs. */
export const outlineOf = (first: Head, proof: Proof, refiner: Refiner): readonly VisitedNode[] | undefined => {
  const labels = labelsOf(first, refiner)
  if (!labels) return undefined
  const stateOf = (formulas: Iterable<Term>) => proof.state([...formulas].map((each) => proof.numberOf(each)))
  const visited: VisitedNode[] = []
  const representatives = new Map<Head, SearchNode>()
  const open: { readonly way: WayNode; readonly at: SearchNode }[] = []
  const begin = (head: Head, at: SearchNode): void => {
    representatives.set(head, at)
    visited.push(head.tree!.end === 'dead end' ? { node: at, deadEnd: true } : { node: at })
    open.push({ way: head.tree!, at })
  }
  const { control, order, sleep } = first
  const root = labels.get(first.tree!)!
  begin(first, { control, order, sleep, state: stateOf(root), parent: undefined, letter: undefined })
  for (let next = open.pop(); next; next = open.pop())
    for (const child of next.way.children) {
      // Nobody comes there, and the label of its parent says so.
      if (failing(child.control)) continue
      const { end } = child
      const head = typeof end === 'object' ? end : undefined
      const isNew = head !== undefined && !representatives.has(head)
      const at: SearchNode = {
        ...{ control: child.control, order: child.order, sleep: isNew ? head.sleep : child.sleep },
        ...{ state: stateOf(labels.get(child)!), parent: next.at, letter: child.letter },
      }
      if (isNew) begin(head, at)
      else if (head) visited.push({ node: at, coveredBy: representatives.get(head)! })
      else {
        visited.push(end === 'dead end' ? { node: at, deadEnd: true } : { node: at })
        open.push({ way: child, at })
      }
    }
  return visited
}

/**
 * What each node has to know. Of the label of a head no more is kept than its ways need: at first nothing, then more and
 * more, as far as it takes for what the ways to other heads, and back, need.
 */
const labelsOf = (first: Head, refiner: Refiner): ReadonlyMap<WayNode, ReadonlySet<Term>> | undefined => {
  const heads = new Set([first])
  for (const head of heads) for (const { end } of nodesOf(head.tree!)) if (typeof end === 'object') heads.add(end)
  const kept = new Map<Head, readonly Term[]>([...heads].map((head) => [head, []]))
  const labels = new Map<WayNode, ReadonlySet<Term>>()
  for (let open = new Set(heads); open.size > 0; ) {
    const grown = new Set<Head>()
    for (const head of open) {
      if (!labelTree(head, kept, labels)) return undefined
      const needed = [...labels.get(head.tree!)!]
      if (head.isFirst) continue
      const enough = refiner.sufficient(head.label, needed)
      if (!enough) return undefined
      const before = kept.get(head)!
      const now = [...new Set([...before, ...enough])]
      if (now.length > before.length) grown.add(head)
      kept.set(head, now)
    }
    open = new Set([...heads].filter((head) => nodesOf(head.tree!).some(({ end }) => grown.has(end as Head))))
  }
  return [...labels.get(first.tree!)!].every((each) => refiner.holdsFirst(each)) ? labels : undefined
}

const labelTree = (
  { tree }: Head,
  kept: ReadonlyMap<Head, readonly Term[]>,
  labels: Map<WayNode, ReadonlySet<Term>>,
): boolean => {
  for (const node of [...nodesOf(tree!)].reverse()) {
    const label = typeof node.end === 'object' ? new Set(kept.get(node.end)) : labelOf(node, labels)
    if (!label) return false
    labels.set(node, label)
  }
  return true
}

/** Parents before their children. */
const nodesOf = (root: WayNode): readonly WayNode[] => {
  const nodes = [root]
  for (const { children } of nodes) nodes.push(...children)
  return nodes
}

const labelOf = (node: WayNode, labels: ReadonlyMap<WayNode, ReadonlySet<Term>>): ReadonlySet<Term> | undefined => {
  const label = new Set(node.needs.filter((each) => each !== logic.TRUE))
  for (const child of node.children)
    for (const formula of labels.get(child)!) {
      const before = beforehand(child.letter!, formula)
      if (!before) return undefined
      if (before !== logic.TRUE) label.add(before)
    }
  return label
}

/** What has to hold before the letter for the formula to hold after it, whatever its inputs are. */
export const beforehand = (letter: Letter, formula: Term): Term | undefined => {
  if (logic.freeVariables(formula).some((v) => letter.dead.has(v))) return undefined
  const bad = logic.and(letter.guard, logic.substitute(logic.not(formula), letter.updates))
  return logic.not(withoutInputs(bad, letter).formula)
}
