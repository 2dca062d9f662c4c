// C's types as values: the basic types of a data model, qualifiers, sizes and alignments (System V x86-64 and i386,
// as gcc lays them out), compatibility (C11 6.2.7) and how a type is written in a message.
import type { DataModel } from '../../../xcfa/index.js'
import type { CExpr, CRecord, CType } from '../ast.js'

export type PlainType = Exclude<CType, { kind: 'qualified' }>
export type IntCType = Extract<CType, { kind: 'int' }>
export type FloatCType = Extract<CType, { kind: 'float' }>
export type PointerCType = Extract<CType, { kind: 'pointer' }>
export type ArrayCType = Extract<CType, { kind: 'array' }>
export type FunctionCType = Extract<CType, { kind: 'function' }>

/** Qualifiers that change what an access means or permits. */
export interface Qualifiers {
  readonly atomic: boolean
  readonly volatile: boolean
  readonly constant: boolean
}

const UNQUALIFIED: Qualifiers = { atomic: false, volatile: false, constant: false }

const int = (name: string, width: number, signed: boolean): IntCType => ({ kind: 'int', width, signed, name })

export const VOID: CType = { kind: 'void' }
export const BOOL = int('_Bool', 1, false)
export const CHAR = int('char', 8, true)
export const SIGNED_CHAR = int('signed char', 8, true)
export const UNSIGNED_CHAR = int('unsigned char', 8, false)
export const SHORT = int('short', 16, true)
export const UNSIGNED_SHORT = int('unsigned short', 16, false)
export const INT = int('int', 32, true)
export const UNSIGNED_INT = int('unsigned int', 32, false)
export const LONG_LONG = int('long long', 64, true)
export const UNSIGNED_LONG_LONG = int('unsigned long long', 64, false)
/** Their values are computed by one execution only (xcfa/types.ts, `isWide`). */
export const INT128 = int('__int128', 128, true)
export const UNSIGNED_INT128 = int('unsigned __int128', 128, false)

/** The type of a bit-field wider than int in arithmetic: exactly its bits. No object has it. */
export const bitFieldType = (width: number, signed: boolean): IntCType =>
  int(`${signed ? 'long' : 'unsigned long'}:${width}`, width, signed)
export const isBitFieldType = (type: CType): boolean => type.kind === 'int' && type.name.includes(':')

export const FLOAT: FloatCType = { kind: 'float', width: 32, name: 'float' }
export const DOUBLE: FloatCType = { kind: 'float', width: 64, name: 'double' }
export const LONG_DOUBLE: FloatCType = { kind: 'float', width: 80, name: 'long double' }
/** Quadruple precision may be named and laid out, but its values are not modelled (`isExotic`). */
export const FLOAT128: FloatCType = { kind: 'float', width: 64, name: '_Float128' }

/** A vector of so many bytes: laid out, not computed with. */
export const vectorOf = (bytes: number): FloatCType => ({ kind: 'float', width: 64, name: `vector(${bytes})` })

const LONG_TYPES = {
  32: { long: int('long', 32, true), unsignedLong: int('unsigned long', 32, false) },
  64: { long: int('long', 64, true), unsignedLong: int('unsigned long', 64, false) },
} as const

/** What depends on the data model. */
export interface Target {
  readonly dataModel: DataModel
  readonly pointerBytes: 4 | 8
  readonly long: IntCType
  readonly unsignedLong: IntCType
  readonly size: IntCType
  readonly difference: IntCType
}

export const targetOf = (dataModel: DataModel): Target => {
  const wide = dataModel === 'lp64'
  const { long, unsignedLong } = LONG_TYPES[wide ? 64 : 32]
  return {
    dataModel,
    pointerBytes: wide ? 8 : 4,
    long,
    unsignedLong,
    size: wide ? unsignedLong : UNSIGNED_INT,
    difference: wide ? long : INT,
  }
}

export const pointerTo = (to: CType): PointerCType => ({ kind: 'pointer', to })
export const arrayOf = (of: CType, length: number | undefined, variable?: CExpr): ArrayCType =>
  variable ? { kind: 'array', of, length: undefined, variable } : { kind: 'array', of, length }

