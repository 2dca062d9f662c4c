// Random executions, where there are too many: PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler
// with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010). The enabled thread of the highest priority goes on;
// priorities are random, and at depth - 1 random places the running thread gets the lowest one. A bug that needs an order
// of `depth` events of n threads in k steps is found with a probability of at least 1 / (n k^(depth - 1)) a run.
//
// Under sequential consistency a read sees the newest write, so that a run is an interleaving; under other models it sees
// a random one of those that are consistent, and a write goes to a random place.
import type { Event } from './event.js'
import { type Graph, lastOf } from './graph.js'
import type { Visitor } from './visit.js'

/** An execution is given up after so many events: it may have no end. */
const MAX_EVENTS = 100_000

/** The length that is assumed of the first run. */
const FIRST_LENGTH = 64

export type Sample =
  | { readonly kind: 'complete' | 'blocked' | 'dropped' | 'endless'; readonly graph: Graph }
  | { readonly kind: 'error'; readonly graph: Graph; readonly event: Event }

export class Sampler {
  /** Of the runs so far, in events. */
  private longest = 0
  private state: number

  constructor(
    private readonly visitor: Visitor,
    private readonly depth: number,
    seed: number,
  ) {
    this.state = seed >>> 0
  }

  run(): Sample {
    const priorities = new Map<number, number>()
    const changes = new Set(Array.from({ length: this.depth - 1 }, () => this.below(this.longest || FIRST_LENGTH)))
    let graph = this.visitor.root()
    for (let step = 0; step < MAX_EVENTS; step++) {
      const enabled = this.visitor.enabled(graph)
      for (const thread of enabled) if (!priorities.has(thread)) priorities.set(thread, 1 + this.random())
      const [thread] = [...enabled].sort((a, b) => priorities.get(b)! - priorities.get(a)!)
      if (thread === undefined) {
        this.longest = Math.max(this.longest, step)
        return { kind: this.visitor.outcome(graph), graph }
      }
      const children = this.visitor.forward(graph, thread)
      if (children === 'error') return { kind: 'error', graph, event: lastOf(graph, thread) }
      if (children.length === 0) return { kind: 'dropped', graph }
      graph = this.pick(children)
      if (changes.has(step)) priorities.set(thread, -step)
    }
    return { kind: 'endless', graph }
  }

  private pick(children: readonly Graph[]): Graph {
    return children[this.below(children.length)]!
  }

  private below(n: number): number {
    return Math.floor(this.random() * n)
  }

  /** Mulberry32: the same numbers for the same seed. */
  private random(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
