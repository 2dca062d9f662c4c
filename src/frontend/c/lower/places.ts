// Lvalues: where they are, how they are read and written. Outside atomic blocks each access is an edge of its own.
import {
  add,
  cast,
  constant,
  type Expr,
  type Label,
  type MemoryObject,
  mul,
  offsetWithin,
  type Type,
  Unsupported,
  type Variable,
  varExpr,
} from '../../../xcfa/index.js'
import { normalAddress } from '../../../xcfa/passes/inline/expr.js'
import type { CExpr, CField, CType, CVariable } from '../ast.js'
import { qualifiersOf, sizeOf, unqualified } from '../check/types.js'
import { extract, insert } from './bit-fields.js'
import { ATOMIC, type ProcedureBuilder } from './builder.js'
import { describeObject, offsetType, stringAddress } from './context.js'
import { value } from './expressions.js'
import { initialise } from './initialise.js'
import { isAtomic, isRecord, scalarType, unitsOf } from './layout.js'
import { recordAddress } from './records.js'
import { staticStorage } from './statics.js'

export type Place =
  | { readonly kind: 'variable'; readonly variable: Variable; readonly type: CType }
  | { readonly kind: 'memory'; readonly address: Expr; readonly type: CType; readonly bits?: CField['bits'] }

export const placeOf = (b: ProcedureBuilder, e: CExpr): Place => {
  switch (e.kind) {
    case 'variable':
      if (b.unit.arguments.has(e.variable)) throw new Unsupported(`a use of ${e.variable.name}`, e.position)
      return placeOfVariable(b, e.variable)
    case 'deref':
      return { kind: 'memory', address: value(b, e.pointer), type: e.type }
    case 'member':
      return placeOfMember(b, e.record, e.field)
    case 'string':
      return { kind: 'memory', address: stringAddress(b.unit, e.bytes, e.type), type: e.type }
    case 'compound': {
      declareFrame(b, e.variable)
      initialise(b, e.variable, e.initializer)
      return placeOfVariable(b, e.variable)
    }
    default:
      if (isRecord(e.type)) return { kind: 'memory', address: recordAddress(b, e), type: e.type }
      throw new Unsupported(`${e.kind} as an lvalue`, e.position)
  }
}

export const placeOfVariable = (b: ProcedureBuilder, variable: CVariable): Place => {
  const storage = b.storage.get(variable) ?? nonLocal(b, variable)
  return storage.kind === 'variable'
    ? { kind: 'variable', variable: storage.variable, type: variable.type }
    : { kind: 'memory', address: storage.address, type: variable.type }
}

const nonLocal = (b: ProcedureBuilder, variable: CVariable) => {
  // A jump past a declaration, or a compound literal's variable: the frame has it from the start.
  if (variable.storage === 'auto') return declareFrame(b, variable)
  return staticStorage(b.unit, variable, b.thread ?? varExpr(b.self))
}

/** Gives a local variable its place in the procedure, once. */
export const declareFrame = (b: ProcedureBuilder, variable: CVariable) => {
  const known = b.storage.get(variable)
  if (known) return known
  const plain = unqualified(variable.type)
  const scalar = !variable.addressTaken && plain.kind !== 'array' && plain.kind !== 'record'
  const storage = scalar
    ? ({ kind: 'variable', variable: localVariable(b, variable) } as const)
    : ({ kind: 'memory', address: frameObject(b, variable) } as const)
  b.storage.set(variable, storage)
  return storage
}

export const localVariable = (b: ProcedureBuilder, variable: CVariable): Variable => {
  const type = scalarType(variable.type, b.unit.target, variable.position)
  const created: Variable = { ...b.local(variable.name, type), source: variable.name, position: variable.position }
  b.locals[b.locals.length - 1] = created
  return created
}

/** Whether this is the program's entry: what it owns lives until it returns or calls pthread_exit. */
export const isEntry = ({ unit, jumps }: ProcedureBuilder): boolean => {
  const body = unit.program.functions.get(unit.options.entry ?? 'main')?.body
  return body !== undefined && body === jumps?.body
}

export const isPermanent = (b: ProcedureBuilder, variable: CVariable): boolean => {
  const body = isEntry(b) ? b.jumps?.body : undefined
  return body?.kind === 'block' && body.body.some((s) => s.kind === 'declare' && s.variable === variable)
}

