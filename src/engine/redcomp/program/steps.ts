// next_i(V, V') of redcomp.txt section III: what each edge of a thread does to the state, as a guard and new values.
import {
  and,
  bvUle,
  eq,
  ge,
  intConst,
  le,
  not,
  or,
  substitute,
  type Term,
  TRUE,
  variable,
} from '../../../logic/index.js'
import { countedInstances, stepOf } from '../../../symbolic/step.js'
import { type Edge, Unsupported } from '../../../xcfa/index.js'
import { isOwed, mapObligation, type Obligation, threadRoom } from '../../../xcfa/terms/index.js'
import { withoutCellReads } from './memory.js'
import type { Thread } from './specialise.js'
import { type StateSpace, UNSTARTED } from './state.js'

export interface Step {
  readonly thread: Thread
  readonly edge: Edge
  /** What must hold before it, program counters of other threads included. */
  readonly guard: Term
  /** New values; what is missing keeps its own. The thread's own program counter is not among them. */
  readonly changes: ReadonlyMap<Term, Term>
  /** What it takes for granted. */
  readonly obligations: readonly Obligation[]
  /** Threads that it starts, with the values of all their variables. */
  readonly started: readonly {
    readonly thread: Thread
    readonly values: ReadonlyMap<Term, Term>
    readonly guard: Term
  }[]
  /** Values of the havoc labels, in order. */
  readonly choices: readonly Term[]
  /** Some access may be invalid, and then stops the thread. */
  readonly mayStop: boolean
}

const MAX_THREAD_NUMBER = 2 ** 30

export const stepsOf = (space: StateSpace, thread: Thread): readonly Step[] =>
  thread.template.edges.map((edge) => encodeStep(space, thread, edge))

/** What a step owes: of overflow it may be said that it is not asked. */
export const owedBy = ({ obligations }: Step, overflow: boolean): readonly Obligation[] =>
  obligations.filter(({ kind }) => isOwed(kind, overflow))

const encodeStep = (space: StateSpace, thread: Thread, edge: Edge): Step => {
  const { encoding, threads } = space
  const started: Step['started'][number][] = []
  const step = stepOf(edge.labels, {
    encoding,
    value: (v) => space.value(thread, v),
    memory: (region) => space.memory(thread, region),
    input: (index, name, sort) => variable(`${name}!${thread.index}.${edge.id}.${index}`, sort),
    start: ({ label, args }, _, counters) => {
      const child = threads.find((t) => t.template.name === label.procedure)!
      const { started: birth, number, guard } = startOf(space, child, args, `${thread.index}.${edge.id}`)
      started.push(birth)
      // The numbers of threads of which there are any number may be any: enough of them give addresses of their own.
      if (child.number === undefined) return { number, guard, room: { kind: 'thread-instances', holds: TRUE } }
      const counter = space.counter(child)
      counters.set(counter, space.code(child.template.initial))
      return { number, guard: eq(counter, intConst(UNSTARTED)), room: threadRoom(space.program, child.number) }
    },
    join: (_, target) => joinable(space, target),
    allocate: (object, counters) => {
      if (encoding.arithmetic !== 'int') throw new Unsupported('the heap in bit-vector arithmetic', edge.position)
      return countedInstances(encoding, ({ id }) => space.allocated(id))(object, counters)
    },
    valid: (label, address) => withoutCellReads(space.valid(thread, label, address)),
  })
  const changes = new Map<Term, Term>(step.counters)
  for (const [v, value] of step.variables) changes.set(space.value(thread, v), withoutCellReads(value))
  for (const [region, memory] of step.memories)
    for (const [cell, value] of space.cellsAfter(thread, region, memory)) changes.set(cell, withoutCellReads(value))
  for (const [term, value] of changes) if (term === value) changes.delete(term)
  return {
    thread,
    edge,
    guard: withoutCellReads(step.guard),
    changes,
    obligations: step.obligations.map((each) => mapObligation(each, withoutCellReads)),
    started,
    choices: step.inputs.map(({ term }) => term),
    mayStop: step.mayStop,
  }
}

/** A new thread: its parameters are the arguments, all else starts as declared. */
const startOf = (space: StateSpace, child: Thread, args: readonly Term[], where: string) => {
  const { template } = child
  const values = new Map<Term, Term>()
  const ranges: Term[] = []
  for (const { term, initial, range } of space.own(child)) {
    const first = initial ?? variable(`${term.name}!${where}`, term.sort)
    values.set(term, first)
    if (!initial) ranges.push(substitute(range, new Map([[term, first]])))
  }
  template.parameters.forEach((v, i) => {
    if (args[i]) values.set(space.value(child, v), withoutCellReads(args[i]))
  })
  const { self } = template
  if (child.number !== undefined)
    return {
      started: { thread: child, values, guard: and(ranges) },
      number: space.encoding.constant(self.type, child.number),
      guard: TRUE,
    }
  // Any number that no other thread has: the clauses keep two instances apart.
  const number = variable(`number!${where}.${child.index}`, space.encoding.sortOf(self.type))
  const isNew = isAnonymous(space, number, self.type)
  values.set(space.value(child, self), number)
  return {
    started: { thread: child, values, guard: and(ranges) },
    number,
    guard: and(isNew, space.encoding.inRange(self.type, number)),
  }
}

/** The number of a thread of which there are any number. */
const isAnonymous = (space: StateSpace, number: Term, type: Thread['template']['self']['type']): Term => {
  const first = space.encoding.constant(type, space.knownNumbers)
  // So many threads that their numbers wrap are not considered: addresses of their own objects do not reach so far.
  if (space.encoding.arithmetic === 'int') return and(ge(number, first), le(number, intConst(MAX_THREAD_NUMBER)))
  return and(
    bvUle(number, space.encoding.constant(type, MAX_THREAD_NUMBER)),
    Array.from({ length: space.knownNumbers }, (_, k) => not(eq(number, space.encoding.constant(type, k)))),
  )
}

/** The thread with this number has ended; of those with any number of instances nothing is known. */
const joinable = (space: StateSpace, target: Term): Term => {
  const known = space.threads.flatMap(({ number, template }, i) =>
    number === undefined
      ? []
      : [
          and(
            eq(target, space.encoding.constant(template.self.type, number)),
            eq(space.counter(space.threads[i]!), space.code(template.final)),
          ),
        ],
  )
  const others = space.threads.find((t) => t.number === undefined)
  return or(known, others ? isAnonymous(space, target, others.template.self.type) : [])
}