/** Qualifiers of an array belong to its elements (C11 6.7.3p9). */
export const qualify = (type: CType, { atomic, volatile, constant }: Qualifiers): CType => {
  if (!atomic && !volatile && !constant) return type
  if (type.kind === 'array')
    return arrayOf(qualify(type.of, { atomic, volatile, constant }), type.length, type.variable)
  if (type.kind === 'function') return type
  if (type.kind === 'qualified')
    return {
      kind: 'qualified',
      type: type.type,
      atomic: atomic || type.atomic,
      volatile: volatile || type.volatile,
      constant: constant || type.constant,
    }
  return { kind: 'qualified', type, atomic, volatile, constant }
}

export const unqualified = (type: CType): PlainType => {
  let plain = type
  while (plain.kind === 'qualified') plain = plain.type
  return plain
}

export const qualifiersOf = (type: CType): Qualifiers => {
  if (type.kind === 'array') return qualifiersOf(type.of)
  return type.kind === 'qualified' ? type : UNQUALIFIED
}

export const isInteger = (type: CType): boolean => unqualified(type).kind === 'int'
export const isArithmetic = (type: CType): boolean => ['int', 'float'].includes(unqualified(type).kind)
export const isPointer = (type: CType): boolean => unqualified(type).kind === 'pointer'
export const isScalar = (type: CType): boolean => ['int', 'float', 'pointer'].includes(unqualified(type).kind)
/** What complex.ts makes of two numbers; no record of a program has a blank in its name. */
export const isComplexRecord = (type: PlainType): boolean => type.kind === 'record' && type.tag.startsWith('_Complex ')
export const isVoid = (type: CType): boolean => unqualified(type).kind === 'void'

/** Types that can be declared and measured; their values are not modelled. */
export const isExotic = (type: CType): string | undefined => {
  const plain = unqualified(type)
  return plain.kind === 'float' && !MODELLED_FLOATS.includes(plain.name) ? plain.name : undefined
}

const MODELLED_FLOATS: readonly string[] = ['float', 'double', 'long double']

const floatSize = (type: FloatCType, target: Target): number => {
  const vector = /^vector\((\d+)\)$/.exec(type.name)
  if (vector) return Number(vector[1])
  if (type.name === FLOAT128.name) return 16
  if (type.name === LONG_DOUBLE.name) return target.pointerBytes === 8 ? 16 : 12
  return type.width / 8
}

/** In bytes; undefined for incomplete types and variable length arrays. Like gcc, void and functions have size 1. */
export const sizeOf = (type: CType, target: Target): number | undefined => {
  switch (type.kind) {
    case 'void':
    case 'function':
      return 1
    case 'int':
      return isBitFieldType(type) ? 8 : Math.ceil(type.width / 8)
    case 'float':
      return floatSize(type, target)
    case 'pointer':
      return target.pointerBytes
    case 'array': {
      const element = sizeOf(type.of, target)
      return type.length === undefined || element === undefined ? undefined : element * type.length
    }
    case 'record':
      return type.complete ? type.size : undefined
    case 'qualified':
      return sizeOf(type.type, target)
  }
}

/** Alignment as it counts in a struct: on i386 no scalar is aligned to more than 4. */
export const alignOf = (type: CType, target: Target): number => {
  switch (type.kind) {
    case 'void':
    case 'function':
      return 1
    case 'int':
      return Math.min(Math.ceil(type.width / 8), target.pointerBytes === 8 ? 16 : 4)
    case 'float': {
      const most = target.pointerBytes === 8 ? 16 : 4
      if (type.name === LONG_DOUBLE.name) return most
      if (type.name === FLOAT128.name) return 16
      if (type.name.startsWith('vector')) return floatSize(type, target)
      return Math.min(type.width / 8, most)
    }
    case 'pointer':
      return target.pointerBytes
    case 'array':
      return alignOf(type.of, target)
    case 'record':
      return type.align
    case 'qualified': {
      // An atomic object of 8 bytes is aligned to 8 on i386 too.
      const inner = alignOf(type.type, target)
      const size = sizeOf(type.type, target)
      return type.atomic && size !== undefined && [1, 2, 4, 8, 16].includes(size) ? Math.max(inner, size) : inner
    }
  }
}

