// Expressions: operands from left to right, one access to shared memory an edge, control flow only where an operand
// has an effect, may stop, or reads shared memory.
import {
  and,
  cast,
  constant,
  type Expr,
  FLOAT,
  INT,
  intType,
  isWide,
  ite,
  type Location,
  le,
  lt,
  not,
  or,
  rangeOf,
  type Type,
  truth,
  Unsupported,
  varExpr,
  variablesOf,
} from '../../../xcfa/index.js'
import type { CExpr } from '../ast.js'
import { isVoid, unqualified } from '../check/types.js'
import { arithmetic, comparison, difference, negation, overflow } from './arithmetic.js'
import { assignment, compoundAssignment, increment, noteValueOfAssignment } from './assignments.js'
import type { ProcedureBuilder } from './builder.js'
import { builtin } from './calls/builtins.js'
import { call } from './calls/calls.js'
import { stringOf } from './calls/intrinsics.js'
import { functionAddress, labelAddress } from './context.js'
import { calleeOf } from './effects/callee.js'
import { type Evaluation, inEveryOrder } from './effects/order.js'
import { isPure, mayChange } from './effects/purity.js'
import { touchedBy } from './effects/touched.js'
import { elementOf, isRecord, scalarType } from './layout.js'
import { addressOf, bytesOfArray, displaced, placeOf, readPlace, scaled } from './places.js'
import { recordAddress } from './records.js'
import { isCleanup, statementList } from './statements.js'

/** The value of a scalar expression; what it needs is emitted. */
export const value = (b: ProcedureBuilder, e: CExpr): Expr => {
  const result = valueOrNothing(b, e)
  if (!result) throw new Unsupported('the value of a void expression', e.position)
  return result
}

/** For the effect only. */
export const evaluate = (b: ProcedureBuilder, e: CExpr): void => {
  switch (e.kind) {
    case 'increment':
      increment(b, e, false)
      return
    case 'assign':
      assignment(b, e)
      return
    case 'compoundAssign':
      compoundAssignment(b, e)
      return
    case 'cast':
      if (isVoid(e.type) && !isRecord(e.operand.type)) {
        evaluate(b, e.operand)
        return
      }
      break
    case 'comma':
      evaluate(b, e.left)
      evaluate(b, e.right)
      return
    case 'conditional':
      nameAssertion(b, e.else)
      evaluateEither(b, e.condition, e.then, e.else)
      return
    case 'logical':
      if (b.depth === 0 && isPure(b, e)) return
      if (e.op === '&&') {
        evaluateEither(b, e.left, e.right, undefined)
        return
      }
      evaluateEither(b, e.left, undefined, e.right)
      return
    default:
  }
  if (isRecord(e.type)) recordAddress(b, e)
  else if (!isLvalue(e) && !isUnread(b, e)) keepReads(b, valueOrNothing(b, e))
}

/** Inside an atomic block a value that nobody uses still mentions the globals it is made of: reading them can race. */
const keepReads = (b: ProcedureBuilder, result: Expr | undefined): void => {
  if (b.depth > 0 && result && [...variablesOf(result)].some(({ scope }) => scope === 'global')) b.stable(result)
}

/** (void)argv; */
const isUnread = (b: ProcedureBuilder, e: CExpr): boolean =>
  e.kind === 'load' && e.lvalue.kind === 'variable' && b.unit.arguments.has(e.lvalue.variable)

const isLvalue = (e: CExpr): boolean => ['variable', 'deref', 'member', 'string'].includes(e.kind)

/** The macro's expansion is shown as it was written. */
const nameAssertion = (b: ProcedureBuilder, e: CExpr): void => {
  if (e.kind === 'cast') {
    nameAssertion(b, e.operand)
    return
  }
  const text = e.kind === 'builtin' && e.name === '__heddle_assert_fail' && e.args[0] && stringOf(e.args[0])
  if (text && b.text.startsWith('(')) b.text = `assert(${text});`.slice(0, 60)
}

const evaluateEither = (b: ProcedureBuilder, condition: CExpr, then?: CExpr, otherwise?: CExpr): void => {
  either(
    b,
    condition,
    () => then && evaluate(b, then),
    () => otherwise && evaluate(b, otherwise),
  )
}

