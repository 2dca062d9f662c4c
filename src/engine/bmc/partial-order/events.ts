// Symbolic execution of the unrolled threads. An event is what a thread does in one step: an edge, or an atomic block.
// It reads shared variables and memory as they are when it happens (a variable a read) and writes them when it ends.
import {
  and,
  boolConst,
  conjuncts,
  FALSE,
  freeVariables,
  ite,
  not,
  or,
  select,
  type Term,
  TRUE,
  variable,
} from '../../../logic/index.js'
import { type Access, type StepPolicy, stepOf } from '../../../symbolic/index.js'
import { byteSize, type MemoryObject, type Region, type Variable } from '../../../xcfa/index.js'
import {
  addressConstant,
  addressInRegion,
  type Encoding,
  loadTerm,
  type Obligation,
  threadRoom,
} from '../../../xcfa/terms/index.js'
import { accessesIn, type EdgeAccess, type Touched } from './accesses.js'
import { choicesToTry, constantOf } from './choices.js'
import { InitialMemory, instancesIn } from './initial.js'
import { type RegionWrite, withoutSelects, writesOf } from './memory.js'
import { type Ranges, readTerm } from './ranges.js'
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
  /** What the steps that are taken take for granted. */
  readonly obligations: readonly Obligation[]
  /** Values of the havoc labels of an edge, in order. */
  readonly choices: ReadonlyMap<UnrolledEdge, readonly Term[]>
  /** Some dereference may be invalid: its thread would stop. */
  readonly mayBeInvalid: boolean
  /** What must hold to take an edge from its source; what it touches. */
  readonly guards: ReadonlyMap<UnrolledEdge, Term>
  /** The same with each of some choices, where it depends on them (only asked for when events can be looked at). */
  readonly attempts: ReadonlyMap<UnrolledEdge, readonly Term[]>
  readonly accesses: ReadonlyMap<UnrolledEdge, readonly EdgeAccess[]>
  /** The memory labels of an edge in order. */
  readonly touched: ReadonlyMap<UnrolledEdge, readonly Touched[]>
  readonly initialMemory: InitialMemory
}

/** What a thread knows at a node: its locals, and inside an atomic block the shared state as changed so far. */
interface Knowledge {
  readonly values: ReadonlyMap<Variable, Term>
  readonly memories: ReadonlyMap<Region, Term>
  /** What the event has read is this constant, or it would not be here. */
  readonly facts: ReadonlyMap<Term, Term>
}

interface ChangingKnowledge extends Knowledge {
  readonly values: Map<Variable, Term>
  readonly memories: Map<Region, Term>
}

const NOTHING: Knowledge = { values: new Map(), memories: new Map(), facts: new Map() }

/**
 * `observers`: whether an edge is enabled is asked without taking it. `silentWrites`: writes that change nothing are
 * kept, because memory models see them.
 */
export const executeThreads = (
  unrolling: Unrolling,
  encoding: Encoding,
  ranges: Ranges,
  observers: boolean,
  silentWrites = false,
): Execution => new ThreadExecution(unrolling, encoding, ranges, observers, silentWrites).run()

/** Executes the threads of an unrolling one node after the other, and gathers what an `Execution` holds. */
class ThreadExecution implements Execution {
  readonly events: Event[] = []
  readonly eventOf = new Map<Node, Event>()
  readonly taken = new Map<UnrolledEdge, Term>()
  readonly reached = new Map<Node, Term>()
  readonly constraints: Term[] = []
  readonly obligations: Obligation[] = []
  readonly choices = new Map<UnrolledEdge, readonly Term[]>()
  readonly guards = new Map<UnrolledEdge, Term>()
  readonly attempts = new Map<UnrolledEdge, readonly Term[]>()
  readonly accesses = new Map<UnrolledEdge, readonly EdgeAccess[]>()
  readonly touched = new Map<UnrolledEdge, readonly Touched[]>()
  readonly initialMemory: InitialMemory
  mayBeInvalid = false
  private readonly outcome = new Map<UnrolledEdge, Knowledge>()
  private readonly arguments_ = new Map<Instance, readonly Term[]>()
  private readonly allocated = new Map<MemoryObject, number>()
  private readonly instances: ReturnType<typeof instancesIn>
  /** What the terms for memory stand for: a region when an event begins, or a thread's own region when it starts. */
  private readonly base = new Map<
    Term,
    { readonly event: Event; readonly region: Region } | { readonly local: Region }
  >()

