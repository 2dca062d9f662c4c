// The abstract reachability graph (aapor.txt 2.2.2): a tree of nodes with covers across it. A node is a control state
// with an abstract state; a leaf is covered by an expanded node of the same control whose state is no smaller. Covers
// are looked up by control, by identity of the state, and by what the states of one shape say.

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

export interface GraphOptions<C, S, H> {
  keyOf(control: C): string
  leq(a: S, b: S): boolean
  /** What a state speaks of; one object for each shape. */
  shapeOf(state: S): H
  /** What a state says of what the shape speaks of, undefined if not everything: it is then no smaller than any. */
  part(state: S, shape: H): string | undefined
}

/** The expanded nodes of one control. */
interface Coverers<N, S, H> {
  readonly byState: Map<S, N>
  readonly byShape: Map<H, Map<string, N[]>>
}

export class Graph<C, S, A, H = unknown> {
  private readonly expandedAt = new Map<string, Coverers<Node<C, S, A>, S, H>>()
  private created = 0
  covers = 0
  comparisons = 0

  constructor(private readonly options: GraphOptions<C, S, H>) {}

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
    const { keyOf } = this.options
    let coverers = this.expandedAt.get(keyOf(node.control))
    if (!coverers) this.expandedAt.set(keyOf(node.control), (coverers = { byState: new Map(), byShape: new Map() }))
    coverers.byState.set(node.state, node)
    const shape = this.options.shapeOf(node.state)
    let parts = coverers.byShape.get(shape)
    if (!parts) coverers.byShape.set(shape, (parts = new Map()))
    const part = this.options.part(node.state, shape)!
    const nodes = parts.get(part)
    if (nodes) nodes.push(node)
    else parts.set(part, [node])
  }

  /** Covers a node that has not been expanded, if some node can. */
  close(node: Node<C, S, A>): boolean {
    const by = this.coverer(node)
    if (!by) return false
    node.coveredBy = by
    by.covers.add(node)
    this.covers++
    return true
  }

  private coverer({ control, state }: Node<C, S, A>): Node<C, S, A> | undefined {
    const coverers = this.expandedAt.get(this.options.keyOf(control))
    const same = coverers?.byState.get(state)
    if (!coverers || same) return same
    for (const [shape, parts] of coverers.byShape) {
      const part = this.options.part(state, shape)
      for (const candidate of (part !== undefined && parts.get(part)) || []) {
        this.comparisons++
        if (this.options.leq(state, candidate.state)) return candidate
      }
    }
    return undefined
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
    const coverers = this.expandedAt.get(this.options.keyOf(node.control))!
    if (coverers.byState.get(node.state) === node) coverers.byState.delete(node.state)
    const shape = this.options.shapeOf(node.state)
    const nodes = coverers.byShape.get(shape)!.get(this.options.part(node.state, shape)!)!
    nodes.splice(nodes.indexOf(node), 1)
  }
}

/** From the root of a tree to the node, both included. */
export const pathTo = <N extends { readonly parent: N | undefined }>(node: N): readonly N[] => {
  const path: N[] = []
  for (let at: N | undefined = node; at; at = at.parent) path.push(at)
  return path.reverse()
}
