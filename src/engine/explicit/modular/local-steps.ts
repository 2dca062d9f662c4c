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
  not,
  type Store,
  type Type,
  type Value,
  type Variable,
  variablesOf,
} from '../../../xcfa/index.js'
import {
  afterStep,
  areEqual,
  type BitFacts,
  type Change,
  equated,
  forget,
  forgetWords,
  hasRead,
  hasSet,
  heldIn,
  learnZero,
  type Masked,
  maskedBy,
  numbersOf,
  testOf,
  zeroOf,
} from './bits.js'
import { type Cell, isBit, type Place, type SharedCells } from './cells.js'
import {
  anyOf,
  evaluate,
  isEmpty,
  isRange,
  type Known,
  knownOf,
  narrowingOf,
  onlyOpen,
  type Range,
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
  readonly bits: BitFacts
}

/** What a step does beside changing its thread. */
export interface Effects {
  access(cells: readonly Place[], access: Access, local: Local): void
  /** A lock of these cells is taken. */
  taken(cells: readonly Place[]): void
  /** A word whose bits are taken or given back is changed. */
  changed(word: readonly Place[]): void
  /** A word gets another value in some other way: none of its bits protects anything. */
  spoilt(cells: readonly Place[]): void
  /** Nobody else may have written the word since the thread holds these locks. */
  relies(word: readonly Place[], since: ReadonlySet<Cell>, local: Local): void
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
  readonly from: ReadonlyMap<Variable, readonly Place[]>
  readonly zero: readonly (readonly Place[])[]
  readonly bits: BitFacts
}

/** Ranges are split into no more values than this. */
const MAX_SPLIT = 256
/** The same for a bit that is tested or set. */
const MAX_BITS = 64

export class LocalSteps {
  constructor(
    private readonly cells: SharedCells,
    private readonly effects: Effects,
    /** Local variables of which bits matter. */
    private readonly masked: ReadonlySet<Variable>,
  ) {}

  *successors(local: Local): Generator<{ readonly edge: Edge; readonly next: Local }> {
    for (const edge of local.template.outgoing.get(local.location) ?? [])
      for (const { locals, globals, held, running, threads, bits: known } of this.execute(local, edge)) {
        const outside = edge.target.atomic ? local.outside : held
        const bits = afterStep(known, local.outside, held, !edge.target.atomic)
        const next = { ...local, location: edge.target, locals, globals, held, running, threads, outside, bits }
        yield { edge, next }
      }
  }

  private execute(local: Local, edge: Edge): readonly Partial[] {
    const { locals, globals, held, running, threads, bits } = local
    let open: readonly Partial[] = [{ locals, globals, held, running, threads, from: new Map(), zero: [], bits }]
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
    if (label.kind === 'store') return this.stored(local, partial, cells, label.value, label.type)
    const next = this.set(local, partial, label.target, found.value ?? anyOf(label.target.type))
    if (found.value !== undefined) return [next]
    return [this.hasRead(next, label.target, cells)]
  }

  private variables(local: Local, edge: Edge, label: Label): void {
    for (const access of labelAccesses(label, isAtomicStep(edge)))
      if (access.kind === 'variable') this.effects.access([access.variable], access, local)
  }

  /** The variable has the value of the cells, which somebody writes. */
  private hasRead(partial: Partial, variable: Variable, cells: readonly Place[]): Partial {
    const bits = this.masked.has(variable) ? hasRead(partial.bits, variable, cells) : partial.bits
    return { ...partial, bits, from: new Map([...partial.from, [variable, cells]]) }
  }

  // ---- bits

  private stored(local: Local, partial: Partial, cells: readonly Place[], value: Expr, type: Type): readonly Partial[] {
    const set = this.maskOf(local, partial, cells, 'bitor', value, type)
    const kept = set ? undefined : this.maskOf(local, partial, cells, 'bitand', value, type)
    const masked = set ?? kept
    const after = (): Partial => this.written(partial, cells, this.isNonZero(local, partial, value))
    if (!masked || !('width' in type)) return [this.spoilt(after(), cells)]
    const mask = this.numberOf(local, partial, masked.mask, type.width)
    if (mask === undefined) {
      const split = this.splitBits(local, partial, masked.mask)
      return split.length > 0
        ? split.flatMap((each) => this.stored(local, each, cells, value, type))
        : [this.spoilt(after(), cells)]
    }
    this.effects.changed(cells)
    const since = heldIn(partial.bits, masked.variable)?.since
    if (since) this.effects.relies(cells, since, local)
    return set
      ? [this.bitsSet(after(), masked.variable, { cells, bits: mask })]
      : [this.bitsCleared(after(), masked.variable, { cells, bits: BigInt.asUintN(type.width, ~mask) })]
  }

