// The steps of one thread by itself. Cells that somebody writes hold any value when they are read; all others hold what main
// left in them. A cell is taken as a lock by a step that reads it, goes on only if it is zero, and writes something else: who
// has done so holds it until he writes it again.
import {
  type Access,
  byteSize,
  type Edge,
  type Expr,
  isAtomicStep,
  type Label,
  type Load,
  type Location,
  labelAccesses,
  type Store,
  type Value,
  type Variable,
  variablesOf,
} from '../../../xcfa/index.js'
import type { Cell, SharedCells } from './cells.js'
import {
  anyOf,
  evaluate,
  isEmpty,
  isRange,
  type Known,
  knownOf,
  narrowingOf,
  onlyOpen,
  type Sight,
  shifted,
  valueOrRange,
} from './values.js'

/** Nothing is proved: an address is not known, or a step is beyond this analysis. */
export class TooVague extends Error {}

export interface Local extends Sight {
  readonly location: Location
  /** Cells that it has taken as locks. */
  readonly held: ReadonlySet<Cell>
  /** Those that it held before its atomic block began: all of the block is next to a thread that has yet to enter. */
  readonly outside: ReadonlySet<Cell>
  /** Threads that main has started one by one and not joined yet, and how many it has started. */
  readonly running: readonly { readonly procedure: string; readonly number: number }[]
  readonly threads: number
  /** Templates of which main has joined all threads. */
  readonly ended: ReadonlySet<string>
}

/** What a step does beside changing its thread. */
export interface Effects {
  access(cells: readonly Cell[], access: Access, local: Local): void
  /** A lock of these cells is taken. */
  taken(cells: readonly Cell[]): void
  /** Somebody writes a cell that he neither takes nor holds. */
  improper(cell: Cell): void
  /** Whether the thread has a number that is known. */
  start(edge: Edge, procedure: string, args: readonly Value[]): boolean
}

/** A step in the making. */
interface Partial {
  readonly locals: readonly Known[]
  readonly globals: readonly Known[]
  readonly held: ReadonlySet<Cell>
  readonly running: Local['running']
  readonly threads: number
  /** Locals that were read from cells in this step, and cells that are known to be zero together. */
  readonly from: ReadonlyMap<Variable, readonly Cell[]>
  readonly zero: readonly (readonly Cell[])[]
}

/** Ranges are split into no more values than this. */
const MAX_SPLIT = 256

export class LocalSteps {
  constructor(
    private readonly cells: SharedCells,
    private readonly effects: Effects,
  ) {}

  *successors(local: Local): Generator<{ readonly edge: Edge; readonly next: Local }> {
    for (const edge of local.template.outgoing.get(local.location) ?? [])
      for (const { locals, globals, held, running, threads } of this.execute(local, edge)) {
        const outside = edge.target.atomic ? local.outside : held
        const next = { ...local, location: edge.target, locals, globals, held, running, threads, outside }
        yield { edge, next }
      }
  }

  private execute(local: Local, edge: Edge): readonly Partial[] {
    const { locals, globals, held, running, threads } = local
    let open: readonly Partial[] = [{ locals, globals, held, running, threads, from: new Map(), zero: [] }]
    for (const label of edge.labels) open = open.flatMap((partial) => this.label(local, edge, label, partial))
    return open
  }

  private label(local: Local, edge: Edge, label: Label, partial: Partial): readonly Partial[] {
    const sight = { ...partial, template: local.template }
    if (label.kind === 'load' || label.kind === 'store') {
      if (label.region.scope === 'local') return [this.ownMemory(local, label, partial)]
      const address = evaluate(this.cells.layout, sight, label.address)
      if (address !== undefined) return this.memory(local, edge, label, partial, address)
      const split = this.split(sight, partial, label.address)
      return split.flatMap((each) => this.label(local, edge, label, each))
    }
    this.variables(local, edge, label)
    switch (label.kind) {
      case 'assign':
        return this.assign(local, label, partial)
      case 'assume':
        return this.assume(sight, label.condition, partial)
      case 'havoc':
        return [this.havoc(sight, label, partial)]
      case 'start':
        return [this.start(local, edge, sight, label, partial)]
      case 'join':
        return [this.join(sight, label.thread, partial)]
      case 'fence':
        return [partial]
      default:
        throw new TooVague(`a step that is a ${label.kind}`)
    }
  }

  // ---- memory

  /** Memory in which no other thread has an address: any value. */
  private ownMemory(local: Local, label: Load | Store, partial: Partial): Partial {
    return label.kind === 'store' ? partial : this.set(local, partial, label.target, anyOf(label.target.type))
  }

