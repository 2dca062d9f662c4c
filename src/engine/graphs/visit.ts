// TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly Stateless, Optimal Dynamic Partial Order Reduction,
// POPL 2022), figure 3: from a graph to the graphs that its next event makes of it. A read gets every write that is
// consistent; a write every place in the coherence order, and then it revisits earlier reads backwards, if all that is
// deleted for it was added maximally, so that no graph is made twice. See docs/graphs.md.
//
// Departures: a thread that would only wait is scheduled last, and its failed reads order nothing (waiting.ts); atomic
// steps with several locations are blocks (blocks.ts); what a thread does next is in its last event (point.ts).
import { type Edge, Unsupported, type Value } from '../../xcfa/index.js'
import { isStuck, isStuckBlock, STUCK, whoIsInAStep } from './blocks.js'
import { type Consistency, type Strength, viewsOf } from './consistency/consistency.js'
import { type Clock, Event, isInPrefix, joined, ticked } from './event.js'
import { Graph, maximalWrite } from './graph.js'
import { lifeError } from './heap.js'
import { isAtomicEdge, type Machine } from './machine.js'
import { isMaximal, isMaximallyAdded } from './maximal.js'
import type { Action, Effect, Point } from './point.js'
import { hasFinished, isAllowedAgain, isTrulyWaiting, spins, waitsAfter, wouldWait } from './waiting.js'

export type Expansion =
  | { readonly kind: 'children'; readonly children: readonly Graph[] }
  | { readonly kind: 'error'; readonly event: Event }
  | { readonly kind: 'complete' | 'blocked' | 'dropped' }

type Read = Extract<Action, { kind: 'read' }>

export interface VisitOptions {
  /** Clocks of happens-before are kept: rc11, and races. */
  readonly views?: Strength
}

export class Visitor {
  constructor(
    readonly machine: Machine,
    readonly model: Consistency,
    private readonly options: VisitOptions = {},
  ) {}

  root(): Graph {
    const graph = Graph.empty()
    const point = this.machine.firstPoint()
    graph.add(this.event(graph, { kind: 'begin', thread: 0, point }))
    return graph
  }

  /** The procedure Visit of the paper, one level of it. */
  visit(graph: Graph): Expansion {
    const next = this.next(graph)
    if (next === undefined) return { kind: this.outcome(graph) }
    const { thread, action } = next
    switch (action.kind) {
      case 'read':
        return { kind: 'children', children: this.visitRead(graph, thread, action) }
      case 'effect':
        return { kind: 'children', children: this.visitEffect(graph, thread, action.effect, action.after) }
      case 'choose':
        return {
          kind: 'children',
          children: action.alternatives.map((point, number) => this.chosen(graph, thread, point, number)),
        }
      case 'ended':
        return {
          kind: 'children',
          children: [this.with(graph, { kind: 'end', thread, point: lastOf(graph, thread).point })],
        }
      case 'error':
        return { kind: 'error', event: lastOf(graph, thread) }
      case 'blocked':
      case 'halted':
        throw new Error('a thread that cannot go on was chosen')
    }
  }

  // ---- next_P: which event comes next

  private next(graph: Graph): { readonly thread: number; readonly action: Action } | undefined {
    const busy = whoIsInAStep(graph, this.machine)
    if (busy >= 0) return { thread: busy, action: this.actionOf(graph, busy) }
    for (let thread = 0; thread < graph.threads.length; thread++) {
      const action = this.actionOf(graph, thread)
      if (action.kind === 'error' && graph.threads.some(isStuck)) continue
      if (this.canGoOn(graph, thread, action)) return { thread, action }
    }
    // Only waiting is left: what a thread could have read before, and did not.
    for (let thread = 0; thread < graph.threads.length; thread++) {
      const action = this.actionOf(graph, thread)
      if (action.kind === 'read' && this.hasNewSources(graph, thread, action)) return { thread, action }
    }
    return undefined
  }

  private actionOf(graph: Graph, thread: number): Action {
    return this.machine.action(lastOf(graph, thread).point)
  }

