// Operators (C11 6.5.2 to 6.5.16): arithmetic on common types, pointers in units of what they point to.
import type { Position } from '../../../../xcfa/index.js'
import type { CExpr, CType } from '../../ast.js'
import { field, type SyntaxNode } from '../../parse/index.js'
import { type Context, fail, failAt, positionOf, textOf, unsupported, warn } from '../context.js'
import {
  compatibleUnqualified,
  INT,
  isArithmetic,
  isComplete,
  isInteger,
  isPointer,
  isScalar,
  isVoid,
  type PointerCType,
  pointerTo,
  qualifiersOf,
  qualify,
  sizeOf,
  typeName,
  unqualified,
  VOID,
} from '../types.js'
import { commonComplex, complexBinary, complexCast, complexUnary, isComplex, isComplexConversion } from './complex.js'
import {
  cast,
  commonType,
  constant,
  convertAsAssigned,
  foldedConstant,
  isLvalue,
  isNullPointerConstant,
  promote,
  refuseExotic,
  toCondition,
  toValue,
  withoutSize,
} from './convert.js'
import { checkExpression, checkValue, dereference, hiddenVariable } from './expressions.js'
import {
  type ArithmeticOperator,
  type ComparisonOperator,
  compareValues,
  computeBinary,
  convertValue,
  isZero,
  normalize,
  overflows,
} from './values.js'
import { isVector, vectorAssign, vectorBinary, vectorSubscript, vectorUnary } from './vectors.js'

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])

/** Long chains a + b + c ... lean to the left: they are walked in a loop. */
export const checkBinary = (c: Context, node: SyntaxNode): CExpr => {
  const chain = [node]
  let first = field(node, 'left')!
  while (first.type === 'binary_expression') {
    chain.push(first)
    first = field(first, 'left')!
  }
  let result = checkExpression(c, first)
  for (const link of chain.reverse()) {
    const operator = textOf(c, field(link, 'operator')!)
    result = combine(c, link, operator, result, field(link, 'right')!)
  }
  return result
}

const combine = (c: Context, node: SyntaxNode, operator: string, leftOperand: CExpr, rightNode: SyntaxNode): CExpr => {
  if (operator === '&&' || operator === '||') {
    const left = toCondition(c, leftOperand)
    return makeLogical(operator, left, toCondition(c, checkExpression(c, rightNode)), positionOf(c, node))
  }
  const left = toValue(c, leftOperand)
  const right = checkValue(c, rightNode)
  if (isVector(left.type) || isVector(right.type)) return ofVectors(c, node, operator, left, right)
  if (isComplex(left.type) || isComplex(right.type)) return ofComplex(c, node, operator, left, right)
  if (COMPARISONS.has(operator)) return compare(c, node, operator as ComparisonOperator, left, right)
  return arithmetic(c, node, operator as ArithmeticOperator, left, right)
}

const ofVectors = (c: Context, node: SyntaxNode, operator: string, left: CExpr, right: CExpr): CExpr => {
  const compares = COMPARISONS.has(operator)
  return vectorBinary(c, node, [left, right], compares, (a, b) =>
    compares
      ? compare(c, node, operator as ComparisonOperator, a, b)
      : arithmetic(c, node, operator as ArithmeticOperator, a, b),
  )
}

const ofComplex = (c: Context, node: SyntaxNode, operator: string, left: CExpr, right: CExpr): CExpr =>
  complexBinary(c, node, operator, [left, right], (op, a, b) => {
    if (COMPARISONS.has(op)) return makeCompare(op as ComparisonOperator, a, b, a.position)
    return makeBinary(c, op as ArithmeticOperator, a, b, a.type, a.position)
  })

const makeLogical = (op: '&&' | '||', left: CExpr, right: CExpr, position: Position): CExpr => {
  if (left.kind === 'constant') {
    if (isZero(left.value, left.type) === (op === '&&')) return foldedConstant(op === '&&' ? 0 : 1, INT, position, left)
    if (right.kind === 'constant')
      return foldedConstant(isZero(right.value, right.type) ? 0 : 1, INT, position, left, right)
  }
  return { kind: 'logical', op, left, right, type: INT, position }
}

