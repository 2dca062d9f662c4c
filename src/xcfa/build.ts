// Constructors of expressions. They fold constants with the arithmetic of evaluation (value.ts) and keep canonical
// forms: constants on the right of commutative operators, sums with at most one constant, flat conjunctions, negation
// pushed into comparisons (not of floats: NaN), no cast that changes nothing, truth values not taken through integers.
import { type BinaryOp, type CompareOp, children, type Expr, type UnaryOp, type Value } from './expr.js'
import type { Variable } from './model.js'
import { BOOL, byteSize, sameType, type Type } from './types.js'
import { binaryValue, bitcastValue, bitWidth, castValue, compareValue, isSigned, unaryValue, wrap } from './value.js'

export const TRUE: Expr = { kind: 'const', type: BOOL, value: 1 }
export const FALSE: Expr = { kind: 'const', type: BOOL, value: 0 }

/** A constant; the value is wrapped to the type. */
export const constant = (type: Type, value: Value): Expr =>
  type.kind === 'bool' ? boolConst(Number(value) !== 0) : { kind: 'const', type, value: wrap(type, value) }
export const boolConst = (value: boolean): Expr => (value ? TRUE : FALSE)
export const varExpr = (variable: Variable): Expr => ({ kind: 'var', type: variable.type, variable })

export const isConstant = (e: Expr, value: Value): boolean => e.kind === 'const' && e.value === value
/** The value of an expression that is a constant. */
export const constantValue = (e: Expr): Value | undefined => (e.kind === 'const' ? e.value : undefined)

export const sameExpr = (a: Expr, b: Expr): boolean => {
  if (a === b) return true
  if (a.kind !== b.kind || !sameType(a.type, b.type)) return false
  if (a.kind === 'const') return b.kind === 'const' && Object.is(a.value, b.value) && sameOrigin(a, b)
  if (a.kind === 'var') return b.kind === 'var' && a.variable === b.variable
  if ('op' in a && 'op' in b && a.op !== b.op) return false
  const left = children(a)
  const right = children(b)
  return left.length === right.length && left.every((child, i) => sameExpr(child, right[i]!))
}

type Constant = Expr & { readonly kind: 'const' }

const sameOrigin = (a: Constant, b: Constant): boolean =>
  a.from === b.from || (a.from ?? []).join() === (b.from ?? []).join()

/** A constant that was computed from others: it remembers the addresses among them. Sums of a pointer need not. */
const folded = (type: Type, value: Value, ...operands: readonly Constant[]): Expr => {
  const result = constant(type, value)
  if (type.kind !== 'int' && type.kind !== 'pointer') return result
  if (type.kind === 'pointer' && operands[0]!.type.kind === 'pointer') return result
  const from = [...new Set(operands.flatMap(addressesIn))]
  return from.length === 0 ? result : ({ ...result, from } as Constant)
}

const addressesIn = (e: Constant): readonly Value[] =>
  e.from ?? (e.type.kind === 'pointer' && e.value !== 0 ? [e.value] : [])

// ---- arithmetic

export const unary = (op: UnaryOp, arg: Expr): Expr => {
  if (arg.kind === 'const') return folded(arg.type, unaryValue(op, arg.type, arg.value), arg)
  if (arg.kind === 'unary' && arg.op === op) return arg.arg
  return { kind: 'unary', op, type: arg.type, arg }
}
export const neg = (arg: Expr): Expr => unary('neg', arg)
export const bitnot = (arg: Expr): Expr => unary('bitnot', arg)

/** The result has the type of the left operand (see expr.ts for shifts and pointers). */
export const binary = (op: BinaryOp, left: Expr, right: Expr): Expr => {
  const type = left.type
  if (left.kind === 'const' && right.kind === 'const' && isDistance(op, left, right))
    return constant(type, binaryValue(op, type, left.value, right.value))
  if (left.kind === 'const' && right.kind === 'const' && !isPartOfAddress(op, left, right))
    return folded(type, binaryValue(op, type, left.value, right.value), left, right)
  if (type.kind === 'float') return { kind: 'binary', op, type, left, right }
  if (isCommutative(op) && left.kind === 'const' && right.kind !== 'const' && sameType(type, right.type))
    return binary(op, right, left)
  return simplified(op, left, right) ?? { kind: 'binary', op, type, left, right }
}

