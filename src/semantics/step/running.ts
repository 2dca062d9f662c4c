// A step in the making: what its labels change, choose and access.
import type { Edge, Halt, Label, Load, Store, Type, Value, Variable } from '../../xcfa/index.js'
import { isAtomicStep, labelAccesses, mentions } from '../../xcfa/index.js'
import type { Frame, Layout, TemplateLayout } from '../layout.js'
import type { Memory } from '../memory.js'
import type { State, ThreadState } from '../state.js'
import type { Chooser } from './choices.js'
import { livenessOf } from './liveness.js'
import type { ChoicePoint } from './nondeterminism.js'

/** An access as it happened: a global variable, or bytes of memory. */
export type ConcreteAccess = { readonly write: boolean; readonly atomic: boolean; readonly edge: Edge } & (
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'memory'; readonly address: number; readonly size: number; readonly type: Type }
)

/** A step in the making: changed in place, copied where a choice has several values. */
export interface Running extends Frame {
  globals: Value[]
  locals: Value[]
  memory: Memory
  started: ThreadState[]
  choices: Value[]
  open: number[]
  /** The last havoc was left open: the store that follows it makes its bytes unknown. */
  pending: boolean
  indeterminate: Value[]
  accesses: ConcreteAccess[]
}

const copyOf = (r: Running): Running => ({
  globals: r.globals.slice(),
  locals: r.locals.slice(),
  memory: r.memory,
  started: r.started.slice(),
  choices: r.choices.slice(),
  open: r.open.slice(),
  pending: r.pending,
  indeterminate: r.indeterminate.slice(),
  accesses: r.accesses.slice(),
})

/** What came of a label: on to the next, not enabled, undefined behaviour, or a choice between several branches. */
export type Outcome =
  | 'next'
  | 'disabled'
  | { readonly undefined: string; readonly violates: NonNullable<Halt['violates']>; readonly traps?: true }
  | { readonly branches: readonly Running[] }

/** What a step asks of threads, and of memory, that are not in the state: somebody else counts them. */
export interface Surroundings {
  /** The number of a thread that starts now. */
  readonly start: (procedure: string) => number
  /** Whether a join on this thread is possible now. */
  readonly join: (number: number) => boolean
  /** The value there, where somebody else keeps it. */
  readonly load: (label: Load, address: Value) => Value | undefined
  /** Whether somebody else keeps it. */
  readonly store: (label: Store, address: Value, value: Value) => boolean
}

export interface Execution {
  readonly layout: Layout
  readonly state: State
  readonly thread: number
  readonly template: TemplateLayout
  readonly edge: Edge
  readonly choose: Chooser
  readonly surroundings?: Surroundings
}

export const assign = ({ layout, template }: Execution, running: Running, target: Variable, value: Value): void => {
  const slot = (target.scope === 'global' ? layout.globals : template.slots).get(target)
  if (slot === undefined) throw new Error(`variable ${target.name} belongs to no part of the program`)
  ;(target.scope === 'global' ? running.globals : running.locals)[slot] = value
}

export const branchOn = (
  running: Running,
  values: readonly Value[],
  take: (way: Running, value: Value) => void,
): { readonly branches: readonly Running[] } => ({
  branches: values.map((value) => {
    const way = values.length === 1 ? running : copyOf(running)
    take(way, value)
    return way
  }),
})

export const choicePoint = (
  x: Execution,
  running: Running,
  target: Variable,
  index: number,
  args?: readonly Value[],
): ChoicePoint => ({
  ...(args ? { args } : {}),
  template: x.template,
  edge: x.edge,
  endsMatter: x.layout.endsMatter,
  next: index + 1,
  target,
  onlyStored: x.edge.labels[index]?.kind === 'havoc' && isOnlyStored(x, target, index),
  valueOf: (v) =>
    v.scope === 'global' ? running.globals[x.layout.globals.get(v)!]! : running.locals[x.template.slots.get(v)!]!,
})

const onlyStored = new WeakMap<Edge, Map<number, boolean>>()

/** `any = anything; *p = any`, and `any` is not read again: how an uninitialised object in memory begins. */
const isOnlyStored = ({ template, edge }: Execution, target: Variable, index: number): boolean => {
  const next = edge.labels[index + 1]
  if (next?.kind !== 'store' || target.scope !== 'local') return false
  let known = onlyStored.get(edge)
  if (!known) onlyStored.set(edge, (known = new Map()))
  let answer = known.get(index)
  if (answer === undefined) {
    const { address, value } = next
    const storesIt = value.kind === 'var' && value.variable === target && !mentions(address, target)
    answer = storesIt && !livenessOf(template.procedure).isLiveBefore(target, edge, index + 2)
    known.set(index, answer)
  }
  return answer
}

// ---- accesses, for races

export const recordMemory = (
  x: Execution,
  running: Running,
  label: Load | Store,
  address: Value,
  size: number,
): void => {
  const { edge } = x
  const atomic = isAtomicStep(edge) || label.atomic === true
  const [write, { type }] = [label.kind === 'store', label]
  running.accesses.push({ kind: 'memory', address: Number(address), size, type, write, atomic, edge })
}

const globalAccesses = new WeakMap<Edge, readonly (readonly ConcreteAccess[])[]>()

export const recordVariables = ({ edge }: Execution, running: Running, index: number): void => {
  let known = globalAccesses.get(edge)
  if (!known) globalAccesses.set(edge, (known = edge.labels.map((label) => variableAccesses(label, edge))))
  const accesses = known[index]!
  if (accesses.length > 0) running.accesses.push(...accesses)
}

const variableAccesses = (label: Label, edge: Edge): readonly ConcreteAccess[] =>
  labelAccesses(label, isAtomicStep(edge)).flatMap((access) =>
    access.kind === 'variable' ? [{ ...access, edge }] : [],
  )
