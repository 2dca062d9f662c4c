// What one edge does as a step of one thread, as terms over the state before it: the transitions t of peephole.txt,
// section 2, with their enabling condition, their reads and their assignments. Locations in memory are array reads;
// the end of a thread, the number of threads and the heap's counters are variables like any other, so that the rules
// of guarded independence also hold for start, join and allocation.
import {
  add,
  and,
  bvAdd,
  bvConst,
  bvUlt,
  eq,
  intConst,
  lt,
  or,
  type Term,
  TRUE,
  variable,
  widthOf,
} from '../logic/index.js'
import {
  byteSize,
  type Edge,
  intType,
  type MemoryObject,
  type Procedure,
  type Region,
  type Variable,
} from '../xcfa/index.js'
import {
  addressConstant,
  addressInRegion,
  type Encoding,
  executeAll,
  type Hooks,
  type Obligation,
  regionTerm,
  type SymbolicState,
  symbolicState,
  variableTerm,
} from '../xcfa/terms/index.js'

export interface MemoryRead {
  readonly region: Region
  readonly address: Term
  readonly size: number
}

export interface MemoryWrite extends MemoryRead {
  readonly value: Term
}

export interface Summary {
  readonly thread: number
  readonly edge: Edge
  /** en_t without the program counter. */
  readonly guard: Term
  /** Variables that it assigns, with their values; locals of the thread and the ends of threads included. */
  readonly effects: ReadonlyMap<Term, Term>
  /** Regions that it changes. */
  readonly memories: ReadonlyMap<Region, Term>
  readonly loads: readonly MemoryRead[]
  readonly stores: readonly MemoryWrite[]
  readonly starts: readonly { readonly procedure: string; readonly args: readonly Term[] }[]
  /** Values of its havoc labels, in order. */
  readonly choices: readonly Term[]
  /** What it takes for granted. */
  readonly obligations: readonly Obligation[]
  /** It accesses memory at an address that is not known to be valid. */
  readonly mayBeInvalid: boolean
  readonly frees: boolean
}

export interface Surroundings {
  readonly encoding: Encoding
  /** How many threads there may be, main included. */
  readonly threads: number
  /** How many instances of a heap object. */
  readonly heap: number
  /** Invalid accesses go on, with any value, instead of blocking their thread. */
  readonly unchecked?: boolean
}

/** Thread `number` is at its final location. */
export const finishedTerm = (number: number): Term => variable(`finished:${number}`, TRUE.sort)

const NUMBER = intType(32, false)

/** How many threads were started so far. */
export const threadsTerm = (encoding: Encoding): Term => variable('threads', encoding.sortOf(NUMBER))

/** Where the next instance of a heap object will be, relative to the first. */
export const allocatedTerm = (object: MemoryObject, encoding: Encoding): Term =>
  variable(`allocated:${object.name}#${object.id}`, encoding.addressSort)

export const instancesIn =
  ({ threads, heap }: Surroundings) =>
  (object: MemoryObject): number => {
    if (object.storage === 'static') return 1
    return object.storage === 'thread' ? threads : Math.min(heap, object.instances ?? heap)
  }

/** `started`: how many threads exist besides main when the edge is taken, if that is known. */
export const summaryOf = (
  edge: Edge,
  template: Procedure,
  thread: number,
  surroundings: Surroundings,
  started?: number,
): Summary => {
  const { encoding } = surroundings
  const recorder = new Recorder(edge, thread, surroundings, started)
  const value = (v: Variable): Term =>
    v === template.self ? encoding.constant(v.type, thread) : variableTerm(v, thread, encoding)
  const state = symbolicState(value, (region) => regionTerm(region, thread, encoding))
  const done = executeAll(edge.labels, state, encoding, recorder)
  const effects = new Map<Term, Term>(recorder.counters)
  for (const [v, term] of done.next.changedVariables)
    if (term !== value(v)) effects.set(variableTerm(v, thread, encoding), term)
  if (edge.target === template.final) effects.set(finishedTerm(thread), TRUE)
  return {
    ...{ thread, edge, effects, guard: done.guard, memories: done.next.changedRegions },
    ...{ loads: recorder.loads, stores: recorder.stores, starts: recorder.starts, choices: recorder.choices },
    ...{ obligations: done.obligations, mayBeInvalid: recorder.mayBeInvalid },
    frees: edge.labels.some((label) => label.kind === 'free'),
  }
}

