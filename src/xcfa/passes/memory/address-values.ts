// Numbers made from addresses, and what programs do with them. Whether two of them are equal, and which is less, is decided
// with care (reuse.ts, address-order.ts). A hash, a remainder or the distance between two objects depends on where objects
// lie, which C leaves open: our addresses are those of one layout, so that nothing is proved of a program that decides
// by such a number or takes it for an index.
//   The analysis is flow-insensitive. Tags below the alignment and above bit 47, sums with offsets and shifts that lose
// no address give a number that stands for its address still. A pointer that memory gives back as a number is an address,
// too, and a part of it depends on where the object lies. That is only followed where whatever is read is a pointer: a
// read that may also be of a number is mostly one. Bytes of a declared record that are gone through one by one, pointers
// or padding among them, may be copied, and nothing may be decided by one; of heap objects we do not know the members.
import { type BinaryOp, children, type Expr, type Value } from '../../expr.js'
import type { Edge, Label, MemoryObject, Position, Procedure, Program, Slot, Unit, Variable } from '../../model.js'
import { byteSize, type Type } from '../../types.js'
import { expressionsOf } from '../labels.js'
import { isDistancePart } from './flows.js'
import { type PointsTo, pointsTo, pointsToInUnit } from './points-to.js'
import { overlaps } from './slot.js'

/**
 * What a number has to do with where objects lie. A number: it stands for an address, whose lowest bits, so many of them,
 * are the same wherever the object lies. `piece`: a byte of a record that may be one of a pointer or of padding.
 * `layout`: it depends on where objects lie in another way.
 */
type Level = 'none' | number | 'piece' | 'layout'

/** Addresses are neither below this nor, as negative numbers, above its negation: error codes and sentinels. */
const SENTINELS = 4096n
const HEAP_ALIGNMENT = 16
/** User space of the usual machines: bits above hold versions and tags. */
const ADDRESS_BITS = 47n
const HIGH_TAG_BITS = 16n

/** The first place where such a number decides something. */
export const layoutDependence = (program: Program): Position | undefined =>
  firstDependence({ ...program, procedures: program.templates, pointers: () => pointsTo(program) })

/** The same for a program before it is inlined that starts no threads. */
export const layoutDependenceInUnit = (unit: Unit): Position | undefined =>
  firstDependence({ ...unit, pointers: () => pointsToInUnit(unit, []) })

/** What programs and units have in common. */
interface Analysed {
  readonly objects: readonly MemoryObject[]
  readonly procedures: ReadonlyMap<string, Procedure>
  pointers(): PointsTo
}

const firstDependence = (program: Analysed): Position | undefined => {
  const casts = (e: Expr): boolean => isMadeFromPointer(e) || children(e).some(casts)
  const labels = [...program.procedures.values()].flatMap(({ edges }) => edges.flatMap((edge) => edge.labels))
  const mayMatter =
    labels.some((label) => expressionsOf(label).some(casts)) ||
    mayReadPointers(program, labels) ||
    (labels.some(isByteWalk) && paddingOf(program.objects).size > 0)
  return mayMatter ? new AddressValues(program).firstUse() : undefined
}

const isByteWalk = (label: Label): boolean =>
  label.kind === 'load' && isNumber(label.type) && byteSize(label.type) === 1 && label.address.kind !== 'const'

/** Whether memory holds pointers, and numbers are read from it. */
const mayReadPointers = ({ objects }: Analysed, labels: readonly Label[]): boolean =>
  labels.some((label) => label.kind === 'load' && isNumber(label.type)) &&
  (labels.some((label) => label.kind === 'store' && label.type.kind === 'pointer') ||
    objects.some(({ initial }) => initial.some(({ type }) => type.kind === 'pointer')))

const isNumber = ({ kind }: Type): boolean => kind === 'int' || kind === 'float'

