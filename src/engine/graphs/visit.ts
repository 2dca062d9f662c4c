// TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly Stateless, Optimal Dynamic Partial Order Reduction,
// POPL 2022), figure 3: from a graph to the graphs that its next event makes of it. A read gets every write that is
// consistent; a write every place in the coherence order, and then it revisits earlier reads backwards, if all that is
// deleted for it was added maximally, so that no graph is made twice. See docs/graphs.md.
//
// Departures: a thread that would only wait is scheduled last, and its failed reads order nothing (waiting.ts); atomic
// steps with several accesses are checked at the end (blocks.ts); what a thread does next is in its last event (point.ts).
import type { Value } from '../../xcfa/index.js'
import { isRacingWrite } from './again.js'
import { isAtomicGraph } from './blocks.js'
import type { Consistency, Strength } from './consistency/consistency.js'
import { type Event, isInPrefix } from './event.js'
import { Graph, lastOf, maximalWrite } from './graph.js'
import { lifeError } from './heap.js'
import { isIdle, leavesOutWrites } from './idle.js'
import type { Machine } from './machine.js'
import { EventMaker, type NewEvent, readOfSameStep, stepFor, stepOf, stoppedAt } from './make-events.js'
import { isMaximal, isMaximallyAdded } from './maximal.js'
import { Schedule } from './next.js'
import type { Action, Effect, Point } from './point.js'
import { isAllowedAgain, type Read, waitsAfter } from './waiting.js'

export type Expansion =
  | { readonly kind: 'children'; readonly children: readonly Graph[] }
  | { readonly kind: 'error'; readonly event: Event }
  | { readonly kind: 'complete' | 'blocked' | 'dropped' }

export interface VisitOptions {
  /** Clocks of happens-before are kept: rc11, and races. */
  readonly views?: Strength
}

export class Visitor {
  private readonly events: EventMaker
  private readonly schedule: Schedule

  constructor(
    readonly machine: Machine,
    readonly model: Consistency,
    private readonly options: VisitOptions = {},
  ) {
    machine.mayLeaveOutWrites = model.name !== 'pso'
    this.events = new EventMaker(options.views, model.name === 'sc')
    this.schedule = new Schedule(machine, (graph) => !this.hasMetBlocks || isAtomicGraph(graph))
  }

  /** Not every graph on the way has atomic steps: only those at the end are executions (blocks.ts). */
  get hasMetBlocks(): boolean {
    return this.model.name === 'sc' && this.events.hasMetBlocks
  }

  root(): Graph {
    const graph = Graph.empty()
    const point = this.machine.firstPoint()
    graph.add(this.events.event(graph, { kind: 'begin', thread: 0, point }))
    return graph
  }

  /** The procedure Visit of the paper, one level of it. */
  visit(graph: Graph): Expansion {
    const next = this.schedule.next(graph)
    if (next === undefined) return { kind: this.schedule.outcome(graph) }
    const { thread, action } = next
    if (action.kind === 'error') return { kind: 'error', event: lastOf(graph, thread) }
    return { kind: 'children', children: this.nextOf(graph, thread, action, true) }
  }

  /** Threads of which any may go on, and what the graph is if there is none (sample.ts). */
  enabled(graph: Graph): readonly number[] {
    return this.schedule.enabled(graph)
  }

  outcome(graph: Graph): 'complete' | 'blocked' | 'dropped' {
    return this.schedule.outcome(graph)
  }

  /** The graphs with the next event of a thread, nothing revisited; under sc the one that an interleaving has. */
  forward(graph: Graph, thread: number): readonly Graph[] | 'error' {
    const action = this.machine.action(lastOf(graph, thread).point)
    if (action.kind === 'error') return 'error'
    const children = this.nextOf(graph, thread, action, false)
    if (this.model.name !== 'sc' || action.kind === 'choose') return children
    // Of a read the last one has the newest source, of a write the first one the newest place.
    return action.kind === 'read' ? children.slice(-1) : children.slice(0, 1)
  }

