// What a cooperative scheduler is to the engine (esst.txt, section 4.2): states, the execution of primitive functions
// (SEXEC), the choice of who runs next (SCHED); and what partial-order reduction must know of its primitives (5.2).
// A scheduler is one file; states are plain data, equal exactly if their JSON is.

export interface SchedulerState {
  /** Number of the thread that runs; null: nobody, the scheduler is to choose. */
  readonly running: number | null
}

/** A call of a primitive with its arguments' values; undefined: a value that static analysis cannot tell. */
export interface PrimitiveCall {
  readonly name: string
  readonly args: readonly (number | undefined)[]
}

/** The call that reaching the end of thread t stands for, and the one that creates a thread, in what a block does. */
export const endOf = (thread: number): PrimitiveCall => ({ name: 'end', args: [thread] })
export const CREATION: PrimitiveCall = { name: 'create', args: [] }

/** Whether a thread that executes a primitive goes on (true), gives control away (false), or may do either. */
export type GoesOn = boolean | 'maybe'

export interface Scheduler<S extends SchedulerState = SchedulerState> {
  readonly name: string
  /** Main (thread 0) runs. */
  initial(): S
  /** SEXEC: the value of the call, and the state after it. Throws Refused for a call that is not modelled. */
  execute(state: S, name: string, args: readonly number[]): { readonly value: number; readonly state: S }
  created(state: S, thread: number): S
  /** The running thread has ended. */
  ended(state: S): S
  /** SCHED: all states in which somebody runs; none: the execution is over. */
  schedule(state: S): readonly S[]
  /** The running thread may not touch shared data now: it runs beside the scheduler. */
  isNative?(state: S): boolean
  /** Returning from main ends the program. False: others had time to run before, so that main merely ends. */
  readonly mainEndsAll: boolean

  // ---- for partial-order reduction
  /** A primitive that may give control away: atomic blocks end there. */
  isBlocking(name: string): boolean
  /** Executed by `thread` in this state, after the calls of the same block; `later`: when others ran in between. */
  goesOn(state: S, call: PrimitiveCall, later: boolean): GoesOn
  /** What `goesOn` looks at: states with the same outlook give the same answers. */
  outlook(state: S, later: boolean): string
  /** Whether the order of two blocks with these calls may matter to the scheduler. */
  dependent(a: PrimitiveCall, b: PrimitiveCall): boolean
  /** Whether a thread can run again before everybody who is runnable now has run, in a program with these calls. */
  runsAgain(calls: readonly PrimitiveCall[]): boolean
  /** Whether a waiting thread could be made runnable by the call before that barrier. */
  wakes(state: S, thread: number, call: PrimitiveCall): boolean
  /** The order in which threads are chosen is remembered: then every choice depends on every other. */
  remembersOrder(state: S): boolean
}

/** A primitive, or a use of one, that the scheduler does not model. */
export class Refused extends Error {}

export const replaced = <T>(list: readonly T[], index: number, value: T): readonly T[] =>
  list.map((each, i) => (i === index ? value : each))

export const withElement = (list: readonly number[], value: number): readonly number[] =>
  list.includes(value) ? list : [...list, value].sort((a, b) => a - b)
