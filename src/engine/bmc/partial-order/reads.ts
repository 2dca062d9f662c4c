// From which write each read takes its value: one that happened before it, with no other write to the same place in
// between (sequential consistency, from-read included).
import {
  and,
  disjuncts,
  eq,
  evaluate,
  FALSE,
  implies,
  type Model,
  not,
  or,
  type Term,
  TRUE,
  variable,
} from '../../../logic/index.js'
import type { Event } from './events.js'
import type { Order } from './order.js'
import type { ProgramOrder } from './program-order.js'

export interface Read {
  readonly event: Event
  readonly address?: Term
  readonly value: Term
  readonly initial: Term
}

export interface Write {
  readonly event: Event
  readonly address?: Term
  readonly condition: Term
  readonly value: Term
}

export interface ReadsFrom {
  readonly order: Order
  readonly program: ProgramOrder
  /** The reads of the event have a meaning: it happens, or is looked at. */
  active(event: Event): Term
  /** Whether what the condition says is sure when the event happens. */
  isSure(condition: Term, event: Event): boolean
}

const sameAddress = (a: { readonly address?: Term }, b: { readonly address?: Term }): Term =>
  a.address && b.address ? eq(a.address, b.address) : TRUE

/** Where a read may take its value from. */
export interface Sourced {
  readonly read: Read
  /** It has the value from before all writes. */
  readonly initially: Term
  readonly candidates: readonly { readonly source: Term; readonly write: Write }[]
  /** The writes that may be to its place. */
  readonly others: readonly Write[]
  readonly latest: History['latest']
}

/** The reads of one variable or region, whose name this is. */
export const sourcesOf = (
  place: string,
  reads: readonly Read[],
  writes: readonly Write[],
  context: ReadsFrom,
): readonly Sourced[] => {
  const histories = new Map<Term | undefined, History>()
  return reads.flatMap((read, i) => {
    // What is always the same needs no source.
    if (read.value.op === 'const') return []
    let history = histories.get(read.address)
    if (!history) histories.set(read.address, (history = historyOf(read, writes, context)))
    return [sourced(read, `from:${place}:${i}`, history, context)]
  })
}

/** The writes that may be to one address. */
interface History {
  readonly writes: readonly Write[]
  /** The last writes before an event that are surely to the address, and surely happen if the event does. */
  latest(event: Event): readonly Write[]
}

const historyOf = (read: Read, all: readonly Write[], { program, isSure }: ReadsFrom): History => {
  const writes = all.filter((w) => sameAddress(w, read) !== FALSE)
  const exact = writes.filter((w) => sameAddress(w, read) === TRUE)
  const known = new Map<Event, readonly Write[]>()
  const compute = (event: Event): readonly Write[] => {
    let last: Write[] = []
    for (const w of exact) {
      if (!program.precedes(w.event, event) || last.some((later) => program.precedes(w.event, later.event))) continue
      if (!isSure(w.condition, event)) continue
      last = [...last.filter((earlier) => !program.precedes(earlier.event, w.event)), w]
    }
    return last
  }
  const latest = (event: Event): readonly Write[] => {
    let found = known.get(event)
    if (!found) known.set(event, (found = compute(event)))
    return found
  }
  return { writes, latest }
}

const sourced = (read: Read, name: string, { writes, latest }: History, { order, program }: ReadsFrom): Sourced => {
  const { event } = read
  const overwriting = latest(event)
  const isOverwritten = (w: Write): boolean => overwriting.some((later) => program.precedes(w.event, later.event))
  const others = writes.filter((w) => w.event !== event && !program.exclude(w.event, event) && !isOverwritten(w))
  const candidates = others
    .filter((w) => order.before(w.event, event) !== FALSE)
    .map((write, i) => ({ write, source: variable(`${name}:${i}`, TRUE.sort) }))
  const initially = overwriting.length > 0 ? FALSE : variable(`${name}:initially`, TRUE.sort)
  return { read, initially, candidates, others, latest }
}

/** A read has a source, which happened before it and has its value. */
export const sourceConstraints = (
  { read, initially, candidates }: Sourced,
  { order, active }: ReadsFrom,
): readonly Term[] => {
  const { event, value } = read
  // soundness 13: each thread is a prefix; what does not happen takes its values from nowhere.
  const some = implies(
    active(event),
    or(
      initially,
      candidates.map(({ source }) => source),
    ),
  )
  const facts = candidates.flatMap(({ source, write }) =>
    [hits(write, read), order.before(write.event, event), eq(value, write.value)].map((fact) => implies(source, fact)),
  )
  return [some, implies(initially, eq(value, read.initial)), ...facts]
}

/** No write w to the place between the source and the read; without a write: nor since the beginning. */
export interface FromRead {
  readonly read: Read
  readonly source: Term
  readonly write: Write | undefined
  readonly w: Write
}

/**
 * One for each source and each other write would be cubic. A write needs none if that for another write implies it: one
 * after the source that is sure to happen before it, or one that surely overwrites it before the read.
 */
export function* fromReads(
  { read, initially, candidates, others, latest }: Sourced,
  program: ProgramOrder,
): Generator<FromRead> {
  if (initially !== FALSE)
    for (const w of others) if (latest(w.event).length === 0) yield { read, source: initially, write: undefined, w }
  for (const { source, write } of candidates)
    for (const w of others) {
      if (w.event === write.event || program.precedes(w.event, write.event)) continue
      if (program.exclude(w.event, write.event)) continue
      if (latest(w.event).some((between) => program.precedes(write.event, between.event))) continue
      yield { read, source, write, w }
    }
}

export const fromReadClause = ({ read, source, write, w }: FromRead, { order }: ReadsFrom): Term =>
  or(
    ...[not(source), not(hits(w, read)), order.before(read.event, w.event)],
    write ? order.before(w.event, write.event) : FALSE,
  )

/** What an order of events violates: the clauses for writes that lie between a read and its source. */
export const violatedFromReads = (
  all: readonly Sourced[],
  model: Model,
  inOrder: readonly Event[],
  context: ReadsFrom,
): readonly Term[] => {
  const at = new Map(inOrder.map((event, i) => [event, i]))
  const values = new Map<Term, unknown>()
  const valueIn = (term: Term): unknown => {
    if (!values.has(term)) values.set(term, evaluate(term, model))
    return values.get(term)
  }
  const isHit = (w: Write, read: Read): boolean =>
    valueIn(w.condition) === true && (!w.address || valueIn(w.address) === valueIn(read.address!))
  return all.flatMap(({ read, initially, candidates, others }) => {
    const end = at.get(read.event)
    if (end === undefined) return []
    const chosen = candidates.filter(({ source }) => model.get(source) === true)
    const sources: readonly { readonly source: Term; readonly write: Write | undefined }[] =
      initially !== FALSE && model.get(initially) === true
        ? [...chosen, { source: initially, write: undefined }]
        : chosen
    return sources.flatMap(({ source, write }) => {
      const begin = write ? at.get(write.event)! : -1
      const isBetween = (w: Write): boolean => {
        const position = at.get(w.event) ?? -1
        return position > begin && position < end && isHit(w, read)
      }
      return others.filter(isBetween).map((w) => fromReadClause({ read, source, write, w }, context))
    })
  })
}

/** The write happens, at the place of the read. */
const hits = (write: Write, read: Read): Term => and(write.condition, sameAddress(write, read))

/** Whether one of the disjuncts is among the terms that hold. */
export const holdsOne = (condition: Term, holds: (literal: Term) => boolean): boolean =>
  disjuncts(condition).some(holds)
