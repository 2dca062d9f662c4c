// Types of program values. C's types are richer (src/frontend/c/ast.ts); lowering leaves only these.

/** An integer of a C width. `_Bool` is unsigned of width 1; bit-fields keep their own width. */
export interface IntType {
  readonly kind: 'int'
  readonly width: number
  readonly signed: boolean
}

/** An address in bytes. Address 0 is NULL. Compares and subtracts like an unsigned integer, never wraps. */
export interface PointerType {
  readonly kind: 'pointer'
  readonly width: 32 | 64
}

/** IEEE single and double precision, and the x87's extended format (extended.ts), which one execution alone computes. */
export interface FloatType {
  readonly kind: 'float'
  readonly width: 32 | 64 | 80
}

/** A truth value: the result of a comparison, not C's `_Bool`. */
export interface BoolType {
  readonly kind: 'bool'
}

export type Type = IntType | PointerType | FloatType | BoolType

export const BOOL: BoolType = { kind: 'bool' }

const integers = new Map<number, IntType>()

export const intType = (width: number, signed: boolean): IntType => {
  const key = width * 2 + (signed ? 1 : 0)
  let type = integers.get(key)
  if (!type) integers.set(key, (type = { kind: 'int', width, signed }))
  return type
}

export const INT = intType(32, true)
export const POINTER: Readonly<Record<32 | 64, PointerType>> = {
  32: { kind: 'pointer', width: 32 },
  64: { kind: 'pointer', width: 64 },
}
export const FLOAT: Readonly<Record<32 | 64 | 80, FloatType>> = {
  32: { kind: 'float', width: 32 },
  64: { kind: 'float', width: 64 },
  80: { kind: 'float', width: 80 },
}

/** Values that one execution alone computes (semantics/sequential): every engine has them unsupported by name. */
export const isWide = (type: Type): boolean =>
  (type.kind === 'float' && type.width === 80) || (type.kind === 'int' && type.width > 64)

export const sameType = (a: Type, b: Type): boolean =>
  a === b ||
  (a.kind === 'int' && b.kind === 'int' && a.width === b.width && a.signed === b.signed) ||
  (a.kind === 'pointer' && b.kind === 'pointer' && a.width === b.width) ||
  (a.kind === 'float' && b.kind === 'float' && a.width === b.width) ||
  (a.kind === 'bool' && b.kind === 'bool')

/** Bytes that a value of this type occupies in memory. */
export const byteSize = (type: Type): number => (type.kind === 'bool' ? 1 : Math.ceil(type.width / 8))