  constructor(
    private readonly unrolling: Unrolling,
    private readonly encoding: Encoding,
    private readonly ranges: Ranges,
    private readonly observers: boolean,
    private readonly silentWrites: boolean,
  ) {
    this.instances = instancesIn(unrolling)
    this.initialMemory = new InitialMemory(encoding, this.instances)
  }

  run(): this {
    for (const instance of this.unrolling.instances)
      for (const node of instance.nodes) {
        const { startedBy } = instance
        const arrivals = node.incoming.map((e) => this.takenOf(e))
        const first = node === instance.nodes[0]
        this.reached.set(node, first ? (startedBy ? this.takenOf(startedBy) : TRUE) : or(arrivals))
        if (this.reached.get(node) === FALSE) {
          for (const unrolled of node.outgoing) this.taken.set(unrolled, FALSE)
          continue
        }
        const knowledge = this.knowledgeAt(node)
        for (const unrolled of node.outgoing) this.executeEdge(unrolled, knowledge)
        this.constraints.push(...atMostOne(node.outgoing.map((e) => this.takenOf(e))))
      }
    return this
  }

  private takenOf(e: UnrolledEdge): Term {
    let term = this.taken.get(e)
    if (!term) this.taken.set(e, (term = variable(`taken${e.id}`, TRUE.sort)))
    return term
  }

  private eventAt(node: Node): Event {
    let event = this.eventOf.get(node.entry)
    if (!event) {
      event = {
        ...{ id: this.events.length, node: node.entry, variableReads: new Map(), regionReads: new Map() },
        ...{ variableWrites: new Map(), regionWrites: new Map(), joins: [] },
      }
      this.events.push(event)
      this.eventOf.set(node.entry, event)
    }
    this.eventOf.set(node, event)
    return event
  }

  private readVariable(event: Event, v: Variable): Term {
    let term = event.variableReads.get(v)
    if (!term) {
      term = readTerm(`read${event.id}:${v.name}#${v.id}`, this.encoding.sortOf(v.type), this.ranges(v))
      event.variableReads.set(v, term)
    }
    return term
  }

  private readRegion(event: Event, region: Region, address: Term): Term {
    const reads = at(event.regionReads, region)
    const known = reads.find((r) => r.address === address)
    if (known) return known.value
    const name = `read${event.id}:${region.name}#${region.id}.${reads.length}`
    const value = readTerm(name, this.encoding.regionSort(region).element, this.ranges(region))
    reads.push({ address, value })
    return value
  }

  /** The term for memory at the beginning of an event, or of a thread for its own. */
  private memoryAt(event: Event, region: Region): Term {
    const shared = region.scope === 'global'
    const name = shared ? `memory${event.id}:${region.id}` : `memory of ${event.node.instance.index}:${region.id}`
    const term = variable(name, this.encoding.regionSort(region))
    this.base.set(term, shared ? { event, region } : { local: region })
    return term
  }

  private resolved(terms: readonly Term[], instance: Instance): readonly Term[] {
    return withoutSelects(terms, (array, address) => {
      const origin = this.base.get(array)
      if (!origin) return select(array, address)
      if ('event' in origin) return this.readRegion(origin.event, origin.region, address)
      return this.initialMemory.at(origin.local, address, instance.index)
    })
  }

