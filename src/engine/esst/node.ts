// Nodes of the abstract reachability forest (esst.txt, Definition 4.1), with what the explored tree knows of them.

import type { Term } from '../../logic/index.js'
import type { SchedulerState } from '../../semantics/cooperative/schedulers/index.js'
import type { Edge, Location, Procedure } from '../../xcfa/index.js'
import { type Handles, handlesKey } from './handles.js'
import type { Operation } from './operations.js'
import type { DataRegion } from './regions.js'
import { entails, literals } from './regions.js'

/** A thread region: where the thread is, and what is known of its locals and of globals. */
export interface ThreadRegion {
  readonly template: Procedure
  readonly location: Location
  readonly data: DataRegion
}

/** How a node was reached: by an edge of its tree, or by a connector (the scheduler chose). */
export type Via =
  | {
      readonly kind: 'edge'
      readonly thread: number
      readonly edge: Edge
      readonly operation: Operation
      /** Of a primitive; with its arguments, if they are not static. */
      readonly value?: number
      readonly args?: readonly number[]
    }
  | { readonly kind: 'connector' }

export interface Configured {
  readonly threads: readonly ThreadRegion[]
  readonly global: DataRegion
  readonly scheduler: SchedulerState
  readonly handles: Handles
}

export interface ForestNode extends Configured {
  /** With lazy labels it grows stronger. */
  global: DataRegion
  readonly id: number
  readonly parent: ForestNode | undefined
  readonly via: Via | undefined
  /** Equal exactly for nodes of equal locations, scheduler state and handles. */
  readonly key: string
  /** Connectors, and edges, on the way here. */
  readonly switches: number
  readonly depth: number
  readonly children: ForestNode[]
  coveredBy: ForestNode | undefined
  readonly covering: Set<ForestNode>
  /** Its label, or that of a node before it, became false. */
  isDead: boolean
  isExpanded: boolean
  /** Threads whose blocks need not be explored from here, or before the running thread yields. */
  sleep: ReadonlySet<number>
  /** Of a node in which nobody runs: threads that were chosen here. */
  readonly chosen: Set<number>
  /** All threads that the scheduler could choose were chosen. */
  isFull: boolean
}

export const keyOf = ({ threads, scheduler, handles }: Configured): string =>
  `${threads.map((t) => t.location.id).join(' ')}|${schedulerKey(scheduler)}|${handlesKey(handles)}`

const keys = new WeakMap<SchedulerState, string>()

/** Equal exactly for equal states of one scheduler. */
export const schedulerKey = (state: SchedulerState): string => {
  let key = keys.get(state)
  if (key === undefined) keys.set(state, (key = JSON.stringify(state)))
  return key
}

export const factsOf = ({ threads, global }: Configured): readonly Term[] => [
  ...literals(global),
  ...threads.flatMap((t) => literals(t.data)),
]

/** Definition 4.3, for nodes of one key; implication literal by literal. */
export const isWeaker = (weak: Configured, strong: Configured): boolean =>
  entails(strong.global, weak.global) && strong.threads.every((t, i) => entails(t.data, weak.threads[i]!.data))

export const isRunning = ({ scheduler }: Configured): boolean => scheduler.running !== null

export const failing = ({ threads }: Configured): boolean => threads.some((t) => t.location.kind === 'error')
