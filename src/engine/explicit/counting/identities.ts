// Whether the instances of a program's threads are interchangeable: what a thread does must not depend on its number, but
// for comparing it with numbers that were stored (the owner of a lock) and for finding its own frame. Every value that is
// computed from a number has a kind, found by iteration over all labels; a use that is not on the short list below breaks
// the symmetry, and counting says where. The kinds:
//   id       the number of a thread plus `offset`: `self`, and what is copied from it. Cells hold none, main, or an instance.
//   private  an address in the thread's own frame: the number times a stride. It stays within its thread.
//   handle   what `start` gave main, plus `offset`. It is copied, and given to `join`, nothing else.
import { livenessOf } from '../../../semantics/step/liveness.js'
import type { Edge, Expr, Label, Position, Procedure, Program, Region, Value, Variable } from '../../../xcfa/index.js'

type Kind =
  | { readonly kind: 'id' | 'handle'; readonly offset: number }
  | { readonly kind: 'private' }
  | { readonly kind: 'plain' }

export interface Identities {
  /** Where numbers of threads are kept, with what is added to them. */
  readonly variables: ReadonlyMap<Variable, number>
  readonly regions: ReadonlyMap<Region, number>
  /** Where main keeps handles. */
  readonly handleRegions: ReadonlySet<Region>
}

export interface Asymmetry {
  readonly reason: string
  readonly position: Position
}

export type Symmetry = { readonly identities: Identities } | { readonly asymmetry: Asymmetry }

/** Thrown where a value is used in a way that tells threads apart. */
class Broken extends Error {
  constructor(
    readonly reason: string,
    readonly position: Position,
  ) {
    super(reason)
  }
}

export const symmetryOf = (program: Program): Symmetry => {
  try {
    return { identities: new Analysis(program).run() }
  } catch (error) {
    if (error instanceof Broken) return { asymmetry: { reason: error.reason, position: error.position } }
    throw error
  }
}

const PLAIN: Kind = { kind: 'plain' }
const PRIVATE: Kind = { kind: 'private' }
/** Narrower integers do not hold every number. */
const LEAST_WIDTH = 32

class Analysis {
  private readonly kinds = new Map<Variable | Region, Kind>()
  private readonly strides: ReadonlySet<Value>
  private changed = true
  /** The edge that is looked at, and its template. */
  private at: { readonly edge: Edge; readonly template: Procedure }

  constructor(private readonly program: Program) {
    const { main } = program
    this.at = { edge: main.edges[0]!, template: main }
    this.strides = new Set(program.objects.filter(({ storage }) => storage === 'thread').map(({ stride }) => stride))
  }

  run(): Identities {
    const { templates, main } = this.program
    for (const template of templates.values())
      if (template !== main) this.kinds.set(template.self, { kind: 'id', offset: 0 })
    // Kinds only grow from plain, so that this ends; what is wrong with them is thrown when they no longer change.
    while (this.changed) {
      this.changed = false
      this.pass(false)
    }
    this.pass(true)
    this.checkLocals()
    const of = <T extends Variable | Region>(wanted: 'id', is: (owner: Variable | Region) => owner is T) =>
      new Map(
        [...this.kinds].flatMap(([owner, kind]): readonly (readonly [T, number])[] =>
          kind.kind === wanted && is(owner) ? [[owner, kind.offset]] : [],
        ),
      )
    const isShared = (owner: Variable | Region): owner is Variable => !('slots' in owner) && owner.scope === 'global'
    const isRegion = (owner: Variable | Region): owner is Region => 'slots' in owner
    const handleRegions = [...this.kinds].flatMap(([owner, { kind }]) =>
      kind === 'handle' && 'slots' in owner ? [owner] : [],
    )
    return { variables: of('id', isShared), regions: of('id', isRegion), handleRegions: new Set(handleRegions) }
  }

  /** Numbers of threads are renamed in what is shared: nobody may keep one elsewhere from one step to the next. */
  private checkLocals(): void {
    for (const template of this.program.templates.values()) {
      const { isLiveAt } = livenessOf(template)
      for (const local of template.locals) {
        if (local === template.self || this.kinds.get(local)?.kind !== 'id') continue
        const kept = template.locations.find((location) => isLiveAt(local, location))
        if (kept) throw new Broken('a thread keeps the number of a thread', kept.position)
      }
    }
    for (const [owner, { kind }] of this.kinds)
      if (kind === 'id' && 'slots' in owner && owner.scope === 'local')
        throw new Broken('a thread keeps the number of a thread', this.program.main.position)
  }