const valueOrNothing = (b: ProcedureBuilder, e: CExpr): Expr | undefined => {
  switch (e.kind) {
    case 'constant':
      if (e.overflows) overflow(b)
      return constant(scalar(b, e), e.value)
    case 'function':
      return functionAddress(b.unit, e.function)
    case 'label':
      return labelAddress(b.unit, e.function, e.name)
    case 'load':
      return load(b, e.lvalue)
    case 'address':
      return addressValue(b, e.lvalue)
    case 'cast':
      return conversion(b, e)
    case 'unary':
      return negation(b, e, value(b, e.operand))
    case 'not':
      return cast(INT, not(condition(b, e.operand)))
    case 'binary': {
      const [left, right] = operands(b, e.left, e.right)
      return arithmetic(b, e.op, left, right)
    }
    case 'pointerAdd': {
      const [pointer, index] = operands(b, e.pointer, e.index)
      return displaced(b, pointer, scaled(b, index, e.elementSize, bytesOfArray(b, e.pointer, index)))
    }
    case 'pointerDifference': {
      const [left, right] = operands(b, e.left, e.right)
      return difference(b, left, right, e.elementSize)
    }
    case 'compare':
    case 'logical':
      return cast(INT, condition(b, e))
    case 'conditional':
      return conditional(b, e)
    case 'comma':
      evaluate(b, e.left)
      return valueOrNothing(b, e.right)
    case 'assign':
      noteValueOfAssignment(b, e)
      return assignment(b, e)
    case 'compoundAssign':
      noteValueOfAssignment(b, e)
      return compoundAssignment(b, e)
    case 'increment':
      if (e.prefix) noteValueOfAssignment(b, e)
      return increment(b, e, true)
    case 'call':
      return call(b, e)
    case 'builtin':
      return builtin(b, e)
    case 'statements':
      return statementExpression(b, e)
    case 'variable':
    case 'deref':
    case 'member':
    case 'string':
    case 'compound':
      // Designators of arrays and functions stand for their address.
      if (unqualified(e.type).kind === 'array' || unqualified(e.type).kind === 'function') return addressOf(b, e)
      return readPlace(b, placeOf(b, e))
  }
}

const scalar = (b: ProcedureBuilder, e: CExpr) => scalarType(e.type, b.unit.target, e.position)

/** Two operands in any order; the first keeps its value while the second is evaluated. */
const operands = (b: ProcedureBuilder, left: CExpr, right: CExpr): readonly [Expr, Expr] => {
  const ordered = inEveryOrder(b, [evaluation(b, left), evaluation(b, right)])
  if (ordered) return [ordered[0]![0]!, ordered[1]![0]!]
  const first = keep(b, value(b, left), right)
  return [first, value(b, right)]
}

const evaluation = (b: ProcedureBuilder, e: CExpr): Evaluation => ({
  touched: touchedBy(e),
  evaluate: () => [value(b, e)],
})

/** A value that later evaluations cannot change. */
export const keep = (b: ProcedureBuilder, e: Expr, ...later: readonly CExpr[]): Expr => {
  const variables = variablesOf(e)
  return later.some((next) => mayChange(b, next, variables)) ? b.stable(e) : e
}

const load = (b: ProcedureBuilder, lvalue: CExpr): Expr => {
  if (unqualified(lvalue.type).kind === 'array' || unqualified(lvalue.type).kind === 'function')
    return addressValue(b, lvalue)
  return readPlace(b, placeOf(b, lvalue))
}

const addressValue = (b: ProcedureBuilder, lvalue: CExpr): Expr => {
  const fn = lvalue.kind === 'function' ? calleeOf(lvalue) : undefined
  if (fn) return functionAddress(b.unit, fn)
  // &*p is p, also where p is a pointer to a function.
  if (lvalue.kind === 'deref') return value(b, lvalue.pointer)
  return addressOf(b, lvalue)
}

const conversion = (b: ProcedureBuilder, e: CExpr & { kind: 'cast' }): Expr | undefined => {
  if (isVoid(e.type)) {
    evaluate(b, e.operand)
    return undefined
  }
  if (isRecord(e.type)) return recordAddress(b, e.operand)
  const { operand } = e
  if (operand.kind === 'call' && !isVoid(operand.type) && !isRecord(operand.type))
    return converted(b, scalar(b, e), call(b, operand, elementOf(e.type, b.unit.target, e.position))!)
  return converted(b, scalar(b, e), value(b, operand))
}

/**
 * A pointer becomes a signed integer by way of the unsigned one. So points-to analysis can tell what a program computes
 * with addresses from a difference of pointers, which is written without that step.
 */
const converted = (b: ProcedureBuilder, type: Type, operand: Expr): Expr => {
  if (operand.type.kind === 'float') return inRange(b, type, operand)
  const isAddress = operand.type.kind === 'pointer' && type.kind === 'int' && type.signed
  return cast(type, isAddress ? cast(intType(type.width, false), operand) : operand)
}