  private nextOf(graph: Graph, thread: number, action: Action, revisits: boolean): readonly Graph[] {
    switch (action.kind) {
      case 'read':
        return this.visitRead(graph, thread, action)
      case 'effect':
        return this.visitEffect(graph, thread, action.effect, action.after, revisits)
      case 'choose':
        return action.alternatives
          .map((point, number) => this.chosen(graph, thread, point, number))
          .filter((child) => !this.isNeverNeeded(lastOf(child, thread)))
      case 'ended':
        return [this.events.with(graph, { kind: 'end', thread, point: lastOf(graph, thread).point })]
      case 'error':
      case 'blocked':
      case 'halted':
        throw new Error('a thread that cannot go on was chosen')
    }
  }

  // ---- reads

  private visitRead(graph: Graph, thread: number, action: Read): readonly Graph[] {
    const last = lastOf(graph, thread)
    const error = lifeError(graph, last, action.block)
    if (error) return [this.events.with(graph, { kind: 'choice', thread, point: stoppedAt(action.at, error) })]
    const { writes } = this.accesses(graph, action.location)
    const children: Graph[] = []
    const isFirstTry = last.kind !== 'wait'
    for (const source of writes) {
      if (!isFirstTry && !isAllowedAgain(graph, last, source)) continue
      children.push(...this.setRf(graph, thread, action, source))
    }
    // Waiting, with the newest write: a place in the order of events from which it may be woken.
    const newest = maximalWrite({ writes, reads: [] })
    const waits = this.waitsAfter(action, newest)
    if (waits === 'alone') children.push(this.events.with(graph, this.waitAgain(graph, thread, action, newest)))
    return children
  }

  private setRf(graph: Graph, thread: number, action: Read, source: Event): readonly Graph[] {
    if (source.value === undefined && !this.canRead(graph, thread, action, source)) return []
    const waits = this.waitsAfter(action, source)
    if (waits === 'alone') return []
    return this.readsOf(thread, action, source).flatMap((parts) => {
      const child = graph.copy()
      const event = this.events.event(child, parts)
      if (this.isNeverNeeded(event)) return []
      child.add(event)
      if (!this.isTrivial(child, event) && !this.model.isConsistent(child, [event])) return []
      return !isMaximal(child, event) && (waits || this.goesNoFurther(event)) ? [] : [child]
    })
  }

  /** Whether nothing of its thread follows a choice, and nothing revisits what is before it: only first choices are maximal. */
  private isNeverNeeded(choice: Event): boolean {
    return choice.number > 0 && leavesOutWrites(this.machine, choice, this.machine.action(choice.point))
  }

  /** Whether nothing of its thread follows a read; one that was tried again may count as maximal later. */
  private goesNoFurther(read: Event): boolean {
    return read.prev?.kind !== 'wait' && isIdle(this.machine, read, this.machine.action(read.point))
  }

  /** Whether the model allows it, whatever the value. */
  private canRead(graph: Graph, thread: number, action: Read, source: Event): boolean {
    const child = graph.copy()
    const { location, isAtomic, order, edge, at } = action
    const event = this.events.event(child, { kind: 'read', thread, location, isAtomic, order, source, edge, point: at })
    child.add(event)
    return this.model.isConsistent(child, [event])
  }

  private waitsAfter(action: Read, source: Event): 'alone' | 'by several' | undefined {
    const waits = waitsAfter(this.machine, action, source)
    if (waits === undefined) return undefined
    return action.at.known.length === 0 ? 'alone' : 'by several'
  }