const invalidOperands = (c: Context, node: SyntaxNode, operator: string, left: CExpr, right: CExpr): never =>
  fail(c, node, `invalid operands to binary ${operator} (have '${typeName(left.type)}' and '${typeName(right.type)}')`)

const arithmetic = (c: Context, node: SyntaxNode, op: ArithmeticOperator, left: CExpr, right: CExpr): CExpr => {
  const position = positionOf(c, node)
  const invalid = (): never => invalidOperands(c, node, op, left, right)
  if (op === '+' && isPointer(left.type) && isInteger(right.type)) return pointerAdd(c, left, right, position)
  if (op === '+' && isInteger(left.type) && isPointer(right.type)) return pointerAdd(c, right, left, position)
  if (op === '-' && isPointer(left.type))
    return isInteger(right.type)
      ? pointerAdd(c, left, negated(c, right), position)
      : isPointer(right.type)
        ? pointerDifference(c, left, right, position)
        : invalid()
  if (!isArithmetic(left.type) || !isArithmetic(right.type)) return invalid()
  if (op === '<<' || op === '>>') {
    if (!isInteger(left.type) || !isInteger(right.type)) return invalid()
    const promoted = promote(c, left)
    return makeBinary(c, op, promoted, promote(c, right), promoted.type, position)
  }
  if (op !== '+' && op !== '-' && op !== '*' && op !== '/' && (!isInteger(left.type) || !isInteger(right.type)))
    return invalid()
  const type = commonType(c, left, right)
  return makeBinary(c, op, cast(c, left, type), cast(c, right, type), type, position)
}

/** Operands have their types already. */
export const makeBinary = (
  c: Context,
  op: ArithmeticOperator,
  left: CExpr,
  right: CExpr,
  type: CType,
  position: Position,
): CExpr => {
  refuseExotic(c, type, position)
  if (left.kind === 'constant' && right.kind === 'constant') {
    const value = computeBinary(op, left.value, right.value, type, c.target)
    if (value !== undefined)
      return overflows(op, left.value, right.value, type)
        ? { kind: 'constant', value, type, position, overflows: true }
        : foldedConstant(value, type, position, left, right)
  }
  return { kind: 'binary', op, left, right, type, position }
}

// ---- pointers

/** The index in units of `elementSize`: elements of variable size count their own elements. */
const scaled = (c: Context, to: CType, index: CExpr): { readonly index: CExpr; readonly elementSize: number } => {
  const type = unqualified(to)
  if (type.kind === 'array' && type.variable) {
    const count = cast(c, type.variable, c.target.difference)
    return scaled(c, type.of, makeBinary(c, '*', index, count, c.target.difference, index.position))
  }
  const elementSize = sizeOf(type, c.target)
  if (elementSize === undefined)
    return failAt(index.position, `arithmetic on a pointer to incomplete type '${typeName(type)}'`)
  return { index, elementSize }
}

const pointerAdd = (c: Context, pointer: CExpr, by: CExpr, position: Position): CExpr => {
  const type = unqualified(pointer.type) as PointerCType
  const { index, elementSize } = scaled(c, type.to, cast(c, by, c.target.difference))
  if (pointer.kind === 'constant' && index.kind === 'constant') {
    const value = normalize(BigInt(pointer.value) + BigInt(index.value) * BigInt(elementSize))
    return constant(convertValue(value, type, type, c.target)!, type, position)
  }
  if (index.kind === 'constant' && isZero(index.value, index.type)) return pointer
  return { kind: 'pointerAdd', pointer, index, elementSize, type, position }
}

const negated = (c: Context, e: CExpr): CExpr => {
  const type = c.target.difference
  return makeBinary(c, '-', constant(0, type, e.position), cast(c, e, type), type, e.position)
}

const pointerDifference = (c: Context, left: CExpr, right: CExpr, position: Position): CExpr => {
  const type = unqualified(left.type) as PointerCType
  const elementSize = sizeOf(type.to, c.target)
  if (elementSize === undefined || elementSize === 0)
    return failAt(position, `arithmetic on a pointer to incomplete type '${typeName(type.to)}'`)
  if (left.kind === 'constant' && right.kind === 'constant') {
    const bytes = BigInt(left.value) - BigInt(right.value)
    return constant(normalize(bytes / BigInt(elementSize)), c.target.difference, position)
  }
  return { kind: 'pointerDifference', left, right, elementSize, type: c.target.difference, position }
}

