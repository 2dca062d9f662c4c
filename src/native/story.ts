// What a trace is about, in one sentence: a write that is based on a value which another thread has changed since it
// was read, or a circle of threads that wait for each other.
import type { RunEvent, Waiting } from './events.js'

export interface StoryContext {
  readonly thread: (number: number) => string
  readonly name: (address: number) => string
  readonly line: (event: RunEvent) => number | undefined
}

const reads = (e: RunEvent): boolean => e.kind === 'read' || e.kind === 'atomic-read'
const writes = (e: RunEvent): boolean => e.kind === 'write' || e.kind === 'atomic-write'

export const staleWrite = (events: readonly RunEvent[], context: StoryContext): string | undefined => {
  const lastRead = new Map<string, number>()
  const lastWrite = new Map<number, number>()
  let found: string | undefined
  events.forEach((event, at) => {
    if (reads(event)) lastRead.set(`${event.thread} ${event.address}`, at)
    if (!writes(event) && event.kind !== 'atomic-update') return
    const read = lastRead.get(`${event.thread} ${event.address}`)
    const other = lastWrite.get(event.address)
    lastWrite.set(event.address, at)
    if (read === undefined || other === undefined || other < read || !writes(event)) return
    const writer = events[other]!
    const [readLine, writeLine] = [context.line(events[read]!), context.line(writer)]
    if (writer.thread === event.thread || readLine === undefined || writeLine === undefined) return
    found = `${context.thread(event.thread)} overwrites ${context.thread(writer.thread)}'s update of ${context.name(event.address)} (read at line ${readLine} before the write at line ${writeLine}).`
  })
  return found
}

/** Threads that wait for each other, in order. */
export const circle = (waiting: readonly Waiting[], thread: StoryContext['thread']): string | undefined => {
  const holder = new Map(waiting.flatMap((w) => (w.holder === undefined ? [] : [[w.thread, w.holder] as const])))
  for (const start of holder.keys()) {
    const path = [start]
    for (let next = holder.get(start); next !== undefined && !path.includes(next); next = holder.get(next))
      path.push(next)
    if (holder.get(path.at(-1)!) !== start) continue
    if (path.length === 1) return `${thread(start)} waits for itself.`
    const [first, ...others] = path.map(thread)
    return `The threads wait in a circle: ${first} waits for ${others.map((name) => `${name}, which waits for `).join('')}${first}.`
  }
  return undefined
}