/** A difference of pointers (C11 6.5.6p9: into one object), whose operands are cast to a signed type, is a plain number. */
const isDistance = (op: BinaryOp, left: Constant, right: Constant): boolean =>
  op === 'sub' && isSigned(left.type) && left.from !== undefined && right.from !== undefined

/** Low bits of an address are the same wherever its object lies, or not: passes/memory/address-values.ts says which. */
const isPartOfAddress = (op: BinaryOp, left: Constant, right: Constant): boolean =>
  (op === 'bitand' || op === 'rem') && left.type.kind === 'int' && (left.from ?? right.from) !== undefined

const isCommutative = (op: BinaryOp): boolean =>
  op === 'add' || op === 'mul' || op === 'bitand' || op === 'bitor' || op === 'bitxor'

/** Integer and pointer identities: neutral and absorbing constants, sums with one constant. */
const simplified = (op: BinaryOp, left: Expr, right: Expr): Expr | undefined => {
  if (right.kind !== 'const') return undefined
  const type = left.type
  const zero = right.value === 0
  switch (op) {
    case 'sub':
      if (zero) return left
      if (left.kind === 'binary' && left.op === 'add' && left.right.kind === 'const')
        return binary('add', left.left, binary('sub', left.right, right))
      // x - c is x + (-c), so that constants of sums meet. Not where -c wraps, and unsigned: that says less to people.
      return isSigned(right.type) && right.value !== unaryValue('neg', right.type, right.value)
        ? binary('add', left, neg(right))
        : undefined
    case 'add':
      if (zero) return left
      if (left.kind === 'binary' && left.op === 'add' && left.right.kind === 'const')
        return binary('add', left.left, binary('add', left.right, right))
      return undefined
    case 'bitor':
    case 'bitxor':
    case 'shl':
    case 'shr':
      return zero ? left : undefined
    case 'mul':
      return zero ? constant(type, 0) : right.value === 1 ? left : undefined
    case 'bitand':
      return zero ? constant(type, 0) : undefined
    case 'div':
      return right.value === 1 ? left : undefined
    case 'rem':
      return undefined
  }
}

export const add = (left: Expr, right: Expr): Expr => binary('add', left, right)
export const sub = (left: Expr, right: Expr): Expr => binary('sub', left, right)
export const mul = (left: Expr, right: Expr): Expr => binary('mul', left, right)
/** A product that is the offset of an element of a declared array of so many bytes. */
export const offsetWithin = (offset: Expr, within: number): Expr =>
  offset.kind === 'binary' && offset.op === 'mul' ? { ...offset, within } : offset
export const div = (left: Expr, right: Expr): Expr => binary('div', left, right)
export const rem = (left: Expr, right: Expr): Expr => binary('rem', left, right)
export const shl = (left: Expr, right: Expr): Expr => binary('shl', left, right)
export const shr = (left: Expr, right: Expr): Expr => binary('shr', left, right)
export const bitand = (left: Expr, right: Expr): Expr => binary('bitand', left, right)
export const bitor = (left: Expr, right: Expr): Expr => binary('bitor', left, right)
export const bitxor = (left: Expr, right: Expr): Expr => binary('bitxor', left, right)

// ---- truth

export const compare = (op: CompareOp, left: Expr, right: Expr): Expr => {
  const isOpen =
    left.kind === 'const' && right.kind === 'const' && (isOrderOfAddresses(op, left, right) || isOfLayout(left, right))
  if (left.kind === 'const' && right.kind === 'const' && !isOpen)
    return boolConst(compareValue(op, left.type, left.value, right.value))
  if ((op === 'eq' || op === 'ne') && !isOpen) {
    if (left.kind === 'const') return compare(op, right, left)
    const simpler = equalityWithConstant(op, left, right)
    if (simpler) return simpler
  }
  if (left.type.kind !== 'float' && sameExpr(left, right)) return boolConst(op === 'eq' || op === 'le')
  return { kind: 'compare', op, type: BOOL, left, right }
}

/** Which of two objects comes first in memory, only passes/memory/address-order.ts may say. */
const isOrderOfAddresses = (op: CompareOp, left: Constant, right: Constant): boolean =>
  (op === 'lt' || op === 'le') && addressesIn(left).length > 0 && addressesIn(right).length > 0

/** A number made from an address beside one that is none: what comes of it may depend on where the object lies. */
const isOfLayout = (left: Constant, right: Constant): boolean => {
  const [made, other] = left.from ? [left, right] : [right, left]
  if (made.type.kind !== 'int' || !made.from || addressesIn(other).length > 0) return false
  return !(other.value === 0 && made.from.includes(made.value))
}