  private pass(isLast: boolean): void {
    for (const template of this.program.templates.values())
      for (const edge of template.edges) {
        this.at = { edge, template }
        for (const label of edge.labels) this.visit(label, isLast)
      }
  }

  private broken(reason: string): never {
    throw new Broken(reason, this.at.edge.position)
  }

  // ---- labels

  private visit(label: Label, isLast: boolean): void {
    const value = (e: Expr): Kind => this.kindOf(e, isLast)
    const plain = (e: Expr, what: string): void => {
      if (value(e).kind !== 'plain' && isLast) this.broken(`a thread's number is ${what}`)
    }
    switch (label.kind) {
      case 'assign':
        this.flow(label.target, value(label.value), label.value, isLast)
        return
      case 'assume':
        plain(label.condition, 'a condition')
        return
      case 'havoc':
        if (label.range) for (const e of [label.range.low, label.range.high]) plain(e, 'a bound of an input')
        this.flow(label.target, PLAIN, undefined, isLast)
        return
      case 'load':
        this.address(label, isLast)
        this.flow(label.target, this.kinds.get(label.region) ?? PLAIN, undefined, isLast)
        return
      case 'store':
        this.address(label, isLast)
        this.flow(label.region, value(label.value), label.value, isLast)
        return
      case 'allocate':
        plain(label.size, 'a size')
        this.flow(label.target, PLAIN, undefined, isLast)
        return
      case 'free':
        plain(label.address, 'freed')
        return
      case 'start':
        for (const e of label.args) plain(e, 'an argument')
        if (this.isForgotten(label)) return
        this.flow(label.target, { kind: 'handle', offset: 0 }, undefined, isLast)
        return
      case 'join': {
        const { kind } = value(label.thread)
        if (isLast && (kind !== 'handle' || this.at.template !== this.program.main))
          this.broken('a join on something else than a handle of main')
        return
      }
      case 'fence':
        return
      case 'call':
      case 'primitive':
        this.broken(`a ${label.kind}`)
    }
  }

  /** A handle that nobody looks at. */
  private isForgotten(start: Extract<Label, { kind: 'start' }>): boolean {
    const { edge, template } = this.at
    const { isLiveBefore } = livenessOf(template)
    return start.target.scope === 'local' && !isLiveBefore(start.target, edge, edge.labels.indexOf(start) + 1)
  }

  private address({ address, region }: Extract<Label, { kind: 'load' | 'store' }>, isLast: boolean): void {
    const { kind } = this.kindOf(address, isLast)
    if (!isLast || kind === 'plain') return
    if (kind === 'handle') this.broken('an address that is computed from a handle')
    if (region.scope !== 'local') this.broken(`memory that each thread finds by its number (${region.name})`)
  }

  /** A value flows into a variable or the cells of a region. */
  private flow(owner: Variable | Region, kind: Kind, from: Expr | undefined, isLast: boolean): void {
    const known = this.kinds.get(owner) ?? PLAIN
    if (!isLast) {
      const merged = known.kind === 'plain' || (kind.kind === 'private' && known.kind === 'id') ? kind : known
      if (merged.kind === known.kind) return
      this.kinds.set(owner, merged)
      this.changed = true
      return
    }
    const isShared = 'slots' in owner ? owner.scope === 'global' : owner.scope === 'global'
    if (known.kind === 'handle' && this.at.template !== this.program.main) this.broken('a thread that keeps a handle')
    if (known.kind === 'private' && isShared) this.broken('an address in the frame of a thread is shared')
    if (known.kind === 'id' && 'slots' in owner && owner.element === 'bytes') this.broken('numbers of threads in bytes')
    if (known.kind === 'plain' || known.kind === 'private') return
    if (kind.kind === known.kind && kind.offset === known.offset) return
    // Nobody and main are what they are, whoever else is exchanged.
    if (from?.kind === 'const' && isFixed(from.value, known)) return
    this.broken(`a number of a thread, or something else (${owner.name})`)
  }

  // ---- expressions

  private kindOf(e: Expr, isLast: boolean): Kind {
    const of = (child: Expr): Kind => this.kindOf(child, isLast)
    switch (e.kind) {
      case 'const':
        return PLAIN
      case 'var':
        return this.kinds.get(e.variable) ?? PLAIN
      case 'cast':
      case 'bitcast': {
        const kind = of(e.arg)
        const isWide = e.type.kind === 'pointer' || (e.type.kind === 'int' && e.type.width >= LEAST_WIDTH)
        return kind.kind === 'plain' || isWide ? kind : this.mixed(isLast, 'converted')
      }
      case 'binary':
        return this.arithmetic(e, of(e.left), of(e.right), isLast)
      case 'compare':
        this.comparison(e, of(e.left), of(e.right), isLast)
        return PLAIN
      case 'unary':
      case 'not':
        return this.allPlain([of(e.arg)], isLast)
      case 'and':
      case 'or':
        return this.allPlain(e.args.map(of), isLast)
      case 'ite':
        return this.allPlain([of(e.condition), of(e.then), of(e.else)], isLast)
    }
  }

