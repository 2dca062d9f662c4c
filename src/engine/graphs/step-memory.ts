// The memory that a step in the making works on: what it has read and written so far, private cells of its thread, and
// what others will see of it.
import type { Layout, TemplateLayout } from '../../semantics/layout.js'
import {
  type Edge,
  type Load,
  type Region,
  type Store,
  type Type,
  Unsupported,
  type Value,
  type Variable,
  wrap,
} from '../../xcfa/index.js'
import { convert, type LocationInfo, type Locations } from './locations.js'
import { isAtomic, ordersOf } from './orders.js'
import type { Effect, InBlock, Point } from './point.js'
import { isLibraryCall } from './unset.js'

/** The step cannot go on before this location is read. */
export interface Need {
  readonly location: LocationInfo
  readonly type: Type
  readonly edge: Edge
  readonly isAtomic: boolean
  readonly effects: readonly Effect[]
  readonly block?: InBlock
}

/** An edge in the making. */
export interface Running {
  readonly globals: (Value | undefined)[]
  readonly locals: Value[]
  readonly memory: Map<number, Value>
  cells: Map<number, Value> | undefined
  readonly effects: Effect[]
  /** Threads that it starts: when all else is done, since the step is one to those who begin then. */
  readonly starts: Effect[]
  readonly choices: Value[]
  allocated: number
  started: number
}

/** Undefined behaviour stops the thread. */
export interface Stopped {
  readonly stopped: string
  readonly violates: 'deref' | 'free'
}

export class StepMemory {
  /** Slots of global variables, by their location. */
  private readonly slots = new Map<number, number>()

  constructor(
    private readonly layout: Layout,
    private readonly locations: Locations,
    private readonly unset: ReadonlySet<Region>,
  ) {}

  variable(variable: Variable): LocationInfo {
    const slot = this.layout.globals.get(variable)!
    const info = this.locations.ofVariable(slot, variable)
    this.slots.set(info.id, slot)
    return info
  }

  /** What is known of memory when a step begins: what it has read. */
  know(running: Running, known: Point['known']): void {
    for (const { location, value } of known) {
      running.memory.set(location, value)
      const slot = this.slots.get(location)
      if (slot !== undefined) running.globals[slot] = value
    }
  }

  /** A need: the location must be read first. */
  load(
    point: Point,
    edge: Edge,
    running: Running,
    label: Load,
    address: Value,
  ): 'next' | { readonly need: Need } | Stopped {
    const resolved = this.locations.resolve(label.region, address, label.type, edge.position)
    if (resolved.kind === 'bad') return { stopped: resolved.text, violates: 'deref' }
    const { location, block } = resolved
    if (label.region.scope === 'local') {
      const held = (running.cells ?? point.cells).get(Number(address)) ?? location.initial
      if (held === undefined)
        throw new Unsupported('a value of memory that nobody wrote, in the engine graphs', edge.position)
      // A cell holds a value of its own type, which another member of a union may have given it.
      const read = wrap(label.target.type, convert(location.type, label.type, held))
      this.assign(point.template, running, label.target, read)
      return 'next'
    }
    const isUnset = location.initial === 0 && this.unset.has(label.region) && isLibraryCall(edge)
    const known = isUnset ? 0 : running.memory.get(location.id)
    if (known === undefined) {
      const { effects } = running
      const need = { location, type: label.type, edge, isAtomic: isAtomic(edge, label.atomic), effects }
      return { need: { ...need, ...(block && { block }) } }
    }
    this.assign(
      point.template,
      running,
      label.target,
      wrap(label.target.type, convert(location.type, label.type, known)),
    )
    return 'next'
  }

  store(point: Point, edge: Edge, running: Running, label: Store, address: Value, value: Value): 'next' | Stopped {
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

  writeVariable(edge: Edge, running: Running, variable: Variable): void {
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

  assign(template: TemplateLayout, running: Running, target: Variable, value: Value): void {
    if (target.scope === 'global') running.globals[this.layout.globals.get(target)!] = value
    else running.locals[template.slots.get(target)!] = value
  }
}