  private canGoOn(graph: Graph, thread: number, action: Action): boolean {
    const last = lastOf(graph, thread)
    switch (action.kind) {
      case 'read': {
        if (spins(last, action) || wouldWait(graph, this.machine, action)) return false
        return last.kind !== 'wait' || isAllowedAgain(graph, last, maximalWrite(this.accesses(graph, action.location)))
      }
      case 'effect':
        return action.effect.kind !== 'join' || hasEnded(graph, action.effect.thread)
      case 'choose':
      case 'error':
        return true
      case 'ended':
        return last.kind !== 'end'
      case 'blocked':
      case 'halted':
        return false
    }
  }

  private hasNewSources(graph: Graph, thread: number, action: Read): boolean {
    const last = lastOf(graph, thread)
    if (spins(last, action)) return false
    if (last.kind !== 'wait') return true
    const { writes } = this.accesses(graph, action.location)
    return writes.some((w) => w.value !== undefined && isAllowedAgain(graph, last, w) && !this.waitsAfter(action, w))
  }

  private outcome(graph: Graph): 'complete' | 'blocked' | 'dropped' {
    let blocked = false
    for (let thread = 0; thread < graph.threads.length; thread++) {
      const last = lastOf(graph, thread)
      if (isStuck(last)) return 'dropped'
      const action = this.machine.action(last.point)
      if (hasFinished(last, action)) continue
      blocked = true
      if (!isTrulyWaiting(graph, this.machine, last, action)) return 'dropped'
    }
    return blocked ? 'blocked' : 'complete'
  }

  // ---- reads

  private visitRead(graph: Graph, thread: number, action: Read): readonly Graph[] {
    const last = lastOf(graph, thread)
    const error = lifeError(graph, last, action.block)
    if (error) return [this.with(graph, { kind: 'choice', thread, point: stoppedAt(action.at, error) })]
    const { writes } = this.accesses(graph, action.location)
    const children: Graph[] = []
    const isFirstTry = last.kind !== 'wait'
    for (const source of writes) {
      if (!isFirstTry && !isAllowedAgain(graph, last, source)) continue
      const child = this.setRf(graph, thread, action, source)
      if (child) children.push(child)
    }
    // Waiting, with the newest write: a place in the order of events from which it may be woken.
    const newest = maximalWrite({ writes, reads: [] })
    const waits = this.waitsAfter(action, newest)
    if (waits === 'alone') children.push(this.with(graph, this.waitAgain(graph, thread, action, newest)))
    return children
  }

  private setRf(graph: Graph, thread: number, action: Read, source: Event): Graph | undefined {
    if (source.value === undefined && !this.canRead(graph, thread, action, source)) return undefined
    const waits = this.waitsAfter(action, source)
    if (waits === 'alone') return undefined
    const child = graph.copy()
    const event = this.event(child, this.readOf(thread, action, source))
    child.add(event)
    if (!this.isTrivial(child, event) && !this.model.isConsistent(child, [event])) return undefined
    if (waits && !isMaximal(child, event, this)) return undefined
    return child
  }

  /** Whether the model allows it, whatever the value. */
  private canRead(graph: Graph, thread: number, action: Read, source: Event): boolean {
    const child = graph.copy()
    const { location, isAtomic, order, edge, at } = action
    const event = this.event(child, { kind: 'read', thread, location, isAtomic, order, source, edge, point: at })
    child.add(event)
    return this.model.isConsistent(child, [event])
  }

  private waitsAfter(action: Read, source: Event): 'alone' | 'by several' | undefined {
    const waits = waitsAfter(this.machine, action, source)
    if (waits === undefined) return undefined
    return action.at.known.length === 0 ? 'alone' : 'by several'
  }

  private readOf(thread: number, action: Read, source: Event): NewEvent {
    const point = this.machine.afterRead(action.at, action.location, source.value)
    const next = this.machine.action(point)
    // A compare-exchange that fails has an order of its own.
    const writes = next.kind === 'effect' && next.effect.kind === 'write' && next.effect.location === action.location
    // Whether a weak one fails is chosen after it has read: then it has both orders, or one that is not known.
    if (next.kind === 'choose' && action.order !== action.failureOrder && this.options.views === 'as written')
      throw new Unsupported('a weak compare-exchange whose failure has another order', action.edge.position)
    const order = writes || next.kind === 'choose' ? action.order : action.failureOrder
    const { location, isAtomic, edge } = action
    return {
      kind: 'read',
      thread,
      location,
      value: source.value,
      isAtomic,
      order,
      source,
      edge,
      point,
      step: stepFor(action.at, edge, point),
    }
  }

