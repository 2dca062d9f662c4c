// An execution of a program in words: accesses as C programmers name them, what goes wrong, and the reads that no
// interleaving could have. Litmus tests keep the notation of their literature.
import type { EventView, ExecutionView } from '../../memory-model/index.js'
import type { Report } from '../../verdict/index.js'
import { ownerWords } from '../owner-words.js'

/** a, b, …, z, aa, ab, … */
export const eventName = (id: number): string =>
  id < 26 ? String.fromCharCode(97 + id) : `${eventName(Math.floor(id / 26) - 1)}${eventName(id % 26)}`

/** Only the view of a program has names of threads. */
export const isOfProgram = ({ threads }: ExecutionView): boolean => threads !== undefined

export const threadName = ({ threads }: ExecutionView, number: number): string =>
  threads?.find((thread) => thread.number === number)?.name ?? `P${number}`

const KINDS: Readonly<Record<string, string>> = { R: 'read', W: 'write', F: 'fence' }
const ORDERS: Readonly<Record<string, string>> = {
  ...{ RLX: 'relaxed', ACQ: 'acquire', REL: 'release', ACQ_REL: 'acq_rel', CON: 'consume', SC: 'seq_cst' },
}

/** `write tail = 1 (release)`. */
const eventWords = ({ kind = '', tags = [], access, label }: EventView): string => {
  const verb = KINDS[kind]
  if (verb === undefined) return label
  const order = tags.flatMap((name) => ORDERS[name] ?? [])
  return `${verb}${access === undefined ? '' : ` ${accessWords(access)}`}${order.length > 0 ? ` (${order.join(', ')})` : ''}`
}

/** `x = 1`; of a mutex, who has it. */
const accessWords = (access: string): string => {
  const owner = /^(.*)\.__owner=(\d+)$/.exec(access)
  if (owner) return ownerWords(owner[1]!, Number(owner[2]))
  return access.replace('=', ' = ')
}

/** The values that some read may have had at first. */
export const initialAccesses = ({ events }: ExecutionView): readonly string[] =>
  events.flatMap(({ thread, access }) => (thread < 0 && access && !access.endsWith('=…') ? [accessWords(access)] : []))

const placeOf = ({ access = '' }: EventView): string => access.split('=')[0]!
const at = ({ line }: EventView): string => `line ${line ?? '?'}`

/** The write that a read takes its value from. */
const sourceOf = ({ events, edges }: ExecutionView, read: EventView): EventView | undefined => {
  const edge = edges.find(({ relation, to }) => relation === 'rf' && to === read.id)
  return edge && events.find(({ id }) => id === edge.from)
}

/** `l: 33 read tail = 1 (acquire) ← d`; of a litmus test `l: R[A,ACQ] tail=1`. */
export const eventText = (view: ExecutionView, event: EventView): string => {
  if (!isOfProgram(view)) return `${eventName(event.id)}: ${event.label}`
  const source = event.kind === 'R' ? sourceOf(view, event) : undefined
  const from = source === undefined ? '' : source.thread < 0 ? ' ← initial' : ` ← ${eventName(source.id)}`
  return `${eventName(event.id)}: ${event.line === undefined ? '' : `${event.line} `}${eventWords(event)}${from}`
}

/** The writes to each place in the order in which they take effect, where there is more than one. */
export const writeOrders = ({ events, edges }: ExecutionView): readonly (readonly EventView[])[] => {
  const next = new Map(edges.filter(({ relation }) => relation === 'co').map(({ from, to }) => [from, to]))
  const later = new Set(next.values())
  const byId = new Map(events.map((event) => [event.id, event]))
  return [...next.keys()]
    .filter((id) => !later.has(id))
    .map((first) => {
      const chain = [byId.get(first)!]
      for (let id = next.get(first); id !== undefined && chain.length < events.length; id = next.get(id))
        chain.push(byId.get(id)!)
      return chain
    })
}

// ---- what goes wrong