/** Notes what executing the labels meets. */
class Recorder implements Hooks {
  readonly loads: MemoryRead[] = []
  readonly stores: MemoryWrite[] = []
  readonly starts: { readonly procedure: string; readonly args: readonly Term[] }[] = []
  readonly choices: Term[] = []
  readonly counters = new Map<Term, Term>()
  mayBeInvalid = false

  constructor(
    private readonly edge: Edge,
    private readonly thread: number,
    private readonly surroundings: Surroundings,
    private readonly started: number | undefined,
  ) {}

  readonly fresh: NonNullable<Hooks['fresh']> = (name, sort) => {
    const term = variable(`choice:${this.thread}:${this.edge.id}:${this.choices.length}:${name}`, sort)
    this.choices.push(term)
    return term
  }

  readonly start: NonNullable<Hooks['start']> = (label, args, state) => {
    const { encoding } = this.surroundings
    this.starts.push({ procedure: label.procedure, args })
    if (this.started !== undefined) {
      const number = encoding.constant(label.target.type, this.started + this.starts.length)
      return { guard: TRUE, next: state.withValue(label.target, number) }
    }
    const threads = threadsTerm(encoding)
    const number = increased(this.counters.get(threads) ?? threads, 1)
    this.counters.set(threads, number)
    return { guard: TRUE, next: state.withValue(label.target, encoding.convert(NUMBER, label.target.type, number)) }
  }

  readonly join: NonNullable<Hooks['join']> = (label, thread, state) => {
    const { encoding, threads } = this.surroundings
    const ended = Array.from({ length: threads }, (_, number) =>
      and(eq(thread, encoding.constant(label.thread.type, number)), finishedTerm(number)),
    )
    return { guard: or(ended), next: state }
  }

  readonly allocate: NonNullable<Hooks['allocate']> = ({ object }) => {
    const { encoding } = this.surroundings
    const counter = allocatedTerm(object, encoding)
    const offset = this.counters.get(counter) ?? counter
    const end = addressConstant(encoding, instancesIn(this.surroundings)(object) * object.stride)
    this.counters.set(counter, increased(offset, object.stride))
    return { offset, room: encoding.arithmetic === 'int' ? lt(offset, end) : bvUlt(offset, end) }
  }

  readonly free: NonNullable<Hooks['free']> = (_, __, state) => ({ guard: TRUE, next: state })

  readonly access: NonNullable<Hooks['access']> = (label, address, state: SymbolicState) => {
    const { encoding } = this.surroundings
    const { region } = label
    const size = byteSize(label.type)
    if (label.kind === 'load') this.loads.push({ region, address, size })
    else this.stores.push({ region, address, size, value: storedValue(label, state, encoding) })
    if (this.surroundings.unchecked) return TRUE
    const valid = addressInRegion(encoding, region, address, size, instancesIn(this.surroundings))
    if (valid !== TRUE) this.mayBeInvalid = true
    return valid
  }
}

const storedValue = (
  label: Parameters<NonNullable<Hooks['access']>>[0] & { kind: 'store' },
  state: SymbolicState,
  encoding: Encoding,
): Term => {
  const value = encoding.term(label.value, state.value)
  return label.region.element === 'bytes' ? value : encoding.reinterpret(label.type, label.region.element, value)
}

const increased = (term: Term, by: number): Term =>
  term.sort.kind === 'bv' ? bvAdd(term, bvConst(by, widthOf(term))) : add(term, intConst(by))
