// Where a thread is, and what it does next. A thread's state depends on nothing but the values that it has read: a
// point is an immutable snapshot kept with each event, so that cutting a graph back to any prefix needs no re-execution.
//
// A step of a thread is all the edges that leave its location, as alternatives. They are run together: a value that
// one of them reads is an event of the graph, and each alternative sees the same one. What comes before a read on an
// edge (a join, a fence) is an event before it.

import type { TemplateLayout } from '../../semantics/layout.js'
import type { Edge, Halt, Location, MemoryOrder, Type, Value } from '../../xcfa/index.js'

/** Memory locations have dense numbers (locations.ts). */
export type LocationId = number

/** A place in a heap block: the location of its life, and the first byte after the access. */
export interface InBlock {
  readonly life: LocationId
  readonly end: number
}

/** What an edge does that other threads can see, in order. Reads are not among these: they are asked for one by one. */
export type Effect =
  | {
      readonly kind: 'write'
      readonly location: LocationId
      readonly value: Value
      readonly isAtomic: boolean
      readonly order: MemoryOrder
      readonly edge: Edge
      /** Where it lies in the heap. */
      readonly block?: InBlock
    }
  | { readonly kind: 'fence'; readonly order: MemoryOrder; readonly edge: Edge }
  | {
      readonly kind: 'start'
      readonly template: TemplateLayout
      readonly args: readonly Value[]
      readonly number: number
      readonly edge: Edge
    }
  | { readonly kind: 'join'; readonly thread: number; readonly edge: Edge }
  /** The life of a heap block: `size` bytes, or none from now on. */
  | { readonly kind: 'allocate'; readonly location: LocationId; readonly size: number; readonly edge: Edge }
  | { readonly kind: 'free'; readonly location: LocationId; readonly edge: Edge }

/** One way to take a step to its end. */
export interface Alternative {
  readonly edge: Edge
  readonly choices: readonly Value[]
  readonly effects: readonly Effect[]
  readonly locals: readonly Value[]
  readonly cells: Cells
  readonly allocated: number
  readonly started: number
  /** Undefined behaviour stops the thread instead. */
  readonly stopped?: Halt
}

/** Private memory of a thread. */
type Cells = ReadonlyMap<number, Value>

/** A value read by the step in progress. */
interface Known {
  readonly location: LocationId
  readonly value: Value
}

export interface Point {
  readonly thread: number
  readonly template: TemplateLayout
  readonly location: Location
  readonly locals: readonly Value[]
  readonly cells: Cells
  /** Heap blocks that the thread has allocated so far: their addresses follow from it. */
  readonly allocated: number
  /** Threads that this thread has started so far. */
  readonly started: number
  /** Reads of the step in progress, and how many of its effects are events already. */
  readonly known: readonly Known[]
  readonly done: number
  /** Chosen among several alternatives; its remaining effects follow. */
  readonly chosen?: Alternative
  readonly stopped?: Halt
  /** Where the step in progress began; absent: here. */
  readonly since?: Point
  /** Edges taken since the beginning, newest first: for traces, and to see loops. */
  readonly path?: Path
  /** What the thread does next, once it is known (machine.ts). */
  action?: Action
  /** Points after a read, by the value that was read: a thread that reads the same does the same. */
  successors?: Map<Value, Point>
}

export interface Path {
  readonly edge: Edge
  readonly choices: readonly Value[]
  readonly before: Path | undefined
  readonly length: number
}

/** What a thread does next; `at`: where it is then, its local work done. */
export type Action =
  | {
      readonly kind: 'read'
      readonly location: LocationId
      readonly type: Type
      readonly isAtomic: boolean
      readonly edge: Edge
      readonly order: MemoryOrder
      /** Before the choice of an edge, a compare-exchange does not know yet which order it has. */
      readonly failureOrder: MemoryOrder
      readonly block?: InBlock
      readonly at: Point
    }
  | { readonly kind: 'effect'; readonly effect: Effect; readonly after: Point; readonly at: Point }
  | { readonly kind: 'choose'; readonly alternatives: readonly Point[]; readonly at: Point }
  /** No edge is enabled. */
  | { readonly kind: 'blocked'; readonly at: Point }
  | { readonly kind: 'ended'; readonly at: Point }
  | { readonly kind: 'error'; readonly at: Point }
  /** The thread goes no further: the end of the program, a failed assumption, undefined behaviour. */
  | { readonly kind: 'halted'; readonly halt: Halt | undefined; readonly at: Point }

/** The same place with the same values. */
export const isSamePoint = (a: Point, b: Point): boolean => {
  if (a.location !== b.location || a.template !== b.template || a.cells !== b.cells || a.allocated !== b.allocated)
    return false
  return a.locals.every((value, i) => value === b.locals[i])
}