  /** One read; of a weak compare-exchange whose failure has another order, one for each way that it may end. */
  private readsOf(thread: number, action: Read, source: Event): readonly NewEvent[] {
    const { location, isAtomic, edge, order, failureOrder } = action
    const point = this.machine.afterRead(action.at, location, source.value)
    const next = this.machine.action(point)
    const step = stepFor(action.at, edge, point)
    const read = { kind: 'read', thread, location, value: source.value, isAtomic, source, edge, step } as const
    const isOfWrite = (effect: Effect | undefined): boolean => effect?.kind === 'write' && effect.location === location
    if (next.kind === 'choose' && order !== failureOrder && this.options.views === 'as written')
      return next.alternatives.map((way, number) => {
        const succeeds = way.chosen!.effects.some(isOfWrite)
        return { ...read, point: way, number, order: succeeds ? order : failureOrder }
      })
    // A compare-exchange that fails has an order of its own.
    const succeeds = next.kind === 'choose' || (next.kind === 'effect' && isOfWrite(next.effect))
    return [{ ...read, point, order: succeeds ? order : failureOrder }]
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

  private visitEffect(graph: Graph, thread: number, effect: Effect, point: Point, revisits: boolean): readonly Graph[] {
    const { edge } = effect
    const step = stepFor(point, edge, point)
    switch (effect.kind) {
      case 'write': {
        const error = lifeError(graph, lastOf(graph, thread), effect.block)
        if (error) return [this.events.with(graph, { kind: 'choice', thread, point: stoppedAt(stepOf(point), error) })]
        this.accesses(graph, effect.location)
        const { location, value, isAtomic, order } = effect
        const source = readOfSameStep(graph, thread, step, location, isAtomic)
        return this.visitWrite(
          graph,
          {
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
          },
          revisits,
        )
      }
      case 'allocate':
      case 'free': {
        this.accesses(graph, effect.location)
        const value: Value = effect.kind === 'free' ? -1 : effect.size + 1
        return this.visitWrite(
          graph,
          {
            kind: 'write',
            thread,
            location: effect.location,
            value,
            isAtomic: false,
            edge,
            point,
            step,
          },
          revisits,
        )
      }
      case 'fence':
        return [
          this.events.with(graph, { kind: 'fence', thread, isAtomic: true, order: effect.order, edge, point, step }),
        ]
      case 'start': {
        const child = this.events.with(graph, { kind: 'start', thread, edge, point, step, number: effect.number })
        const begin = this.machine.beginningOf(effect)
        child.add(
          this.events.event(child, { kind: 'begin', thread: effect.number, point: begin, from: lastOf(child, thread) }),
        )
        return [child]
      }
      case 'join': {
        const from = lastOf(graph, effect.thread)
        return [this.events.with(graph, { kind: 'join', thread, edge, point, step, number: effect.thread, from })]
      }
    }
  }

  private visitWrite(graph: Graph, parts: NewEvent, revisits: boolean): readonly Graph[] {
    const write = this.events.event(graph, parts)
    this.machine.hasRacingWrites ||= isRacingWrite(graph, write)
    const children = this.visitCOs(graph, write, undefined)
    if (!revisits) return children
    for (const read of graph.accessesOf(write.location).reads) {
      if (read.kind !== 'read' || isInPrefix(read, write)) continue
      // A thread that is started has begun: both are one.
      const isKept = (e: Event): boolean =>
        e.stamp <= read.stamp || isInPrefix(e.kind === 'begin' && e.source ? e.source : e, write)
      if (!this.mayRevisit(graph, read, write, isKept)) continue
      children.push(...this.revisit(graph, isKept, read, write))
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
        if ((e === read || !isKept(e)) && !isMaximallyAdded(graph, e, write, isKept)) return false
    return true
  }

  private revisit(graph: Graph, isKept: (e: Event) => boolean, read: Event, write: Event): readonly Graph[] {
    const action = this.machine.action(beforeRead(read))
    if (action.kind !== 'read') throw new Error('a read that is revisited was no read')
    const ways =
      this.waitsAfter(action, write) === 'alone'
        ? [this.waitOn(read.thread, action, beforeRead(read), write, read.stamp)]
        : this.readsOf(read.thread, action, write)
    return ways.flatMap((parts) => {
      const kept = graph.restrict(isKept)
      const revisited = this.events.event(kept, { ...parts, stamp: read.stamp, prev: read.prev })
      kept.replaceLast(read, revisited)
      kept.clock = write.stamp
      return this.visitCOs(kept, write, revisited)
    })
  }

  /** The newest value, or the newest write: every model here lets a graph be extended so. */
  private isTrivial(graph: Graph, event: Event): boolean {
    const { writes } = graph.accessesOf(event.location)
    if (event.kind === 'read') return event.source === writes[writes.length - 1]
    if (event.isRmwWrite) return false
    return event === writes[writes.length - 1]
  }

  private chosen(graph: Graph, thread: number, point: Point, number: number): Graph {
    const step = stepFor(point, point.chosen?.edge, point)
    return this.events.with(graph, { kind: 'choice', thread, point, step, number })
  }

  private accesses(graph: Graph, location: number) {
    return graph.at(this.machine.locations.all[location]!)
  }
}

/** Where the thread was when it asked for the read. */
const beforeRead = (read: Event): Point => read.prev!.point
