// Threads by themselves: from a point to what the thread does next, given the values that it has read. Work that no
// other thread sees is done on the way; an endless loop of such work is reported, not followed.

import { type Layout, layoutOf, type TemplateLayout } from '../../semantics/layout.js'
import { newThread } from '../../semantics/step/execute.js'
import { livenessOf } from '../../semantics/step/liveness.js'
import {
  type Edge,
  type Halt,
  type Label,
  type Location,
  type Program,
  Unsupported,
  type Value,
} from '../../xcfa/index.js'
import { written } from '../../xcfa/passes/labels.js'
import { Locations } from './locations.js'
import { isAtomicEdge, ordersOf } from './orders.js'
import { type Action, type Alternative, type Effect, isSamePoint, type Path, type Point } from './point.js'
import type { Need } from './step-memory.js'
import { Steps } from './steps.js'
import { Threads } from './threads.js'

/** Steps that a thread may take without an event before it counts as endless. */
const MAX_LOCAL_STEPS = 100_000

/** Wake-ups of one wait for no reason: a thread that has had so many may have any number. */
const MAX_SPURIOUS_WAKEUPS = 8

/** Points after reads that are kept to be met again: what a thread does next is then worked out once. */
const MAX_REMEMBERED_POINTS = 5_000

/** A thread that goes on for ever, or for too long, without anything that others can see. */
export class EndlessThread extends Error {
  constructor(readonly edge: Edge) {
    super(`a loop without an end at ${edge.position.file}:${edge.position.line}`)
  }
}

export class Machine {
  readonly layout: Layout
  readonly locations: Locations
  readonly threads = new Threads()
  private readonly deadSlots = new Map<Location, readonly number[]>()
  private readonly beginnings = new WeakMap<Effect, Point>()
  /** Points whose successors are remembered, and how many successors they have. */
  private remembering: Point[] = []
  private remembered = 0
  private readonly steps: Steps

  /** A loop was followed as often as is allowed, and goes on. */
  isCut = false
  /** Whether iterations may be left out that write again what they have written, and whether some were (again.ts). */
  mayLeaveOutWrites = false
  leftOutWrites = false
  /** Two threads have written to one location, not both atomically, and nothing orders the writes. */
  hasRacingWrites = false

  constructor(
    readonly program: Program,
    /** How often a thread may take an edge that leads back; 0: as often as it likes. */
    private readonly unroll = 0,
    /** A thread that only a spurious wake-up could wake counts as waiting. */
    asksForDeadlocks = false,
    /** A write that changes nothing may yet race. */
    private readonly asksForRaces = false,
  ) {
    this.layout = layoutOf(program)
    this.locations = new Locations(this.layout)
    this.steps = new Steps(this.layout, this.locations, this.threads)
    this.checkStarts()
    if (asksForDeadlocks) this.checkWakeups()
  }

  /** An iteration that was left out may have been seen by another thread. */
  get isUnsureOfWrites(): boolean {
    return this.leftOutWrites && this.hasRacingWrites
  }

  /** Whether a write may be left out that puts back what was there. */
  mayHideWrites(location: number): boolean {
    return !this.asksForRaces || this.locations.all[location]!.isAtomic === true
  }

  /** Where the program counts its threads, for condition variables, their numbers must be in the order of starts. */
  private checkStarts(): void {
    for (const [name, { edges }] of this.program.templates)
      for (const { labels, position } of edges)
        for (const label of labels) {
          if (label.kind !== 'start') continue
          if (name !== this.program.main.name && labels.some(writesGlobal))
            throw new Unsupported(
              'threads that start threads beside condition variables, in the engine graphs',
              position,
            )
          if (label.procedure === this.program.main.name) throw new Unsupported('main as a thread', position)
        }
  }

  /** Whether a thread that wakes up for no reason would go on waiting: executions do not show it. */
  private checkWakeups(): void {
    for (const { edges } of this.program.templates.values())
      for (const edge of edges)
        if (isSpuriousWakeup(edge))
          throw new Unsupported(
            'deadlocks beside spurious wake-ups, in the engine graphs; try --spurious-wakeups off',
            edge.position,
          )
  }

  firstPoint(): Point {
    return this.beginning(this.layout.templates.get(this.program.main.name)!, 0, [])
  }

  /** Where a thread that is started begins; the same point for the same start. */
  beginningOf(start: Extract<Effect, { kind: 'start' }>): Point {
    let point = this.beginnings.get(start)
    if (!point) this.beginnings.set(start, (point = this.beginning(start.template, start.number, start.args)))
    return point
  }

  private beginning(template: TemplateLayout, thread: number, args: readonly Value[]): Point {
    const { locals, location } = newThread(template, thread, args)
    return { thread, template, location, locals, cells: NO_CELLS, allocated: 0, started: 0, known: [], done: 0 }
  }

  /** What the thread does next; the same for every graph in which it has come here. */
  action(point: Point): Action {
    return (point.action ??= this.next(point))
  }

  /** The point after the step in progress has read a value; the same one as long as it is remembered. */
  afterRead(point: Point, location: number, value: Value): Point {
    const known = point.successors?.get(value)
    if (known) return known
    if (this.remembered >= MAX_REMEMBERED_POINTS) this.forgetSuccessors()
    const after = { ...within(point), known: [...point.known, { location, value }] }
    if (!point.successors) {
      point.successors = new Map()
      this.remembering.push(point)
    }
    point.successors.set(value, after)
    this.remembered++
    return after
  }

  /** A point near the root, which the search seldom comes back to, would else keep all that was ever read after it. */
  private forgetSuccessors(): void {
    for (const point of this.remembering) delete point.successors
    this.remembering = []
    this.remembered = 0
  }

