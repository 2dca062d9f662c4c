// From moves of counted instances to an execution of numbered threads. Of the instances of a kind the first one moves. Main
// waits where it joins one that has not ended yet, although another one has: its steps come later then. Whatever this
// yields is executed before it is believed.
import type { Step } from '../../../semantics/index.js'
import type { Taken } from './machine.js'
import type { Kind } from './state.js'

interface Waiting {
  readonly steps: readonly Step[]
  readonly joined: readonly number[]
  readonly started: readonly Kind[]
}

interface Concrete {
  readonly steps: readonly Step[]
  /** Whether main had to wait: what others did in the meantime may be something else then. */
  readonly isDelayed: boolean
}

/** Undefined where counts were any number, and there are not that many. */
export const concretise = (path: readonly Taken[]): Concrete | undefined => {
  const threads = new Threads()
  for (const taken of path) if (!threads.take(taken)) return undefined
  const isMain = path.at(-1)?.actor.kind === 'main'
  if (isMain && threads.waiting.length > 0) return undefined
  return { steps: threads.steps, isDelayed: threads.isDelayed }
}

class Threads {
  readonly steps: Step[] = []
  /** Steps of main that wait for a thread to end. */
  readonly waiting: Waiting[] = []
  isDelayed = false
  private readonly pools = new Map<Kind, Set<number>>()
  private named: readonly number[] = []
  private readonly ended = new Set<number>()
  private count = 0

  /** Whether there is somebody for the move. */
  take(move: Taken): boolean {
    const number = this.numberOf(move)
    if (number === undefined) return false
    const steps = move.steps.map((step): Step => ({ ...step, thread: number }))
    this.rename(move, number)
    if (move.actor.kind === 'main') this.waiting.push({ steps, joined: move.joined, started: move.started })
    else {
      for (const step of steps) this.steps.push(step)
      for (const kind of move.started) this.start(kind)
      if (move.to?.isEnded) this.ended.add(number)
    }
    this.flush()
    return true
  }

  private numberOf({ actor }: Taken): number | undefined {
    switch (actor.kind) {
      case 'main':
        return 0
      case 'named':
        return this.named[actor.place]
      case 'one of': {
        const pool = this.pool(actor.of)
        const [first] = pool
        if (first !== undefined) pool.delete(first)
        return first
      }
    }
  }

  private rename({ names, to, released }: Taken, number: number): void {
    for (const [place, kind] of released) this.pool(kind).add(this.named[place]!)
    this.named = names.map((place) => (place < 0 ? number : this.named[place]!))
    if (to && !names.includes(-1)) this.pool(to).add(number)
  }

  private flush(): void {
    for (let next = this.waiting[0]; next?.joined.every((joined) => this.ended.has(joined)); next = this.waiting[0]) {
      for (const step of next.steps) this.steps.push(step)
      for (const kind of next.started) this.start(kind)
      this.waiting.shift()
    }
    if (this.waiting.length > 0) this.isDelayed = true
  }

  private start(kind: Kind): void {
    this.pool(kind).add(++this.count)
  }

  private pool(kind: Kind): Set<number> {
    let pool = this.pools.get(kind)
    if (!pool) this.pools.set(kind, (pool = new Set()))
    return pool
  }
}
