// What two graphs have in common if they are the same execution: the events of each thread, what each read reads from,
// and the coherence order of each location. Waits are left out: they are no events of the execution.
import type { Event } from './event.js'
import type { Graph } from './graph.js'

/** Equal exactly for the same execution. */
export const keyOf = (graph: Graph): string => {
  const names = new Map<Event, string>()
  const threads = graph.threads.map((last, thread) => {
    const events: Event[] = []
    for (let e: Event | undefined = last; e; e = e.prev) if (e.kind !== 'wait') events.push(e)
    for (const [i, e] of events.reverse().entries()) names.set(e, `${thread}.${i}`)
    return events
  })
  const nameOf = (e: Event | undefined): string => (e ? (names.get(e) ?? 'i') : '')
  const texts = threads.map((events) =>
    events
      .map((e) => (e.kind === 'read' ? `r${nameOf(e.source)}` : e.kind === 'choice' ? `c${e.number}` : e.kind[0]!))
      .join(','),
  )
  // A location is named by its first write: numbers of locations depend on what was met before.
  const orders = graph.accesses.flatMap((accesses) =>
    accesses && accesses.writes.length > 2 ? [accesses.writes.slice(1).map(nameOf).join('<')] : [],
  )
  return `${texts.join('|')};${orders.sort().join(';')}`
}

const FNV = 0xcbf29ce484222325n
const PRIME = 0x100000001b3n

/** 64 bits of a text. Sums of these do not depend on the order in which executions are met. */
export const hashOf = (text: string): bigint => {
  let hash = FNV
  for (let i = 0; i < text.length; i++) hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * PRIME)
  return hash
}