  /** Steps of an unrolled edge: threads and heap instances are those of the unrolling, joins are left to the order. */
  private policyFor(unrolled: UnrolledEdge, knowledge: Knowledge): StepPolicy {
    const { source } = unrolled
    const event = this.eventAt(source)
    return {
      encoding: this.encoding,
      value: (v) => knowledge.values.get(v) ?? this.initialValue(v, event, source.instance),
      memory: (r) => knowledge.memories.get(r) ?? this.memoryAt(event, r),
      input: (index, name, sort) => variable(`choice${unrolled.id}.${index}:${name}`, sort),
      allocate: (object) => {
        const k = this.allocated.get(object) ?? 0
        this.allocated.set(object, k + 1)
        return {
          offset: addressConstant(this.encoding, k * object.stride),
          room: boolConst(k < (object.instances ?? 1)),
        }
      },
      start: ({ label: { target } }, index) => {
        // At the bound nobody is started: the execution does not count as complete.
        const number = unrolled.started[index]?.number ?? 0
        const room = threadRoom(this.unrolling.program, number)
        return { number: this.encoding.constant(target.type, number), guard: TRUE, room }
      },
      join: () => TRUE,
      valid: ({ region, type }, address) =>
        addressInRegion(this.encoding, region, address, byteSize(type), this.instances),
    }
  }

  private executeEdge(unrolled: UnrolledEdge, knowledge: Knowledge): void {
    const { source, target, edge } = unrolled
    const event = this.eventAt(source)
    const { instance } = source
    const step = stepOf(edge.labels, this.policyFor(unrolled, knowledge))
    if (step.mayStop) this.mayBeInvalid = true
    const inputs = step.inputs.map(({ term }) => term)
    const starts = step.starts.slice(0, unrolled.started.length)
    const found = ({ label, address, state }: Access): Term =>
      label.kind === 'load' ? loadTerm(this.encoding, label, state.memory(label.region), address).value : TRUE
    // Terms may still speak of memory: what they read there is taken out of all of them, in this order.
    const [guard, ...more] = this.resolved(
      [
        step.guard,
        ...step.obligations.map(({ holds }) => holds),
        ...step.variables.values(),
        ...step.memories.values(),
        ...starts.flatMap(({ args }) => args),
        ...step.joins,
        ...step.accesses.flatMap((access) => [access.address, found(access)]),
      ],
      instance,
    )
    const next = more[Symbol.iterator]()
    const take = (): Term => next.next().value!
    if (guard === FALSE) {
      this.taken.set(unrolled, FALSE)
      return
    }
    const here = this.takenOf(unrolled)
    this.constraints.push(or(not(here), and(this.reached.get(source)!, guard!)))
    this.guards.set(unrolled, guard!)
    this.choices.set(unrolled, inputs)
    if (this.observers && freeVariables(guard!).some((v) => inputs.includes(v)))
      this.attempts.set(unrolled, this.attemptsOf(unrolled, knowledge))
    for (const each of step.obligations) this.obligations.push({ ...each, holds: or(not(here), take()) })
    const values = new Map(knowledge.values)
    const memories = new Map(knowledge.memories)
    for (const v of step.variables.keys()) values.set(v, take())
    for (const r of step.memories.keys()) memories.set(r, take())
    for (const [i, { args }] of starts.entries()) this.arguments_.set(unrolled.started[i]!, args.map(take))
    for (const _ of step.joins) event.joins.push({ taken: here, thread: take() })
    const memory = step.accesses.map(({ label }): Touched => ({ label, address: take(), value: take() }))
    this.touched.set(unrolled, memory)
    this.accesses.set(unrolled, accessesIn(edge, memory))
    const facts = new Map([...knowledge.facts, ...factsIn(guard!)])
    if (!target.isInside) this.publish(event, here, { values, memories, facts })
    this.outcome.set(unrolled, { values, memories, facts: target.isInside ? facts : NOTHING.facts })
  }

  /** The guard of an edge for each of the choices to try. Where something is allocated does not decide it. */
  private attemptsOf(unrolled: UnrolledEdge, knowledge: Knowledge): readonly Term[] {
    const policy = this.policyFor(unrolled, knowledge)
    const allocate: StepPolicy['allocate'] = () => ({ offset: addressConstant(this.encoding, 0), room: TRUE })
    const tried = choicesToTry(unrolled.edge, this.unrolling).map((values) => {
      const input: StepPolicy['input'] = (index, _, sort) => constantOf(sort, values[index]!)
      return stepOf(unrolled.edge.labels, { ...policy, input, allocate }).guard
    })
    return this.resolved(tried, unrolled.source.instance)
  }