/** An object in the frame; its address is a variable that inlining replaces. */
export const frameObject = (b: ProcedureBuilder, variable: CVariable): Expr => {
  const plain = unqualified(variable.type)
  if (plain.kind === 'array' && plain.variable) return varExpr(b.local(variable.name, b.unit.pointer))
  // Its addresses are given out when inlining knows how many copies there are.
  const described = { ...describeObject(b.unit, variable), storage: 'thread' } as const
  const object: MemoryObject = {
    cells: [],
    initial: [],
    contents: 'zero',
    ...described,
    id: b.unit.counter.next++,
    base: 0,
    stride: 0,
    ...(isPermanent(b, variable) ? { permanent: true } : {}),
  }
  b.objects.push(object)
  const address: Variable = {
    id: b.unit.counter.next++,
    name: `&${variable.name}`,
    type: b.unit.pointer,
    scope: 'local',
    initial: 0,
  }
  b.unit.frames.set(address, object)
  return varExpr(address)
}

/** A nameless object in the frame, for a record that is passed or returned. */
export const frameTemporary = (b: ProcedureBuilder, type: CType, name: string, position = b.position): Expr =>
  frameObject(b, { kind: 'variable', name, type, position, storage: 'auto', addressTaken: true })

const placeOfMember = (b: ProcedureBuilder, record: CExpr, field: CField): Place => {
  const outer = placeOf(b, record)
  if (outer.kind === 'variable') throw new Unsupported('a member of a scalar', record.position)
  const type: CType = isAtomic(outer.type) && !isAtomic(field.type) ? { ...asAtomic(field.type) } : field.type
  const address = displaced(b, outer.address, constant(offsetType(b.unit), field.offset))
  return { kind: 'memory', address, type, ...(field.bits ? { bits: field.bits } : {}) }
}

const asAtomic = (type: CType): CType => ({ kind: 'qualified', type, atomic: true, volatile: false, constant: false })

/** Pointer plus bytes, with the constants of the sum in one. */
export const displaced = (_b: ProcedureBuilder, pointer: Expr, bytes: Expr): Expr => normalAddress(add(pointer, bytes))

export const addressOf = (b: ProcedureBuilder, e: CExpr): Expr => {
  const place = placeOf(b, e)
  if (place.kind === 'variable') throw new Unsupported(`the address of ${place.variable.name}`, e.position)
  return place.address
}

// ---- reading

export const readPlace = (b: ProcedureBuilder, place: Place): Expr => {
  if (place.kind === 'variable') return readVariable(b, place.variable)
  if (place.bits) return extract(b, place, place.bits)
  const type = scalarType(place.type, b.unit.target, b.position)
  return loadFrom(b, place.address, type, isAtomicHere(b, place.type))
}

/** By its type, or because the user says that volatile accesses count as atomic ones. */
const isAtomicHere = (b: ProcedureBuilder, type: CType): boolean =>
  isAtomic(type) || (b.unit.options.options?.['volatile-is-atomic'] === true && qualifiersOf(type).volatile)

export const readVariable = (b: ProcedureBuilder, variable: Variable): Expr => {
  // Inside an atomic block nobody else can change it before it is used.
  if (variable.scope === 'local' || b.depth > 0) return varExpr(variable)
  const target = b.temporary(variable.type)
  b.step([{ kind: 'assign', target, value: varExpr(variable) }], variable.atomic ? ATOMIC : undefined)
  return varExpr(target)
}

export const loadFrom = (b: ProcedureBuilder, address: Expr, type: Type, atomic: boolean): Expr => {
  const target = b.temporary(type)
  b.step([loadLabel(b, target, address, type, atomic)], atomic ? ATOMIC : undefined)
  return varExpr(target)
}

const loadLabel = (b: ProcedureBuilder, target: Variable, address: Expr, type: Type, atomic: boolean): Label => ({
  kind: 'load',
  target,
  region: b.unit.memory,
  address,
  type,
  ...(atomic ? { atomic: true } : {}),
})

// ---- writing