export const checkSubscript = (c: Context, node: SyntaxNode): CExpr => {
  const argument = checkExpression(c, field(node, 'argument')!)
  if (isVector(argument.type)) return vectorSubscript(c, argument, checkValue(c, field(node, 'index')!))
  const base = toValue(c, argument)
  const index = checkValue(c, field(node, 'index')!)
  const [pointer, number] = isPointer(base.type) ? [base, index] : [index, base]
  if (!isPointer(pointer.type)) return fail(c, node, 'subscripted value is neither array nor pointer')
  if (!isInteger(number.type)) return fail(c, node, 'array subscript is not an integer')
  return dereference(c, pointerAdd(c, pointer, number, positionOf(c, node)), node)
}

const compare = (c: Context, node: SyntaxNode, op: ComparisonOperator, left: CExpr, right: CExpr): CExpr => {
  const position = positionOf(c, node)
  if (isArithmetic(left.type) && isArithmetic(right.type)) {
    const type = commonType(c, left, right)
    const [first, second] = [
      isConstantZero(right) ? withoutSize(left) : left,
      isConstantZero(left) ? withoutSize(right) : right,
    ]
    return makeCompare(op, cast(c, first, type), cast(c, second, type), position)
  }
  if (!isScalar(left.type) || !isScalar(right.type)) return invalidOperands(c, node, op, left, right)
  const pointer = isPointer(left.type) ? left : right
  const other = pointer === left ? right : left
  const type = unqualified(pointer.type) as PointerCType
  const otherType = unqualified(other.type)
  if (otherType.kind === 'float') return invalidOperands(c, node, op, left, right)
  if (otherType.kind === 'int' && !isNullPointerConstant(other))
    warn(c, position, 'comparison between pointer and integer')
  if (
    otherType.kind === 'pointer' &&
    !compatibleUnqualified(otherType.to, type.to) &&
    !isVoid(otherType.to) &&
    !isVoid(type.to)
  )
    warn(c, position, `comparison of distinct pointer types '${typeName(left.type)}' and '${typeName(right.type)}'`)
  return makeCompare(op, cast(c, left, type), cast(c, right, type), position)
}

const isConstantZero = (e: CExpr): boolean => e.kind === 'constant' && isZero(e.value, e.type)

const makeCompare = (op: ComparisonOperator, left: CExpr, right: CExpr, position: Position): CExpr =>
  left.kind === 'constant' && right.kind === 'constant'
    ? foldedConstant(compareValues(op, left.value, right.value, left.type) ? 1 : 0, INT, position, left, right)
    : { kind: 'compare', op, left, right, type: INT, position }

// ---- unary operators

export const checkUnary = (c: Context, node: SyntaxNode): CExpr => {
  const operator = textOf(c, field(node, 'operator')!)
  const position = positionOf(c, node)
  const argument = checkExpression(c, field(node, 'argument')!)
  if (operator === '!') {
    const operand = toCondition(c, argument)
    if (operand.kind === 'constant')
      return foldedConstant(isZero(operand.value, operand.type) ? 1 : 0, INT, position, operand)
    return { kind: 'not', operand, type: INT, position }
  }
  const value = toValue(c, argument)
  if (isVector(value.type)) return vectorUnary(c, value, (part) => unary(c, node, operator, part))
  if (isComplex(value.type)) return complexUnary(c, node, operator, value)
  return unary(c, node, operator, value)
}

const unary = (c: Context, node: SyntaxNode, operator: string, value: CExpr): CExpr => {
  const position = positionOf(c, node)
  if (!isArithmetic(value.type) || (operator === '~' && !isInteger(value.type)))
    return fail(c, node, `wrong type argument to unary '${operator}': '${typeName(value.type)}'`)
  const operand = promote(c, value)
  if (operator === '+') return operand
  const { type } = operand
  if (operand.kind === 'constant') {
    if (operator === '~') return makeBinary(c, '^', operand, constant(-1, type, position), type, position)
    const zero = unqualified(type).kind === 'float' ? -0 : 0
    return makeBinary(c, '-', constant(zero, type, position), operand, type, position)
  }
  return { kind: 'unary', op: operator as '-' | '~', operand, type, position }
}

