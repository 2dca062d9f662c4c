// Threads have numbers, and names that do not depend on who is faster: main is 0, the k-th thread that it starts is k,
// and the k-th one that thread T starts is T/k. Numbers are given as threads are met; whatever must be the same in every
// process that takes part in a search (the order in which threads are asked, digests) goes by names.
import type { Graph } from './graph.js'

export class Threads {
  private readonly names: string[] = ['0']
  private readonly numbers = new Map<string, number>([['', 0]])
  /** Numbers in the order of names. */
  private readonly order: number[] = [0]
  private readonly keys: string[] = ['']

  /** The number of the k-th thread that a thread starts, from 1. */
  numberOf(parent: number, k: number): number {
    const key = `${this.keys[parent]!}${String(k).padStart(6, '0')}/`
    let number = this.numbers.get(key)
    if (number === undefined) {
      number = this.names.length
      this.numbers.set(key, number)
      this.keys.push(key)
      this.names.push(parent === 0 ? String(k) : `${this.names[parent]!}/${k}`)
      this.order.push(number)
      this.order.sort((a, b) => (this.keys[a]! < this.keys[b]! ? -1 : 1))
    }
    return number
  }

  nameOf(thread: number): string {
    return this.names[thread]!
  }

  /** The threads of a graph, leftmost first. */
  *of(graph: Graph): Generator<number> {
    for (const thread of this.order) if (graph.threads[thread]) yield thread
  }
}