/** Writes a value of the place's type; gives what the place then holds. */
export const writePlace = (b: ProcedureBuilder, place: Place, e: Expr): Expr => {
  if (place.kind === 'variable') {
    b.assign(place.variable, e)
    return place.variable.scope === 'local' || b.depth > 0 ? varExpr(place.variable) : e
  }
  if (place.bits) return insert(b, place, place.bits, e)
  storeTo(b, place.address, e, isAtomicHere(b, place.type))
  return e
}

export const storeTo = (b: ProcedureBuilder, address: Expr, e: Expr, atomic: boolean): void =>
  b.step([storeLabel(b, address, e, atomic)], atomic ? ATOMIC : undefined)

export const storeLabel = (b: ProcedureBuilder, address: Expr, e: Expr, atomic = false): Label => ({
  kind: 'store',
  region: b.unit.memory,
  address,
  value: e,
  type: e.type,
  ...(atomic ? { atomic: true } : {}),
})

// ---- copies

export interface CopyAtomicity {
  /** The source is _Atomic: it is read in one step. */
  readonly from?: boolean
  /** The target is _Atomic: it is written in one step. */
  readonly to?: boolean
}

/** A record is accessed as one: memory models that order accesses of single cells do not decide such a program. */
export const ATOMIC_RECORD = 'that atomic accesses of whole records are sequentially consistent'

/** Copies a record scalar by scalar; a side that is _Atomic is one step (C11 6.2.6.1p9). */
export const copyObject = (
  b: ProcedureBuilder,
  from: Expr,
  to: Expr,
  type: CType,
  atomicity: CopyAtomicity = {},
): void => {
  const source = b.stable(from)
  const destination = b.stable(to)
  const units = unitsOf(type, b.unit.target, b.position)
  const at = (base: Expr, offset: number): Expr => displaced(b, base, constant(offsetType(b.unit), offset))
  const read = ({ offset, type: scalar }: (typeof units)[number]): Expr =>
    loadFrom(b, at(source, offset), scalar, atomicity.from === true)
  if (!atomicity.from && !atomicity.to) {
    for (const unit of units) storeTo(b, at(destination, unit.offset), read(unit), false)
    return
  }
  b.unit.notes.add(ATOMIC_RECORD)
  const parts: Expr[] = []
  const readAll = (): void => {
    for (const unit of units) parts.push(read(unit))
  }
  const writeAll = (): void => {
    for (const [i, { offset }] of units.entries()) storeTo(b, at(destination, offset), parts[i]!, atomicity.to === true)
  }
  if (atomicity.from) b.atomically(readAll)
  else readAll()
  if (atomicity.to) b.atomically(writeAll)
  else writeAll()
}

/** index * size as an offset in bytes. `within`: of an array of so many bytes. */
export const scaled = (b: ProcedureBuilder, index: Expr, size: number, within?: number): Expr => {
  const offset = mul(cast(offsetType(b.unit), index), constant(offsetType(b.unit), size))
  return within === undefined ? offset : offsetWithin(offset, within)
}

/**
 * The bytes that an index into an array member stays below, where it cannot leave it: by a mask or a remainder. An array
 * at the end of its record may go on behind it, so that an index only stays above its beginning.
 */
export const bytesOfArray = (b: ProcedureBuilder, pointer: CExpr, index: Expr): number | undefined => {
  if (pointer.kind !== 'address' || pointer.lvalue.kind !== 'member') return undefined
  const { record, field } = pointer.lvalue
  const array = unqualified(field.type)
  const owner = unqualified(record.type)
  if (array.kind !== 'array' || owner.kind !== 'record') return undefined
  if (owner.fields.every(({ offset }) => offset <= field.offset)) return Number.POSITIVE_INFINITY
  const greatest = greatestOf(index)
  const isInside = greatest !== undefined && greatest < (array.length ?? 0)
  return isInside ? sizeOf(array, b.unit.target) : undefined
}

/** Of `x & 7` it is 7, of an unsigned `x % 7` it is 6; such a number is not negative. */
const greatestOf = (index: Expr): number | undefined => {
  if (index.kind === 'cast' && index.type.kind === 'int' && index.type.width >= 32) return greatestOf(index.arg)
  if (index.kind !== 'binary' || index.right.kind !== 'const' || index.type.kind !== 'int') return undefined
  const by = Number(index.right.value)
  if (index.op === 'bitand' && by >= 0) return by
  return index.op === 'rem' && !index.type.signed && by > 0 ? by - 1 : undefined
}
