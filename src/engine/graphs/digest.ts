// What two graphs have in common if they are the same execution: the events of each thread, what each read reads from,
// and the coherence order of each location. Waits are left out: they are no events of the execution.
import { type DigestedAccess, executionText } from '../../certificate/index.js'
import type { Event } from './event.js'
import type { Graph } from './graph.js'
import type { Machine } from './machine.js'
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
      text +=
        e.kind === 'read'
          ? `r${nameOf(e.source!)}${e.number > 0 ? `c${e.number}` : ''},`
          : e.kind === 'choice'
            ? `c${e.number},`
            : `${e.kind[0]},`
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

/** For the digest of a certificate. */
export const textOf = (graph: Graph, { threads, locations }: Machine): string => {
  const numbers = new Map<Event, { readonly thread: string; readonly access: number }>()
  const accesses = new Map<string, readonly Event[]>()
  for (const last of graph.lasts()) {
    const thread = threads.nameOf(last.thread)
    const own = eventsOf(last).filter((e) => e.location >= 0 && locations.all[e.location]!.kind !== 'life')
    own.forEach((e, access) => {
      numbers.set(e, { thread, access })
    })
    accesses.set(thread, own)
  }
  const digested = (e: Event): DigestedAccess =>
    e.kind === 'read' ? { location: e.location, source: numbers.get(e.source!) ?? 'initial' } : { location: e.location }
  return executionText({
    threads: new Map([...accesses].map(([name, own]) => [name, own.map(digested)])),
    orders: graph.accesses.flatMap((found, id) =>
      found && locations.all[id]!.kind !== 'life' ? [found.writes.slice(1).map((w) => numbers.get(w)!)] : [],
    ),
  })
}
