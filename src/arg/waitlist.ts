// Search orders: which node of the graph is looked at next.

export type SearchOrder = 'bfs' | 'dfs' | 'err'

export interface Waitlist<N> {
  push(node: N): void
  pop(): N | undefined
}

/** `distance` estimates how far a node is from an error; used by `err` only. */
export const waitlist = <N extends { readonly depth: number; readonly id: number }>(
  order: SearchOrder,
  distance: (node: N) => number,
): Waitlist<N> => {
  switch (order) {
    case 'bfs':
      return new Heap<N>((a, b) => a.depth - b.depth || a.id - b.id)
    case 'dfs':
      return stack<N>()
    case 'err': {
      const known = new Map<N, number>()
      const rank = (node: N): number => {
        let value = known.get(node)
        if (value === undefined) known.set(node, (value = distance(node)))
        return value
      }
      return new Heap<N>((a, b) => rank(a) - rank(b) || a.depth - b.depth || a.id - b.id)
    }
  }
}

const stack = <N>(): Waitlist<N> => {
  const nodes: N[] = []
  return { push: (node) => void nodes.push(node), pop: () => nodes.pop() }
}

class Heap<N> implements Waitlist<N> {
  private readonly nodes: N[] = []

  constructor(private readonly compare: (a: N, b: N) => number) {}

  push(node: N): void {
    const { nodes } = this
    let at = nodes.push(node) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (this.compare(nodes[above]!, node) <= 0) break
      nodes[at] = nodes[above]!
      at = above
    }
    nodes[at] = node
  }

  pop(): N | undefined {
    const { nodes } = this
    const first = nodes[0]
    const last = nodes.pop()
    if (first === undefined || last === undefined || nodes.length === 0) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= nodes.length) break
      if (below + 1 < nodes.length && this.compare(nodes[below + 1]!, nodes[below]!) < 0) below++
      if (this.compare(nodes[below]!, last) >= 0) break
      nodes[at] = nodes[below]!
      at = below
    }
    nodes[at] = last
    return first
  }
}
