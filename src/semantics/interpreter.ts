// The interleaving transition system of a program (semantics.md), executed as it is defined: an edge runs its labels
// in order as one step of its thread. Nothing here depends on the passes: it is what everything else is compared with.
import type { Edge, Program, Value, Variable } from '../xcfa/index.js'
import { rangeOf, wrap } from '../xcfa/index.js'
import { BeyondBounds, type Layout, type LayoutOptions, layoutOf } from './layout.js'
import { type State, stateKey } from './state.js'
import { type Chooser, given, lazyChoice } from './step/choices.js'
import { executeEdge, newThread, type Successor } from './step/execute.js'
import { interval } from './step/nondeterminism.js'
import { insideAtomic } from './threads.js'
import type { Step } from './trace.js'

export { type Chooser, everyChoice, lazyChoice, usualChoice } from './step/choices.js'
export type { Successor } from './step/execute.js'
export type { ConcreteAccess } from './step/running.js'

export interface Interpreter {
  readonly layout: Layout
  /** Several where a global starts with any value. */
  initial(): readonly State[]
  /** The initial state in which globals that start with any value have the given ones, or 0. */
  initialWith(values: ReadonlyMap<Variable, Value>): State
  /** All steps of all threads. */
  successors(state: State): readonly Successor[]
  /** All ways to take one edge, by default every choice that matters. */
  execute(state: State, thread: number, edge: Edge, choose?: Chooser): readonly Successor[]
  enabled(state: State): readonly Step[]
  /** The state after a step, or undefined if the step is not enabled. */
  step(state: State, step: Step): State | undefined
  /** The threads that may move: all, or the one inside an atomic block. */
  movable(state: State): readonly number[]
  mayMove(state: State, thread: number): boolean
  edgesOf(state: State, thread: number): readonly Edge[]
  key(state: State): string
}

export const interpreterOf = (program: Program, options: LayoutOptions = {}): Interpreter => {
  const layout = layoutOf(program, options)
  const movable = (state: State): readonly number[] => {
    const inside = insideAtomic(state.threads)
    return inside >= 0 ? [inside] : state.threads.map((_, number) => number)
  }
  const mayMove = (state: State, thread: number): boolean => {
    const inside = insideAtomic(state.threads)
    return inside < 0 ? thread < state.threads.length : thread === inside
  }
  const edgesOf = (state: State, number: number): readonly Edge[] => {
    const thread = state.threads.at(number)!
    return thread.stopped ? [] : (thread.template.outgoing.get(thread.location) ?? [])
  }
  const execute = (state: State, thread: number, edge: Edge, choose: Chooser = lazyChoice): readonly Successor[] =>
    executeEdge(layout, state, thread, edge, choose)
  const successors = (state: State): readonly Successor[] =>
    movable(state).flatMap((thread) => edgesOf(state, thread).flatMap((edge) => execute(state, thread, edge)))
  return {
    layout,
    initial: () => initialStates(layout),
    initialWith: (values) => initialState(layout, (v) => (v.initial === 'any' ? (values.get(v) ?? 0) : v.initial)),
    successors,
    execute,
    enabled: (state) => successors(state).map(({ step }) => step),
    step(state, step) {
      if (!mayMove(state, step.thread) || !edgesOf(state, step.thread).includes(step.edge)) return undefined
      return execute(state, step.thread, step.edge, given(step))[0]?.state
    },
    movable,
    mayMove,
    edgesOf,
    key: (state) => stateKey(layout, state),
  }
}

// ---- initial states

const initialState = (layout: Layout, firstValue: (v: Variable) => Value): State => {
  const globals = layout.program.globals.map((v) => wrap(v.type, firstValue(v)))
  const main = layout.templates.get(layout.program.main.name)!
  return { globals, memory: [], threads: [newThread(main, 0, [])] }
}

const initialStates = (layout: Layout): readonly State[] => {
  let states: readonly (readonly Value[])[] = [[]]
  for (const variable of layout.program.globals) {
    const values = variable.initial === 'any' ? domainOf(layout, variable) : [variable.initial]
    states = states.flatMap((before) => values.map((value) => [...before, value]))
  }
  return states.map((values) => initialState(layout, (v) => values[layout.globals.get(v)!]!))
}

const domainOf = ({ program }: Layout, variable: Variable): readonly Value[] => {
  const { low, high } = variable.type.kind === 'float' ? { low: 0n, high: 1n << 64n } : rangeOf(variable.type)
  const values = high - low < 256n ? interval(low, high) : undefined
  if (!values) throw new BeyondBounds('unbounded nondeterminism', variable.position ?? program.main.position)
  return values
}
