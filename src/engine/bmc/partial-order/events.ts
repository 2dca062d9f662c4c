// Symbolic execution of the unrolled threads. An event is what a thread does in one step: an edge, or an atomic block.
// It reads shared variables and memory as they are when it happens (a variable a read) and writes them when it ends.
import { and, ite, not, or, select, type Term, TRUE, variable } from '../../../logic/index.js'
import { byteSize, type MemoryObject, type Region, Unsupported, type Variable } from '../../../xcfa/index.js'
import { addressInRegion, type Encoding, executeAll, type Hooks, symbolicState } from '../../../xcfa/terms/index.js'
import { initialMemory } from './initial.js'
import { type RegionWrite, withoutSelects, writesOf } from './memory.js'
import type { Instance, Node, UnrolledEdge, Unrolling } from './unroll.js'

export interface Event {
  readonly id: number
  /** Where it begins. */
  readonly node: Node
  readonly variableReads: Map<Variable, Term>
  readonly regionReads: Map<Region, { readonly address: Term; readonly value: Term }[]>
  readonly variableWrites: Map<Variable, { readonly condition: Term; readonly value: Term }[]>
  readonly regionWrites: Map<Region, RegionWrite[]>
  readonly joins: { readonly taken: Term; readonly thread: Term }[]
}

export interface Execution {
  readonly events: readonly Event[]
  readonly eventOf: ReadonlyMap<Node, Event>
  readonly taken: ReadonlyMap<UnrolledEdge, Term>
  readonly reached: ReadonlyMap<Node, Term>
  /** What must hold of every execution, apart from reads and order. */
  readonly constraints: readonly Term[]
  /** Each holds unless a signed operation overflows (integer arithmetic). */
  readonly obligations: readonly Term[]
  /** Values of the havoc labels of an edge, in order. */
  readonly choices: ReadonlyMap<UnrolledEdge, readonly Term[]>
  /** A dereference that may be invalid: its thread would stop. */
  readonly invalid: readonly Term[]
}

/** What a thread knows at a node: its locals, and inside an atomic block the shared state as changed so far. */
interface Knowledge {
  readonly values: ReadonlyMap<Variable, Term>
  readonly memories: ReadonlyMap<Region, Term>
}

const NOTHING: Knowledge = { values: new Map(), memories: new Map() }