/** Comparisons of what was a truth value, or a choice of constants, with a constant. */
const equalityWithConstant = (op: 'eq' | 'ne', left: Expr, right: Expr): Expr | undefined => {
  if (right.kind !== 'const') return undefined
  if (left.type.kind === 'bool') return (op === 'eq') === (right.value === 1) ? left : not(left)
  // A signed bit-field of one bit holds -1 where the truth value is 1.
  if (left.kind === 'cast' && left.arg.type.kind === 'bool' && !(isSigned(left.type) && bitWidth(left.type) === 1)) {
    if (right.value === 0 || right.value === 1) return (op === 'eq') === (right.value === 1) ? left.arg : not(left.arg)
    return left.type.kind === 'float' ? undefined : boolConst(op === 'ne')
  }
  if (left.kind === 'ite' && left.then.kind === 'const' && left.else.kind === 'const')
    return ite(left.condition, compare(op, left.then, right), compare(op, left.else, right))
  // (T)x == c with a widening T says the same of x: c either is a value of x's type, or nothing equals it.
  if (left.kind === 'cast' && widens(left.arg.type, left.type)) {
    const narrow = constant(left.arg.type, right.value)
    return narrow.kind === 'const' && narrow.value === right.value
      ? compare(op, left.arg, narrow)
      : boolConst(op === 'ne')
  }
  return undefined
}

/** A conversion of integers that keeps every value. */
const widens = (from: Type, to: Type): boolean =>
  from.kind === 'int' &&
  to.kind === 'int' &&
  (isSigned(from) === isSigned(to) ? to.width >= from.width : isSigned(to) && to.width > from.width)

export const eq = (left: Expr, right: Expr): Expr => compare('eq', left, right)
export const ne = (left: Expr, right: Expr): Expr => compare('ne', left, right)
export const lt = (left: Expr, right: Expr): Expr => compare('lt', left, right)
export const le = (left: Expr, right: Expr): Expr => compare('le', left, right)

export const not = (arg: Expr): Expr => {
  switch (arg.kind) {
    case 'const':
      return boolConst(arg.value === 0)
    case 'not':
      return arg.arg
    case 'compare':
      if (arg.op === 'eq' || arg.op === 'ne') return { ...arg, op: arg.op === 'eq' ? 'ne' : 'eq' }
      if (arg.left.type.kind !== 'float') return compare(arg.op === 'lt' ? 'le' : 'lt', arg.right, arg.left)
      break
    default:
  }
  return { kind: 'not', type: BOOL, arg }
}

export const and = (...args: readonly Expr[]): Expr => junction('and', args, TRUE, FALSE)
export const or = (...args: readonly Expr[]): Expr => junction('or', args, FALSE, TRUE)

const junction = (kind: 'and' | 'or', args: readonly Expr[], neutral: Expr, absorbing: Expr): Expr => {
  const flat: Expr[] = []
  for (const arg of args.flatMap((a) => (a.kind === kind ? a.args : [a]))) {
    if (arg.kind === 'const' && arg.value === constantValue(absorbing)) return absorbing
    if (arg.kind === 'const' || flat.some((other) => sameExpr(other, arg))) continue
    if (flat.some((other) => sameExpr(other, not(arg)))) return absorbing
    flat.push(arg)
  }
  if (flat.length === 0) return neutral
  return flat.length === 1 ? flat[0]! : { kind, type: BOOL, args: flat }
}

export const ite = (condition: Expr, then: Expr, otherwise: Expr): Expr => {
  if (condition.kind === 'const') return condition.value === 0 ? otherwise : then
  if (sameExpr(then, otherwise)) return then
  if (then.type.kind === 'bool') {
    if (then.kind === 'const') return then.value === 1 ? or(condition, otherwise) : and(not(condition), otherwise)
    if (otherwise.kind === 'const') return otherwise.value === 1 ? or(not(condition), then) : and(condition, then)
  }
  if (condition.kind === 'not') return ite(condition.arg, otherwise, then)
  return { kind: 'ite', type: then.type, condition, then, else: otherwise }
}

/** C's "is not zero", as a condition. */
export const truth = (e: Expr): Expr => {
  if (e.type.kind === 'bool') return e
  if (e.type.kind === 'float') return ne(e, constant(e.type, 0))
  return compare('ne', e, constant(e.type, 0))
}

// ---- conversions

