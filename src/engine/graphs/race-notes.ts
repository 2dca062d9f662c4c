// What people are told of a race under a weak memory model: where the accesses are, and what would order them.
import type { Event } from './event.js'
import type { Graph } from './graph.js'
import type { Race } from './races.js'

export const notesOf = ({ first, second }: Race, graph: Graph): readonly string[] => {
  const [a, b] = [first, second].map(({ kind, edge }) => `the ${kind} at line ${edge?.position.line ?? 0}`)
  const advice = adviceFor(first, second, graph) ?? adviceFor(second, first, graph)
  return [`A race of ${a} and ${b}: neither happens before the other.`, ...(advice === undefined ? [] : [advice])]
}

/** A value that goes from the one thread to the other would order them, were it released and acquired. */
const adviceFor = (from: Event, to: Event, graph: Graph): string | undefined => {
  const line = ({ edge }: Event): number => edge?.position.line ?? 0
  for (const read of graph.events()) {
    const write = read.source
    if (read.kind !== 'read' || write?.kind !== 'write' || !read.isAtomic || !write.isAtomic) continue
    if (write.thread !== from.thread || write.index < from.index) continue
    if (read.thread !== to.thread || read.index > to.index) continue
    const missing = [
      ...(write.order === 'relaxed' ? [`the write at line ${line(write)} a release`] : []),
      ...(read.order === 'relaxed' ? [`the read at line ${line(read)} an acquire`] : []),
    ]
    if (missing.length > 0) return `Making ${missing.join(' and ')} would order them.`
  }
  return undefined
}
