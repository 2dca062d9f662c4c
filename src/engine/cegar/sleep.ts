// Sleep sets in the graph (Godefroid; soundness.md 5): a thread sleeps at a node if what it would do there has been
// explored from an ancestor, before the steps that led here, and depends on none of these. Sets of threads are bits.
//   Why nothing is lost: an error, and what follows it without back edges until nothing moves any more, is a path w to a
// deadlock of the system in which errors disable back edges. Claim: if no initial action of w sleeps at a node, its error
// is found from there. By induction on w: a persistent set contains an initial action of w; of these, the first in the
// node's order is explored, and no initial action of the rest sleeps at the successor. A node that covers another must
// not let more threads sleep: those wake up, and come first in its order, which keeps all its successors as they are.
import type { ThreadControl } from '../../semantics/control.js'
import type { ArgNode } from './selection.js'

export interface SleepParts {
  /** Whether what the two threads do next depends on each other, in some state of the node. */
  dependent(node: ArgNode, a: ThreadControl, b: ThreadControl): boolean
  /** The threads to be explored from an expanded node. */
  selected(node: ArgNode): number
  /** Explores a node further. */
  again(node: ArgNode): void
}

/** More threads do not fit into bits: nobody sleeps. */
const MAX_THREADS = 31

export class SleepSets {
  private readonly asleep = new WeakMap<ArgNode, number>()
  private readonly orders = new WeakMap<ArgNode, number[]>()

  constructor(private readonly parts: SleepParts) {}

  at(node: ArgNode): number {
    return this.asleep.get(node) ?? 0
  }

  /** The threads that are explored from the node, in their order; those among `threads` that are new come last. */
  order(node: ArgNode, threads: Iterable<number>): readonly number[] {
    let order = this.orders.get(node)
    if (!order) this.orders.set(node, (order = []))
    for (const thread of threads) if (!isIn(thread, this.at(node)) && !order.includes(thread)) order.push(thread)
    return order
  }

  /** A successor by a step of this thread: whoever slept, or came earlier, sleeps there, if it does not depend on it. */
  successor(node: ArgNode, thread: number, child: ArgNode): void {
    if (child.control.threads.length > MAX_THREADS) return
    let candidates = this.at(node)
    for (const earlier of this.orders.get(node)!) {
      if (earlier === thread) break
      candidates |= 1 << earlier
    }
    const set = candidates & ~this.dependents(node, thread, candidates)
    if (set !== 0) this.asleep.set(child, set)
  }

  /** The node covers another, where fewer may sleep. */
  cover(by: ArgNode, covered: ArgNode): void {
    // soundness 5
    this.wake(by, this.at(by) & ~this.at(covered))
  }

  /** The dependence has changed: whoever depends on the step that led here wakes up. */
  revise(node: ArgNode): void {
    const { parent, incoming } = node
    if (parent && incoming) this.wake(node, this.dependents(parent, incoming.action.thread, this.at(node)))
  }

  private wake(node: ArgNode, threads: number): void {
    const stack = [{ node, threads }]
    for (let next = stack.pop(); next; next = stack.pop()) {
      const woken = next.threads & this.at(next.node)
      if (woken === 0) continue
      this.asleep.set(next.node, this.at(next.node) & ~woken)
      if (next.node.coveredBy) stack.push({ node: next.node.coveredBy, threads: woken })
      if (!next.node.expanded) continue
      const explored = woken & this.parts.selected(next.node)
      if (explored !== 0) {
        this.orders.get(next.node)!.unshift(...threadsIn(explored))
        this.parts.again(next.node)
      }
      for (const child of next.node.children) stack.push({ node: child, threads: woken & ~explored })
    }
  }

  private dependents(node: ArgNode, thread: number, among: number): number {
    const { threads } = node.control
    let dependents = 0
    for (const other of threadsIn(among))
      if (this.parts.dependent(node, threads[other]!, threads[thread]!)) dependents |= 1 << other
    return dependents
  }
}

const isIn = (thread: number, set: number): boolean => thread < MAX_THREADS && (set & (1 << thread)) !== 0

const threadsIn = (set: number): readonly number[] => {
  const threads: number[] = []
  for (let rest = set; rest !== 0; rest &= rest - 1) threads.push(31 - Math.clz32(rest & -rest))
  return threads
}