const isMadeFromPointer = (e: Expr): boolean =>
  (e.kind === 'const' && e.from !== undefined && e.type.kind === 'int') ||
  ((e.kind === 'cast' || e.kind === 'bitcast') &&
    e.type.kind === 'int' &&
    e.type.width > 1 &&
    !e.type.signed &&
    e.arg.type.kind === 'pointer')

interface PlacedEdge {
  readonly edge: Edge
  readonly procedure: Procedure
}

interface Stored {
  readonly slots: readonly Slot[]
  readonly size: number
  readonly level: Level
}

/** Bytes of an object that hold a pointer; `fixed`: how many of its lowest bits are the same wherever its target lies. */
interface HeldPointer {
  readonly offset: number
  readonly size: number
  readonly fixed: number
}

class AddressValues {
  private readonly pointers: PointsTo
  private readonly levels = new Map<Variable, Level>()
  private readonly stored = new Map<Label, Stored>()
  private readonly held = new Map<MemoryObject, HeldPointer[]>()
  private readonly padded: ReadonlyMap<MemoryObject, readonly number[]>
  private readonly edges: readonly PlacedEdge[]
  private hasChanged = false

  constructor(private readonly program: Analysed) {
    this.pointers = program.pointers()
    this.edges = [...program.procedures.values()].flatMap((procedure) =>
      procedure.edges.map((edge) => ({ edge, procedure })),
    )
    this.holdPointers()
    this.padded = paddingOf(program.objects)
    do {
      this.hasChanged = false
      for (const { edge, procedure } of this.edges) for (const label of edge.labels) this.follow(label, procedure)
    } while (this.hasChanged)
  }

  firstUse(): Position | undefined {
    const uses = ({ edge, procedure }: PlacedEdge): boolean =>
      edge.labels.some(
        (label) =>
          (label.kind === 'allocate' && this.level(label.size, procedure) === 'layout') ||
          expressionsOf(label).some((expr) => this.decides(expr, procedure)),
      )
    return this.edges.find(uses)?.edge.position
  }

  // ---- where they flow

  private follow(label: Label, procedure: Procedure): void {
    if (label.kind === 'assign') this.raise(label.target, this.level(label.value, procedure))
    else if (label.kind === 'store') this.store(label, procedure)
    else if (label.kind === 'load') this.load(label, procedure)
    else if (label.kind === 'start') this.pass(label.procedure, label.args, procedure)
    else if (label.kind === 'call')
      for (const name of typeof label.callee === 'string' ? [label.callee] : label.candidates) {
        this.pass(name, label.args, procedure)
        const result = this.program.procedures.get(name)?.result
        if (label.target && result) this.raise(label.target, this.levels.get(result) ?? 'none')
      }
  }

  private pass(callee: string, args: readonly Expr[], procedure: Procedure): void {
    for (const [i, parameter] of (this.program.procedures.get(callee)?.parameters ?? []).entries())
      if (args[i]) this.raise(parameter, this.level(args[i], procedure))
  }

  private store(label: Label & { readonly kind: 'store' }, procedure: Procedure): void {
    const level = this.level(label.value, procedure)
    const before = this.stored.get(label)
    // A copy of bytes: what is read from there as a whole is what was there.
    if (level === 'none' || level === 'piece' || before?.level === level) return
    const slots = before?.slots ?? this.pointers.targets(label.address, procedure)
    this.stored.set(label, { slots, size: byteSize(label.type), level })
    this.hasChanged = true
  }

  private load({ target, address, type }: Label & { readonly kind: 'load' }, procedure: Procedure): void {
    if ((this.stored.size === 0 && this.held.size === 0 && this.padded.size === 0) || !isNumber(type)) return
    const size = byteSize(type)
    const slots = this.pointers.targets(address, procedure)
    if (size === 1 && slots.some((slot) => this.mayBePiece(slot))) this.raise(target, 'piece')
    const held = slots.map((slot) => this.levelOfHeld(slot, size))
    if (!held.includes('none')) this.raise(target, held.reduce(greater, 'none'))
    for (const { slots: written, size: length, level } of this.stored.values())
      if (slots.some((a) => written.some((b) => overlaps(a, size, b, length)))) this.raise(target, level)
  }

