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
  reads.forEach((read, i) => {
    // What is always the same needs no source.
    if (read.value.op !== 'const') addSources(read, `from:${place}:${i}`, writes, context, constraints)
  })
  return constraints
}

const addSources = (
  read: Read,
  name: string,
  writes: readonly Write[],
  context: ReadsFrom,
  constraints: Term[],
): void => {
  const { order, active } = context
  const { event, value } = read
  const others = writes.filter((w) => concerns(w, read, context))
  const hidden = hiddenBy(read, others, context)
  const candidates = others.filter((w) => order.before(w.event, event) !== FALSE && !hidden.writes.has(w))
  const sources = candidates.map((_, i) => variable(`${name}:${i}`, TRUE.sort))
  const initially = hidden.beginning ? FALSE : variable(`${name}:initially`, TRUE.sort)
  constraints.push(implies(active(event), or(initially, sources)))
  if (initially !== FALSE) {
    constraints.push(implies(initially, eq(value, read.initial)))
    for (const w of others) constraints.push(or(not(initially), not(hits(w, read)), order.before(event, w.event)))
  }
  candidates.forEach((write, i) => {
    const source = sources[i]!
    for (const fact of [hits(write, read), order.before(write.event, event), eq(value, write.value)])
      constraints.push(implies(source, fact))
    for (const w of others) {
      if (w.event === write.event || order.before(w.event, write.event) === TRUE) continue
      if (context.program.exclude(w.event, write.event)) continue
      const elsewhere = or(order.before(w.event, write.event), order.before(event, w.event))
      if (elsewhere !== TRUE) constraints.push(or(not(source), not(hits(w, read)), elsewhere))
    }
  })
}

/** The write happens, at the place of the read. */
const hits = (write: Write, read: Read): Term => and(write.condition, sameAddress(write, read))

const concerns = (write: Write, read: Read, { program }: ReadsFrom): boolean =>
  write.event !== read.event && !program.exclude(write.event, read.event) && sameAddress(write, read) !== FALSE

/** Writes that are sure to be overwritten before the read, and whether what was at the beginning is. */
const hiddenBy = (
  read: Read,
  writes: readonly Write[],
  { program, isSure }: ReadsFrom,
): { readonly writes: ReadonlySet<Write>; readonly beginning: boolean } => {
  const sure = writes.filter(
    (w) => program.precedes(w.event, read.event) && sameAddress(w, read) === TRUE && isSure(w.condition, read.event),
  )
  const hidden = writes.filter((w) => sure.some((later) => program.precedes(w.event, later.event)))
  return { writes: new Set(hidden), beginning: sure.length > 0 }
}

/** Whether one of the disjuncts is among the terms that hold. */
export const holdsOne = (condition: Term, holds: (literal: Term) => boolean): boolean =>
  disjuncts(condition).some(holds)
