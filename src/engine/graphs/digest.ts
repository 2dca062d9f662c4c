// What two graphs have in common if they are the same execution: the events of each thread, what each read reads from,
// and the coherence order of each location. Waits are left out: they are no events of the execution.
import type { Event } from './event.js'
import type { Graph } from './graph.js'
import type { Threads } from './threads.js'

/** Equal exactly for the same execution. */
export const keyOf = (graph: Graph, threads: Threads): string => {
  const events: (readonly Event[])[] = []
  for (const last of graph.lasts()) events[last.thread] = eventsOf(last)
  const numbers = events.map((own) => {
    const result: number[] = []
    own.forEach((e, i) => {
      result[e.index] = i
    })
    return result
  })
  const nameOf = (e: Event): string =>
    e.kind === 'initial' ? 'i' : `${threads.nameOf(e.thread)}.${numbers[e.thread]![e.index]}`
  let text = ''
  for (const thread of threads.of(graph)) {
    for (const e of events[thread]!)
      text += e.kind === 'read' ? `r${nameOf(e.source!)},` : e.kind === 'choice' ? `c${e.number},` : `${e.kind[0]},`
    text += '|'
  }
  // A location is named by its first write: numbers of locations depend on what was met before.
  const orders: string[] = []
  for (const accesses of graph.accesses)
    if (accesses && accesses.writes.length > 2) orders.push(accesses.writes.slice(1).map(nameOf).join('<'))
  return `${text};${orders.sort().join(';')}`
}

/** The events of a thread that belong to the execution, in order. */
const eventsOf = (last: Event): readonly Event[] => {
  const events: Event[] = []
  for (let e: Event | undefined = last; e; e = e.prev) if (e.kind !== 'wait') events.push(e)
  return events.reverse()
}

/** A sum of hashes of 64 bits, modulo 2^64: it does not depend on the order in which executions are met. */
export class Digest {
  private low = 0
  private high = 0

  add(text: string): void {
    let a = 0xdeadbeef
    let b = 0x41c6ce57
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i)
      a = Math.imul(a ^ c, 0x9e3779b1)
      b = Math.imul(b ^ c, 0x5f356495)
    }
    this.plus(mixed(a, b), mixed(b, a))
  }

  /** Adds another sum, as `toString` writes it. */
  merge(sum: string): void {
    this.plus(Number.parseInt(sum.slice(8), 16), Number.parseInt(sum.slice(0, 8), 16))
  }

  toString(): string {
    return [this.high, this.low].map((half) => half.toString(16).padStart(8, '0')).join('')
  }

  private plus(low: number, high: number): void {
    const sum = this.low + low
    this.low = sum >>> 0
    this.high = (this.high + high + (sum > 0xffffffff ? 1 : 0)) >>> 0
  }
}

/** Every bit of both halves counts for every bit of the result. */
const mixed = (a: number, b: number): number => {
  const first = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  return (first ^ (first >>> 16)) >>> 0
}
