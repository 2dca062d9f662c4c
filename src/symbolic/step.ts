// A step as data: what must hold to take it, what everything is afterwards as terms over the state before, and what it
// takes for granted. `stepOf` executes the labels of an edge and notes what it meets; what is not the same for all
// engines is a policy, and no engine has a meaning of steps of its own.
import type { Sort, Term } from '../logic/index.js'
import * as logic from '../logic/index.js'
import type { Label, Load, MemoryObject, Region, Store, Variable } from '../xcfa/index.js'
import {
  addressConstant,
  type Encoding,
  executeAll,
  type Hooks,
  type Instance,
  type Obligation,
  obligationsUnder,
  type SymbolicState,
  symbolicState,
  type ThreadRoom,
} from '../xcfa/terms/index.js'
import { below, plus, times } from './addresses.js'

type StartLabel = Extract<Label, { kind: 'start' }>
type JoinLabel = Extract<Label, { kind: 'join' }>

/** A value from outside: of one havoc label. */
export interface Input {
  readonly term: Term
  readonly variable: Variable
}

export interface Access {
  readonly label: Load | Store
  readonly address: Term
  /** What everything is when it happens: after the labels before it. */
  readonly state: SymbolicState
}

interface Start {
  readonly label: StartLabel
  readonly args: readonly Term[]
}

export interface Step {
  readonly guard: Term
  /** Variables and regions that were given a value, with their values after the step. */
  readonly variables: ReadonlyMap<Variable, Term>
  readonly memories: ReadonlyMap<Region, Term>
  /** The same for what counts heap instances and threads. */
  readonly counters: ReadonlyMap<Term, Term>
  /** One for each havoc label, in order. */
  readonly inputs: readonly Input[]
  /** Loads and stores in order. */
  readonly accesses: readonly Access[]
  readonly starts: readonly Start[]
  /** Numbers of the threads that it waits for. */
  readonly joins: readonly Term[]
  /** It ends the life of heap instances. */
  readonly frees: boolean
  readonly obligations: readonly Obligation[]
  /** Some access is not known to hit an object, and then stops the thread. */
  readonly mayStop: boolean
}

/** What counters are by now; the step changes them. */
interface Counters {
  value(counter: Term): Term
  set(counter: Term, value: Term): void
}

export interface StepPolicy {
  readonly encoding: Encoding
  /** What the state before the step is called: memory is an array variable, or an array made of cells. */
  readonly value: (v: Variable) => Term
  readonly memory: (region: Region) => Term
  readonly input: (index: number, name: string, sort: Sort) => Term
  /** The instance that an allocation makes. */
  readonly allocate: (object: MemoryObject, counters: Counters) => Instance
  /** The number of the thread that start label number `index` makes, when it can be made, and room for its objects. */
  readonly start: (start: Start, index: number, counters: Counters) => StartedThread
  /** The thread with this number has ended. */
  readonly join: (label: JoinLabel, number: Term) => Term
  /** When an access hits an object; undefined: one that does not goes on, which only adds behaviour. */
  readonly valid: ((label: Load | Store, address: Term, counters: Counters) => Term) | undefined
  /** Of which regions any offset that fits into an address will do; none if absent. */
  readonly isIndexed?: (region: Region) => boolean
}

interface StartedThread {
  readonly number: Term
  readonly guard: Term
  readonly room: ThreadRoom
}

export const stepOf = (labels: readonly Label[], policy: StepPolicy): Step => {
  const { encoding } = policy
  const inputs: Input[] = []
  const accesses: Access[] = []
  const starts: Start[] = []
  const joins: Term[] = []
  const rooms: Obligation[] = []
  const changed = new Map<Term, Term>()
  const counters: Counters = {
    value: (counter) => changed.get(counter) ?? counter,
    set: (counter, value) => void changed.set(counter, value),
  }
  const havocked = labels.flatMap((label) => (label.kind === 'havoc' ? [label.target] : []))
  let mayStop = false
  const hooks: Hooks = {
    fresh: (name, sort) => {
      const term = policy.input(inputs.length, name, sort)
      inputs.push({ term, variable: havocked[inputs.length]! })
      return term
    },
    start: (label, args, state) => {
      const start = { label, args }
      const { number, guard, room } = policy.start(start, starts.length, counters)
      starts.push(start)
      rooms.push(room)
      return { guard, next: state.withValue(label.target, number) }
    },
    join: (label, number, state) => {
      joins.push(number)
      return { guard: policy.join(label, number), next: state }
    },
    allocate: ({ object }) => policy.allocate(object, counters),
    // Freed memory stays as it is: more executions than there are, and a counterexample is replayed.
    free: (_label, _address, state) => ({ guard: logic.TRUE, next: state }),
    access: (label, address, state) => {
      accesses.push({ label, address, state })
      const valid = policy.valid?.(label, address, counters) ?? logic.TRUE
      if (valid !== logic.TRUE) mayStop = true
      return valid
    },
    ...(policy.isIndexed && { isIndexed: policy.isIndexed }),
  }
  const { guard, next, obligations } = executeAll(labels, symbolicState(policy.value, policy.memory), encoding, hooks)
  return {
    guard,
    variables: next.changedVariables,
    memories: next.changedRegions,
    counters: changed,
    inputs,
    accesses,
    starts,
    joins,
    frees: labels.some(({ kind }) => kind === 'free'),
    obligations: [...obligations, ...obligationsUnder(guard, rooms)],
    mayStop,
  }
}

// ---- policies for the heap

/** Instances are numbered by a variable that counts them. */
export const countedInstances =
  (encoding: Encoding, counter: (object: MemoryObject) => Term): StepPolicy['allocate'] =>
  (object, counters) => {
    const count = counters.value(counter(object))
    counters.set(counter(object), plus(encoding, count, addressConstant(encoding, 1)))
    const room = below(encoding, count, addressConstant(encoding, object.instances ?? 1))
    return { offset: times(encoding, count, object.stride), room }
  }

/** A variable says how far behind the first the next instance is: no multiplication, which bit-vectors are slow on. */
export const offsetInstances =
  (
    encoding: Encoding,
    counter: (object: MemoryObject) => Term,
    most: (object: MemoryObject) => number,
  ): StepPolicy['allocate'] =>
  (object, counters) => {
    const offset = counters.value(counter(object))
    counters.set(counter(object), plus(encoding, offset, addressConstant(encoding, object.stride)))
    return { offset, room: below(encoding, offset, addressConstant(encoding, most(object) * object.stride)) }
  }
