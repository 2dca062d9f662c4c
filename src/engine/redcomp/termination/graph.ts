// Cycles of a directed graph: strongly connected components, and cuts through which every cycle passes.

export interface Arrow<N> {
  readonly from: N
  readonly to: N
}

/** Strongly connected components with an edge. */
export const components = <N>(nodes: ReadonlySet<N>, arrows: readonly Arrow<N>[]): readonly ReadonlySet<N>[] => {
  const from = new Map<N, N[]>()
  const to = new Map<N, N[]>()
  const put = (map: Map<N, N[]>, key: N, value: N): void => {
    const known = map.get(key)
    if (known) known.push(value)
    else map.set(key, [value])
  }
  for (const arrow of arrows)
    if (nodes.has(arrow.from) && nodes.has(arrow.to)) {
      put(from, arrow.from, arrow.to)
      put(to, arrow.to, arrow.from)
    }
  const found: ReadonlySet<N>[] = []
  const assigned = new Set<N>()
  for (const root of finishingOrder(nodes, from).reverse()) {
    if (assigned.has(root)) continue
    const component = new Set([root])
    assigned.add(root)
    for (const node of component)
      for (const before of to.get(node) ?? [])
        if (!assigned.has(before)) {
          assigned.add(before)
          component.add(before)
        }
    if (component.size > 1 || from.get(root)?.includes(root)) found.push(component)
  }
  return found
}

/** Depth first, each node after those that it reaches first. */
const finishingOrder = <N>(nodes: ReadonlySet<N>, from: ReadonlyMap<N, readonly N[]>): N[] => {
  const order: N[] = []
  const seen = new Set<N>()
  for (const start of nodes) {
    if (seen.has(start)) continue
    seen.add(start)
    const stack = [{ node: start, next: 0 }]
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const successor = from.get(top.node)?.[top.next++]
      if (successor === undefined) {
        order.push(top.node)
        stack.pop()
      } else if (!seen.has(successor)) {
        seen.add(successor)
        stack.push({ node: successor, next: 0 })
      }
    }
  }
  return order
}

/** A part of the cycles: those through `cut` that stay within `nodes`. */
export interface Cut<N> {
  readonly cut: N
  readonly nodes: ReadonlySet<N>
}

/** Cuts that together meet every cycle; outer ones before the cycles inside them. `preferred` arrows lead to cuts. */
export const cutsOf = <N, A extends Arrow<N>>(
  arrows: readonly A[],
  preferred: (arrow: A) => boolean,
): readonly Cut<N>[] => {
  const cuts: Cut<N>[] = []
  const work = [...components(new Set(arrows.flatMap(({ from, to }) => [from, to])), arrows)]
  for (let nodes = work.pop(); nodes; nodes = work.pop()) {
    const inner = arrows.filter(({ from, to }) => nodes!.has(from) && nodes!.has(to))
    const cut = (inner.find(preferred) ?? inner[0]!).to
    cuts.push({ cut, nodes })
    work.push(...components(new Set([...nodes].filter((node) => node !== cut)), inner))
  }
  return cuts
}
