// Arithmetic on constants as C computes it (wrapping, like gcc -fwrapv). Undefined where C has no value: the
// expression then stays as it is, and the program meets it at run time.
import {
  binaryValue,
  castValue,
  compareValue,
  intType,
  POINTER,
  type Type,
  FLOAT as VALUE_FLOAT,
  type Value,
  wrap,
} from '../../../../xcfa/index.js'
import type { CType } from '../../ast.js'
import { type Target, unqualified } from '../types.js'

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '<<' | '>>' | '&' | '|' | '^'
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>='

/** A number where it is a safe integer, a bigint beyond. */
export const normalize = (value: bigint): Value =>
  value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value

const wrapTo = (value: bigint, width: number, signed: boolean): Value =>
  normalize(signed ? BigInt.asIntN(width, value) : BigInt.asUintN(width, value))

/** Conversion of a value by C11 6.3.1. Undefined: the result is not defined, or not a constant of ours. */
export const convertValue = (value: Value, from: CType, to: CType, target: Target): Value | undefined => {
  const source = unqualified(from)
  const goal = unqualified(to)
  if (goal.kind === 'float' || (source.kind === 'float' && source.width === 80))
    return convertFloat(value, source, goal, target)
  if (goal.kind !== 'int' && goal.kind !== 'pointer') return undefined
  if (goal.kind === 'int' && goal.width === 1 && goal.name === '_Bool') return Number(value) === 0 ? 0 : 1
  const width = goal.kind === 'int' ? goal.width : target.pointerBytes * 8
  const signed = goal.kind === 'int' && goal.signed
  if (source.kind === 'float') {
    const truncated = Math.trunc(value as number)
    if (!Number.isFinite(truncated)) return undefined
    const exact = BigInt(truncated)
    return wrapTo(exact, width, signed) === normalize(exact) ? normalize(exact) : undefined
  }
  if (typeof value === 'number' && width === 32) return signed ? (value % 0x100000000) | 0 : wrapUnsigned32(value)
  return wrapTo(BigInt(value), width, signed)
}

/** To a floating type, or from a long double: as programs compute it. */
const convertFloat = (value: Value, source: CType, goal: CType, target: Target): Value | undefined => {
  const [from, to] = [valueType(source, target), valueType(goal, target)]
  if (!from || !to) return undefined
  const converted = castValue(from, to, value)
  // Out of range: not defined.
  if (to.kind === 'int' && to.width > 1 && converted === 0 && !isBelowOne(from, value)) return undefined
  return converted
}

const isBelowOne = (from: Type, value: Value): boolean => {
  const one = wrap(from, 1)
  const minusOne = wrap(from, -1)
  return compareValue('lt', from, value, one) && compareValue('lt', from, minusOne, value)
}

const valueType = (type: CType, target: Target): Type | undefined => {
  switch (type.kind) {
    case 'int':
      return intType(type.width, type.signed)
    case 'float':
      return VALUE_FLOAT[type.width]
    case 'pointer':
      return POINTER[target.pointerBytes === 8 ? 64 : 32]
    default:
      return undefined
  }
}

const wrapUnsigned32 = (value: number): number => {
  const rest = value % 0x100000000
  return rest < 0 ? rest + 0x100000000 : rest
}

export const computeBinary = (
  op: ArithmeticOperator,
  left: Value,
  right: Value,
  type: CType,
  target: Target,
): Value | undefined => {
  const plain = unqualified(type)
  if (plain.kind === 'float') return computeFloat(op, left, right, VALUE_FLOAT[plain.width])
  if (plain.kind !== 'int') return undefined
  const exact = computeInteger(op, BigInt(left), BigInt(right), plain.width)
  return exact === undefined ? undefined : convertValue(normalize(exact), type, type, target)
}

const FLOAT_OPERATORS: Readonly<Partial<Record<ArithmeticOperator, 'add' | 'sub' | 'mul' | 'div'>>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
}

const computeFloat = (op: ArithmeticOperator, left: Value, right: Value, type: Type): Value | undefined => {
  const operator = FLOAT_OPERATORS[op]
  return operator && binaryValue(operator, type, left, right)
}

const computeInteger = (op: ArithmeticOperator, left: bigint, right: bigint, width: number): bigint | undefined => {
  switch (op) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0n ? undefined : left / right
    case '%':
      return right === 0n ? undefined : left % right
    case '<<':
      return right < 0n || right >= BigInt(width) ? undefined : left << right
    case '>>':
      return right < 0n || right >= BigInt(width) ? undefined : left >> right
    case '&':
      return left & right
    case '|':
      return left | right
    case '^':
      return left ^ right
  }
}

/** Whether the result of a signed operation is no value of its type. */
export const overflows = (op: ArithmeticOperator, left: Value, right: Value, type: CType): boolean => {
  const plain = unqualified(type)
  if (plain.kind !== 'int' || !plain.signed) return false
  // C11 6.5.5p6: a remainder has no value either where the quotient has none.
  const exact = computeInteger(op === '%' ? '/' : op, BigInt(left), BigInt(right), plain.width)
  return exact !== undefined && (BigInt.asIntN(plain.width, exact) !== exact || (op === '<<' && Number(left) < 0))
}

/** Greater is less the other way round. */
const COMPARISONS = { '==': 'eq', '!=': 'ne', '<': 'lt', '<=': 'le', '>': 'lt', '>=': 'le' } as const

/** JavaScript compares numbers and bigints exactly with each other; a long double is no number but its bits. */
export const compareValues = (op: ComparisonOperator, left: Value, right: Value, type: CType): boolean => {
  const plain = unqualified(type)
  const isGreater = op === '>' || op === '>='
  if (plain.kind === 'float' && plain.width === 80)
    return compareValue(
      COMPARISONS[op],
      VALUE_FLOAT[80],
      ...(isGreater ? ([right, left] as const) : ([left, right] as const)),
    )
  switch (op) {
    case '==':
      // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint of the same value are equal here
      return left == right
    case '!=':
      // biome-ignore lint/suspicious/noDoubleEquals: see above
      return left != right
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left >= right
  }
}

export const isZero = (value: Value, type: CType): boolean => compareValues('==', value, 0, type)
