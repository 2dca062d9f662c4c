// Making events: their clocks, and which of them belong to one atomic step.
import { type Edge, Unsupported, type Value } from '../../xcfa/index.js'
import { type Strength, viewsOf } from './consistency/consistency.js'
import { type Clock, Event, joined, ticked } from './event.js'
import { type Graph, lastOf } from './graph.js'
import { isAtomicEdge } from './orders.js'
import type { Point } from './point.js'

export interface NewEvent {
  readonly kind: Event['kind']
  readonly thread: number
  readonly point: Point
  readonly location?: number
  readonly value?: Value
  readonly isAtomic?: boolean
  readonly order?: Event['order']
  readonly source?: Event | undefined
  readonly edge?: Event['edge']
  readonly step?: Point
  readonly number?: number
  readonly stamp?: number
  readonly prev?: Event | undefined
  /** For a beginning and a join: the start, and the end that is waited for. */
  readonly from?: Event
}

export class EventMaker {
  /** A step with several accesses was met that is more than a read-modify-write. */
  hasMetBlocks = false

  /** `views`: clocks of happens-before are kept, for rc11 and for races. */
  constructor(
    private readonly views: Strength | undefined,
    /** Whether steps with several accesses can be told from others at the end (blocks.ts). */
    private readonly allowsBlocks: boolean,
  ) {}

  /** An event at the end of its thread; `prev` and `stamp` are given where it takes the place of another one. */
  event(graph: Graph, parts: NewEvent): Event {
    const { kind, thread, point, from, edge } = parts
    const prev = 'prev' in parts ? parts.prev : graph.threads[thread]
    const index = prev ? prev.index + 1 : 0
    if (!this.allowsBlocks && edge && !isAlone(graph) && isSecondLocation(prev, parts))
      throw new Unsupported('atomic steps that access several locations, under a weak memory model', edge.position)
    if (!isAlone(graph) && isAccessOfBlock(prev, parts)) this.hasMetBlocks = true
    const other = from ?? (kind === 'read' ? parts.source : undefined)
    const porf = joined(ticked(prev?.porf, thread, index), other?.porf)
    const make = (views: Event['views']): Event =>
      new Event(
        kind,
        thread,
        index,
        parts.stamp ?? graph.clock,
        prev,
        parts.location ?? -1,
        parts.value ?? 0,
        parts.isAtomic ?? false,
        parts.order ?? 'seq_cst',
        from ?? parts.source,
        porf,
        point,
        parts.edge,
        views,
        parts.step ?? {},
        parts.number ?? 0,
      )
    const { views } = this
    if (!views) return make(undefined)
    const bare = make(undefined)
    const own: Clock = ticked(prev?.views?.hb, thread, index)
    return make(viewsOf(bare, own, from, views))
  }

  /** The graph with one more event. */
  with(graph: Graph, parts: NewEvent): Graph {
    const child = graph.copy()
    child.add(this.event(child, parts))
    return child
  }
}

/** Nobody else has begun: whatever is done now, others see as a whole. */
const isAlone = (graph: Graph): boolean => graph.threads.length <= 1

const isAccessOfBlock = (prev: Event | undefined, { kind, step, source }: NewEvent): boolean =>
  step !== undefined && prev?.step === step && (kind === 'read' || (kind === 'write' && source === undefined))

/** Whether the atomic step has accessed another location before. */
const isSecondLocation = (prev: Event | undefined, { step, location }: NewEvent): boolean => {
  if (location === undefined) return false
  for (let e = prev; e && e.step === step; e = e.prev) if (e.location >= 0 && e.location !== location) return true
  return false
}

export const stepOf = (point: Point): Point => point.since ?? point

/** Events of an atomic step share where it began; others stand alone. */
export const stepFor = (within: Point, edge: Edge | undefined, after: Point): Point =>
  edge && isAtomicEdge(edge) ? stepOf(within) : after

/** The read of a read-modify-write: the access right before the write, of the same step and location. */
export const readOfSameStep = (
  graph: Graph,
  thread: number,
  step: Point,
  location: number,
  isAtomic: boolean,
): Event | undefined => {
  if (!isAtomic) return undefined
  let last: Event | undefined = lastOf(graph, thread)
  while (last?.kind === 'choice' && last.step === step) last = last.prev
  return last?.kind === 'read' && last.step === step && last.location === location ? last : undefined
}

/** The thread goes no further: undefined behaviour. */
export const stoppedAt = (point: Point, text: string): Point => {
  const { action: _, since: __, chosen: ___, successors: ____, ...rest } = point
  return { ...rest, known: [], done: 0, stopped: { kind: 'undefined', text, violates: 'deref' } }
}