/** `assertion can fail under rc11: value == 1`. */
export const executionHeadline = ({ property, execution, assumptions }: Report): string => {
  const model = assumptions.flatMap((each) => (each.kind === 'memory-model' ? [each.model] : []))[0]
  const under = model === undefined ? '' : ` under ${model}`
  const target = execution?.targets?.at(-1)
  const claim = /\bassert\s*\((.*)\);?$/s.exec(target?.text ?? '')?.[1]
  if (property === 'no-data-race') {
    const accessed = target && execution!.events.findLast((e) => e.line === target.line && e.thread === target.thread)
    return `data race${accessed?.access ? ` on ${placeOf(accessed)}` : ''}${under}`
  }
  if (property === 'no-deadlock') return `deadlock${under}`
  if (claim !== undefined) return `assertion can fail${under}: ${claim}`
  return `${target?.text ? `${target.text.replace(/;$/, '')} can be reached` : 'an execution violates the property'}${under}`
}

/** Where it goes wrong. */
export const executionPlace = ({ execution }: Report): { readonly file: string; readonly line: number } | undefined =>
  execution?.targets?.at(-1)

/** A read that comes too late for what it reads, as one or two sentences; nothing where there is no such pattern. */
export const executionStory = (view: ExecutionView): readonly string[] => {
  if (!isOfProgram(view)) return []
  const story = staleRead(view) ?? bufferedWrites(view)
  return story === undefined ? [] : story
}

interface Passed {
  readonly older: EventView
  readonly newer: EventView
}

/** Reads of an older value, with the write that made it old. */
const overtaken = ({ events, edges }: ExecutionView): readonly Passed[] => {
  const byId = new Map(events.map((event) => [event.id, event]))
  return edges
    .filter(({ relation }) => relation === 'fr')
    .map(({ from, to }) => ({ older: byId.get(from)!, newer: byId.get(to)! }))
    .filter(({ older, newer }) => older.thread !== newer.thread)
}

const isBefore = (a: EventView, b: EventView): boolean => a.thread === b.thread && a.id < b.id

/** A thread sees the second of two writes, and afterwards not the first. */
const staleRead = (view: ExecutionView): readonly string[] | undefined => {
  const byId = new Map(view.events.map((event) => [event.id, event]))
  for (const { older, newer } of overtaken(view))
    for (const { relation, from, to } of view.edges) {
      const [write, read] = [byId.get(from)!, byId.get(to)!]
      if (relation !== 'rf' || !isBefore(newer, write) || !isBefore(read, older)) continue
      if (newer.access === older.access) continue
      const [writer, reader] = [threadName(view, write.thread), threadName(view, read.thread)]
      const story = `${reader} sees ${saying(write)} (${at(read)}), but not ${saying(newer)}, which ${writer} wrote before it (${at(newer)}, then ${at(write)}): at ${at(older)} it still reads ${saying(older)}.`
      return [story, ...(view.notes ? [] : adviceFor(write, read))]
    }
  return undefined
}

const saying = ({ access = '' }: EventView): string => accessWords(access)

const adviceFor = (write: EventView, read: EventView): readonly string[] => {
  const isWeak = ({ tags = [] }: EventView): boolean => tags.includes('RLX')
  const isPlain = ({ tags = [] }: EventView): boolean => tags.includes('NA')
  const missing = [
    ...(isWeak(write) ? [`the write at ${at(write)} a release`] : []),
    ...(isPlain(write) ? [`the plain write at ${at(write)} an atomic release`] : []),
    ...(isWeak(read) ? [`the read at ${at(read)} an acquire`] : []),
    ...(isPlain(read) ? [`the plain read at ${at(read)} an atomic acquire`] : []),
  ]
  return missing.length > 0 ? [`Making ${missing.join(' and ')} would forbid this.`] : []
}

/** Two threads write, and then each reads what the other one had before. */
const bufferedWrites = (view: ExecutionView): readonly string[] | undefined => {
  const passed = overtaken(view)
  for (const a of passed)
    for (const b of passed) {
      if (!isBefore(b.newer, a.older) || !isBefore(a.newer, b.older)) continue
      const tell = ({ older, newer }: Passed, own: EventView): string =>
        `${threadName(view, older.thread)} writes ${placeOf(own)} (${at(own)}) and then reads ${saying(older)} (${at(older)}), older than ${at(newer)}`
      return [
        `${tell(a, b.newer)}; ${tell(b, a.newer)}.`,
        'In an interleaving one of the two writes would come first, and the other thread would read it.',
      ]
    }
  return undefined
}