export const cast = (type: Type, arg: Expr): Expr => {
  if (sameType(type, arg.type)) return arg
  if (arg.kind === 'const') return folded(type, castValue(arg.type, type, arg.value), arg)
  if (type.kind === 'bool') return truth(arg)
  if (arg.kind === 'cast' && skipsInner(type, arg.type, arg.arg.type)) return cast(type, arg.arg)
  if (arg.kind === 'ite' && arg.then.kind === 'const' && arg.else.kind === 'const')
    return ite(arg.condition, cast(type, arg.then), cast(type, arg.else))
  return { kind: 'cast', type, arg }
}

/** Whether (outer)(inner)x is (outer)x: the inner conversion keeps the value, or more bits than the outer one. */
const skipsInner = (outer: Type, inner: Type, original: Type): boolean => {
  if (original.kind === 'bool') return !(isSigned(inner) && bitWidth(inner) === 1)
  if (widens(original, inner)) return true
  return (
    outer.kind === 'int' &&
    inner.kind === 'int' &&
    original.kind === 'int' &&
    inner.width >= outer.width &&
    !isBool(outer)
  )
}

const isBool = (type: Type): boolean => type.kind === 'int' && type.width === 1 && !type.signed

export const bitcast = (type: Type, arg: Expr): Expr => {
  if (sameType(type, arg.type)) return arg
  if (bitWidth(type) !== bitWidth(arg.type) && byteSize(type) !== byteSize(arg.type))
    throw new Error('bitcast between types of different size')
  if (arg.kind === 'const') return { kind: 'const', type, value: bitcastValue(arg.type, type, arg.value) }
  return { kind: 'bitcast', type, arg }
}

// ---- rebuilding

/** The expression with its variables replaced, folded again. */
export const substitute = (e: Expr, replacement: (variable: Variable) => Expr | undefined): Expr => {
  if (e.kind === 'var') return replacement(e.variable) ?? e
  if (!occurring(e).some((variable) => replacement(variable) !== undefined)) return e
  return rebuilt(e, (child) => substitute(child, replacement))
}

/** The expression with some of its comparisons replaced. */
export const substituteCompare = (
  e: Expr,
  replacement: (compare: Expr & { readonly kind: 'compare' }) => Expr | undefined,
): Expr => {
  const replaced = e.kind === 'compare' ? replacement(e) : undefined
  return replaced ?? rebuilt(e, (child) => substituteCompare(child, replacement))
}

/** The same operation on other operands, folded again. */
const rebuilt = (e: Expr, again: (child: Expr) => Expr): Expr => {
  switch (e.kind) {
    case 'const':
    case 'var':
      return e
    case 'unary':
      return unary(e.op, again(e.arg))
    case 'binary': {
      const result = binary(e.op, again(e.left), again(e.right))
      return e.within === undefined ? result : offsetWithin(result, e.within)
    }
    case 'compare':
      return compare(e.op, again(e.left), again(e.right))
    case 'not':
      return not(again(e.arg))
    case 'and':
      return and(...e.args.map(again))
    case 'or':
      return or(...e.args.map(again))
    case 'ite':
      return ite(again(e.condition), again(e.then), again(e.else))
    case 'cast':
      return cast(e.type, again(e.arg))
    case 'bitcast':
      return bitcast(e.type, again(e.arg))
  }
}

/** Every variable that occurs in the expression. */
export const variablesOf = (e: Expr, into: Set<Variable> = new Set()): Set<Variable> => {
  for (const variable of occurring(e)) into.add(variable)
  return into
}

export const mentions = (e: Expr, variable: Variable): boolean => occurring(e).includes(variable)

const NO_VARIABLES: readonly Variable[] = []
const occurrences = new WeakMap<Expr, readonly Variable[]>()

/**
 * The same, each once, remembered: passes ask again and again, and conditions of valid memory are large. An expression
 * shares the list of an operand that has all its variables.
 */
const occurring = (e: Expr): readonly Variable[] => {
  if (e.kind === 'const') return NO_VARIABLES
  const known = occurrences.get(e)
  if (known) return known
  const found = e.kind === 'var' ? [e.variable] : children(e).map(occurring).reduce(united, NO_VARIABLES)
  occurrences.set(e, found)
  return found
}

const united = (a: readonly Variable[], b: readonly Variable[]): readonly Variable[] => {
  if (b.every((variable) => a.includes(variable))) return a
  return a.every((variable) => b.includes(variable)) ? b : [...new Set([...a, ...b])]
}
