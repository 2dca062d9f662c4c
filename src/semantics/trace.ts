// An execution, as a person and a replayer need it: who took which edge, with which choices.
import type { Edge, Value, Variable } from '../xcfa/index.js'

/** A step of a thread: one edge, with the values of its havoc labels in order. */
export interface Step {
  /** Number of the thread: main is 0, others count from 1 in order of creation. */
  readonly thread: number
  readonly edge: Edge
  readonly choices: readonly Value[]
  /** Places in `choices` of values that are only stored, and left open until somebody loads those bytes. */
  readonly open?: readonly number[]
  /** Values of loads from bytes that nobody wrote before, in order; what is missing is 0. */
  readonly indeterminate?: readonly Value[]
}

/** Steps from the initial state. Engines give their own edges; replay maps them through `Edge.origins`. */
export interface Trace {
  readonly steps: readonly Step[]
  /** Values of globals and regions that start as `any`, where the engine chose some; others are 0. */
  readonly initial?: ReadonlyMap<Variable, Value>
}