  private mixed(isLast: boolean, how: string): Kind {
    if (isLast) this.broken(`a thread's number is ${how}`)
    return PLAIN
  }

  private allPlain(kinds: readonly Kind[], isLast: boolean): Kind {
    return kinds.every(({ kind }) => kind === 'plain') ? PLAIN : this.mixed(isLast, 'computed with')
  }

  private arithmetic(e: Extract<Expr, { kind: 'binary' }>, left: Kind, right: Kind, isLast: boolean): Kind {
    if (left.kind === 'plain' && right.kind === 'plain') return PLAIN
    if (left.kind === 'handle' || left.kind === 'id')
      if (e.right.kind === 'const' && (e.op === 'add' || e.op === 'sub')) {
        const by = Number(e.right.value) * (e.op === 'add' ? 1 : -1)
        return { kind: left.kind, offset: left.offset + signed(by, e.type) }
      }
    // Addresses in the own frame: base + self * stride + offset.
    if (e.op === 'mul' && (this.isFrame(e.left, left, e.right) || this.isFrame(e.right, right, e.left))) return PRIVATE
    const isSum = e.op === 'add' && (left.kind === 'plain' || right.kind === 'plain')
    const isDifference = e.op === 'sub' && right.kind === 'plain'
    const isAddress = left.kind === 'private' || right.kind === 'private'
    return isAddress && (isSum || isDifference) ? PRIVATE : this.mixed(isLast, 'computed with')
  }

  /** The thread's number times the distance of two instances of an object of threads. */
  private isFrame(number: Expr, kind: Kind, stride: Expr): boolean {
    return (
      kind.kind === 'id' &&
      kind.offset === 0 &&
      this.isSelf(number) &&
      stride.kind === 'const' &&
      this.strides.has(stride.value)
    )
  }

  private comparison(e: Extract<Expr, { kind: 'compare' }>, left: Kind, right: Kind, isLast: boolean): void {
    if (!isLast || (left.kind === 'plain' && right.kind === 'plain')) return
    if (e.op !== 'eq' && e.op !== 'ne') this.broken("threads' numbers are ordered")
    if (left.kind === 'handle' || right.kind === 'handle') {
      // With main's handle, or with none: no permutation of instances changes the answer.
      if (isMainOrNobody(e.right, left) || isMainOrNobody(e.left, right)) return
      this.broken('a handle is compared')
    }
    if (left.kind === 'private' || right.kind === 'private')
      this.broken('addresses in the frame of a thread are compared')
    const sides = [
      { side: e.left, kind: left },
      { side: e.right, kind: right },
    ] as const
    for (const [one, other] of [sides, [sides[1], sides[0]]] as const) {
      if (one.kind.kind !== 'id') continue
      if (other.side.kind === 'const' && isFixed(other.side.value, one.kind)) return
      // Two numbers that were stored may be those of threads that have ended, of which no more is known.
      if (other.kind.kind === 'id' && other.kind.offset === one.kind.offset && this.isSelf(other.side)) return
    }
    this.broken("threads' numbers are compared")
  }

  /** The thread's own number, perhaps with something added. */
  private isSelf(e: Expr): boolean {
    if (e.kind === 'var') return e.variable === this.at.template.self
    if (e.kind === 'cast') return this.isSelf(e.arg)
    return e.kind === 'binary' && e.right.kind === 'const' && this.isSelf(e.left)
  }
}

/** A constant beside a handle that is no handle of an instance. */
const isMainOrNobody = (e: Expr, kind: Kind): boolean =>
  kind.kind === 'handle' && e.kind === 'const' && e.value >= 0 && Number(e.value) <= kind.offset

/** A constant that stands for nobody, or for main. */
const isFixed = (value: number | bigint, kind: Kind): boolean =>
  'offset' in kind && (kind.kind === 'id' ? value >= 0 && Number(value) <= kind.offset : value === 0)

/** Subtraction of 1 may be written as an addition of the largest value. */
const signed = (value: number, type: Expr['type']): number => {
  if (type.kind !== 'int' || type.signed || type.width > 32) return value
  return value >= 2 ** (type.width - 1) ? value - 2 ** type.width : value
}