// ---- assignment

const checkTarget = (c: Context, target: CExpr, node: SyntaxNode, what: string): void => {
  if (!isLvalue(target)) fail(c, node, `lvalue required as ${what}`)
  const type = unqualified(target.type)
  if (type.kind === 'array' || type.kind === 'function') fail(c, node, `'${typeName(type)}' cannot be assigned to`)
  if (!isComplete(type, c.target)) fail(c, node, `assignment to incomplete type '${typeName(type)}'`)
  if (qualifiersOf(target.type).constant) fail(c, node, `assignment of read-only ${describe(target)}`)
  refuseExotic(c, type, target.position)
}

const describe = (lvalue: CExpr): string => {
  if (lvalue.kind === 'variable') return `variable '${lvalue.variable.name}'`
  return lvalue.kind === 'member' ? `member '${lvalue.field.name}'` : 'location'
}

export const checkAssignment = (c: Context, node: SyntaxNode): CExpr => {
  const operator = textOf(c, field(node, 'operator')!)
  const leftNode = field(node, 'left')!
  const target = checkExpression(c, leftNode)
  checkTarget(c, target, leftNode, 'left operand of assignment')
  const type = unqualified(target.type)
  const position = positionOf(c, node)
  const value = checkValue(c, field(node, 'right')!)
  if (operator === '=')
    return { kind: 'assign', target, value: convertAsAssigned(c, value, type, 'assignment'), type, position }
  const op = operator.slice(0, -1) as ArithmeticOperator
  if (isVector(type)) return vectorAssign(c, target, (loaded) => ofVectors(c, node, op, loaded, value))
  if (isComplex(type) || isComplex(value.type))
    return vectorAssign(c, target, (loaded) =>
      convertAsAssigned(c, ofComplex(c, node, op, loaded, value), type, 'assignment'),
    )
  return compoundAssignment(c, node, op, target, value)
}

const compoundAssignment = (
  c: Context,
  node: SyntaxNode,
  op: ArithmeticOperator,
  target: CExpr,
  operand: CExpr,
): CExpr => {
  const type = unqualified(target.type)
  const position = positionOf(c, node)
  const loaded: CExpr = { kind: 'load', lvalue: target, type, position }
  if (type.kind === 'pointer') {
    if ((op !== '+' && op !== '-') || !isInteger(operand.type)) return invalidOperands(c, node, op, loaded, operand)
    const { index, elementSize } = scaled(c, type.to, cast(c, operand, c.target.difference))
    return { kind: 'compoundAssign', op, target, operand: index, computeAs: type, elementSize, type, position }
  }
  if (!isArithmetic(type) || !isArithmetic(operand.type)) return invalidOperands(c, node, op, loaded, operand)
  const integersOnly = op !== '+' && op !== '-' && op !== '*' && op !== '/'
  if (integersOnly && (!isInteger(type) || !isInteger(operand.type)))
    return invalidOperands(c, node, op, loaded, operand)
  if (op === '<<' || op === '>>') {
    const computeAs = promote(c, loaded).type
    return { kind: 'compoundAssign', op, target, operand: promote(c, operand), computeAs, type, position }
  }
  const computeAs = commonType(c, loaded, operand)
  return { kind: 'compoundAssign', op, target, operand: cast(c, operand, computeAs), computeAs, type, position }
}

export const checkIncrement = (c: Context, node: SyntaxNode): CExpr => {
  const operatorNode = field(node, 'operator')!
  const argumentNode = field(node, 'argument')!
  const by = textOf(c, operatorNode) === '++' ? 1 : -1
  const target = checkExpression(c, argumentNode)
  checkTarget(c, target, argumentNode, `${by === 1 ? 'increment' : 'decrement'} operand`)
  const type = unqualified(target.type)
  if (isComplex(type)) return unsupported('increment of a complex number', positionOf(c, node))
  if (!isScalar(type)) return fail(c, node, `wrong type argument to increment: '${typeName(type)}'`)
  const prefix = operatorNode.start < argumentNode.start
  const common = { kind: 'increment' as const, by: by as 1 | -1, prefix, target, type, position: positionOf(c, node) }
  if (type.kind !== 'pointer') return common
  const one = constant(1, c.target.difference, common.position)
  const { index, elementSize } = scaled(c, type.to, one)
  if (index.kind !== 'constant') return fail(c, node, 'increment of a pointer to a variable length array')
  return { ...common, elementSize }
}