  /** `since`: when the thread began to wait. */
  private waitOn(thread: number, action: Read, point: Point, source: Event, since: number): NewEvent {
    const { location, isAtomic, order, edge } = action
    return { kind: 'wait', thread, location, value: source.value, isAtomic, order, source, edge, point, number: since }
  }

  private waitAgain(graph: Graph, thread: number, action: Read, newest: Event): NewEvent {
    const last = lastOf(graph, thread)
    if (last.kind !== 'wait') return this.waitOn(thread, action, last.point, newest, graph.clock)
    return this.waitOn(thread, action, last.point, last.source!, last.number)
  }

  // ---- writes, and everything else

  private visitEffect(graph: Graph, thread: number, effect: Effect, point: Point): readonly Graph[] {
    const { edge } = effect
    const step = stepFor(point, edge, point)
    switch (effect.kind) {
      case 'write': {
        const error = lifeError(graph, lastOf(graph, thread), effect.block)
        if (error) return [this.with(graph, { kind: 'choice', thread, point: stoppedAt(stepOf(point), error) })]
        this.accesses(graph, effect.location)
        const { location, value, isAtomic, order } = effect
        const source = readOfSameStep(graph, thread, step, location, isAtomic)
        return this.visitWrite(graph, {
          kind: 'write',
          thread,
          location,
          value,
          isAtomic,
          order,
          source,
          edge,
          point,
          step,
        })
      }
      case 'allocate':
      case 'free': {
        this.accesses(graph, effect.location)
        const value: Value = effect.kind === 'free' ? -1 : effect.size + 1
        return this.visitWrite(graph, {
          kind: 'write',
          thread,
          location: effect.location,
          value,
          isAtomic: false,
          edge,
          point,
          step,
        })
      }
      case 'fence':
        return [this.with(graph, { kind: 'fence', thread, isAtomic: true, order: effect.order, edge, point, step })]
      case 'start': {
        const child = this.with(graph, { kind: 'start', thread, edge, point, step, number: effect.number })
        const begin = this.machine.beginningOf(effect)
        child.add(
          this.event(child, { kind: 'begin', thread: effect.number, point: begin, from: lastOf(child, thread) }),
        )
        return [child]
      }
      case 'join': {
        const from = lastOf(graph, effect.thread)
        return [this.with(graph, { kind: 'join', thread, edge, point, step, number: effect.thread, from })]
      }
    }
  }

  private visitWrite(graph: Graph, parts: NewEvent): readonly Graph[] {
    const write = this.event(graph, parts)
    const children = this.visitCOs(graph, write, undefined)
    if (children.length === 0 && isStuckBlock(graph, write)) children.push(this.stuck(graph, parts))
    for (const read of graph.accessesOf(write.location).reads) {
      if (read.kind !== 'read' || isInPrefix(read, write)) continue
      const isKept = (e: Event): boolean => e.stamp <= read.stamp || isInPrefix(e, write)
      if (!this.mayRevisit(graph, read, write, isKept)) continue
      children.push(...this.revisit(graph.restrict(isKept), read, write))
    }
    return children
  }

  /** Every place in the coherence order that is consistent. */
  visitCOs(graph: Graph, write: Event, revisited: Event | undefined): Graph[] {
    const children: Graph[] = []
    const { writes } = graph.accessesOf(write.location)
    // The write of a read-modify-write follows what its read reads from.
    const only = write.isRmwWrite ? writes.indexOf(write.source!.source!) + 1 : undefined
    for (let position = only ?? writes.length; position >= (only ?? 1); position--) {
      const child = graph.copy()
      child.insert(write, position)
      const isTrivial = !revisited && this.isTrivial(child, write)
      if (isTrivial || this.model.isConsistent(child, revisited ? [write, revisited] : [write])) children.push(child)
    }
    return children
  }

  private mayRevisit(graph: Graph, read: Event, write: Event, isKept: (e: Event) => boolean): boolean {
    for (const last of graph.threads)
      for (let e: Event | undefined = last; e; e = e.prev)
        if ((e === read || !isKept(e)) && !isMaximallyAdded(graph, e, write, isKept, this)) return false
    return true
  }

