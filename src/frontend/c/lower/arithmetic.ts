// Arithmetic with its undefined cases: division by zero and over-wide shifts stop the thread; signed overflow wraps,
// and is a violation where the property is no-overflow.
import {
  and,
  type BinaryOp,
  binary,
  cast,
  compare,
  constant,
  div,
  type Expr,
  eq,
  FALSE,
  type IntType,
  intType,
  le,
  lt,
  ne,
  neg,
  not,
  or,
  rangeOf,
  sub,
  unary,
  type Value,
} from '../../../xcfa/index.js'
import type { CExpr } from '../ast.js'
import type { ProcedureBuilder } from './builder.js'
import { offsetType } from './context.js'

export type CBinaryOp = (CExpr & { kind: 'binary' })['op']
type CCompareOp = (CExpr & { kind: 'compare' })['op']

const OPERATOR: Readonly<Record<CBinaryOp, BinaryOp>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '%': 'rem',
  '<<': 'shl',
  '>>': 'shr',
  '&': 'bitand',
  '|': 'bitor',
  '^': 'bitxor',
}

/** left op right, both of the result's type (shifts: the right one of any integer type). */
export const arithmetic = (b: ProcedureBuilder, op: CBinaryOp, left: Expr, right: Expr): Expr => {
  if (left.type.kind !== 'int') return binary(OPERATOR[op], left, right)
  if (op === '/' || op === '%') requireNonZero(b, right)
  if (op === '<<' || op === '>>') requireShiftAmount(b, left.type, right)
  checkOverflow(b, op, left.type, left, right)
  return binary(OPERATOR[op], left, right)
}

const requireNonZero = (b: ProcedureBuilder, divisor: Expr): void =>
  b.require(ne(divisor, constant(divisor.type, 0)), () =>
    b.haltLocation({ kind: 'undefined', text: 'division by zero', traps: true }),
  )

const requireShiftAmount = (b: ProcedureBuilder, type: IntType, amount: Expr): void => {
  const fits = lt(amount, constant(amount.type, type.width))
  const isSigned = amount.type.kind === 'int' && amount.type.signed
  const inRange = isSigned ? and(le(constant(amount.type, 0), amount), fits) : fits
  b.require(inRange, () => b.haltLocation({ kind: 'undefined', text: 'shift by a negative or too large amount' }))
}

export const comparison = (_b: ProcedureBuilder, op: CCompareOp, left: Expr, right: Expr): Expr => {
  switch (op) {
    case '==':
      return compare('eq', left, right)
    case '!=':
      return compare('ne', left, right)
    case '<':
      return compare('lt', left, right)
    case '<=':
      return compare('le', left, right)
    case '>':
      return compare('lt', right, left)
    case '>=':
      return compare('le', right, left)
  }
}

export const difference = (b: ProcedureBuilder, left: Expr, right: Expr, elementSize: number): Expr => {
  const type = offsetType(b.unit)
  return div(sub(cast(type, left), cast(type, right)), constant(type, Math.max(elementSize, 1)))
}

export const negation = (b: ProcedureBuilder, e: CExpr & { kind: 'unary' }, operand: Expr): Expr => {
  if (e.op === '~') return unary('bitnot', operand)
  if (operand.type.kind === 'int') checkOverflow(b, '-', operand.type, constant(operand.type, 0), operand)
  return neg(operand)
}

// ---- no-overflow

/** An operation on constants that overflows wherever it is evaluated. */
export const overflow = (b: ProcedureBuilder): void => {
  if (b.unit.options.checks?.overflow) b.violate({ kind: 'overflow', text: b.text })
}

/** An edge to a violation where the mathematical result is not a value of the type. */
const checkOverflow = (b: ProcedureBuilder, op: CBinaryOp, type: IntType, left: Expr, right: Expr): void => {
  if (b.unit.options.checks?.overflow !== true || !type.signed) return
  const overflows = overflowCondition(op, type, left, right)
  if (overflows.kind === 'const' && overflows.value === 0) return
  b.require(not(overflows), () => b.errorLocation({ kind: 'overflow', text: b.text }))
}

const overflowCondition = (op: CBinaryOp, type: IntType, left: Expr, right: Expr): Expr => {
  const { low, high } = rangeOf(type)
  const number = (value: Value): Expr => constant(type, value)
  const [zero, least, most] = [number(0), number(low), number(high)]
  const exact = (operation: BinaryOp): Expr => leavesType(type, binary(operation, cast(WIDE, left), cast(WIDE, right)))
  switch (op) {
    case '+':
      if (type.width <= 32) return exact('add')
      return or(and(lt(zero, right), lt(sub(most, right), left)), and(lt(right, zero), lt(left, sub(least, right))))
    case '-':
      if (left.kind === 'const' && left.value === 0) return eq(right, least)
      if (type.width <= 32) return exact('sub')
      return or(
        and(lt(right, zero), lt(binary('add', most, right), left)),
        and(lt(zero, right), lt(left, binary('add', least, right))),
      )
    case '*':
      return type.width <= 32 ? exact('mul') : productOverflows(type, left, right)
    case '/':
    case '%':
      return and(eq(left, least), eq(right, number(-1)))
    case '<<':
      // C11 6.5.7p4: the left operand is not negative, and left * 2^right is a value of the type.
      return or(lt(left, zero), lt(binary('shr', most, right), left))
    case '>>':
    case '&':
    case '|':
    case '^':
      return FALSE
  }
}

/** Where results of smaller types are exact: also in the arithmetic of integers, without further conditions. */
const WIDE = intType(64, true)

const leavesType = (type: IntType, result: Expr): Expr => {
  const { low, high } = rangeOf(type)
  return or(lt(result, constant(WIDE, low)), lt(constant(WIDE, high), result))
}

const productOverflows = (type: IntType, left: Expr, right: Expr): Expr => {
  const { low } = rangeOf(type)
  const minusOne = constant(type, -1)
  const wraps = ne(div(binary('mul', left, right), left), right)
  return or(
    and(eq(left, minusOne), eq(right, constant(type, low))),
    and(ne(left, constant(type, 0)), ne(left, minusOne), wraps),
  )
}
