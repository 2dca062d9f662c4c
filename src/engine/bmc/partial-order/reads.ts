// From which write each read takes its value: one that happened before it, with no other write to the same place in
// between (sequential consistency, from-read included).
import { and, disjuncts, eq, FALSE, implies, not, or, type Term, TRUE, variable } from '../../../logic/index.js'
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

/** The constraints for all reads and writes of one variable or region, whose name this is. */
export const readsFrom = (
  place: string,
  reads: readonly Read[],
  writes: readonly Write[],
  context: ReadsFrom,
): Term[] => {
  const constraints: Term[] = []
  const histories = new Map<Term | undefined, History>()
  reads.forEach((read, i) => {
    // What is always the same needs no source.
    if (read.value.op === 'const') return
    let history = histories.get(read.address)
    if (!history) histories.set(read.address, (history = historyOf(read, writes, context)))
    addSources(read, `from:${place}:${i}`, history, context, constraints)
  })
  return constraints
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

/**
 * One clause for each source and each other write would be cubic. A write needs none if that for another write implies
 * it: one after the source that is sure to happen before it, or one that surely overwrites it before the read.
 */
const addSources = (
  read: Read,
  name: string,
  { writes, latest }: History,
  { order, program, active }: ReadsFrom,
  constraints: Term[],
): void => {
  const { event, value } = read
  const overwriting = latest(event)
  const isOverwritten = (w: Write): boolean => overwriting.some((later) => program.precedes(w.event, later.event))
  const others = writes.filter((w) => w.event !== event && !program.exclude(w.event, event) && !isOverwritten(w))
  const candidates = others.filter((w) => order.before(w.event, event) !== FALSE)
  const sources = candidates.map((_, i) => variable(`${name}:${i}`, TRUE.sort))
  const initially = overwriting.length > 0 ? FALSE : variable(`${name}:initially`, TRUE.sort)
  // soundness 13: each thread is a prefix; what does not happen takes its values from nowhere.
  constraints.push(implies(active(event), or(initially, sources)))
  if (initially !== FALSE) {
    constraints.push(implies(initially, eq(value, read.initial)))
    for (const w of others)
      if (latest(w.event).length === 0)
        constraints.push(or(not(initially), not(hits(w, read)), order.before(event, w.event)))
  }
  candidates.forEach((write, i) => {
    const source = sources[i]!
    for (const fact of [hits(write, read), order.before(write.event, event), eq(value, write.value)])
      constraints.push(implies(source, fact))
    for (const w of others) {
      if (w.event === write.event || program.precedes(w.event, write.event)) continue
      if (program.exclude(w.event, write.event)) continue
      if (latest(w.event).some((between) => program.precedes(write.event, between.event))) continue
      const elsewhere = or(order.before(w.event, write.event), order.before(event, w.event))
      constraints.push(or(not(source), not(hits(w, read)), elsewhere))
    }
  })
}

/** The write happens, at the place of the read. */
const hits = (write: Write, read: Read): Term => and(write.condition, sameAddress(write, read))

/** Whether one of the disjuncts is among the terms that hold. */
export const holdsOne = (condition: Term, holds: (literal: Term) => boolean): boolean =>
  disjuncts(condition).some(holds)