  private raise(variable: Variable, level: Level): void {
    const before = this.levels.get(variable) ?? 'none'
    const after = isNumber(variable.type) ? greater(before, level) : 'none'
    if (after === before) return
    this.levels.set(variable, after)
    this.hasChanged = true
  }

  // ---- pointers that are read as numbers

  private holdPointers(): void {
    const hold = (object: MemoryObject, pointer: HeldPointer): void => {
      const before = this.held.get(object)
      if (before) before.push(pointer)
      else this.held.set(object, [pointer])
    }
    for (const object of this.program.objects)
      for (const { offset, type, value } of object.initial)
        if (type.kind === 'pointer' && this.pointers.addresses.objectAt(value))
          hold(object, { offset, size: byteSize(type), fixed: this.fixedBits([value]) })
    for (const { edge, procedure } of this.edges)
      for (const label of edge.labels) {
        if (label.kind !== 'store' || label.type.kind !== 'pointer') continue
        const fixed = this.levelOfPointer(label.value, procedure)
        if (typeof fixed !== 'number') continue
        for (const { object, offset, step } of this.pointers.targets(label.address, procedure))
          if (step === 0) hold(object, { offset, size: byteSize(label.type), fixed })
      }
  }

  /** The bytes of the slot are gone through, and some are of a pointer or padding. */
  private mayBePiece(slot: Slot): boolean {
    const { object, step, offset, count } = slot
    if (step !== 1 || object.cells.length === 0 || isText(object) || consistsOfPointers(slot, 1)) return false
    const isIn = (from: number, size: number): boolean => offset < from + size && from < offset + count
    const padding = this.padded.get(object) ?? []
    return (
      padding.some((at) => isIn(at, 1)) || (this.held.get(object) ?? []).some((held) => isIn(held.offset, held.size))
    )
  }

  /** Of a number of this size that is read there. */
  private levelOfHeld(slot: Slot, size: number): Level {
    const held = this.held.get(slot.object)
    if (!held) return 'none'
    if (slot.step > 0) return consistsOfPointers(slot, size) ? (size < held[0]!.size ? 'layout' : 0) : 'none'
    return held
      .filter(({ offset, size: length }) => offset < slot.offset + size && slot.offset < offset + length)
      .map(({ offset, size: length, fixed }): Level => {
        if (offset < slot.offset || slot.offset + size < offset + length) return 'layout'
        return size === length ? fixed : 0
      })
      .reduce(greater, 'none')
  }

  // ---- what they are

  private level(e: Expr, procedure: Procedure): Level {
    switch (e.kind) {
      case 'const':
        return e.type.kind === 'int' && e.from ? this.levelOfConstant(e.value, e.from) : 'none'
      case 'var':
        return this.levels.get(e.variable) ?? 'none'
      case 'cast':
      case 'bitcast':
        return this.levelOfCast(e, procedure)
      case 'unary':
        return this.level(e.arg, procedure) === 'none' ? 'none' : 'layout'
      case 'binary':
        return e.type.kind === 'pointer' ? 'none' : this.levelOfBinary(e, procedure)
      case 'ite':
        return greater(this.level(e.then, procedure), this.level(e.else, procedure))
      case 'compare':
      case 'not':
      case 'and':
      case 'or':
        return 'none'
    }
  }

  private levelOfConstant(value: Value, addresses: readonly Value[]): Level {
    // What offsetof computes from a null pointer is no address.
    const from = addresses.filter((address) => this.pointers.addresses.objectAt(address))
    if (from.length === 0) return 'none'
    const fixed = this.fixedBits(from)
    if (from.length > 1 && this.isOneObject(from)) return 'none'
    if (this.pointers.addresses.objectAt(value)) return fixed
    for (let shift = 0n; shift <= HIGH_TAG_BITS; shift++)
      if (from.some((address) => BigInt(value) >> (shift + 4n) === BigInt(address) >> 4n)) return fixed + Number(shift)
    return 'layout'
  }

