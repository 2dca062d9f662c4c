// Threads by themselves: from a point to what the thread does next, given the values that it has read. Work that no
// other thread sees is done on the way; an endless loop of such work is reported, not followed.

import { type Layout, layoutOf, type TemplateLayout } from '../../semantics/layout.js'
import { lazyChoice } from '../../semantics/step/choices.js'
import { newThread } from '../../semantics/step/execute.js'
import { livenessOf } from '../../semantics/step/liveness.js'
import {
  type Edge,
  type Expr,
  type Halt,
  type Label,
  type Load,
  type Location,
  type MemoryOrder,
  type Program,
  type Store,
  syncOrder,
  type Type,
  Unsupported,
  type Value,
  type Variable,
  wrap,
} from '../../xcfa/index.js'
import { read, written } from '../../xcfa/passes/labels.js'
import { convert, type LocationInfo, Locations } from './locations.js'
import { type Action, type Alternative, type Effect, isSamePoint, type Path, type Point } from './point.js'

/** Steps that a thread may take without an event before it counts as endless. */
const MAX_LOCAL_STEPS = 100_000

/** Points after reads that are kept to be met again: what a thread does next is then worked out once. */
const MAX_REMEMBERED_POINTS = 50_000

/** A thread that goes on for ever, or for too long, without anything that others can see. */
export class EndlessThread extends Error {
  constructor(readonly edge: Edge) {
    super(`a loop without an end at ${edge.position.file}:${edge.position.line}`)
  }
}

/** The step cannot go on before this location is read. */
interface Need {
  readonly location: LocationInfo
  readonly type: Type
  readonly edge: Edge
  readonly isAtomic: boolean
  readonly effects: readonly Effect[]
  readonly block?: { readonly life: number; readonly end: number }
}

/** An edge in the making. */
interface Running {
  readonly globals: (Value | undefined)[]
  readonly locals: Value[]
  readonly memory: Map<number, Value>
  cells: Map<number, Value> | undefined
  readonly effects: Effect[]
  readonly choices: Value[]
  allocated: number
  started: number
}

export class Machine {
  readonly layout: Layout
  readonly locations: Locations
  private readonly globalReads = new Map<Label, readonly Variable[]>()
  private readonly globalWrites = new Map<Label, readonly Variable[]>()
  private readonly deadSlots = new Map<Location, readonly number[]>()
  private readonly beginnings = new WeakMap<Effect, Point>()
  private era = 0
  private remembered = 0
  private need: Need | undefined

  /** A loop was followed as often as is allowed, and goes on. */
  isCut = false

  constructor(
    readonly program: Program,
    /** How often a thread may take an edge that leads back; 0: as often as it likes. */
    private readonly unroll = 0,
  ) {
    this.layout = layoutOf(program)
    this.locations = new Locations(this.layout)
    this.checkStarts()
  }

