// The abstract reachability graph (aapor.txt 2.2.2): a tree of nodes with covers across it. A node is a control state
// with an abstract state; a leaf is covered by an expanded node of the same control whose state is no smaller. Covers
// are looked up by control, and by identity of the state before any comparison.

export interface Edge<A> {
  readonly action: A
  readonly key: string
}

export class Node<C, S, A> {
  readonly children: Node<C, S, A>[] = []
  /** Keys of the actions that were explored, those without successors included. */
  readonly explored = new Set<string>()
  /** Nodes that this one covers. */
  readonly covers = new Set<Node<C, S, A>>()
  coveredBy: Node<C, S, A> | undefined = undefined
  removed = false
  /** May cover others: it was expanded. */
  expanded = false

  constructor(
    readonly id: number,
    readonly control: C,
    readonly state: S,
    readonly parent: Node<C, S, A> | undefined,
    readonly incoming: Edge<A> | undefined,
    readonly depth: number,
  ) {}
}

export interface GraphOptions<C, S> {
  keyOf(control: C): string
  leq(a: S, b: S): boolean
}

export class Graph<C, S, A> {
  private readonly expandedAt = new Map<string, Map<S, Node<C, S, A>>>()
  private created = 0
  covers = 0
  comparisons = 0

  constructor(private readonly options: GraphOptions<C, S>) {}

  get size(): number {
    return this.created
  }

  root(control: C, state: S): Node<C, S, A> {
    return new Node<C, S, A>(this.created++, control, state, undefined, undefined, 0)
  }

  successor(parent: Node<C, S, A>, edge: Edge<A>, control: C, state: S): Node<C, S, A> {
    const node = new Node<C, S, A>(this.created++, control, state, parent, edge, parent.depth + 1)
    parent.children.push(node)
    return node
  }

  /** From now on the node may cover others. */
  markExpanded(node: Node<C, S, A>): void {
    if (node.expanded) return
    node.expanded = true
    const key = this.options.keyOf(node.control)
    let nodes = this.expandedAt.get(key)
    if (!nodes) this.expandedAt.set(key, (nodes = new Map()))
    nodes.set(node.state, node)
  }

  /** Covers a node that has not been expanded, if some node can. */
  close(node: Node<C, S, A>): boolean {
    const nodes = this.expandedAt.get(this.options.keyOf(node.control))
    if (!nodes) return false
    let by = nodes.get(node.state)
    if (!by)
      for (const candidate of nodes.values()) {
        this.comparisons++
        if (!this.options.leq(node.state, candidate.state)) continue
        by = candidate
        break
      }
    if (!by) return false
    node.coveredBy = by
    by.covers.add(node)
    this.covers++
    return true
  }

  /** Removes the node and everything below it; returns the nodes elsewhere that were covered by what is gone. */
  remove(node: Node<C, S, A>): readonly Node<C, S, A>[] {
    const uncovered: Node<C, S, A>[] = []
    if (node.parent) node.parent.children.splice(node.parent.children.indexOf(node), 1)
    const stack = [node]
    while (stack.length > 0) {
      const gone = stack.pop()!
      gone.removed = true
      stack.push(...gone.children)
      gone.coveredBy?.covers.delete(gone)
      if (gone.expanded) this.unindex(gone)
      for (const covered of gone.covers) {
        covered.coveredBy = undefined
        uncovered.push(covered)
      }
    }
    return uncovered.filter((each) => !each.removed)
  }

  /** All nodes below and including this one. */
  *below(node: Node<C, S, A>): Generator<Node<C, S, A>> {
    const stack = [node]
    while (stack.length > 0) {
      const next = stack.pop()!
      yield next
      stack.push(...next.children)
    }
  }

  private unindex(node: Node<C, S, A>): void {
    const nodes = this.expandedAt.get(this.options.keyOf(node.control))
    if (nodes?.get(node.state) === node) nodes.delete(node.state)
  }
}

/** From the root to the node, both included. */
export const pathTo = <C, S, A>(node: Node<C, S, A>): readonly Node<C, S, A>[] => {
  const path: Node<C, S, A>[] = []
  for (let at: Node<C, S, A> | undefined = node; at; at = at.parent) path.push(at)
  return path.reverse()
}