  private levelOfCast(e: Expr & { readonly kind: 'cast' | 'bitcast' }, procedure: Procedure): Level {
    if (e.type.kind === 'bool' || e.type.kind === 'pointer' || (e.type.kind === 'int' && e.type.width === 1))
      return 'none'
    const level = isMadeFromPointer(e) ? this.levelOfPointer(e.arg, procedure) : this.level(e.arg, procedure)
    return isAddress(level) && level !== 'none' && !(e.type.kind === 'int' && e.type.width >= 32) ? 'layout' : level
  }

  private levelOfPointer(e: Expr, procedure: Procedure): Level {
    const objects = this.objectsIn(e, procedure)
    return objects.length === 0 ? 'none' : Math.min(...objects.map(alignmentBits))
  }

  private levelOfBinary(e: Expr & { readonly kind: 'binary' }, procedure: Procedure): Level {
    // A difference of pointers, of which one may be a constant that was moved to the other side.
    if ((e.op === 'sub' || e.op === 'add') && (isDistancePart(e.left) || isDistancePart(e.right))) return 'none'
    const [left, right] = [this.level(e.left, procedure), this.level(e.right, procedure)]
    if (left === 'none' && right === 'none') return 'none'
    if (!isAddress(left) || !isAddress(right)) return 'layout'
    if (left !== 'none' && right !== 'none') return this.isWithinOne(e, procedure) ? 'none' : 'layout'
    if (right === 'none') return levelWith(e.op, left as number, e.right)
    return COMMUTES.has(e.op) ? levelWith(e.op, right as number, e.left) : 'layout'
  }

  /** A distance between places of one object. */
  private isWithinOne({ op, left, right }: Expr & { readonly kind: 'binary' }, procedure: Procedure): boolean {
    const objects = new Set([left, right].flatMap((side) => this.objectsIn(side, procedure)))
    const [only] = objects
    return op === 'sub' && objects.size === 1 && only!.storage === 'static'
  }

  /** Their distance, for what else is computed from two addresses of one object? */
  private isOneObject(addresses: readonly Value[]): boolean {
    const objects = new Set(addresses.map((address) => this.pointers.addresses.objectAt(address)?.object))
    const [only] = objects
    return objects.size === 1 && only !== undefined
  }

  private fixedBits(addresses: readonly Value[]): number {
    const objects = addresses.map((address) => this.pointers.addresses.objectAt(address)?.object)
    return Math.min(...objects.map((object) => (object ? alignmentBits(object) : 0)))
  }

  private objectsIn(e: Expr, procedure: Procedure): readonly MemoryObject[] {
    return this.pointers.targets(e, procedure).map(({ object }) => object)
  }

  // ---- what they decide

  private decides(e: Expr, procedure: Procedure): boolean {
    return this.decidesItself(e, procedure) || children(e).some((child) => this.decides(child, procedure))
  }

  private decidesItself(e: Expr, procedure: Procedure): boolean {
    if (e.kind === 'compare') return this.comparesLayout(e, procedure)
    if (e.kind === 'binary' && e.type.kind === 'pointer') return this.level(e.right, procedure) === 'layout'
    const isTruth = e.kind === 'cast' && (e.type.kind === 'bool' || (e.type.kind === 'int' && e.type.width === 1))
    return isTruth && !isAddress(this.level(e.arg, procedure))
  }

  private comparesLayout({ left, right }: Expr & { readonly kind: 'compare' }, procedure: Procedure): boolean {
    if (!isNumber(left.type)) return false
    const levels = [this.level(left, procedure), this.level(right, procedure)]
    if (!levels.every(isAddress)) return true
    if (!levels.includes('none') || levels[0] === levels[1]) return false
    const number = levels[0] === 'none' ? left : right
    return number.kind !== 'const' || left.type.kind !== 'int' || !isSentinel(number.value, left.type.width)
  }
}