  private memory(local: Local, edge: Edge, label: Load | Store, partial: Partial, address: Value): readonly Partial[] {
    this.variables(local, edge, label)
    if (this.cells.isFrameOfThread(address)) throw new TooVague('an address in the frame of a thread')
    const found = this.cells.at(label, address)
    if (!found) return []
    const cells = this.cells.bytes(address, byteSize(label.type))
    const access = labelAccesses(label, isAtomicStep(edge)).find(({ kind }) => kind === 'memory')!
    this.effects.access(cells, access, local)
    if (label.kind === 'store') return [this.written(partial, cells, this.isNonZero(local, partial, label.value))]
    const next = this.set(local, partial, label.target, found.value ?? anyOf(label.target.type))
    if (found.value !== undefined) return [next]
    return [{ ...next, from: new Map([...next.from, [label.target, cells]]) }]
  }

  private variables(local: Local, edge: Edge, label: Label): void {
    for (const access of labelAccesses(label, isAtomicStep(edge)))
      if (access.kind === 'variable') this.effects.access([access.variable], access, local)
  }

  private written(partial: Partial, cells: readonly Cell[], isNonZero: boolean): Partial {
    for (const cell of cells) this.cells.write(cell)
    const isWritten = (cell: Cell): boolean => cells.includes(cell)
    const takes = isNonZero && partial.zero.some((zero) => isSame(zero, cells))
    if (takes) this.effects.taken(cells)
    else for (const cell of cells) if (!partial.held.has(cell)) this.effects.improper(cell)
    const held = new Set([...partial.held].filter((cell) => !isWritten(cell)))
    if (takes) for (const cell of cells) held.add(cell)
    const zero = partial.zero.filter((zero) => !zero.some(isWritten))
    const from = new Map([...partial.from].filter(([, read]) => !read.some(isWritten)))
    return { ...partial, held, zero, from }
  }

  /** The number of a thread plus something, or a value that is known. */
  private isNonZero({ template }: Local, partial: Partial, value: Expr): boolean {
    const e = sameBits(value)
    if (e.kind === 'binary' && e.op === 'add' && e.left.kind === 'var' && e.left.variable === template.procedure.self)
      return e.right.kind === 'const' && e.right.value > 0 && Number(e.right.value) < 2 ** 16
    const known = evaluate(this.cells.layout, { ...partial, template }, e)
    return known !== undefined && Number(known) !== 0
  }

  // ---- variables

  private set(local: Local, partial: Partial, variable: Variable, value: Known): Partial {
    const from = new Map([...partial.from].filter(([target]) => target !== variable))
    if (variable.scope === 'global') throw new TooVague('a step that writes a global variable by a load')
    const slot = local.template.slots.get(variable)!
    return { ...partial, from, locals: partial.locals.with(slot, value) }
  }

  private assign(local: Local, label: Extract<Label, { kind: 'assign' }>, partial: Partial): readonly Partial[] {
    const { target, value } = label
    const sight = { ...partial, template: local.template }
    if (target.scope === 'global') return [this.written(partial, [target], this.isNonZero(local, partial, value))]
    const known = evaluate(this.cells.layout, sight, value)
    if (known !== undefined) return [this.set(local, partial, target, known)]
    // A comparison whose outcome is kept is made twice, once for each outcome.
    const narrowing = this.narrowing(sight, value)
    if (narrowing && target.type.kind !== 'float') {
      const outcome = (range: typeof narrowing.holds, result: number): readonly Partial[] =>
        isEmpty(range)
          ? []
          : [this.set(local, this.set(local, partial, narrowing.variable, valueOrRange(range)), target, result)]
      return [...outcome(narrowing.holds, 1), ...outcome(narrowing.other, 0)]
    }
    const copied = value.kind === 'var' ? knownOf(sight, this.cells.layout, value.variable) : undefined
    const range = copied ?? shifted(this.cells.layout, sight, value) ?? anyOf(target.type)
    const next = this.set(local, partial, target, range)
    const cells = value.kind === 'var' ? this.cellsOf(partial, value.variable) : undefined
    return cells === undefined ? [next] : [{ ...next, from: new Map([...next.from, [target, cells]]) }]
  }

  private cellsOf(partial: Partial, variable: Variable): readonly Cell[] | undefined {
    return variable.scope === 'global' ? [variable] : partial.from.get(variable)
  }