// ---- conditional

export const checkConditional = (c: Context, node: SyntaxNode): CExpr => {
  const position = positionOf(c, node)
  const conditionNode = field(node, 'condition')!
  const thenNode = field(node, 'consequence')
  const tested = toCondition(c, checkExpression(c, conditionNode))
  if (!thenNode) return elvis(c, node, tested)
  const then = checkValue(c, thenNode)
  const otherwise = checkValue(c, field(node, 'alternative')!)
  return makeConditional(c, node, tested, then, otherwise, position)
}

/** GNU `a ?: b`: a is evaluated once. */
const elvis = (c: Context, node: SyntaxNode, tested: CExpr): CExpr => {
  const position = positionOf(c, node)
  const otherwiseNode = field(node, 'alternative')!
  if (tested.kind === 'constant' || !c.function || c.unevaluated > 0)
    return makeConditional(c, node, tested, tested, checkValue(c, otherwiseNode), position)
  const outer = c.function.pending
  c.function.pending = []
  const once = hiddenVariable(c, tested, 'tested')
  const body = c.function.pending
  c.function.pending = outer
  const value = makeConditional(c, node, once, once, checkValue(c, otherwiseNode), position)
  return { kind: 'statements', body, value, type: value.type, position }
}

const makeConditional = (
  c: Context,
  node: SyntaxNode,
  condition: CExpr,
  then: CExpr,
  otherwise: CExpr,
  position: Position,
): CExpr => {
  const type = conditionalType(c, node, then, otherwise)
  const branch = (e: CExpr): CExpr => (isComplexConversion(e.type, type) ? complexCast(c, e, type) : cast(c, e, type))
  const [left, right] = [branch(then), branch(otherwise)]
  if (condition.kind === 'constant') {
    const chosen = isZero(condition.value, condition.type) ? right : left
    if (chosen.kind === 'constant' || unqualified(type).kind !== 'void') return chosen
  }
  // biome-ignore lint/suspicious/noThenProperty: the branch of the tree, no promise
  return { kind: 'conditional', condition, then: left, else: right, type, position }
}

const conditionalType = (c: Context, node: SyntaxNode, then: CExpr, otherwise: CExpr): CType => {
  const a = unqualified(then.type)
  const b = unqualified(otherwise.type)
  if (isArithmetic(a) && isArithmetic(b)) return commonType(c, then, otherwise)
  if (a.kind === 'void' || b.kind === 'void') return VOID
  if (a.kind === 'record' && compatibleUnqualified(a, b)) return a
  if (isComplexConversion(a, b)) return commonComplex(c, then, otherwise)
  if (a.kind === 'pointer' && b.kind === 'pointer') {
    if (isNullPointerConstant(otherwise)) return a
    if (isNullPointerConstant(then)) return b
    const { constant: constantA, volatile: volatileA } = qualifiersOf(a.to)
    const { constant: constantB, volatile: volatileB } = qualifiersOf(b.to)
    const qualifiers = { atomic: false, constant: constantA || constantB, volatile: volatileA || volatileB }
    if (isVoid(a.to) || isVoid(b.to)) return pointerTo(qualify(VOID, qualifiers))
    if (!compatibleUnqualified(a.to, b.to))
      warn(c, positionOf(c, node), 'pointer type mismatch in conditional expression')
    return pointerTo(qualify(a.to, qualifiers))
  }
  if (a.kind === 'pointer' && b.kind === 'int') {
    if (!isNullPointerConstant(otherwise)) warn(c, positionOf(c, node), 'pointer and integer in conditional expression')
    return a
  }
  if (b.kind === 'pointer' && a.kind === 'int') {
    if (!isNullPointerConstant(then)) warn(c, positionOf(c, node), 'pointer and integer in conditional expression')
    return b
  }
  return fail(c, node, `type mismatch in conditional expression: '${typeName(a)}' and '${typeName(b)}'`)
}