  /** Numbers of threads must not depend on who is faster: only one thread may start others. */
  private checkStarts(): void {
    for (const [name, { edges }] of this.program.templates)
      for (const { labels, position } of edges)
        for (const label of labels) {
          if (label.kind !== 'start') continue
          if (name !== this.program.main.name)
            throw new Unsupported('threads that start threads, in the engine graphs', position)
          if (label.procedure === this.program.main.name) throw new Unsupported('main as a thread', position)
        }
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
    let { successors } = point
    if (successors?.era !== this.era) point.successors = successors = { era: this.era, byValue: new Map() }
    let after = successors.byValue.get(value)
    if (!after) {
      after = { ...within(point), known: [...point.known, { location, value }] }
      successors.byValue.set(value, after)
      if (++this.remembered >= MAX_REMEMBERED_POINTS) {
        this.remembered = 0
        this.era++
      }
    }
    return after
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
      const alternatives = this.alternatives(point)
      if (this.need) return this.asked(point, this.need)
      if (alternatives.length === 0)
        return location.kind === 'final' ? { kind: 'ended', at: point } : { kind: 'blocked', at: point }
      if (alternatives.length > 1)
        return { kind: 'choose', alternatives: alternatives.map((chosen) => ({ ...within(point), chosen })), at: point }
      point = { ...within(point), chosen: alternatives[0]! }
    }
    throw new EndlessThread(this.layout.templates.get(point.template.procedure.name)!.outgoing.get(point.location)![0]!)
  }

  /**
   * Effects before the read are events before it. An atomic step reads first: whether it takes place at all may depend
   * on what it reads, and nobody sees the order of its accesses.
   */
  private asked(point: Point, need: Need): Action {
    const before = need.effects[point.done]
    if (before && (!isAtomicEdge(need.edge) || before.kind === 'fence'))
      return { kind: 'effect', effect: before, after: { ...within(point), done: point.done + 1 }, at: point }
    const { edge } = need
    const { order, failureOrder } = ordersOf(edge, 'read')
    return {
      ...{
        kind: 'read',
        location: need.location.id,
        type: need.type,
        isAtomic: need.isAtomic,
        edge,
        order,
        failureOrder,
      },
      ...(need.block && { block: need.block }),
      at: point,
    }
  }

  private finished(point: Point, chosen: Alternative): Point {
    const { edge, choices, locals, cells, allocated, started, stopped } = chosen
    const path: Path = { edge, choices, before: point.path, length: (point.path?.length ?? 0) + 1 }
    const { thread, template } = point
    if (this.unroll > 0 && edge.back && timesTaken(path, edge) > this.unroll) {
      this.isCut = true
      return {
        thread,
        template,
        location: point.location,
        locals,
        cells,
        allocated,
        started,
        stopped: CUT,
        known: [],
        done: 0,
      }
    }
    if (stopped)
      return {
        thread,
        template,
        location: point.location,
        locals,
        cells,
        allocated,
        started,
        stopped,
        known: [],
        done: 0,
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

  // ---- a step: all edges that leave a location

  private alternatives(point: Point): readonly Alternative[] {
    this.need = undefined
    const found: Alternative[] = []
    for (const edge of point.template.outgoing.get(point.location) ?? []) {
      const running: Running = {
        ...{ globals: [], locals: point.locals.slice(), memory: new Map(), cells: undefined, effects: [], choices: [] },
        ...{ allocated: point.allocated, started: point.started },
      }
      for (const { location, value } of point.known) {
        running.memory.set(location, value)
        const info = this.locations.all[location]!
        if (info.kind === 'variable') running.globals[this.slotOfLocation(location)] = value
      }
      this.runFrom(point, edge, running, 0, found)
      if (this.need) return []
    }
    return found
  }

  private readonly slots = new Map<number, number>()

  private slotOfLocation(location: number): number {
    return this.slots.get(location)!
  }

  private variable(variable: Variable): LocationInfo {
    const slot = this.layout.globals.get(variable)!
    const info = this.locations.ofVariable(slot, variable)
    this.slots.set(info.id, slot)
    return info
  }

  private runFrom(point: Point, edge: Edge, running: Running, from: number, found: Alternative[]): void {
    const { labels } = edge
    for (let i = from; i < labels.length; i++) {
      const label = labels[i]!
      for (const variable of this.readsOf(label)) {
        const slot = this.layout.globals.get(variable)!
        if (running.globals[slot] !== undefined) continue
        const location = this.variable(variable)
        this.need = {
          ...{
            location,
            type: variable.type,
            edge,
            isAtomic: isAtomic(edge, variable.atomic),
            effects: running.effects,
          },
        }
        return
      }
      const outcome = this.runLabel(point, edge, running, label, i)
      if (outcome === 'next') {
        for (const variable of this.writesOf(label)) this.writeVariable(edge, running, variable)
        continue
      }
      if (outcome === 'disabled' || outcome === 'need') return
      if ('stopped' in outcome) {
        const halt = { kind: 'undefined', text: outcome.stopped, violates: outcome.violates } as const
        found.push({
          ...alternative(edge, { ...running, effects: running.effects.slice(0, point.done) }, point),
          stopped: halt,
        })
        return
      }
      for (const value of outcome.values) {
        const way: Running = copyOf(running)
        way.choices.push(value)
        this.assign(point.template, way, outcome.target, value)
        for (const variable of this.writesOf(label)) this.writeVariable(edge, way, variable)
        this.runFrom(point, edge, way, i + 1, found)
        if (this.need) return
      }
      return
    }
    found.push(alternative(edge, running, point))
  }

  private runLabel(
    point: Point,
    edge: Edge,
    running: Running,
    label: Label,
    index: number,
  ):
    | 'next'
    | 'disabled'
    | 'need'
    | { readonly stopped: string; readonly violates: 'deref' | 'free' }
    | { readonly values: readonly Value[]; readonly target: Variable } {
    const { template } = point
    const value = (e: Expr): Value =>
      this.layout.evaluator(template, e)(running as { globals: Value[]; locals: Value[] })
    switch (label.kind) {
      case 'assign':
        this.assign(template, running, label.target, value(label.value))
        return 'next'
      case 'assume':
        return value(label.condition) === 0 ? 'disabled' : 'next'
      case 'havoc': {
        const range = label.range && { low: BigInt(value(label.range.low)), high: BigInt(value(label.range.high)) }
        if (range && range.low > range.high) return 'disabled'
        if (
          label.target.scope === 'local' &&
          !livenessOf(template.procedure).isLiveBefore(label.target, edge, index + 1)
        )
          return { values: [range ? wrap(label.target.type, range.low) : 0], target: label.target }
        return { values: this.valuesOf(point, edge, running, label.target, index, range), target: label.target }
      }
      case 'load':
        return this.load(point, edge, running, label, value(label.address))
      case 'store':
        return this.store(point, edge, running, label, value(label.address), value(label.value))
      case 'allocate': {
        const { address, life } = this.locations.allocate(label.object, point.thread, running.allocated, edge.position)
        const size = value(label.size)
        if (size > label.object.size) throw new Unsupported(`an allocation of ${size} bytes`, edge.position)
        running.effects.push({ kind: 'allocate', location: life.id, size: Number(size), edge })
        running.allocated++
        this.assign(template, running, label.target, address)
        return 'next'
      }
      case 'free': {
        const address = value(label.address)
        if (address === 0) return 'next'
        const life = this.locations.freed(address)
        if (!life) return { stopped: 'invalid free', violates: 'free' }
        running.effects.push({ kind: 'free', location: life.id, edge })
        return 'next'
      }
      case 'start': {
        const started = this.layout.templates.get(label.procedure)
        if (!started) throw new Error(`no template ${label.procedure}`)
        const number = ++running.started
        running.effects.push({ kind: 'start', template: started, args: label.args.map(value), number, edge })
        this.assign(template, running, label.target, number)
        return 'next'
      }
      case 'join':
        running.effects.push({ kind: 'join', thread: Number(value(label.thread)), edge })
        return 'next'
      case 'fence':
        running.effects.push({ kind: 'fence', order: fenceOrder(label, edge), edge })
        return 'next'
      case 'primitive':
      case 'call':
        throw new Unsupported(`${label.kind} in the engine graphs`, edge.position)
    }
  }

  private valuesOf(
    point: Point,
    edge: Edge,
    running: Running,
    target: Variable,
    index: number,
    range: { readonly low: bigint; readonly high: bigint } | undefined,
  ): readonly Value[] {
    const { template } = point
    const values = lazyChoice(
      'havoc',
      { target, ...(range && { range }) },
      {
        ...{ template, edge, next: index + 1, target, endsMatter: false, onlyStored: false },
        valueOf: (v) => {
          const known =
            v.scope === 'local' ? running.locals[template.slots.get(v)!] : running.globals[this.layout.globals.get(v)!]
          if (known === undefined) throw new Unsupported('an input whose values depend on shared memory', edge.position)
          return known
        },
      },
    )
    if (values === 'open') throw new Error('a choice is never left open here')
    return values
  }

  private load(
    point: Point,
    edge: Edge,
    running: Running,
    label: Load,
    address: Value,
  ): 'next' | 'need' | { readonly stopped: string; readonly violates: 'deref' } {
    if (label.region.scope === 'local') {
      const known = (running.cells ?? point.cells).get(Number(address)) ?? this.firstPrivate(label, address, edge)
      this.assign(point.template, running, label.target, known)
      return 'next'
    }
    const resolved = this.locations.resolve(label.region, address, label.type, edge.position)
    if (resolved.kind === 'bad') return { stopped: resolved.text, violates: 'deref' }
    const { location, block } = resolved
    const known = running.memory.get(location.id)
    if (known === undefined) {
      const { effects } = running
      this.need = {
        location,
        type: label.type,
        edge,
        isAtomic: isAtomic(edge, label.atomic),
        effects,
        ...(block && { block }),
      }
      return 'need'
    }
    this.assign(
      point.template,
      running,
      label.target,
      wrap(label.target.type, convert(location.type, label.type, known)),
    )
    return 'next'
  }

  private store(
    point: Point,
    edge: Edge,
    running: Running,
    label: Store,
    address: Value,
    value: Value,
  ): 'next' | { readonly stopped: string; readonly violates: 'deref' } {
    if (label.region.scope === 'local') {
      running.cells ??= new Map(point.cells)
      const resolved = this.locations.resolve(label.region, address, label.type, edge.position)
      if (resolved.kind === 'bad') return { stopped: resolved.text, violates: 'deref' }
      running.cells.set(Number(address), convert(label.type, resolved.location.type, wrap(label.type, value)))
      return 'next'
    }
    const resolved = this.locations.resolve(label.region, address, label.type, edge.position)
    if (resolved.kind === 'bad') return { stopped: resolved.text, violates: 'deref' }
    const { location, block } = resolved
    const stored = convert(label.type, location.type, wrap(label.type, value))
    const { order } = ordersOf(edge, 'write')
    running.memory.set(location.id, stored)
    running.effects.push({
      ...{ kind: 'write', location: location.id, value: stored, isAtomic: isAtomic(edge, label.atomic), order, edge },
      ...(block && { block }),
    })
    return 'next'
  }

  /** First contents of private memory. */
  private firstPrivate(label: Load, address: Value, edge: Edge): Value {
    const resolved = this.locations.resolve(label.region, address, label.type, edge.position)
    if (resolved.kind === 'bad' || resolved.location.initial === undefined)
      throw new Unsupported('a value of memory that nobody wrote, in the engine graphs', edge.position)
    return convert(resolved.location.type, label.type, resolved.location.initial)
  }

  private writeVariable(edge: Edge, running: Running, variable: Variable): void {
    const location = this.variable(variable)
    const value = wrap(variable.type, running.globals[this.layout.globals.get(variable)!]!)
    running.memory.set(location.id, value)
    const { order } = ordersOf(edge, 'write')
    running.effects.push({
      kind: 'write',
      location: location.id,
      value,
      isAtomic: isAtomic(edge, variable.atomic),
      order,
      edge,
    })
  }

  private assign(template: TemplateLayout, running: Running, target: Variable, value: Value): void {
    if (target.scope === 'global') running.globals[this.layout.globals.get(target)!] = value
    else running.locals[template.slots.get(target)!] = value
  }

  private readsOf(label: Label): readonly Variable[] {
    let found = this.globalReads.get(label)
    if (!found) this.globalReads.set(label, (found = [...read(label)].filter((v) => v.scope === 'global')))
    return found
  }

  private writesOf(label: Label): readonly Variable[] {
    let found = this.globalWrites.get(label)
    if (!found) this.globalWrites.set(label, (found = written(label).filter((v) => v.scope === 'global')))
    return found
  }
}

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

const alternative = (edge: Edge, running: Running, point: Point): Alternative => ({
  ...{ edge, choices: running.choices, effects: running.effects, locals: running.locals },
  ...{ cells: running.cells ?? point.cells, allocated: running.allocated, started: running.started },
})

const copyOf = (r: Running): Running => ({
  ...r,
  globals: r.globals.slice(),
  locals: r.locals.slice(),
  memory: new Map(r.memory),
  cells: r.cells && new Map(r.cells),
  effects: r.effects.slice(),
  choices: r.choices.slice(),
})

/** An atomic step: nothing lies between its accesses. */
export const isAtomicEdge = ({ sync, source, target }: Edge): boolean =>
  source.atomic || target.atomic || (sync !== undefined && sync.kind !== 'start' && sync.kind !== 'join')

const isAtomic = (edge: Edge, declared: boolean | undefined): boolean => declared === true || isAtomicEdge(edge)

const fenceOrder = (label: Extract<Label, { kind: 'fence' }>, { position }: Edge): MemoryOrder => {
  const order = label.c11 ?? label.order ?? 'seq_cst'
  if (order === 'unknown') throw new Unsupported('a memory order that is computed when the program runs', position)
  return order
}

const ordersOf = (
  { sync, position }: Edge,
  kind: 'read' | 'write',
): { readonly order: MemoryOrder; readonly failureOrder: MemoryOrder } => {
  if (sync && sync.kind !== 'atomic' && sync.kind !== 'start' && sync.kind !== 'join') {
    return { order: syncOrder(sync.kind, kind, true), failureOrder: syncOrder(sync.kind, kind, false) }
  }
  const order = sync?.c11 ?? 'seq_cst'
  if (order === 'unknown' || sync?.c11Failure === 'unknown')
    throw new Unsupported('a memory order that is computed when the program runs', position)
  return { order, failureOrder: sync?.c11Failure ?? order }
}
