// memcpy, memmove and memset of objects whose type the arguments tell, and as many as a constant says: scalar by scalar
// like an assignment, so that memory keeps its types. Everything else is left to the loops over bytes of the library's
// model, which have the same effect; between threads a scalar is then copied in one step, as `=` does it.
import { byteSize, constant, type Expr, intType, isLibrary, type Type } from '../../../../xcfa/index.js'
import type { CExpr, CFunction, CType } from '../../ast.js'
import { compatibleUnqualified, sizeOf, unqualified } from '../../check/types.js'
import type { ProcedureBuilder } from '../builder.js'
import { offsetType } from '../context.js'
import { keep, value } from '../expressions.js'
import { type CopyUnit, chunkAt, isAggregate, unitsOf } from '../layout.js'
import { displaced, loadFrom, storeTo } from '../places.js'
import { noteCopiedLock } from '../records.js'

const MAX_SCALARS = 256

/** The call's value, if it was such a call. */
export const copyByType = (b: ProcedureBuilder, callee: CFunction, args: readonly CExpr[]): Expr | undefined => {
  // A program's own function of this name is its own.
  if (args.length !== 3 || !callee.body || !isLibrary(callee.body.position)) return undefined
  if (callee.name === 'memset') return fill(b, args[0]!, args[1]!, args[2]!)
  if (callee.name === 'memcmp') noteComparedBytes(b, args)
  if (callee.name !== 'memcpy' && callee.name !== 'memmove') return undefined
  return copy(b, args[0]!, args[1]!, args[2]!, callee.name === 'memmove')
}

const copy = (
  b: ProcedureBuilder,
  target: CExpr,
  source: CExpr,
  size: CExpr,
  mayOverlap: boolean,
): Expr | undefined => {
  const type = pointedTo(target)
  const other = pointedTo(source)
  if (other) noteCopiedLock(b, other)
  if (!type || !other || !compatibleUnqualified(type, other)) return undefined
  const units = scalarsOf(b, type, size)
  if (!units) return undefined
  const to = b.stable(keep(b, value(b, target), source))
  const from = b.stable(value(b, source))
  const read = (unit: (typeof units)[number]): Expr => loadFrom(b, at(b, from, unit.offset), unit.type, false)
  if (mayOverlap && !areApart(from, to, constantOf(size))) {
    // All is read before anything is written.
    const parts = units.map((unit) => ({ ...unit, part: read(unit) }))
    for (const { offset, part } of parts) storeTo(b, at(b, to, offset), part, false)
    return to
  }
  // Other threads may see, and change, what is between two pieces.
  for (const unit of units) storeTo(b, at(b, to, unit.offset), read(unit), false)
  return to
}

/** C11 6.2.6.1p6: padding has no value that is known; pointers are one layout's. */
const noteComparedBytes = (b: ProcedureBuilder, args: readonly CExpr[]): void => {
  const types = args.map(pointedTo).filter((type) => type !== undefined)
  if (types.some((type) => hasPadding(b, type))) b.unit.notes.add('bytes of padding are zero where they are compared')
  if (types.some(({ kind }) => kind === 'record') && types.some((type) => holdsPointer(b, type)))
    b.unit.notes.add('pointers whose bytes are compared have their addresses here')
}

const hasPadding = (b: ProcedureBuilder, type: CType): boolean => {
  if (!isAggregate(type)) return false
  const used = unitsOf(type, b.unit.target, b.position).reduce((sum, unit) => sum + byteSize(unit.type), 0)
  return used < (sizeOf(type, b.unit.target) ?? 0)
}

const holdsPointer = (b: ProcedureBuilder, type: CType): boolean =>
  unitsOf(type, b.unit.target, b.position).some((unit) => unit.type.kind === 'pointer')

const areApart = (a: Expr, b: Expr, size = 0n): boolean => {
  if (a.kind !== 'const' || b.kind !== 'const') return false
  const distance = BigInt(a.value) - BigInt(b.value)
  return distance >= size || -distance >= size
}

const fill = (b: ProcedureBuilder, target: CExpr, byte: CExpr, size: CExpr): Expr | undefined => {
  const type = pointedTo(target)
  const units = type && scalarsOf(b, type, size)
  const bits = constantOf(byte)
  if (!units || bits === undefined) return undefined
  const values = units.map((unit) => ({ ...unit, filled: filled(unit.type, bits) }))
  if (values.some(({ filled }) => filled === undefined)) return undefined
  const to = b.stable(value(b, target))
  for (const { offset, filled } of values) storeTo(b, at(b, to, offset), filled!, false)
  return to
}

const at = (b: ProcedureBuilder, address: Expr, offset: number): Expr =>
  displaced(b, address, constant(offsetType(b.unit), offset))

/** The bytes of an integer all alike; zero is zero in every type. */
export const filled = (type: Type, byte: bigint): Expr | undefined => {
  const low = byte & 0xffn
  if (low === 0n) return constant(type, 0)
  if (type.kind !== 'int') return undefined
  let word = 0n
  for (let done = 0; done < type.width; done += 8) word = (word << 8n) | low
  return constant(type, word)
}

/** What the argument points to before it became a pointer to void. */
export const pointedTo = (e: CExpr): CType | undefined => {
  let inner = e
  while (inner.kind === 'cast') inner = inner.operand
  const type = unqualified(inner.type)
  return type.kind === 'pointer' && unqualified(type.to).kind !== 'void' ? type.to : undefined
}

/** The scalars of so many objects of this type as make up the size. */
const scalarsOf = (b: ProcedureBuilder, type: CType, size: CExpr) => {
  const bytes = Number(constantOf(size) ?? 0n)
  const one = sizeOf(type, b.unit.target)
  if (!one || bytes <= 0 || bytes % one !== 0) return undefined
  const count = bytes / one
  if (count > MAX_SCALARS || (isAggregate(type) && one > MAX_SCALARS * 8)) return undefined
  const units = bytesOf(b, type)
  if (units.length === 0 || units.length * count > MAX_SCALARS) return undefined
  return Array.from({ length: count }, (_, i) =>
    units.map((unit) => ({ offset: i * one + unit.offset, type: unit.type })),
  ).flat()
}

/** The scalars of an object and the padding between them, which these functions write as well. */
export const bytesOf = (b: ProcedureBuilder, type: CType): readonly CopyUnit[] => {
  const units = [...unitsOf(type, b.unit.target, b.position)].sort((a, b) => a.offset - b.offset)
  const end = sizeOf(type, b.unit.target) ?? 0
  const padding: CopyUnit[] = []
  let at = 0
  for (const { offset, size } of [...units.map((u) => ({ ...u, size: byteSize(u.type) })), { offset: end, size: 0 }]) {
    for (; at < offset; at += chunkAt(at, offset))
      padding.push({ offset: at, type: intType(chunkAt(at, offset) * 8, false) })
    at = Math.max(at, offset + size)
  }
  return [...units, ...padding]
}

export const constantOf = (e: CExpr): bigint | undefined => {
  if (e.kind === 'cast') return constantOf(e.operand)
  return e.kind === 'constant' && unqualified(e.type).kind === 'int' ? BigInt(e.value) : undefined
}