/** A float whose whole part is no value of the integer type: the conversion is undefined (C11 6.3.1.4). */
const inRange = (b: ProcedureBuilder, to: Type, operand: Expr): Expr => {
  if (to.kind !== 'int' || to.width === 1) return cast(to, operand)
  const { low, high } = rangeOf(to)
  const type = FLOAT[isWide(operand.type) ? 80 : 64]
  const wide = cast(type, operand)
  const number = (bound: bigint): Expr => cast(type, constant(intType(256, true), bound))
  // Is the number below the least one exact?
  const isExact = to.width <= (type.width === 80 ? 63 : 32)
  const above = isExact ? lt(number(low - 1n), wide) : le(number(low), wide)
  b.require(and(above, lt(wide, number(high + 1n))), () =>
    b.haltLocation({ kind: 'undefined', text: 'conversion of a float that is out of range' }),
  )
  return cast(to, operand)
}

// ---- truth

/** The expression as a condition. */
export const condition = (b: ProcedureBuilder, e: CExpr): Expr => {
  switch (e.kind) {
    case 'not':
      return not(condition(b, e.operand))
    case 'compare': {
      const [left, right] = operands(b, e.left, e.right)
      return comparison(b, e.op, left, right)
    }
    case 'logical':
      if (isPure(b, e.right)) return shortCircuit(b, e)
      return truth(branchValue(b, e))
    default:
      return truth(value(b, e))
  }
}

/** The right side has no effect and cannot stop: it may be evaluated in any case. */
const shortCircuit = (b: ProcedureBuilder, e: CExpr & { kind: 'logical' }): Expr => {
  const left = keep(b, condition(b, e.left), e.right)
  const right = condition(b, e.right)
  return e.op === '&&' ? and(left, right) : or(left, right)
}

/** 0 or 1 by control flow. */
const branchValue = (b: ProcedureBuilder, e: CExpr): Expr => {
  const result = b.temporary(INT)
  either(
    b,
    e,
    () => b.emit({ kind: 'assign', target: result, value: constant(INT, 1) }),
    () => b.emit({ kind: 'assign', target: result, value: constant(INT, 0) }),
  )
  return varExpr(result)
}

/** Two ways by a condition, and on from where both end. */
export const either = (b: ProcedureBuilder, e: CExpr, whenTrue: () => void, whenFalse: () => void): void =>
  b.either((then, otherwise) => branch(b, e, then, otherwise), whenTrue, whenFalse)

/** Goes to one of two places; short circuits are control flow. */
export const branch = (b: ProcedureBuilder, e: CExpr, whenTrue: Location, whenFalse: Location): void => {
  if (e.kind === 'not') {
    branch(b, e.operand, whenFalse, whenTrue)
    return
  }
  if (e.kind === 'logical' && !isPure(b, e.right)) {
    const second = b.pin()
    if (e.op === '&&') branch(b, e.left, second, whenFalse)
    else branch(b, e.left, whenTrue, second)
    b.continueAt(second)
    branch(b, e.right, whenTrue, whenFalse)
    return
  }
  if (isChoice(e)) {
    b.choose(whenTrue, whenFalse)
    return
  }
  b.branch(condition(b, e), whenTrue, whenFalse)
}

/** `__heddle_choice()` as a condition needs no variable. */
const isChoice = (e: CExpr): boolean => {
  if (e.kind === 'cast') return isChoice(e.operand)
  if (e.kind === 'builtin') return e.name === '__heddle_choice'
  return e.kind === 'call' && calleeOf(e.callee)?.name === '__heddle_choice'
}

const conditional = (b: ProcedureBuilder, e: CExpr & { kind: 'conditional' }): Expr | undefined => {
  if (isVoid(e.type)) {
    evaluateEither(b, e.condition, e.then, e.else)
    return undefined
  }
  if (isPure(b, e.then) && isPure(b, e.else)) {
    const test = condition(b, e.condition)
    if (test.kind === 'const') return value(b, test.value === 0 ? e.else : e.then)
    const then = value(b, e.then)
    return ite(test, then, value(b, e.else))
  }
  const result = b.temporary(scalar(b, e))
  either(
    b,
    e.condition,
    () => b.assign(result, value(b, e.then)),
    () => b.assign(result, value(b, e.else)),
  )
  return varExpr(result)
}

const statementExpression = (b: ProcedureBuilder, e: CExpr & { kind: 'statements' }): Expr | undefined => {
  const result = e.value
  if (!result) return statementList(b, e.body, () => undefined)
  return statementList(b, e.body, () => {
    if (isVoid(result.type)) return void evaluate(b, result)
    const whole = value(b, result)
    return e.body.some(isCleanup) ? b.stable(whole) : whole
  })
}