  /** The value is what the word has now, but for some bits. */
  private maskOf(
    { template }: Local,
    { bits }: Partial,
    cells: readonly Place[],
    op: 'bitor' | 'bitand',
    value: Expr,
    type: Type,
  ): Masked | undefined {
    if (type.kind !== 'int' || cells.some((cell) => typeof cell === 'number' && cells.length * 8 !== type.width))
      return undefined
    const masked = maskedBy(op, value, type.width)
    if (!masked || !template.slots.has(masked.variable)) return undefined
    const word = heldIn(bits, masked.variable)
    return word && isSame(word.cells, cells) ? masked : undefined
  }

  private bitsSet(partial: Partial, variable: Variable, { cells, bits }: Change): Partial {
    const { facts, taken } = hasSet(partial.bits, variable, cells, bits)
    return this.taken({ ...partial, bits: facts }, taken)
  }

  private taken(partial: Partial, { cells, bits }: Change): Partial {
    if (bits === 0n) return partial
    return { ...partial, held: new Set([...partial.held, ...numbersOf(bits).map((bit) => this.cells.bit(cells, bit))]) }
  }

  /** Whoever clears a bit that another thread may have set has to hold it. */
  private bitsCleared(partial: Partial, variable: Variable, { cells, bits }: Change): Partial {
    const zero = zeroOf(partial.bits, variable)
    const cleared = new Set<Cell>(numbersOf(bits & ~zero).map((bit) => this.cells.bit(cells, bit)))
    for (const bit of cleared) if (!partial.held.has(bit)) this.effects.improper(bit)
    const held = new Set([...partial.held].filter((cell) => !cleared.has(cell)))
    return { ...partial, held, bits: forgetWords(partial.bits, cells) }
  }

  private spoilt(partial: Partial, cells: readonly Place[]): Partial {
    this.effects.spoilt(cells)
    const held = [...partial.held].filter((cell) => !isBit(cell) || !cell.word.some((part) => cells.includes(part)))
    return { ...partial, held: new Set(held), bits: forgetWords(partial.bits, cells) }
  }

  /** What a test of bits says of them. */
  private tested(local: Sight, partial: Partial, condition: Expr): readonly Partial[] {
    const pair = equated(condition)
    if (pair?.every((each) => this.masked.has(each))) return [{ ...partial, bits: areEqual(partial.bits, ...pair) }]
    const test = testOf(condition)
    const { variable } = test ?? {}
    if (!test || !variable || !test.isZero || variable.type.kind !== 'int') return [partial]
    const { width } = variable.type
    const [mask, shift] = [test.mask, test.shift].map((e) => e && this.numberOf(local, partial, e, 64))
    if (mask === undefined || (test.shift && shift === undefined)) {
      const split = this.splitBits(local, partial, test.mask, ...(test.shift ? [test.shift] : []))
      return split.length === 0
        ? [partial]
        : split.flatMap((each) => this.assume({ ...each, template: local.template }, condition, each))
    }
    if (shift !== undefined && shift >= BigInt(width)) return [partial]
    const { facts, taken } = learnZero(partial.bits, variable, BigInt.asUintN(width, mask << (shift ?? 0n)))
    const after = { ...partial, bits: facts }
    return [taken ? this.taken(after, taken) : after]
  }

  private numberOf({ template }: { readonly template: Sight['template'] }, partial: Partial, e: Expr, width: number) {
    const known = evaluate(this.cells.layout, { ...partial, template }, e)
    return known === undefined ? undefined : BigInt.asUintN(width, BigInt(known))
  }

