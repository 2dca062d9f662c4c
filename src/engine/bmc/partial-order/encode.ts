// The partial-order encoding: reads-from instead of interleavings. A read takes its value from one write that happened
// before it, with no other write to the same place in between (sequential consistency, from-read included).
import { and, bvUlt, eq, FALSE, implies, not, or, type Term, TRUE, variable } from '../../../logic/index.js'
import type { Region, Variable } from '../../../xcfa/index.js'
import type { Encoding } from '../../../xcfa/terms/index.js'
import { type Event, type Execution, executeThreads, instancesIn } from './events.js'
import { initialMemory, initialValueOf } from './initial.js'
import { type Order, orderOf } from './order.js'
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
  /** Under which the joins of an edge succeed. */
  joins(unrolled: UnrolledEdge): Term
}

interface Read {
  readonly event: Event
  readonly address?: Term
  readonly value: Term
  readonly initial: Term
}

interface Write {
  readonly event: Event
  readonly address?: Term
  readonly condition: Term
  readonly value: Term
}

/** `observers`: events that wait can be looked at without taking place. */
export const encode = (unrolling: Unrolling, encoding: Encoding, observers = false): Encoded => {
  const execution = executeThreads(unrolling, encoding)
  const { events, eventOf, taken } = execution
  const following = new Map<Event, Set<Event>>(events.map((e) => [e, new Set<Event>()]))
  for (const { nodes } of unrolling.instances)
    for (const node of nodes)
      for (const { target, started } of node.outgoing) {
        const from = eventOf.get(node)!
        const to = eventOf.get(target)
        if (to && to !== from) following.get(from)!.add(to)
        for (const instance of started) {
          const first = eventOf.get(instance.nodes[0]!)
          if (first) following.get(from)!.add(first)
        }
      }
  const order = orderOf(events, (e) => following.get(e)!)
  const executed = (event: Event): Term => or(event.node.outgoing.map((e) => taken.get(e)!))
  const observed = (event: Event): Term =>
    observers && waits(event) ? variable(`observed${event.id}`, TRUE.sort) : TRUE
  const active = (event: Event): Term => {
    const looked = observed(event)
    return looked === TRUE ? executed(event) : or(executed(event), looked)
  }
  const constraints: Term[] = [...execution.constraints, ...order.constraints]
  const add = (more: readonly Term[]): void => {
    for (const constraint of more) constraints.push(constraint)
  }
  const variables = new Set<Variable>(events.flatMap((e) => [...e.variableReads.keys()]))
  for (const v of variables) add(readsFrom(readsOf(events, v, encoding), writesTo(events, v), order, active))
  const instances = instancesIn(unrolling)
  for (const region of new Set<Region>(events.flatMap((e) => [...e.regionReads.keys()]))) {
    const reads = events.flatMap((event) =>
      (event.regionReads.get(region) ?? []).map(({ address, value }) => ({
        ...{ event, address, value, initial: initialMemory(encoding, region, address, -1, instances) },
      })),
    )
    const writes = events.flatMap((event) => (event.regionWrites.get(region) ?? []).map((w) => ({ event, ...w })))
    add(readsFrom(reads, writes, order, active))
  }
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
  const joins = (unrolled: UnrolledEdge): Term => joinTerms.get(taken.get(unrolled)!) ?? TRUE
  return { execution, order, constraints, executed, observed, joins }
}

/** Whether the event may not be enabled, depending on other threads. */
const waits = (event: Event): boolean =>
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

const sameAddress = (a: { readonly address?: Term }, b: { readonly address?: Term }): Term =>
  a.address && b.address ? eq(a.address, b.address) : TRUE

/**
 * `since` is the clock of the write that the read takes its value from (0: the beginning). Any other write to the
 * place happens before that, or after the read: linear in the number of writes for each read.
 */
const readsFrom = (
  reads: readonly Read[],
  writes: readonly Write[],
  order: Order,
  executed: (e: Event) => Term,
): Term[] => {
  const constraints: Term[] = []
  for (const read of reads) {
    const { event, value } = read
    const candidates = writes.filter(
      (w) => w.event !== event && order.before(w.event, event) !== FALSE && sameAddress(w, read) !== FALSE,
    )
    const since = order.clockVariable(`since:${value.name}`)
    const initially = variable(`from:${value.name}:initially`, TRUE.sort)
    const sources = candidates.map((_, i) => variable(`from:${value.name}:${i}`, TRUE.sort))
    constraints.push(implies(executed(event), or(initially, sources)))
    constraints.push(implies(initially, and(eq(value, read.initial), eq(since, order.beginning))))
    candidates.forEach((write, i) => {
      const source = sources[i]!
      const facts = [
        write.condition,
        order.before(write.event, event),
        sameAddress(write, read),
        eq(value, write.value),
      ]
      for (const fact of [...facts, eq(since, order.clock(write.event))]) constraints.push(implies(source, fact))
      const happens = and(executed(event), write.condition, sameAddress(write, read))
      const earlier = bvUlt(order.clock(write.event), since)
      constraints.push(or(not(happens), source, earlier, order.before(event, write.event)))
    })
  }
  return constraints
}

/** The thread has ended, before this event. */
const joined = (
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
        .flatMap((n) => n.incoming.map((e) => and(taken.get(e)!, order.before(eventOf.get(e.source)!, event)))),
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
