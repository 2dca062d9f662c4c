// The partial-order encoding: reads-from instead of interleavings. A read takes its value from one write that happened
// before it, with no other write to the same place in between (sequential consistency, from-read included).
import {
  and,
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
import type { Region, Variable } from '../../../xcfa/index.js'
import type { Encoding } from '../../../xcfa/terms/index.js'
import { type Event, type Execution, executeThreads } from './events.js'
import { initialValueOf } from './initial.js'
import { type Order, type OrderEncoding, orderOf } from './order.js'
import { type ProgramOrder, programOrder } from './program-order.js'
import type { Ranges } from './ranges.js'
import {
  fromReadClause,
  fromReads,
  holdsOne,
  type Read,
  type ReadsFrom,
  type Sourced,
  sourceConstraints,
  sourcesOf,
  violatedFromReads,
  type Write,
} from './reads.js'
import type { Instance, UnrolledEdge, Unrolling } from './unroll.js'

export interface Encoded {
  readonly execution: Execution
  readonly order: Order
  readonly constraints: readonly Term[]
  /** The event takes place. */
  executed(event: Event): Term
  /**
   * The event does not take place, but is looked at in the state where the execution ends: its reads have the values
   * of that state. TRUE for an event whose guards need no such look.
   */
  observed(event: Event): Term
  /** The events that take place in a model, or are looked at, in an order that the model admits. */
  inOrder(model: Model): readonly Event[]
  /** What a model violates of that which was not told beforehand. */
  repair(model: Model): readonly Term[]
  /** Under which the joins of an edge succeed. */
  joins(unrolled: UnrolledEdge): Term
}

/** `observers`: events that wait can be looked at without taking place. */
export const encode = (
  unrolling: Unrolling,
  encoding: Encoding,
  ranges: Ranges,
  orderEncoding: OrderEncoding,
  observers = false,
): Encoded => {
  const execution = executeThreads(unrolling, encoding, ranges, observers)
  const { events, eventOf, taken } = execution
  const program = programOrder(unrolling, events, eventOf)
  const order = orderOf(events, program, orderEncoding)
  const executed = (event: Event): Term => or(event.node.outgoing.map((e) => taken.get(e)!))
  const observed = (event: Event): Term =>
    observers && waits(event) ? variable(`observed${event.id}`, TRUE.sort) : TRUE
  const active = (event: Event): Term => {
    const looked = observed(event)
    return looked === TRUE ? executed(event) : or(executed(event), looked)
  }
  const constraints: Term[] = [...execution.constraints]
  const add = (more: readonly Term[]): void => {
    for (const constraint of more) constraints.push(constraint)
  }
  const edgeOf = new Map([...taken].map(([edge, term]) => [term, edge]))
  const isSure: ReadsFrom['isSure'] = (condition, event) =>
    holdsOne(condition, (term) => edgeOf.has(term) && program.follows(event, edgeOf.get(term)!))
  const context: ReadsFrom = { order, program, active, isSure }
  const reads: Sourced[] = []
  const variables = new Set<Variable>(events.flatMap((e) => [...e.variableReads.keys()]))
  for (const v of variables)
    reads.push(...sourcesOf(`variable${v.id}`, readsOf(events, v, encoding), writesTo(events, v), context))
  for (const region of new Set<Region>(events.flatMap((e) => [...e.regionReads.keys()]))) {
    const inRegion = events.flatMap((event) =>
      (event.regionReads.get(region) ?? []).map(({ address, value }) => ({
        ...{ event, address, value, initial: execution.initialMemory.at(region, address, 'all') },
      })),
    )
    const writes = events.flatMap((event) => (event.regionWrites.get(region) ?? []).map((w) => ({ event, ...w })))
    reads.push(...sourcesOf(`region${region.id}`, inRegion, writes, context))
  }
  for (const read of reads) add(sourceConstraints(read, context))
  const told = fromReadClauses(reads, program, context, orderEncoding)
  if (told) add(told)
  add(execution.initialMemory.constraints())
  const joinTerms = new Map<Term, Term>()
  for (const event of events)
    for (const { taken: here, thread } of event.joins) {
      const ended = joined(thread, event, unrolling, encoding, execution, order)
      constraints.push(implies(here, ended))
      joinTerms.set(here, and(joinTerms.get(here) ?? TRUE, ended))
    }
  for (const event of events) {
    const looked = observed(event)
    if (looked === TRUE) continue
    for (const other of events)
      if (other.node.instance !== event.node.instance)
        constraints.push(or(not(looked), not(executed(other)), order.before(other, event)))
  }
  add(order.axioms())
  const joins = (unrolled: UnrolledEdge): Term => joinTerms.get(taken.get(unrolled)!) ?? TRUE
  const happening = (model: Model): readonly Event[] => events.filter((e) => evaluate(active(e), model) === true)
  const inOrder = (model: Model): readonly Event[] => order.sorted(model, happening(model))
  const repair = (model: Model): readonly Term[] => {
    const cycles = order.repair(model, happening(model))
    return cycles.length > 0 || told ? cycles : violatedFromReads(reads, model, inOrder(model), context)
  }
  return { execution, order, constraints, executed, observed, joins, inOrder, repair }
}

/** With more clauses than this, only those that a model violates are told. */
const MAX_CLAUSES = 50_000

/** Undefined: as needed. */
const fromReadClauses = (
  reads: readonly Sourced[],
  program: ProgramOrder,
  context: ReadsFrom,
  encoding: OrderEncoding,
): readonly Term[] | undefined => {
  let left = encoding === 'cycles' ? 0 : encoding === 'auto' ? MAX_CLAUSES : Number.POSITIVE_INFINITY
  for (const read of reads) for (const _ of fromReads(read, program)) if (left-- <= 0) return undefined
  return reads.flatMap((read) => [...fromReads(read, program)].map((each) => fromReadClause(each, context)))
}

/** Whether the event may not be enabled, depending on other threads. */
export const waits = (event: Event): boolean =>
  event.joins.length > 0 || event.node.outgoing.some(({ edge }) => edge.sync !== undefined)

const readsOf = (events: readonly Event[], v: Variable, encoding: Encoding): Read[] =>
  events.flatMap((event) => {
    const value = event.variableReads.get(v)
    return value ? [{ event, value, initial: initialValueOf(encoding, v) }] : []
  })

/** One write an event: by whichever edge it ended. */
const writesTo = (events: readonly Event[], v: Variable): Write[] =>
  events.flatMap((event) => {
    const writes = event.variableWrites.get(v)
    if (!writes) return []
    return groupByValue(writes).map((w) => ({ event, ...w }))
  })

const groupByValue = (writes: readonly { condition: Term; value: Term }[]): { condition: Term; value: Term }[] => {
  const byValue = new Map<Term, Term[]>()
  for (const { condition, value } of writes) {
    const conditions = byValue.get(value)
    if (conditions) conditions.push(condition)
    else byValue.set(value, [condition])
  }
  return [...byValue].map(([value, conditions]) => ({ value, condition: or(conditions) }))
}

/** The thread has ended, before this event. */
export const joined = (
  thread: Term,
  event: Event,
  { instances }: Unrolling,
  encoding: Encoding,
  { taken, eventOf }: Execution,
  order: Order,
): Term => {
  const endsBefore = (instance: Instance): Term =>
    or(
      instance.nodes
        .filter((n) => n.location === instance.template.final)
        .flatMap((n) => n.incoming.filter((e) => taken.get(e) !== FALSE))
        .map((e) => and(taken.get(e)!, order.before(eventOf.get(e.source)!, event))),
    )
  return or(
    instances.map((instance) => {
      const type = instance.template.self.type
      return and(eq(thread, sized(encoding.constant(type, instance.number), thread)), endsBefore(instance))
    }),
  )
}

const sized = (constant: Term, like: Term): Term => {
  if (constant.sort === like.sort) return constant
  throw new Error(`thread numbers have different sorts: ${constant.sort.kind} and ${like.sort.kind}`)
}