  /** One partial for each value of a variable that says which bits are meant; none if these are too many. */
  private splitBits(
    { template }: { readonly template: Sight['template'] },
    partial: Partial,
    ...masks: readonly Expr[]
  ): readonly Partial[] {
    for (const variable of masks.flatMap((e) => [...variablesOf(e)])) {
      const known = variable.scope === 'local' ? knownOf({ ...partial, template }, this.cells.layout, variable) : 0
      if (!isRange(known)) continue
      return known.high - known.low < MAX_BITS ? this.valuesOf(template, partial, variable, known) : []
    }
    return []
  }

  private written(partial: Partial, cells: readonly Place[], isNonZero: boolean): Partial {
    for (const cell of cells) this.cells.write(cell)
    const isWritten = (cell: Cell): boolean => !isBit(cell) && cells.includes(cell)
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
    return { ...partial, from, bits: forget(partial.bits, variable), locals: partial.locals.with(slot, value) }
  }

  private assign(local: Local, label: Extract<Label, { kind: 'assign' }>, partial: Partial): readonly Partial[] {
    const { target, value } = label
    const sight = { ...partial, template: local.template }
    if (target.scope === 'global') return this.stored(local, partial, [target], value, target.type)
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
    if (cells !== undefined) return [this.hasRead(next, target, cells)]
    const isCopy = value.kind === 'var' && this.masked.has(target) && value.variable !== target
    return [isCopy ? { ...next, bits: areEqual(next.bits, target, value.variable) } : next]
  }

  private cellsOf(partial: Partial, variable: Variable): readonly Place[] | undefined {
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
    const condition = onlyOpen(conjunction(whole), (e) => evaluate(this.cells.layout, sight, e))
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
    if (!narrowing) return this.tested(sight, after, condition)
    if (isEmpty(narrowing.holds)) return []
    const slot = sight.template.slots.get(narrowing.variable)!
    return [{ ...after, locals: after.locals.with(slot, valueOrRange(narrowing.holds)) }]
  }

  /** The cells that a condition says are zero. */
  private zeroCells(e: Expr, partial: Partial): readonly Place[] | undefined {
    if (e.kind !== 'compare' || e.op !== 'eq' || e.right.kind !== 'const' || Number(e.right.value) !== 0)
      return undefined
    const left = sameBits(e.left)
    return left.kind === 'var' ? this.cellsOf(partial, left.variable) : undefined
  }

  private havoc(sight: Sight, { target, range }: Extract<Label, { kind: 'havoc' }>, partial: Partial): Partial {
    if (target.scope === 'global') return this.spoilt(this.written(partial, [target], false), [target])
    const any = anyOf(target.type)
    const ends = range && [range.low, range.high].map((e) => evaluate(this.cells.layout, sight, e))
    const [low, high] = ends ?? []
    const known = low !== undefined && high !== undefined && Number.isFinite(any.low)
    const value = known ? { low: Number(low), high: Number(high) } : any
    const slot = sight.template.slots.get(target)!
    const from = new Map([...partial.from].filter(([variable]) => variable !== target))
    return {
      ...partial,
      from,
      bits: forget(partial.bits, target),
      locals: partial.locals.with(slot, valueOrRange(value)),
    }
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
      return this.valuesOf(sight.template, partial, variable, known)
    }
    throw new TooVague('an address that is not known')
  }

  private valuesOf(
    template: Sight['template'],
    partial: Partial,
    variable: Variable,
    { low, high }: Range,
  ): readonly Partial[] {
    const slot = template.slots.get(variable)!
    return Array.from({ length: high - low + 1 }, (_, i) => ({
      ...partial,
      locals: partial.locals.with(slot, low + i),
    }))
  }
}

const isSame = (a: readonly Place[], b: readonly Place[]): boolean =>
  a.length === b.length && a.every((cell, i) => cell === b[i])

/** Where no part of a disjunction holds, each of them fails. */
const conjunction = (e: Expr): Expr =>
  e.kind === 'not' && e.arg.kind === 'or' ? { kind: 'and', type: e.type, args: e.arg.args.map(not) } : e

/** Without casts that are zero for zero only. */
const sameBits = (e: Expr): Expr => {
  if (e.kind !== 'cast' || !('width' in e.type) || !('width' in e.arg.type)) return e
  return e.type.kind !== 'float' && e.arg.type.kind !== 'float' && e.type.width >= e.arg.type.width
    ? sameBits(e.arg)
    : e
}
