// One step of a thread: all the edges that leave its location, run as far as what has been read allows.
import type { Layout } from '../../semantics/layout.js'
import { lazyChoice } from '../../semantics/step/choices.js'
import { livenessOf } from '../../semantics/step/liveness.js'
import { type Edge, type Expr, type Label, Unsupported, type Value, type Variable, wrap } from '../../xcfa/index.js'
import { read, written } from '../../xcfa/passes/labels.js'
import type { Locations } from './locations.js'
import { fenceOrder, isAtomic } from './orders.js'
import type { Alternative, Point } from './point.js'
import { type Need, type Running, StepMemory, type Stopped } from './step-memory.js'
import type { Threads } from './threads.js'
import { unsetRegions } from './unset.js'

export class Steps {
  private readonly memory: StepMemory
  private readonly globalReads = new Map<Label, readonly Variable[]>()
  private readonly globalWrites = new Map<Label, readonly Variable[]>()

  constructor(
    private readonly layout: Layout,
    private readonly locations: Locations,
    private readonly threads: Threads,
  ) {
    this.memory = new StepMemory(layout, locations, unsetRegions(layout.program))
  }

  /** All ways to take the next step, or what must be read first. */
  alternatives(point: Point): readonly Alternative[] | Need {
    const found: Alternative[] = []
    for (const edge of point.template.outgoing.get(point.location) ?? []) {
      const running: Running = {
        ...{
          globals: [],
          locals: point.locals.slice(),
          memory: new Map(),
          cells: undefined,
          effects: [],
          starts: [],
          choices: [],
        },
        ...{ allocated: point.allocated, started: point.started },
      }
      this.memory.know(running, point.known)
      const need = this.runFrom(point, edge, running, 0, found)
      if (need) return need
    }
    return found
  }

  private runFrom(point: Point, edge: Edge, running: Running, from: number, found: Alternative[]): Need | undefined {
    const { labels } = edge
    for (let i = from; i < labels.length; i++) {
      const label = labels[i]!
      for (const variable of this.readsOf(label)) {
        const slot = this.layout.globals.get(variable)!
        if (running.globals[slot] !== undefined) continue
        const need = { location: this.memory.variable(variable), type: variable.type, edge }
        return { ...need, isAtomic: isAtomic(edge, variable.atomic), effects: running.effects }
      }
      const outcome = this.runLabel(point, edge, running, label, i)
      if (outcome === 'next') {
        for (const variable of this.writesOf(label)) this.memory.writeVariable(edge, running, variable)
        continue
      }
      if (outcome === 'disabled') return undefined
      if ('need' in outcome) return outcome.need
      if ('stopped' in outcome) {
        const halt = { kind: 'undefined', text: outcome.stopped, violates: outcome.violates } as const
        found.push({
          ...alternative(edge, { ...running, effects: running.effects.slice(0, point.done), starts: [] }, point),
          stopped: halt,
        })
        return undefined
      }
      for (const value of outcome.values) {
        const way: Running = copyOf(running)
        way.choices.push(value)
        this.memory.assign(point.template, way, outcome.target, value)
        for (const variable of this.writesOf(label)) this.memory.writeVariable(edge, way, variable)
        const need = this.runFrom(point, edge, way, i + 1, found)
        if (need) return need
      }
      return undefined
    }
    found.push(alternative(edge, running, point))
    return undefined
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
    | { readonly need: Need }
    | Stopped
    | { readonly values: readonly Value[]; readonly target: Variable } {
    const { template } = point
    const value = (e: Expr): Value =>
      this.layout.evaluator(template, e)(running as { globals: Value[]; locals: Value[] })
    switch (label.kind) {
      case 'assign':
        this.memory.assign(template, running, label.target, value(label.value))
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
        return this.memory.load(point, edge, running, label, value(label.address))
      case 'store':
        return this.memory.store(point, edge, running, label, value(label.address), value(label.value))
      case 'allocate': {
        const { address, life } = this.locations.allocate(label.object, point.thread, running.allocated, edge.position)
        const size = value(label.size)
        if (size > label.object.size) throw new Unsupported(`an allocation of ${size} bytes`, edge.position)
        running.effects.push({ kind: 'allocate', location: life.id, size: Number(size), edge })
        running.allocated++
        this.memory.assign(template, running, label.target, address)
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
        const number = this.threads.numberOf(point.thread, ++running.started)
        running.starts.push({ kind: 'start', template: started, args: label.args.map(value), number, edge })
        this.memory.assign(template, running, label.target, number)
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

const alternative = (edge: Edge, running: Running, point: Point): Alternative => ({
  ...{ edge, choices: running.choices, effects: [...running.effects, ...running.starts], locals: running.locals },
  ...{ cells: running.cells ?? point.cells, allocated: running.allocated, started: running.started },
})

const copyOf = (r: Running): Running => ({
  ...r,
  globals: r.globals.slice(),
  locals: r.locals.slice(),
  memory: new Map(r.memory),
  cells: r.cells && new Map(r.cells),
  effects: r.effects.slice(),
  starts: r.starts.slice(),
  choices: r.choices.slice(),
})