  private narrowing(sight: Sight, e: Expr): ReturnType<typeof narrowingOf> {
    return narrowingOf(e, (variable) => {
      if (variable.scope === 'global') return undefined
      const known = knownOf(sight, this.cells.layout, variable)
      return isRange(known) ? known : undefined
    })
  }

  private assume(sight: Sight, whole: Expr, partial: Partial): readonly Partial[] {
    const condition = onlyOpen(whole, (e) => evaluate(this.cells.layout, sight, e))
    if (condition.kind === 'and')
      return condition.args.reduce<readonly Partial[]>(
        (all, e) => all.flatMap((each) => this.assume({ ...each, template: sight.template }, e, each)),
        [partial],
      )
    const known = evaluate(this.cells.layout, sight, condition)
    if (known !== undefined) return known ? [partial] : []
    const zero = this.zeroCells(condition, partial)
    const after = zero === undefined ? partial : { ...partial, zero: [...partial.zero, zero] }
    const narrowing = this.narrowing(sight, condition)
    if (!narrowing) return [after]
    if (isEmpty(narrowing.holds)) return []
    const slot = sight.template.slots.get(narrowing.variable)!
    return [{ ...after, locals: after.locals.with(slot, valueOrRange(narrowing.holds)) }]
  }

  /** The cells that a condition says are zero. */
  private zeroCells(e: Expr, partial: Partial): readonly Cell[] | undefined {
    if (e.kind !== 'compare' || e.op !== 'eq' || e.right.kind !== 'const' || Number(e.right.value) !== 0)
      return undefined
    const left = sameBits(e.left)
    return left.kind === 'var' ? this.cellsOf(partial, left.variable) : undefined
  }

  private havoc(sight: Sight, { target, range }: Extract<Label, { kind: 'havoc' }>, partial: Partial): Partial {
    if (target.scope === 'global') return this.written(partial, [target], false)
    const any = anyOf(target.type)
    const ends = range && [range.low, range.high].map((e) => evaluate(this.cells.layout, sight, e))
    const [low, high] = ends ?? []
    const known = low !== undefined && high !== undefined && Number.isFinite(any.low)
    const value = known ? { low: Number(low), high: Number(high) } : any
    const slot = sight.template.slots.get(target)!
    const from = new Map([...partial.from].filter(([variable]) => variable !== target))
    return { ...partial, from, locals: partial.locals.with(slot, valueOrRange(value)) }
  }

  /** Only main's threads have numbers that are known. */
  private start(
    local: Local,
    edge: Edge,
    sight: Sight,
    { procedure, args, target }: Extract<Label, { kind: 'start' }>,
    partial: Partial,
  ): Partial {
    const values = args.map((e) => evaluate(this.cells.layout, sight, e))
    if (values.some((value) => value === undefined)) throw new TooVague('a thread whose argument is not known')
    const isCounted = this.effects.start(edge, procedure, values as Value[])
    if (!isCounted) return this.set(local, partial, target, anyOf(target.type))
    const running = [...partial.running, { procedure, number: partial.threads + 1 }]
    return { ...this.set(local, partial, target, partial.threads + 1), running, threads: partial.threads + 1 }
  }

  private join(sight: Sight, thread: Expr, partial: Partial): Partial {
    const number = evaluate(this.cells.layout, sight, thread)
    return { ...partial, running: partial.running.filter((each) => each.number !== Number(number ?? -1)) }
  }

  /** One partial for each value of a variable that an address depends on. */
  private split(sight: Sight, partial: Partial, address: Expr): readonly Partial[] {
    for (const variable of variablesOf(address)) {
      const known = variable.scope === 'local' ? knownOf(sight, this.cells.layout, variable) : undefined
      if (known === undefined || !isRange(known) || known.high - known.low >= MAX_SPLIT) continue
      const slot = sight.template.slots.get(variable)!
      return Array.from({ length: known.high - known.low + 1 }, (_, i) => ({
        ...partial,
        locals: partial.locals.with(slot, known.low + i),
      }))
    }
    throw new TooVague('an address that is not known')
  }
}

const isSame = (a: readonly Cell[], b: readonly Cell[]): boolean =>
  a.length === b.length && a.every((cell, i) => cell === b[i])

/** Without casts that are zero for zero only. */
const sameBits = (e: Expr): Expr => {
  if (e.kind !== 'cast' || !('width' in e.type) || !('width' in e.arg.type)) return e
  return e.type.kind !== 'float' && e.arg.type.kind !== 'float' && e.type.width >= e.arg.type.width
    ? sameBits(e.arg)
    : e
}