/** Wherever in the slot a number of this size is read, it is read from a pointer. */
const consistsOfPointers = (slot: Slot, size: number): boolean => {
  const read = slot.object.cells.filter(({ offset, step, count, type }) =>
    overlaps(slot, size, { object: slot.object, offset, step: count > 1 ? step : 0, count }, byteSize(type)),
  )
  return read.length > 0 && read.every(({ type }) => type.kind === 'pointer')
}

const greater = (a: Level, b: Level): Level => {
  if (a === 'none') return b
  if (b === 'none') return a
  if (isAddress(a) && isAddress(b)) return Math.min(a as number, b as number)
  return a === 'layout' || b === 'layout' ? 'layout' : 'piece'
}

/** An address, or nothing that has to do with one. */
const isAddress = (level: Level): level is 'none' | number => level === 'none' || typeof level === 'number'

/** Whether it begins with characters, which programs go through without the rest. */
const isText = ({ cells: [first] }: MemoryObject): boolean =>
  first !== undefined && first.offset === 0 && first.count > 1 && byteSize(first.type) === 1

/** Bytes of declared objects that belong to no member. */
const paddingOf = (objects: readonly MemoryObject[]): ReadonlyMap<MemoryObject, readonly number[]> => {
  const found = new Map<MemoryObject, readonly number[]>()
  for (const object of objects) {
    if (object.cells.length < 2 || object.size > MAX_PADDED) continue
    const isMember = new Uint8Array(object.size)
    for (const { offset, type, step, count } of object.cells)
      for (let i = 0; i < count; i++) isMember.fill(1, offset + i * step, offset + i * step + byteSize(type))
    const padding = [...isMember.keys()].filter((at) => isMember[at] === 0)
    if (padding.length > 0) found.set(object, padding)
  }
  return found
}

/** Larger objects are buffers. */
const MAX_PADDED = 4096

const isSentinel = (value: Value, width: number): boolean => {
  const signed = BigInt.asIntN(width, BigInt(value))
  return signed > -SENTINELS && signed < SENTINELS
}

const alignmentBits = ({ storage, align, cells }: MemoryObject): number =>
  Math.floor(
    Math.log2(align ?? (storage === 'heap' ? HEAP_ALIGNMENT : Math.max(1, ...cells.map(({ type }) => byteSize(type))))),
  )

const COMMUTES: ReadonlySet<string> = new Set(['add', 'mul', 'bitand', 'bitor', 'bitxor'])

/** An address, on the left, combined with a number that has nothing to do with addresses. */
const levelWith = (op: BinaryOp, fixed: number, other: Expr): Level => {
  if (op === 'add' || op === 'sub') return fixed
  if (other.kind !== 'const') return op === 'bitor' ? fixed : 'layout'
  const number = BigInt.asUintN(64, BigInt(other.value))
  const isLow = number >> BigInt(fixed) === 0n
  const isHigh = number % (1n << ADDRESS_BITS) === 0n
  const cleared = BigInt.asUintN(64, ~number) % (1n << ADDRESS_BITS)
  switch (op) {
    case 'bitor':
    case 'bitxor':
      return isLow || isHigh ? fixed : 'layout'
    case 'bitand':
      return isLow ? 'none' : cleared >> BigInt(fixed) === 0n ? fixed : 'layout'
    case 'rem':
      return isPowerOfTwo(number) && number <= 1n << BigInt(fixed) ? 'none' : 'layout'
    case 'shl':
      return number <= HIGH_TAG_BITS ? fixed + Number(number) : 'layout'
    case 'shr':
      return number <= BigInt(fixed) ? fixed - Number(number) : 'layout'
    case 'mul':
    case 'div':
      return 'layout'
  }
}

const isPowerOfTwo = (n: bigint): boolean => n > 0n && (n & (n - 1n)) === 0n