  private revisit(kept: Graph, read: Event, write: Event): readonly Graph[] {
    const action = this.machine.action(beforeRead(read))
    if (action.kind !== 'read') throw new Error('a read that is revisited was no read')
    const waits = this.waitsAfter(action, write)
    const parts =
      waits === 'alone'
        ? this.waitOn(read.thread, action, beforeRead(read), write, read.stamp)
        : this.readOf(read.thread, action, write)
    const revisited = this.event(kept, { ...parts, stamp: read.stamp, prev: read.prev })
    kept.replaceLast(read, revisited)
    kept.clock = write.stamp
    return this.visitCOs(kept, write, revisited)
  }

  /** The newest value, or the newest write: every model here lets a graph be extended so. */
  private isTrivial(graph: Graph, event: Event): boolean {
    const { writes } = graph.accessesOf(event.location)
    if (event.kind === 'read') return event.source === writes[writes.length - 1] && !isAtomicBlock(event)
    if (event.isRmwWrite) return false
    return event === writes[writes.length - 1] && !isAtomicBlock(event)
  }

  // ---- making events

  private chosen(graph: Graph, thread: number, point: Point, number: number): Graph {
    return this.with(graph, { kind: 'choice', thread, point, step: stepFor(point, point.chosen?.edge, point), number })
  }

  /** The step cannot come to its end here; a read of it may still be revisited. */
  private stuck(graph: Graph, { thread, step, edge }: NewEvent): Graph {
    const point = stoppedAt(step!, 'stuck')
    return this.with(graph, { kind: 'choice', thread, point, edge, step: step!, number: STUCK })
  }

  private with(graph: Graph, parts: NewEvent): Graph {
    const child = graph.copy()
    child.add(this.event(child, parts))
    return child
  }

  private accesses(graph: Graph, location: number) {
    return graph.at(this.machine.locations.all[location]!)
  }

  /** Of an atomic step. */
  private isSecondLocation(prev: Event | undefined, { step, location }: NewEvent): boolean {
    for (let e = prev; e && e.step === step; e = e.prev) if (e.location >= 0 && e.location !== location) return true
    return false
  }

  private event(graph: Graph, parts: NewEvent): Event {
    const { kind, thread, point, from, edge } = parts
    const prev = 'prev' in parts ? parts.prev : graph.threads[thread]
    const index = prev ? prev.index + 1 : 0
    if (edge && parts.location !== undefined && this.isSecondLocation(prev, parts))
      throw new Unsupported('atomic steps that access several locations, in the engine graphs', edge.position)
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
    const { views } = this.options
    if (!views) return make(undefined)
    const bare = make(undefined)
    const own: Clock = ticked(prev?.views?.hb, thread, index)
    return make(viewsOf(bare, own, from, views))
  }
}

const lastOf = (graph: Graph, thread: number): Event => graph.threads[thread]!

const hasEnded = (graph: Graph, thread: number): boolean => graph.threads[thread]?.kind === 'end'

/** Where the thread was when it asked for the read. */
const beforeRead = (read: Event): Point => read.prev!.point

const stepOf = (point: Point): Point => point.since ?? point

/** Events of an atomic step share where it began; others stand alone. */
const stepFor = (within: Point, edge: Edge | undefined, after: Point): Point =>
  edge && isAtomicEdge(edge) ? stepOf(within) : after

/** The read of a read-modify-write. */
const readOfSameStep = (
  graph: Graph,
  thread: number,
  step: Point,
  location: number,
  isAtomic: boolean,
): Event | undefined => {
  if (!isAtomic) return undefined
  for (let e: Event | undefined = lastOf(graph, thread); e && e.step === step; e = e.prev)
    if (e.location === location && (e.kind === 'read' || e.kind === 'write')) return e.kind === 'read' ? e : undefined
  return undefined
}

/** Not the first event of its atomic step. */
const isAtomicBlock = (event: Event): boolean => event.prev?.step === event.step

const stoppedAt = (point: Point, text: string): Point => {
  const { action: _, since: __, chosen: ___, successors: ____, ...rest } = point
  return { ...rest, known: [], done: 0, stopped: { kind: 'undefined', text, violates: 'deref' } }
}

interface NewEvent {
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
