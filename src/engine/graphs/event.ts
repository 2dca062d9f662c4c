// Events of an execution graph. An event is immutable, and so is everything before it by program order and reads-from:
// a backward revisit replaces the last event of a thread by another one. Clocks hold, for each thread, how many of its
// events come before (the event itself included).
import type { Edge, MemoryOrder, Value } from '../../xcfa/index.js'
import type { LocationId, Point } from './point.js'

export type Clock = readonly number[]

export type EventKind =
  | 'initial'
  | 'read'
  | 'write'
  | 'fence'
  | 'begin'
  | 'start'
  | 'join'
  | 'end'
  /** The choice of an input, or of one of several edges. */
  | 'choice'
  /** A read that lets its thread wait: it orders nothing (waiting.ts). */
  | 'wait'

export class Event {
  /** Scratch for searches in the graph. */
  mark = 0
  /** Whether the thread has done nothing since it was here before, once that is known (idle.ts). */
  isIdle: boolean | undefined

  constructor(
    readonly kind: EventKind,
    readonly thread: number,
    /** Its number in its thread. */
    readonly index: number,
    /** When it was added: orders the events of a graph. */
    readonly stamp: number,
    readonly prev: Event | undefined,
    /** -1: none. */
    readonly location: LocationId,
    readonly value: Value,
    readonly isAtomic: boolean,
    readonly order: MemoryOrder,
    /** Reads: the write that is read from. Writes of a read-modify-write: its read. */
    readonly source: Event | undefined,
    /** By program order and reads-from, starts and joins. */
    readonly porf: Clock,
    /** The thread after it. */
    readonly point: Point,
    readonly edge: Edge | undefined,
    /** What the memory model keeps with an event. */
    readonly views: Views | undefined,
    /** Where its step began: events of one step share it. */
    readonly step: object,
    /** Which of several alternatives was chosen, by a choice or with a read; for `start` and `join` the other thread. */
    readonly number: number,
  ) {}

  get isRmwWrite(): boolean {
    return this.kind === 'write' && this.source !== undefined
  }
}

/** What happens-before under rc11 needs; other models need none. */
export interface Views {
  readonly hb: Clock
  /** What an acquire that reads from this write gets. */
  readonly released: Clock | undefined
  /** What the next acquire fence of the thread gets. */
  readonly pending: Clock | undefined
  /** What was before the last release fence of the thread. */
  readonly fenced: Clock | undefined
}

export const isBefore = (a: Event, clock: Clock): boolean => (clock[a.thread] ?? 0) > a.index

/** Whether `a` comes before `b` by program order and reads-from. */
export const isInPrefix = (a: Event, b: Event): boolean => a.kind === 'initial' || isBefore(a, b.porf)

export const joined = (a: Clock, b: Clock | undefined): Clock => {
  if (!b || a === b) return a
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a]
  const result = longer.slice()
  for (let i = 0; i < shorter.length; i++) if (shorter[i]! > result[i]!) result[i] = shorter[i]!
  return result
}

/** The clock of an event that comes right after `before`. */
export const ticked = (before: Clock | undefined, thread: number, index: number): Clock => {
  const result = before ? before.slice() : []
  while (result.length < thread) result.push(0)
  result[thread] = index + 1
  return result
}