export const executeThreads = (unrolling: Unrolling, encoding: Encoding): Execution => {
  const events: Event[] = []
  const eventOf = new Map<Node, Event>()
  const taken = new Map<UnrolledEdge, Term>()
  const reached = new Map<Node, Term>()
  const constraints: Term[] = []
  const obligations: Term[] = []
  const invalid: Term[] = []
  const choices = new Map<UnrolledEdge, Term[]>()
  const outcome = new Map<UnrolledEdge, Knowledge>()
  const arguments_ = new Map<Instance, readonly Term[]>()
  const allocated = new Map<MemoryObject, number>()
  const instances = instancesIn(unrolling)
  const base = new Map<Term, { readonly event: Event; readonly region: Region } | { readonly local: Region }>()

  const takenOf = (e: UnrolledEdge): Term => {
    let term = taken.get(e)
    if (!term) taken.set(e, (term = variable(`taken${e.id}`, TRUE.sort)))
    return term
  }

  const eventAt = (node: Node): Event => {
    let event = eventOf.get(node.entry)
    if (!event) {
      event = {
        ...{ id: events.length, node: node.entry, variableReads: new Map(), regionReads: new Map() },
        ...{ variableWrites: new Map(), regionWrites: new Map(), joins: [] },
      }
      events.push(event)
      eventOf.set(node.entry, event)
    }
    eventOf.set(node, event)
    return event
  }

  const readVariable = (event: Event, v: Variable): Term => {
    let term = event.variableReads.get(v)
    if (!term)
      event.variableReads.set(v, (term = variable(`read${event.id}:${v.name}#${v.id}`, encoding.sortOf(v.type))))
    return term
  }

  const readRegion = (event: Event, region: Region, address: Term): Term => {
    const reads = at(event.regionReads, region)
    const known = reads.find((r) => r.address === address)
    if (known) return known.value
    const value = variable(
      `read${event.id}:${region.name}#${region.id}.${reads.length}`,
      encoding.regionSort(region).element,
    )
    reads.push({ address, value })
    return value
  }

  /** The term for memory at the beginning of an event, or of a thread for its own. */
  const memoryAt = (event: Event, region: Region): Term => {
    const shared = region.scope === 'global'
    const name = shared ? `memory${event.id}:${region.id}` : `memory of ${event.node.instance.index}:${region.id}`
    const term = variable(name, encoding.regionSort(region))
    base.set(term, shared ? { event, region } : { local: region })
    return term
  }

  const resolved = (terms: readonly Term[], instance: Instance): readonly Term[] =>
    withoutSelects(terms, (array, address) => {
      const origin = base.get(array)
      if (!origin) return select(array, address)
      if ('event' in origin) return readRegion(origin.event, origin.region, address)
      return initialMemory(encoding, origin.local, address, instance.index, instances)
    })

  const hooksFor = (unrolled: UnrolledEdge): Hooks => {
    const mine: Term[] = []
    choices.set(unrolled, mine)
    const event = eventAt(unrolled.source)
    let started = 0
    return {
      fresh: (name, sort) => {
        const term = variable(`choice${unrolled.id}.${mine.length}:${name}`, sort)
        mine.push(term)
        return term
      },
      start: (label, args, state) => {
        const instance = unrolled.started[started++]
        if (!instance) return { guard: TRUE, next: state }
        arguments_.set(instance, args)
        return {
          guard: TRUE,
          next: state.withValue(label.target, encoding.constant(label.target.type, instance.number)),
        }
      },
      join: (_, thread, state) => {
        event.joins.push({ taken: takenOf(unrolled), thread })
        return { guard: TRUE, next: state }
      },
      allocate: (label, _, state) => {
        const { object, target } = label
        const k = allocated.get(object) ?? 0
        allocated.set(object, k + 1)
        if (k >= (object.instances ?? 4096)) throw new Unsupported('so many allocations', unrolled.edge.position)
        return {
          guard: TRUE,
          next: state.withValue(target, encoding.constant(target.type, object.base + k * object.stride)),
        }
      },
      free: (_, __, state) => ({ guard: TRUE, next: state }),
      access: (label, address) => {
        const valid = addressInRegion(encoding, label.region, address, byteSize(label.type), instances)
        if (valid !== TRUE) invalid.push(valid)
        return valid
      },
    }
  }

  const executeEdge = (unrolled: UnrolledEdge, knowledge: Knowledge): void => {
    const { source, target, edge } = unrolled
    const event = eventAt(source)
    const { instance } = source
    const state = symbolicState(
      (v) => knowledge.values.get(v) ?? initialValue(v, event, instance),
      (r) => knowledge.memories.get(r) ?? memoryAt(event, r),
    )
    const done = executeAll(edge.labels, state, encoding, hooksFor(unrolled))
    const variables = [...done.next.changedVariables]
    const regions = [...done.next.changedRegions]
    const terms = resolved(
      [done.guard, ...done.obligations, ...variables.map(([, t]) => t), ...regions.map(([, t]) => t)],
      instance,
    )
    const here = takenOf(unrolled)
    constraints.push(or(not(here), and(reached.get(source)!, terms[0]!)))
    const count = done.obligations.length
    obligations.push(...terms.slice(1, 1 + count).map((o) => or(not(here), o)))
    const values = new Map(knowledge.values)
    const memories = new Map(knowledge.memories)
    variables.forEach(([v], i) => values.set(v, terms[1 + count + i]!))
    regions.forEach(([r], i) => memories.set(r, terms[1 + count + variables.length + i]!))
    if (!target.location.atomic) publish(event, here, values, memories)
    outcome.set(unrolled, { values, memories })
  }

  const initialValue = (v: Variable, event: Event, instance: Instance): Term => {
    if (v.scope === 'global') return readVariable(event, v)
    if (v === instance.template.self) return encoding.constant(v.type, instance.number)
    const parameter = instance.template.parameters.indexOf(v)
    const passed = parameter < 0 ? undefined : arguments_.get(instance)?.[parameter]
    return passed ?? encoding.constant(v.type, 0)
  }

  /** The event ends with this edge: what it changed becomes visible, and is forgotten as knowledge. */
  const publish = (event: Event, here: Term, values: Map<Variable, Term>, memories: Map<Region, Term>): void => {
    for (const [v, value] of values) {
      if (v.scope !== 'global') continue
      if (value !== event.variableReads.get(v)) at(event.variableWrites, v).push({ condition: here, value })
      values.delete(v)
    }
    for (const [region, memory] of memories) {
      if (region.scope !== 'global') continue
      at(event.regionWrites, region).push(...writesOf(memory).map((w) => ({ ...w, condition: and(here, w.condition) })))
      memories.delete(region)
    }
  }

  const knowledgeAt = (node: Node): Knowledge => {
    const edges = node.incoming.filter((e) => outcome.has(e))
    if (edges.length === 0) return NOTHING
    if (edges.length === 1) return outcome.get(edges[0]!)!
    const event = node.location.atomic ? eventAt(node) : undefined
    const values = new Map<Variable, Term>()
    const memories = new Map<Region, Term>()
    const all = edges.map((e) => outcome.get(e)!)
    for (const v of new Set(all.flatMap((k) => [...k.values.keys()]))) {
      const each = all.map((k) => k.values.get(v) ?? initialValue(v, event ?? eventAt(node), node.instance))
      values.set(v, choose(edges.map(takenOf), each))
    }
    for (const r of new Set(all.flatMap((k) => [...k.memories.keys()]))) {
      const each = all.map((k) => k.memories.get(r) ?? memoryAt(event ?? eventAt(node), r))
      memories.set(r, choose(edges.map(takenOf), each))
    }
    return { values, memories }
  }

  for (const instance of unrolling.instances)
    for (const node of instance.nodes) {
      const { startedBy } = instance
      const ways = node.incoming.map(takenOf)
      const first = node === instance.nodes[0]
      reached.set(node, first ? (startedBy ? takenOf(startedBy) : TRUE) : or(ways))
      const knowledge = knowledgeAt(node)
      for (const unrolled of node.outgoing) executeEdge(unrolled, knowledge)
      constraints.push(...atMostOne(node.outgoing.map(takenOf)))
    }
  return { events, eventOf, taken, reached, constraints, obligations, choices, invalid }
}

const at = <K, V>(map: Map<K, V[]>, key: K): V[] => {
  let list = map.get(key)
  if (!list) map.set(key, (list = []))
  return list
}

/** The value of the way that was taken. */
const choose = (conditions: readonly Term[], values: readonly Term[]): Term =>
  values.reduceRight((rest, value, i) => (value === rest ? rest : ite(conditions[i]!, value, rest)))

const atMostOne = (terms: readonly Term[]): readonly Term[] =>
  terms.flatMap((a, i) => terms.slice(i + 1).map((b) => or(not(a), not(b))))

/** How many instances of an object there can be in the unrolled program. */
export const instancesIn = (unrolling: Unrolling): ((object: MemoryObject) => number) => {
  const threads = Math.max(...unrolling.instances.map((i) => i.number)) + 1
  const allocations = new Map<MemoryObject, number>()
  for (const { nodes } of unrolling.instances)
    for (const node of nodes)
      for (const { edge } of node.outgoing)
        for (const label of edge.labels)
          if (label.kind === 'allocate') allocations.set(label.object, (allocations.get(label.object) ?? 0) + 1)
  return (object) => {
    if (object.storage === 'heap') return allocations.get(object) ?? 0
    return object.storage === 'thread' ? threads : 1
  }
}