  private next(from: Point): Action {
    let point = from
    let earlier: Point | undefined
    let begun = 0
    for (let steps = 0; steps < MAX_LOCAL_STEPS; steps++) {
      // Brent: compared with the beginning of a step at the last power of two, a loop that changes nothing shows. In the
      // middle of a step something has been read or written already.
      if (isBeginning(point)) {
        if (earlier && isSamePoint(point, earlier)) return { kind: 'halted', halt: ENDLESS, at: point }
        if ((begun & (begun - 1)) === 0) earlier = point
        begun++
      }
      if (point.stopped) return { kind: 'halted', halt: point.stopped, at: point }
      if (point.chosen) {
        const { chosen, done } = point
        if (done < chosen.effects.length)
          return {
            kind: 'effect',
            effect: chosen.effects[done]!,
            after: { ...within(point), done: done + 1 },
            at: point,
          }
        point = this.finished(point, chosen)
        continue
      }
      const { location } = point
      if (location.kind === 'error') return { kind: 'error', at: point }
      if (location.kind === 'halt') return { kind: 'halted', halt: location.reason, at: point }
      const alternatives = this.steps.alternatives(point)
      if (!isList(alternatives)) return asked(point, alternatives)
      if (alternatives.length === 0)
        return location.kind === 'final' ? { kind: 'ended', at: point } : { kind: 'blocked', at: point }
      if (alternatives.length > 1)
        return { kind: 'choose', alternatives: alternatives.map((chosen) => ({ ...within(point), chosen })), at: point }
      point = { ...within(point), chosen: alternatives[0]! }
    }
    throw new EndlessThread(this.layout.templates.get(point.template.procedure.name)!.outgoing.get(point.location)![0]!)
  }

  private finished(point: Point, chosen: Alternative): Point {
    const { edge, choices, locals, cells, allocated, started, stopped } = chosen
    const path: Path = { edge, choices, before: point.path, length: (point.path?.length ?? 0) + 1 }
    const { thread, template } = point
    const isBeyond = this.unroll > 0 && edge.back && timesTaken(path, edge) > this.unroll
    if (isBeyond) this.isCut = true
    if (isSpuriousWakeup(edge) && timesTaken(path, edge) > MAX_SPURIOUS_WAKEUPS)
      throw new Unsupported(
        'a loop of spurious wake-ups without end, in the engine graphs; try --spurious-wakeups off',
        edge.position,
      )
    const halt = isBeyond ? CUT : stopped
    if (halt) {
      const stays = { thread, template, location: point.location, locals, cells, allocated, started }
      return { ...stays, stopped: halt, known: [], done: 0 }
    }
    return {
      ...{ thread, template, location: edge.target, cells, allocated, started, known: [], done: 0, path },
      locals: this.forgetDead(template, edge.target, locals),
      ...(edge.target.atomic && { since: point.since ?? point }),
    }
  }

  /** Locals that nobody reads any more are 0, so that a loop that changed nothing shows. */
  private forgetDead(template: TemplateLayout, location: Location, locals: readonly Value[]): readonly Value[] {
    let dead = this.deadSlots.get(location)
    if (!dead) {
      const { isLiveAt } = livenessOf(template.procedure)
      const { self } = template.procedure
      dead = template.variables.flatMap((v, slot) => (v === self || isLiveAt(v, location) ? [] : [slot]))
      this.deadSlots.set(location, dead)
    }
    if (dead.every((slot) => locals[slot] === 0)) return locals
    const kept = locals.slice()
    for (const slot of dead) kept[slot] = 0
    return kept
  }
}

const writesGlobal = (label: Label): boolean => written(label).some(({ scope }) => scope === 'global')

/** Of a condition variable; a weak compare-exchange that fails for no reason is tried again, or is not. */
const isSpuriousWakeup = ({ sync }: Edge): boolean => sync?.spurious === true && sync.kind !== 'atomic'

const CUT: Halt = { kind: 'assume', text: 'a loop goes on beyond its bound' }

const timesTaken = (path: Path, edge: Edge): number => {
  let times = 0
  for (let cell: Path | undefined = path; cell; cell = cell.before) if (cell.edge === edge) times++
  return times
}

/** A thread that does nothing more, but never ends. */
const ENDLESS: Halt = { kind: 'assume', text: 'a loop without an end' }

/** Nothing of the step has taken place. */
const isBeginning = ({ chosen, known, done }: Point): boolean => !chosen && known.length === 0 && done === 0

const NO_CELLS: ReadonlyMap<number, Value> = new Map()

/** A point within the step that begins at the given one, or began before it. */
const within = (point: Point): Point => {
  const { action: _, successors: __, ...rest } = point
  return { ...rest, since: point.since ?? point }
}

const isList = (found: readonly Alternative[] | Need): found is readonly Alternative[] => Array.isArray(found)

/**
 * Effects before the read are events before it. An atomic step reads first: whether it takes place at all may depend on
 * what it reads, and nobody sees the order of its accesses.
 */
const asked = (point: Point, need: Need): Action => {
  const before = need.effects[point.done]
  if (before && (!isAtomicEdge(need.edge) || before.kind === 'fence'))
    return { kind: 'effect', effect: before, after: { ...within(point), done: point.done + 1 }, at: point }
  const { edge, location, type, isAtomic, block } = need
  const read = {
    kind: 'read',
    location: location.id,
    type,
    isAtomic,
    edge,
    ...ordersOf(edge, 'read'),
    at: point,
  } as const
  return block ? { ...read, block } : read
}
