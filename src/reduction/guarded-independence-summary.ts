// What one edge does as a step of one thread, as terms over the state before it: the transitions t of peephole.txt,
// section 2, with their enabling condition, their reads and their assignments. Locations in memory are array reads;
// the end of a thread, the number of threads and the heap's counters are variables like any other, so that the rules
// of guarded independence also hold for start, join and allocation.
import { add, and, bvAdd, bvConst, eq, intConst, or, type Term, TRUE, variable, widthOf } from '../logic/index.js'
import { allocatedVariable, finishedVariable, stepInputVariable } from '../symbolic/names.js'
import { type Access, offsetInstances, type StepPolicy, stepOf } from '../symbolic/step.js'
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
  addressInRegion,
  type Encoding,
  type Obligation,
  regionTerm,
  type ThreadRoom,
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

const NUMBER = intType(32, false)

/** How many threads were started so far. */
export const threadsTerm = (encoding: Encoding): Term => variable('threads', encoding.sortOf(NUMBER))

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
  const value = (v: Variable): Term =>
    v === template.self ? encoding.constant(v.type, thread) : variableTerm(v, thread, encoding)
  const step = stepOf(edge.labels, {
    encoding,
    value,
    memory: (region) => regionTerm(region, thread, encoding),
    input: (index, name, sort) => stepInputVariable(thread, edge, index, name, sort),
    ...threadsIn(surroundings, started),
    allocate: offsetInstances(encoding, (o) => allocatedVariable(o, encoding), instancesIn(surroundings)),
    valid: surroundings.unchecked
      ? undefined
      : ({ region, type }, address) =>
          addressInRegion(encoding, region, address, byteSize(type), instancesIn(surroundings)),
  })
  const effects = new Map<Term, Term>(step.counters)
  for (const [v, term] of step.variables) if (term !== value(v)) effects.set(variableTerm(v, thread, encoding), term)
  if (edge.target === template.final) effects.set(finishedVariable(thread), TRUE)
  const { guard, memories, obligations, mayStop: mayBeInvalid, frees } = step
  return {
    ...{ thread, edge, effects, guard, memories, obligations, mayBeInvalid, frees },
    loads: step.accesses.flatMap(({ label, address }) =>
      label.kind === 'load' ? [{ region: label.region, address, size: byteSize(label.type) }] : [],
    ),
    stores: step.accesses.flatMap((access) => writeOf(access, encoding)),
    starts: step.starts.map(({ label, args }) => ({ procedure: label.procedure, args })),
    choices: step.inputs.map(({ term }) => term),
  }
}

/**
 * Threads get the numbers of the order of their starts, by a variable that counts them where it is not known. There is
 * room for the objects of as many as there may be here: whoever chooses `threads` has made sure of it.
 */
const threadsIn = (
  { encoding, threads }: Surroundings,
  started: number | undefined,
): Pick<StepPolicy, 'start' | 'join'> => ({
  start: ({ label: { target } }, index, counters) => {
    if (started !== undefined)
      return { number: encoding.constant(target.type, started + index + 1), guard: TRUE, room: HAS_ROOM }
    const number = increased(counters.value(threadsTerm(encoding)), 1)
    counters.set(threadsTerm(encoding), number)
    return { number: encoding.convert(NUMBER, target.type, number), guard: TRUE, room: HAS_ROOM }
  },
  join: (label, thread) =>
    or(
      Array.from({ length: threads }, (_, number) =>
        and(eq(thread, encoding.constant(label.thread.type, number)), finishedVariable(number)),
      ),
    ),
})

const writeOf = ({ label, address, state }: Access, encoding: Encoding): readonly MemoryWrite[] => {
  if (label.kind !== 'store') return []
  const { region, type } = label
  const written = encoding.term(label.value, state.value)
  const value = region.element === 'bytes' ? written : encoding.reinterpret(type, region.element, written)
  return [{ region, address, size: byteSize(type), value }]
}

const HAS_ROOM: ThreadRoom = { kind: 'thread-instances', holds: TRUE }

const increased = (term: Term, by: number): Term =>
  term.sort.kind === 'bv' ? bvAdd(term, bvConst(by, widthOf(term))) : add(term, intConst(by))
