// Expressions to JavaScript. Integers up to 32 bits are computed inline (`|0`, `>>>0`, Math.imul); 64-bit integers,
// pointers and rare cases go through helpers that take the fast path while values are safe integers and otherwise
// call xcfa/value.ts, so that compiled and interpreted arithmetic cannot differ.
import {
  type BinaryOp,
  binaryValue,
  bitcastValue,
  type CompareOp,
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
import { type Bounds, exactly, fits, isInt32, resultBounds, TRUTH, typeBounds, union, within } from './bounds.js'

/** Functions that generated code calls, by the name under which it does. */
export class Helpers {
  readonly table = new Map<string, unknown>()

  use(name: string, make: () => unknown): string {
    if (!this.table.has(name)) this.table.set(name, make())
    return name
  }
}

/** A JavaScript expression and what is known of its value. */
export interface Code {
  readonly text: string
  readonly bounds: Bounds | undefined
}

export interface ExpressionContext {
  readonly helpers: Helpers
  /** JavaScript for the value of a variable. */
  readonly read: (variable: Variable) => Code
  /** JavaScript that is evaluated for its effect before this pointer is compared. */
  readonly beforeComparing?: (pointer: Code) => string
}

export const literal = (value: Value): string => {
  if (typeof value === 'bigint') return `${value}n`
  if (Object.is(value, -0)) return '(-0)'
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '(-Infinity)'
  return value < 0 ? `(${value})` : `${value}`
}

/** A JavaScript expression for the value; truth values are 0 or 1. */
export const valueCode = (e: Expr, context: ExpressionContext): Code => {
  const code = rawCode(e, context)
  // What can only be one value needs no computing.
  if (code.bounds && code.bounds.low === code.bounds.high && e.type.kind !== 'float')
    return { text: literal(code.bounds.low), bounds: code.bounds }
  return code
}

const rawCode = (e: Expr, context: ExpressionContext): Code => {
  switch (e.kind) {
    case 'const':
      return {
        text: literal(e.value),
        bounds: typeof e.value === 'number' && e.type.kind !== 'float' ? exactly(e.value) : undefined,
      }
    case 'var':
      return context.read(e.variable)
    case 'compare':
    case 'not':
    case 'and':
    case 'or':
      return truthCode(conditionCode(e, context))
    case 'ite': {
      const condition = conditionCode(e.condition, context)
      if (condition === 'true') return valueCode(e.then, context)
      if (condition === 'false') return valueCode(e.else, context)
      const [then, otherwise] = [valueCode(e.then, context), valueCode(e.else, context)]
      return { text: `(${condition} ? ${then.text} : ${otherwise.text})`, bounds: union(then.bounds, otherwise.bounds) }
    }
    case 'unary':
      return unaryCode(e, context)
    case 'binary':
      return binaryCode(e, valueCode(e.left, context), valueCode(e.right, context), context)
    case 'cast':
      return castCode(e.arg, e.type, context)
    case 'bitcast':
      return {
        text: bitcastCode(e.arg.type, e.type, valueCode(e.arg, context).text, context.helpers),
        bounds: typeBounds(e.type),
      }
  }
}

const truthCode = (condition: string): Code => {
  if (condition === 'true') return { text: '1', bounds: exactly(1) }
  if (condition === 'false') return { text: '0', bounds: exactly(0) }
  return { text: `(${condition} ? 1 : 0)`, bounds: TRUTH }
}

/** A JavaScript expression that is true or false as the truth value is; just `true` or `false` where that is known. */
export const conditionCode = (e: Expr, context: ExpressionContext): string => {
  switch (e.kind) {
    case 'compare':
      return compareCode(e, context)
    case 'not': {
      const arg = conditionCode(e.arg, context)
      return arg === 'true' ? 'false' : arg === 'false' ? 'true' : `!${arg}`
    }
    case 'and':
    case 'or': {
      const [absorbing, neutral, operator] = e.kind === 'and' ? ['false', 'true', ' && '] : ['true', 'false', ' || ']
      const args = e.args.map((arg) => conditionCode(arg, context)).filter((arg) => arg !== neutral)
      if (args.includes(absorbing)) return absorbing
      return args.length === 0 ? neutral : `(${args.join(operator)})`
    }
    default: {
      const { text, bounds } =
        e.kind === 'cast' && e.type.kind === 'bool' ? valueCode(e.arg, context) : valueCode(e, context)
      if (bounds && (bounds.low > 0 || bounds.high < 0)) return 'true'
      if (bounds && bounds.low === 0 && bounds.high === 0) return 'false'
      return `(${text} !== 0)`
    }
  }
}

const compareCode = (e: Extract<Expr, { kind: 'compare' }>, context: ExpressionContext): string => {
  const [left, right] = [valueCode(e.left, context), valueCode(e.right, context)]
  const outcome = outcomeCode(e, left, right)
  const { beforeComparing: before } = context
  if (!before || !mayShowReuse(e)) return outcome
  return `(${before(left)}, ${before(right)}, ${outcome})`
}

/** Which of two pointers are equal depends on whether addresses are reused; which one is null does not. */
const mayShowReuse = ({ op, left, right }: Extract<Expr, { kind: 'compare' }>): boolean =>
  (op === 'eq' || op === 'ne') && left.type.kind === 'pointer' && !isNull(left) && !isNull(right)

const isNull = (e: Expr): boolean => e.kind === 'const' && e.value === 0

const outcomeCode = (e: Extract<Expr, { kind: 'compare' }>, left: Code, right: Code): string => {
  const [a, b] = [left.bounds, right.bounds]
  if (a && b) {
    const known = knownComparison(e.op, a, b)
    if (known !== undefined) return known ? 'true' : 'false'
  }
  const operator = { eq: '===', ne: '!==', lt: '<', le: '<=' }[e.op]
  return `(${left.text} ${operator} ${right.text})`
}

const knownComparison = (op: CompareOp, a: Bounds, b: Bounds): boolean | undefined => {
  const apart = a.high < b.low || b.high < a.low
  const same = a.low === a.high && b.low === b.high && a.low === b.low
  switch (op) {
    case 'eq':
      return apart ? false : same ? true : undefined
    case 'ne':
      return apart ? true : same ? false : undefined
    case 'lt':
      return a.high < b.low ? true : a.low >= b.high ? false : undefined
    case 'le':
      return a.high <= b.low ? true : a.low > b.high ? false : undefined
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

const unaryCode = (e: Extract<Expr, { kind: 'unary' }>, context: ExpressionContext): Code => {
  const arg = valueCode(e.arg, context).text
  const bounds = typeBounds(e.type)
  if (isNarrow(e.type)) return { text: wrapCode(e.type, e.op === 'neg' ? `(0 - ${arg})` : `~${arg}`), bounds }
  const { op, type } = e
  const helper = context.helpers.use(`${op}_${typeName(type)}`, () => (a: Value) => unaryValue(op, type, a))
  return { text: `${helper}(${arg})`, bounds }
}

const binaryCode = (
  { op, type, right: rightExpr }: Extract<Expr, { kind: 'binary' }>,
  left: Code,
  right: Code,
  context: ExpressionContext,
): Code => {
  const exact = exactCode(op, type, left, right)
  if (exact) return exact
  const bounds = typeBounds(type)
  if (isNarrow(type) && type.kind === 'int' && isNarrow(rightExpr.type)) {
    const text = narrowCode(op, type, left.text, right.text, rightExpr)
    if (text) return { text, bounds }
  }
  if (type.kind === 'float' && type.width === 64 && (op === 'add' || op === 'sub' || op === 'mul' || op === 'div'))
    return { text: `(${left.text} ${{ add: '+', sub: '-', mul: '*', div: '/' }[op]} ${right.text})`, bounds }
  const helper = context.helpers.use(`${op}_${typeName(type)}`, () => binaryHelper(op, type))
  return { text: `${helper}(${left.text}, ${right.text})`, bounds }
}

/** Arithmetic whose mathematical result is in the type: as JavaScript computes it. */
const exactCode = (op: BinaryOp, type: Type, left: Code, right: Code): Code | undefined => {
  if (type.kind === 'float' || !left.bounds || !right.bounds) return undefined
  const bounds = resultBounds(op, left.bounds, right.bounds)
  if (!bounds || !fits(bounds, type)) return undefined
  const small = isInt32(bounds) && isInt32(left.bounds) && isInt32(right.bounds)
  switch (op) {
    case 'add':
    case 'sub': {
      const text = `${left.text} ${op === 'add' ? '+' : '-'} ${right.text}`
      return { text: small ? `(${text} | 0)` : `(${text})`, bounds }
    }
    case 'mul':
      if (!small) return undefined
      return { text: `Math.imul(${left.text}, ${right.text})`, bounds }
    case 'rem':
      return { text: `(${left.text} % ${right.text})`, bounds }
    case 'div':
      return small ? { text: `(${left.text} / ${right.text} | 0)`, bounds } : undefined
    case 'bitand':
      return small ? { text: `(${left.text} & ${right.text})`, bounds } : undefined
    default:
      return undefined
  }
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

const castCode = (arg: Expr, to: Type, context: ExpressionContext): Code => {
  const from = arg.type
  const inner = valueCode(arg, context)
  if (sameType(from, to)) return inner
  const code = inner.text
  const toTruth = to.kind === 'bool' || (to.kind === 'int' && to.width === 1 && !to.signed)
  if (toTruth) {
    if (inner.bounds && within(inner.bounds, TRUTH)) return inner
    return truthCode(`(${code} !== 0)`)
  }
  if (from.kind !== 'float' && inner.bounds && fits(inner.bounds, to)) return inner
  const bounds = typeBounds(to)
  if (keepsEveryValue(from, to)) return { text: code, bounds: inner.bounds ?? bounds }
  if (isNarrow(from) && isNarrow(to)) return { text: wrapCode(to, code), bounds }
  const helper = context.helpers.use(`cast_${typeName(from)}_${typeName(to)}`, () => castHelper(from, to))
  return { text: `${helper}(${code})`, bounds }
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
