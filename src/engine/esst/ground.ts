// What does not change when a forest is built anew: the program, its scheduler, and what is known of both.
import type { Term } from '../../logic/index.js'
import { nativeAccesses } from '../../semantics/cooperative/configurations.js'
import type { Scheduler, SchedulerState } from '../../semantics/cooperative/schedulers/index.js'
import type { Edge, Location, Program, Value, Variable } from '../../xcfa/index.js'
import { assigned, type Handles, handleName, handlesKey, handleVariables, knownValue } from './handles.js'
import type { ThreadRegion } from './node.js'
import type { Operation, Operations, Transition } from './operations.js'
import { edgesFrom } from './program.js'
import { type Regions, substitute } from './regions.js'

/** What an edge of the running thread leads to, before data is looked at. */
export interface Executed {
  readonly operation: Operation
  readonly scheduler: SchedulerState
  readonly handles: Handles
  readonly value?: number
  /** Values of arguments that are not all static. */
  readonly args?: readonly number[]
  readonly started?: ThreadRegion
}

/** What does not change when the forest is built anew. */
export class Ground {
  readonly edgesFrom: (location: Location) => readonly Edge[]
  readonly handleVariables: ReadonlySet<Variable>
  readonly refuseNative: (edge: Edge) => void
  private readonly transitions = new Map<string, Transition>()
  private readonly names = new Map<string, Term>()
  private readonly namings = new WeakMap<Handles, (predicate: Term) => Term>()

  constructor(
    readonly program: Program,
    readonly scheduler: Scheduler,
    readonly operations: Operations,
    readonly regions: Regions,
  ) {
    this.edgesFrom = edgesFrom(program)
    this.handleVariables = handleVariables(program)
    this.refuseNative = nativeAccesses(program)
  }

  /** The value of a variable that is followed explicitly. */
  valueOf(handles: Handles, v: Variable, thread: number): Value | undefined {
    if (!this.handleVariables.has(v)) return undefined
    return handles.get(handleName(v, thread)) ?? (v.initial === 'any' ? undefined : v.initial)
  }

  handlesAfter(handles: Handles, operation: Operation): Handles {
    let after = handles
    for (const { thread, labels } of operation)
      for (const label of labels)
        if (label.kind === 'assign' && this.handleVariables.has(label.target)) {
          const value = knownValue(label.value, (v) => this.valueOf(after, v, thread) ?? this.passing(after, v))
          if (value === undefined) throw new Error(`the value of ${label.target.name} is not determined`)
          after = assigned(after, label.target, thread, value)
          this.names.set(handleName(label.target, thread), this.operations.variable(label.target, thread))
        } else if (label.kind === 'assign' && label.target.id < 0) {
          const value = knownValue(label.value, (v) => this.valueOf(after, v, thread))
          after = value === undefined ? without(after, label.target) : assigned(after, label.target, 0, value)
        }
    return after
  }

  /** An argument on its way from the starting to the started thread. */
  private passing(handles: Handles, v: Variable): Value | undefined {
    return v.id < 0 ? handles.get(handleName(v, 0)) : undefined
  }

  /** A predicate in which known values stand for their variables. */
  named(handles: Handles): (predicate: Term) => Term {
    const known = this.namings.get(handles)
    if (known) return known
    const values = new Map<Term, Term>()
    for (const [name, value] of handles) {
      const term = this.names.get(name)
      const type = term && this.operations.types.get(term)
      if (term && type) values.set(term, this.operations.encoding.constant(type, value))
    }
    const naming = (predicate: Term): Term => substitute(predicate, values)
    this.namings.set(handles, naming)
    return naming
  }

  transition(edge: Edge, thread: number, handles: Handles, { operation, value, args }: Executed): Transition {
    const key = `${edge.id}/${thread}/${operation[1]?.thread}/${value}/${args}/${handlesKey(handles)}`
    let known = this.transitions.get(key)
    if (!known) {
      known = this.operations.transition(operation, (v, t) => this.valueOf(handles, v, t))
      this.transitions.set(key, known)
    }
    return known
  }
}

const without = (handles: Handles, v: Variable): Handles => {
  const after = new Map(handles)
  after.delete(handleName(v, 0))
  return after
}
