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
  const arriving = new Map<Head, WayNode[]>()
  const labels = new Map<WayNode, Set<Term>>()
  const open: Needed[] = []
  for (const head of heads)
    for (const node of nodesOf(head.tree!)) {
      labels.set(node, new Set())
      for (const formula of node.needs) open.push({ node, formula, head })
      if (typeof node.end !== 'object') continue
      heads.add(node.end)
      arriving.set(node.end, [...(arriving.get(node.end) ?? []), node])
    }
  const homes = new Map<WayNode, Head>()
  for (const head of heads) for (const node of nodesOf(head.tree!)) homes.set(node, head)
  const kept = new Map<Head, Set<Term>>()
  for (let wanted = need(open, labels, refiner); ; wanted = need(open, labels, refiner)) {
    if (!wanted) return undefined
    for (const [head, formulas] of wanted) {
      if (head.isFirst) continue
      const before = kept.get(head) ?? new Set()
      const enough = refiner.sufficient(head.label, formulas)
      if (!enough) return undefined
      kept.set(head, new Set([...before, ...enough]))
      for (const formula of enough)
        if (!before.has(formula))
          for (const node of arriving.get(head) ?? []) open.push({ node, formula, head: homes.get(node)! })
    }
    if (open.length === 0) break
  }
  return [...labels.get(first.tree!)!].every((each) => refiner.holdsFirst(each)) ? labels : undefined
}

/** What a node on a way from a head has to know. */
interface Needed {
  readonly node: WayNode
  readonly formula: Term
  readonly head: Head
}

/** Adds to the labels what is needed, and what it needs before; what heads need for it; undefined: it cannot be told. */
const need = (
  open: Needed[],
  labels: ReadonlyMap<WayNode, Set<Term>>,
  refiner: Refiner,
): ReadonlyMap<Head, Term[]> | undefined => {
  const wanted = new Map<Head, Term[]>()
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, formula, head } = next
    const label = labels.get(node)!
    if (formula === logic.TRUE || label.has(formula)) continue
    label.add(formula)
    if (!node.parent) wanted.set(head, [...(wanted.get(head) ?? []), formula])
    else {
      const { parent } = node
      const before = beforehand(node.letter!, formula) && neededBefore(node, parent, formula, refiner)
      if (!before) return undefined
      for (const each of before) open.push({ node: parent, formula: each, head })
    }
  }
  return wanted
}

/** Parents before their children. */
const nodesOf = (root: WayNode): readonly WayNode[] => {
  const nodes = [root]
  for (const { children } of nodes) nodes.push(...children)
  return nodes
}

/** Where inputs cannot be eliminated, what is constant on the way to the parent may be enough. */
const neededBefore = (node: WayNode, parent: WayNode, formula: Term, refiner: Refiner): readonly Term[] => {
  const letter = node.letter!
  const bad = badBefore(letter, formula)
  const { formula: before, more } = withoutInputs(bad, letter)
  if (!more) return [logic.not(before)]
  const constants = refiner.constantsAt(parent.segment, logic.freeVariables(bad))
  return refiner.isImpossible(logic.and(bad, constants)) ? constants : [logic.not(before)]
}

const badBefore = (letter: Letter, formula: Term): Term =>
  logic.and(letter.guard, logic.substitute(logic.not(formula), letter.updates))

/** What has to hold before the letter for the formula to hold after it, whatever its inputs are. */
export const beforehand = (letter: Letter, formula: Term): Term | undefined =>
  logic.freeVariables(formula).some((v) => letter.dead.has(v))
    ? undefined
    : logic.not(withoutInputs(badBefore(letter, formula), letter).formula)