export const isComplete = (type: CType, target: Target): boolean =>
  type.kind === 'array' && type.variable !== undefined
    ? isComplete(type.of, target)
    : !isVoid(type) && sizeOf(type, target) !== undefined

const sameQualifiers = (a: CType, b: CType): boolean => {
  const left = qualifiersOf(a)
  const right = qualifiersOf(b)
  return left.atomic === right.atomic && left.volatile === right.volatile && left.constant === right.constant
}

const compatibleRecords = (a: CRecord, b: CRecord, seen: readonly CRecord[]): boolean => {
  // Within a file records differ by object; two files (or the library's text and a file) may each define their own.
  if (a === b || seen.includes(a)) return true
  if (a.union !== b.union || a.tag !== b.tag) return false
  if (!a.complete || !b.complete) return true
  if (a.size !== b.size || a.fields.length !== b.fields.length) return false
  return a.fields.every((field, index) => {
    const other = b.fields[index]!
    return (
      field.name === other.name && field.offset === other.offset && compatible(field.type, other.type, [...seen, a])
    )
  })
}

/** Compatible types, C11 6.2.7, with qualifiers. */
export const compatible = (a: CType, b: CType, seen: readonly CRecord[] = []): boolean =>
  sameQualifiers(a, b) && compatibleUnqualified(a, b, seen)

export const compatibleUnqualified = (a: CType, b: CType, seen: readonly CRecord[] = []): boolean => {
  const left = unqualified(a)
  const right = unqualified(b)
  if (left === right) return true
  switch (left.kind) {
    case 'void':
      return right.kind === 'void'
    case 'int':
    case 'float':
      return right.kind === left.kind && right.name === left.name && right.width === left.width
    case 'pointer':
      return right.kind === 'pointer' && compatible(left.to, right.to, seen)
    case 'array':
      return (
        right.kind === 'array' &&
        (left.length === undefined || right.length === undefined || left.length === right.length) &&
        compatible(left.of, right.of, seen)
      )
    case 'record':
      return right.kind === 'record' && compatibleRecords(left, right, seen)
    case 'function':
      return right.kind === 'function' && compatibleFunctions(left, right, seen)
  }
}

const compatibleFunctions = (a: FunctionCType, b: FunctionCType, seen: readonly CRecord[]): boolean => {
  if (!compatibleUnqualified(a.result, b.result, seen)) return false
  if (a.unprototyped || b.unprototyped) return true
  return (
    a.variadic === b.variadic &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((parameter, index) => compatibleUnqualified(parameter, b.parameters[index]!, seen))
  )
}

/** The element type's array dimensions and parameter lists, as gcc writes them: `int (*)[3]`. */
export const typeName = (type: CType, inner = ''): string => {
  switch (type.kind) {
    case 'void':
      return inner ? `void ${inner}` : 'void'
    case 'int':
    case 'float':
      return inner ? `${type.name} ${inner}` : type.name
    case 'record': {
      const word = type.union ? 'union ' : isComplexRecord(type) ? '' : 'struct '
      const name = type.tag === '' && type.typedefName ? type.typedefName : `${word}${type.tag || '<anonymous>'}`
      return inner ? `${name} ${inner}` : name
    }
    case 'pointer': {
      const to = type.to.kind
      return typeName(type.to, to === 'array' || to === 'function' ? `(*${inner})` : `*${inner}`)
    }
    case 'array':
      return typeName(type.of, `${inner}[${type.length ?? ''}]`)
    case 'function': {
      const parameters = type.parameters.map((parameter) => typeName(parameter))
      if (type.variadic) parameters.push('...')
      const list = parameters.length === 0 && !type.unprototyped ? 'void' : parameters.join(', ')
      return typeName(type.result, `${inner}(${list})`)
    }
    case 'qualified': {
      const words = [
        type.constant ? 'const' : '',
        type.volatile ? 'volatile' : '',
        type.atomic ? '_Atomic' : '',
      ].filter((word) => word)
      if (type.type.kind === 'pointer') return typeName(type.type, `${words.join(' ')}${inner ? ` ${inner}` : ''}`)
      return `${words.join(' ')} ${typeName(type.type, inner)}`
    }
  }
}
