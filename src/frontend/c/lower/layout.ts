// From C types to the types of program values, and the scalars that an object consists of.
import {
  type Cell,
  type Element,
  FLOAT,
  intType,
  isWide,
  POINTER,
  type Position,
  type Type,
  Unsupported,
} from '../../../xcfa/index.js'
import type { CBits, CType } from '../ast.js'
import { isExotic, qualifiersOf, sizeOf, type Target, unqualified } from '../check/types.js'

/** The value type of a scalar C type. */
export const scalarType = (type: CType, target: Target, position: Position): Type => {
  const exotic = isExotic(type)
  if (exotic) throw new Unsupported(`values of type ${exotic}`, position)
  const plain = unqualified(type)
  switch (plain.kind) {
    case 'int':
      return intType(plain.width, plain.signed)
    case 'float':
      return FLOAT[plain.width]
    case 'pointer':
    // Array and function designators that were not decayed stand for their address.
    case 'array':
    case 'function':
      return POINTER[target.pointerBytes === 8 ? 64 : 32]
    case 'void':
    case 'record':
      throw new Unsupported(`${plain.kind} used as a scalar`, position)
  }
}

export const isRecord = (type: CType): boolean => unqualified(type).kind === 'record'
export const isAggregate = (type: CType): boolean => ['record', 'array'].includes(unqualified(type).kind)
export const isAtomic = (type: CType): boolean => qualifiersOf(type).atomic

export const sizeOfObject = (type: CType, target: Target, position: Position): number => {
  const size = sizeOf(type, target)
  if (size === undefined) throw new Unsupported('an object of incomplete type', position)
  return size
}

interface CellPlace {
  readonly offset: number
  readonly path: string
  readonly overlaps: boolean
  readonly atomic: boolean
}

const cellAt = ({
  offset,
  path,
  overlaps,
  atomic,
}: CellPlace): Pick<Cell, 'offset' | 'path' | 'overlaps' | 'atomic'> => ({
  offset,
  path,
  ...(overlaps ? { overlaps } : {}),
  ...(atomic ? { atomic } : {}),
})

/** The scalars of an object. Arrays of scalars are one cell with a count; long arrays of records repeat their members. */
export const cellsOf = (type: CType, target: Target, position: Position): readonly Cell[] => {
  const cells: Cell[] = []
  const visit = (part: CType, at: CellPlace): void => {
    const atomic = at.atomic || isAtomic(part)
    const plain = unqualified(part)
    if (plain.kind === 'array') {
      visitArray(plain.of, plain.length ?? 0, { ...at, atomic })
      return
    }
    if (plain.kind !== 'record') {
      push(part, 1, sizeOfObject(part, target, position), { ...at, atomic })
      return
    }
    for (const field of plain.fields) {
      const overlaps = at.overlaps || plain.union || field.bits !== undefined
      const path = field.name === '' ? at.path : `${at.path}.${field.name}`
      const place = { offset: at.offset + field.offset, path, overlaps, atomic }
      if (field.bits) pushBits(field.type, field.bits, place)
      else visit(field.type, place)
    }
  }
  const visitArray = (element: CType, length: number, at: CellPlace): void => {
    const size = sizeOf(element, target) ?? 0
    if (!isAggregate(element)) {
      if (length > 0)
        push(element, length, size, { ...at, path: `${at.path}[0]`, atomic: at.atomic || isAtomic(element) })
    } else if (length > MAX_REPEATED_ELEMENTS) {
      throw new Unsupported(`an array of ${length} aggregates`, position)
    } else {
      for (let i = 0; i < length; i++) visit(element, { ...at, offset: at.offset + i * size, path: `${at.path}[${i}]` })
    }
  }
  /** The bytes that are accessed for a bit-field: as its declared type, if that has their size. */
  const pushBits = (declared: CType, { size }: CBits, at: CellPlace): void => {
    if (size === sizeOfObject(declared, target, position)) push(declared, 1, size, at)
    else if ([1, 2, 4, 8].includes(size))
      cells.push({ ...cellAt(at), type: intType(size * 8, false), step: size, count: 1 })
    else cells.push({ ...cellAt(at), type: intType(8, false), step: 1, count: size })
  }
  const push = (scalar: CType, count: number, step: number, at: CellPlace): void => {
    const type = isExotic(scalar) ? undefined : scalarType(scalar, target, position)
    // What engines have no values of are bytes.
    if (!type || isWide(type)) cells.push({ ...cellAt(at), type: intType(8, false), step: 1, count: count * step })
    else cells.push({ ...cellAt(at), type, step, count })
  }
  visit(type, { offset: 0, path: '', overlaps: false, atomic: false })
  return cells
}

const MAX_REPEATED_ELEMENTS = 20_000

/** Beyond so many bytes nobody reads the names. */
const MAX_NAMED_BYTES = 4096

/** What a pointer of this type points to, as names; undefined where that says nothing. */
export const elementOf = (type: CType, target: Target, position: Position): Element | undefined => {
  const pointer = unqualified(type)
  const pointee = pointer.kind === 'pointer' ? unqualified(pointer.to) : undefined
  if (!pointee || pointee.kind === 'function' || pointee.kind === 'void') return undefined
  const size = sizeOf(pointee, target) ?? 0
  if (size === 0 || size > MAX_NAMED_BYTES) return undefined
  return { name: pointee.kind === 'record' ? pointee.tag : '', size, cells: cellsOf(pointee, target, position) }
}

export interface CopyUnit {
  readonly offset: number
  readonly type: Type
}

/** Accesses that together cover the value of an object, none overlapping: what copies and arbitrary contents touch. */
export const unitsOf = (type: CType, target: Target, position: Position): readonly CopyUnit[] => {
  const units: CopyUnit[] = []
  let covered = 0
  const cells = cellsOf(type, target, position).flatMap((cell) =>
    Array.from({ length: cell.count }, (_, i) => ({ offset: cell.offset + i * cell.step, size: cell.step, cell })),
  )
  const overlapping = cells.filter(({ cell }) => cell.overlaps === true)
  const plain = cells.filter(({ cell }) => cell.overlaps !== true)
  for (const { offset, cell } of plain) units.push({ offset, type: cell.type })
  const spans = overlapping
    .map(({ offset, size }) => ({ start: offset, end: offset + size }))
    .sort((a, b) => a.start - b.start || b.end - a.end)
  for (const { start, end } of spans) {
    let at = Math.max(start, covered)
    for (; at < end; at += chunkAt(at, end)) units.push({ offset: at, type: intType(chunkAt(at, end) * 8, false) })
    covered = Math.max(covered, end)
  }
  return units
}

/** The largest aligned power of two that fits. */
export const chunkAt = (at: number, end: number): number => [8, 4, 2, 1].find((n) => at % n === 0 && at + n <= end) ?? 1
