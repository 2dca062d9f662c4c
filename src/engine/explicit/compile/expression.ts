// Expressions to JavaScript. Integers up to 32 bits are computed inline (`|0`, `>>>0`, Math.imul); 64-bit integers,
// pointers and rare cases go through helpers that take the fast path while values are safe integers and otherwise
// call xcfa/value.ts, so that compiled and interpreted arithmetic cannot differ.
import {
  type BinaryOp,
  binaryValue,
  bitcastValue,
  castValue,
  type Expr,
  type IntType,
  sameType,
  type Type,
  unaryValue,
  type Value,
  type Variable,
  wrap,
} from '../../../xcfa/index.js'

/** Functions that generated code calls, by the name under which it does. */
export class Helpers {
  readonly table = new Map<string, unknown>()

  use(name: string, make: () => unknown): string {
    if (!this.table.has(name)) this.table.set(name, make())
    return name
  }
}

/** JavaScript for the value of a variable. */
export type ReadVariable = (variable: Variable) => string

export interface ExpressionContext {
  readonly helpers: Helpers
  readonly read: ReadVariable
}

export const literal = (value: Value): string => {
  if (typeof value === 'bigint') return `${value}n`
  if (Object.is(value, -0)) return '(-0)'
  if (Number.isNaN(value)) return 'NaN'
  return value < 0 ? `(${value})` : `${value}`
}

/** A JavaScript expression for the value; truth values are 0 or 1. */
export const valueCode = (e: Expr, context: ExpressionContext): string => {
  switch (e.kind) {
    case 'const':
      return literal(e.value)
    case 'var':
      return context.read(e.variable)
    case 'compare':
    case 'not':
    case 'and':
    case 'or':
      return `(${conditionCode(e, context)} ? 1 : 0)`
    case 'ite':
      return `(${conditionCode(e.condition, context)} ? ${valueCode(e.then, context)} : ${valueCode(e.else, context)})`
    case 'unary':
      return unaryCode(e, context)
    case 'binary':
      return binaryCode(e.op, e.type, valueCode(e.left, context), valueCode(e.right, context), e.right, context)
    case 'cast':
      return castCode(e.arg, e.type, context)
    case 'bitcast':
      return bitcastCode(e.arg.type, e.type, valueCode(e.arg, context), context.helpers)
  }
}

/** A JavaScript expression that is true or false as the truth value is. */
export const conditionCode = (e: Expr, context: ExpressionContext): string => {
  switch (e.kind) {
    case 'const':
      return e.value === 0 ? 'false' : 'true'
    case 'compare': {
      const operator = { eq: '===', ne: '!==', lt: '<', le: '<=' }[e.op]
      return `(${valueCode(e.left, context)} ${operator} ${valueCode(e.right, context)})`
    }
    case 'not':
      return `!${conditionCode(e.arg, context)}`
    case 'and':
      return `(${e.args.map((arg) => conditionCode(arg, context)).join(' && ')})`
    case 'or':
      return `(${e.args.map((arg) => conditionCode(arg, context)).join(' || ')})`
    case 'cast':
      // To a truth value: "not zero".
      if (e.type.kind === 'bool') return `(${valueCode(e.arg, context)} !== 0)`
      return `(${valueCode(e, context)} !== 0)`
    default:
      return `(${valueCode(e, context)} !== 0)`
  }
}

const isNarrow = (type: Type): boolean => type.kind === 'bool' || (type.kind === 'int' && type.width <= 32)

/** Brings a number that is exact modulo 2^32 into a type of at most 32 bits. */
const wrapCode = (type: Type, code: string): string => {
  const { width, signed } = type.kind === 'int' ? type : { width: 1, signed: false }
  if (width === 32) return signed ? `(${code} | 0)` : `(${code} >>> 0)`
  if (signed) return `(${code} << ${32 - width} >> ${32 - width})`
  return `(${code} & ${2 ** width - 1})`
}

const typeName = (type: Type): string =>
  type.kind === 'bool'
    ? 'bool'
    : type.kind === 'int'
      ? `${type.signed ? 'i' : 'u'}${type.width}`
      : `${type.kind === 'float' ? 'f' : 'p'}${type.width}`

const unaryCode = (e: Extract<Expr, { kind: 'unary' }>, context: ExpressionContext): string => {
  const arg = valueCode(e.arg, context)
  if (isNarrow(e.type)) return wrapCode(e.type, e.op === 'neg' ? `(0 - ${arg})` : `~${arg}`)
  const { op, type } = e
  return `${context.helpers.use(`${op}_${typeName(type)}`, () => (a: Value) => unaryValue(op, type, a))}(${arg})`
}

const binaryCode = (
  op: BinaryOp,
  type: Type,
  left: string,
  right: string,
  rightExpr: Expr,
  context: ExpressionContext,
): string => {
  if (isNarrow(type) && type.kind === 'int' && isNarrow(rightExpr.type)) {
    const code = narrowCode(op, type, left, right, rightExpr)
    if (code) return code
  }
  if (type.kind === 'float' && type.width === 64 && (op === 'add' || op === 'sub' || op === 'mul' || op === 'div'))
    return `(${left} ${{ add: '+', sub: '-', mul: '*', div: '/' }[op]} ${right})`
  return `${context.helpers.use(`${op}_${typeName(type)}`, () => binaryHelper(op, type))}(${left}, ${right})`
}