  private initialValue(v: Variable, event: Event, instance: Instance): Term {
    if (v.scope === 'global') return this.readVariable(event, v)
    if (v === instance.template.self) return this.encoding.constant(v.type, instance.number)
    const parameter = instance.template.parameters.indexOf(v)
    const passed = parameter < 0 ? undefined : this.arguments_.get(instance)?.[parameter]
    return passed ?? this.encoding.constant(v.type, 0)
  }

  /**
   * The event ends with this edge: what it changed becomes visible, and is forgotten as knowledge. What it leaves as it
   * found it, such as a lock that was free, nobody sees.
   */
  private publish(event: Event, here: Term, { values, memories, facts }: ChangingKnowledge): void {
    const isAsBefore = (read: Term | undefined, value: Term): boolean =>
      !this.silentWrites && read !== undefined && (read === value || facts.get(read) === value)
    for (const [v, value] of values) {
      if (v.scope !== 'global') continue
      if (!isAsBefore(event.variableReads.get(v), value)) at(event.variableWrites, v).push({ condition: here, value })
      values.delete(v)
    }
    for (const [region, memory] of memories) {
      if (region.scope !== 'global') continue
      const reads = event.regionReads.get(region) ?? []
      for (const { condition, address, value } of writesOf(memory)) {
        const read = reads.find((r) => r.address === address)?.value
        if (condition === FALSE || isAsBefore(read, value)) continue
        at(event.regionWrites, region).push({ condition: and(here, condition), address, value })
      }
      memories.delete(region)
    }
  }

  private knowledgeAt(node: Node): Knowledge {
    const edges = node.incoming.filter((e) => this.outcome.has(e))
    if (edges.length === 0) return NOTHING
    if (edges.length === 1) return this.outcome.get(edges[0]!)!
    const event = node.isInside ? this.eventAt(node) : undefined
    const values = new Map<Variable, Term>()
    const memories = new Map<Region, Term>()
    const all = edges.map((e) => this.outcome.get(e)!)
    for (const v of new Set(all.flatMap((k) => [...k.values.keys()]))) {
      const each = all.map((k) => k.values.get(v) ?? this.initialValue(v, event ?? this.eventAt(node), node.instance))
      values.set(
        v,
        choose(
          edges.map((e) => this.takenOf(e)),
          each,
        ),
      )
    }
    for (const r of new Set(all.flatMap((k) => [...k.memories.keys()]))) {
      const each = all.map((k) => k.memories.get(r) ?? this.memoryAt(event ?? this.eventAt(node), r))
      memories.set(
        r,
        choose(
          edges.map((e) => this.takenOf(e)),
          each,
        ),
      )
    }
    const [first, ...rest] = all.map((k) => k.facts)
    const facts = new Map([...first!].filter(([read, value]) => rest.every((other) => other.get(read) === value)))
    return { values, memories, facts }
  }
}

const at = <K, V>(map: Map<K, V[]>, key: K): V[] => {
  let list = map.get(key)
  if (!list) map.set(key, (list = []))
  return list
}

/** Reads that a condition says are constants. */
const factsIn = (condition: Term): readonly (readonly [Term, Term])[] =>
  conjuncts(condition).flatMap((part) => {
    const [a, b] = part.op === '=' ? part.args : []
    if (a?.op === 'const' && b) return [[b, a] as const]
    return a && b?.op === 'const' ? [[a, b] as const] : []
  })

/** The value of the way that was taken. */
const choose = (conditions: readonly Term[], values: readonly Term[]): Term =>
  values.reduceRight((rest, value, i) => (value === rest ? rest : ite(conditions[i]!, value, rest)))

const atMostOne = (terms: readonly Term[]): readonly Term[] =>
  terms.flatMap((a, i) => terms.slice(i + 1).map((b) => or(not(a), not(b))))