const narrowCode = (op: BinaryOp, type: IntType, left: string, right: string, rightExpr: Expr): string | undefined => {
  switch (op) {
    case 'add':
      return wrapCode(type, `(${left} + ${right})`)
    case 'sub':
      return wrapCode(type, `(${left} - ${right})`)
    case 'mul':
      return wrapCode(type, `Math.imul(${left}, ${right})`)
    case 'bitand':
      return type.signed || type.width < 32 ? `(${left} & ${right})` : `((${left} & ${right}) >>> 0)`
    case 'bitor':
      return type.signed || type.width < 32 ? `(${left} | ${right})` : `((${left} | ${right}) >>> 0)`
    case 'bitxor':
      return type.signed || type.width < 32 ? `(${left} ^ ${right})` : `((${left} ^ ${right}) >>> 0)`
    case 'div':
      return rightExpr.kind === 'const' && rightExpr.value !== 0 ? wrapCode(type, `(${left} / ${right})`) : undefined
    case 'rem':
      return rightExpr.kind === 'const' && rightExpr.value !== 0 ? wrapCode(type, `(${left} % ${right})`) : undefined
    case 'shl':
    case 'shr': {
      if (rightExpr.kind !== 'const' || rightExpr.value < 0 || rightExpr.value >= type.width) return undefined
      if (op === 'shl') return wrapCode(type, `(${left} << ${right})`)
      return type.signed ? `(${left} >> ${right})` : `(${left} >>> ${right})`
    }
  }
}

const binaryHelper = (op: BinaryOp, type: Type): ((a: Value, b: Value) => Value) => {
  const exact = (a: Value, b: Value): Value => binaryValue(op, type, a, b)
  // A safe integer is in every 64-bit type, except that unsigned ones and pointers have no negative values.
  const wide = (type.kind === 'int' && type.width === 64) || (type.kind === 'pointer' && type.width === 64)
  const least = type.kind === 'int' && type.signed ? -Number.MAX_SAFE_INTEGER : 0
  const fits = (result: number): boolean => result >= least && result <= Number.MAX_SAFE_INTEGER
  if (!wide) return exact
  switch (op) {
    case 'add':
      return (a, b) => {
        if (typeof a === 'number' && typeof b === 'number' && fits(a + b)) return a + b
        return exact(a, b)
      }
    case 'sub':
      return (a, b) => {
        if (typeof a === 'number' && typeof b === 'number' && fits(a - b)) return a - b
        return exact(a, b)
      }
    case 'mul':
      return (a, b) => {
        // Not through a product that is -0.
        if (typeof a === 'number' && typeof b === 'number' && fits(a * b)) return a * b + 0
        return exact(a, b)
      }
    default:
      return exact
  }
}

const castCode = (arg: Expr, to: Type, context: ExpressionContext): string => {
  const from = arg.type
  if (from.kind === 'bool' && to.kind === 'int' && !(to.width === 1 && to.signed)) return valueCode(arg, context)
  const code = valueCode(arg, context)
  if (sameType(from, to)) return code
  if (to.kind === 'bool' || (to.kind === 'int' && to.width === 1 && !to.signed)) return `(${code} !== 0 ? 1 : 0)`
  if (keepsEveryValue(from, to)) return code
  if (isNarrow(from) && isNarrow(to)) return wrapCode(to, code)
  return `${context.helpers.use(`cast_${typeName(from)}_${typeName(to)}`, () => castHelper(from, to))}(${code})`
}

/** Whether the same JavaScript value stands for the converted one. */
const keepsEveryValue = (from: Type, to: Type): boolean => {
  if (from.kind === 'bool') return to.kind !== 'int' || to.width > 1 || !to.signed
  if (from.kind === 'pointer') return to.kind === 'pointer' ? to.width >= from.width : fitsUnsigned(from.width, to)
  if (from.kind !== 'int') return false
  if (!from.signed) return to.kind === 'pointer' ? to.width >= from.width : fitsUnsigned(from.width, to)
  return to.kind === 'int' && to.signed && to.width >= from.width
}

const fitsUnsigned = (width: number, to: Type): boolean =>
  to.kind === 'int' && (to.signed ? to.width > width : to.width >= width)

const castHelper = (from: Type, to: Type): ((a: Value) => Value) => {
  if (from.kind === 'float' || to.kind === 'float') return (a) => castValue(from, to, a)
  if (isNarrow(to)) return (a) => (typeof a === 'number' && a === (a | 0) ? wrap(to, a | 0) : castValue(from, to, a))
  // To 64 bits: only a negative value changes, and only when it becomes unsigned.
  const least = to.kind === 'int' && to.signed ? -Number.MAX_SAFE_INTEGER : 0
  return (a) => (typeof a === 'number' && a >= least ? wrapWide(to, a) : castValue(from, to, a))
}

const wrapWide = (to: Type, a: number): Value => (to.kind !== 'bool' && to.width === 64 ? a : wrap(to, a))

export const bitcastCode = (from: Type, to: Type, code: string, helpers: Helpers): string => {
  if (sameType(from, to)) return code
  if (isNarrow(from) && isNarrow(to) && from.kind === 'int' && to.kind === 'int' && from.width === to.width)
    return wrapCode(to, code)
  return `${helpers.use(`bits_${typeName(from)}_${typeName(to)}`, () => (a: Value) => bitcastValue(from, to, a))}(${code})`
}
