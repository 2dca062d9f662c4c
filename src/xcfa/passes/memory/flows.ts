// Where the pointers in an expression come from: variables and constant addresses, each moved by a constant and by
// multiples of a stride. Any arithmetic keeps what it was made from (a pointer that went through an integer is still
// one, at an unknown offset); only a difference of two pointers (C11 6.5.6p9: into one object) and truth values are
// plain numbers.
import { gcd } from '../../../logic/gcd.js'
import type { Expr, MemoryObject, Procedure, Slot, Value, Variable } from '../../index.js'
import { factorOf, widestOf } from './factors.js'
import { exactSlot, shift, spread } from './slot.js'

export interface Flow {
  readonly from: Variable | Slot
  /** Moved by this many bytes, and then by any multiple of the stride (0: not at all). */
  readonly shift: number
  readonly stride: number
  /** The greatest of the strides whose multiples are summed up: of `m[i][j]` a row, where `stride` is an element. */
  readonly widest: number
  /** The multiple of the stride is not negative, and not above this. Undefined: it may be any. */
  readonly forward: number | undefined
}

/** Where it is. */
export const UNMOVED = { shift: 0, stride: 0, widest: 0, forward: 0 } as const

/** Somewhere in the object. */
export const ASTRAY = { stride: 1, widest: Number.POSITIVE_INFINITY, forward: undefined } as const

export interface Addresses {
  /** The object that a constant address lies in, with the number of the instance and the offset. */
  objectAt(
    address: Value,
  ): { readonly object: MemoryObject; readonly instance: number; readonly offset: number } | undefined
}

export const addressesOf = (objects: readonly MemoryObject[]): Addresses => {
  const sorted = [...objects].sort((a, b) => a.base - b.base)
  return {
    objectAt: (address) => {
      const at = Number(address)
      const object = sorted[lastAtMost(sorted, at)]
      if (!object) return undefined
      const isSingle = object.storage === 'static' || object.stride <= 0
      const instance = isSingle ? 0 : Math.floor((at - object.base) / object.stride)
      const offset = at - object.base - instance * object.stride
      return offset > object.size || instance >= (object.instances ?? Number.POSITIVE_INFINITY)
        ? undefined
        : { object, instance, offset }
    },
  }
}

const lastAtMost = (sorted: readonly MemoryObject[], address: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]!.base <= address) low = middle + 1
    else high = middle
  }
  return low - 1
}

export interface FlowContext {
  readonly addresses: Addresses
  readonly procedure: Procedure
  readonly isMain: boolean
  readonly pointerWidth: number
  /** An instance of a thread object that need not be the executing thread's. */
  readonly foreign: (object: MemoryObject) => void
}

/** The places that the value of an expression may point to, as flows. */
export const flowsOf = (expr: Expr, context: FlowContext): readonly Flow[] => {
  switch (expr.kind) {
    case 'const':
      return constantFlows(expr, context)
    case 'var':
      return [{ from: expr.variable, ...UNMOVED }]
    case 'binary':
      return expr.op === 'add' || expr.op === 'sub' ? sumFlows(expr, context) : anywhere(expr, context)
    case 'unary':
      return anywhere(expr, context)
    case 'cast':
    case 'bitcast':
      if (expr.type.kind === 'bool' || (expr.type.kind === 'int' && expr.type.width === 1)) return []
      return narrows(expr.type.kind === 'int' ? expr.type.width : 64)
        ? anywhere(expr, context)
        : flowsOf(expr.arg, context)
    case 'ite':
      return [...flowsOf(expr.then, context), ...flowsOf(expr.else, context)]
    case 'compare':
    case 'not':
    case 'and':
    case 'or':
      return []
  }
}

/** Addresses are below 2^31: 32 bits keep them. */
const narrows = (width: number): boolean => width < 32

/** A pointer, or an integer as wide as one: a pointer that was cast, and folded. */
const mayBeAddress = (expr: Expr, context: FlowContext): boolean =>
  expr.type.kind === 'pointer' || (expr.type.kind === 'int' && expr.type.width >= context.pointerWidth)

/** The object that the constant lies in, and those whose addresses it was computed from: tagged, masked, combined. */
const constantFlows = (expr: Constant, context: FlowContext): readonly Flow[] => {
  const exact = mayBeAddress(expr, context) ? addressFlows(expr.value, context) : []
  const others = (expr.from ?? []).flatMap((address) => addressFlows(address, context))
  const objectIn = (flow: Flow): MemoryObject | undefined => ('object' in flow.from ? flow.from.object : undefined)
  const known = new Set(exact.map(objectIn))
  return [...exact, ...others.filter((flow) => !known.has(objectIn(flow))).map((flow) => ({ ...flow, ...ASTRAY }))]
}

const addressFlows = (value: Value, context: FlowContext): readonly Flow[] => {
  const found = context.addresses.objectAt(value)
  if (!found) return []
  const { object, instance, offset } = found
  if (object.storage === 'thread' && !(context.isMain && instance === 0)) context.foreign(object)
  return [{ from: exactSlot(object, offset), ...UNMOVED }]
}

/** A constant operand counts if it was made from an address: a mask that happens to look like one does not. */
const anywhere = (expr: Expr, context: FlowContext): readonly Flow[] => {
  const args = expr.kind === 'binary' ? [expr.left, expr.right] : 'arg' in expr ? [expr.arg] : []
  const operands = args.filter((arg) => arg.kind !== 'const' || arg.type.kind === 'pointer' || arg.from)
  return operands.flatMap((arg) => flowsOf(arg, context)).map((flow) => ({ ...flow, ...ASTRAY }))
}

// ---- sums

interface Term {
  readonly expr: Expr
  readonly sign: 1 | -1
}

/** A sum as its terms. The right side of a pointer's sum is an integer that stays within the pointer's object. */
const termsOf = (expr: Expr, sign: 1 | -1 = 1): readonly Term[] => {
  if (expr.kind === 'binary' && (expr.op === 'add' || expr.op === 'sub'))
    return [...termsOf(expr.left, sign), ...termsOf(expr.right, expr.op === 'add' ? sign : sign === 1 ? -1 : 1)]
  if (
    expr.kind === 'cast' &&
    expr.type.kind !== 'bool' &&
    expr.arg.kind === 'binary' &&
    expr.arg.type.kind === 'pointer'
  )
    return termsOf(expr.arg, sign)
  return [{ expr, sign }]
}

const sumFlows = (sum: Expr & { readonly kind: 'binary' }, context: FlowContext): readonly Flow[] => {
  if (sum.op === 'sub' && isDistancePart(sum.left) && isDistancePart(sum.right)) return []
  const terms = termsOf(sum)
  const isPointerSum = sum.type.kind === 'pointer' && !isNull(terms[0]!.expr)
  const bases = isPointerSum ? terms.slice(0, 1) : terms
  return bases.flatMap((base) => baseFlows(base, terms, context))
}

/**
 * An operand of a difference of pointers as the front end writes it: a pointer, cast to a signed integer at once. What a
 * program converts by itself goes through the unsigned type, and may well be added to another pointer.
 */
export const isDistancePart = (expr: Expr): boolean =>
  expr.kind === 'cast' && expr.type.kind === 'int' && expr.type.signed && expr.arg.type.kind === 'pointer'

const isNull = (expr: Expr): boolean => expr.kind === 'const' && expr.value === 0

type Constant = Expr & { readonly kind: 'const' }

const baseFlows = (base: Term, terms: readonly Term[], context: FlowContext): readonly Flow[] => {
  const others = terms.filter((term) => term !== base)
  const isAddress = base.expr.kind === 'const' && mayBeAddress(base.expr, context)
  const object = isAddress ? context.addresses.objectAt((base.expr as Constant).value)?.object : undefined
  if (base.expr.kind === 'const' && !object && !base.expr.from) return []
  if (object?.storage === 'thread') {
    const instance = others.find(
      ({ expr, sign }) => sign === 1 && factorOf(expr, context.pointerWidth) === object.stride,
    )
    if (instance) {
      if (!isSelf(instance.expr, context.procedure)) context.foreign(object)
      const { offset } = context.addresses.objectAt((base.expr as Constant).value)!
      return [
        moved(
          { from: exactSlot(object, offset), ...UNMOVED },
          others.filter((t) => t !== instance),
          context.pointerWidth,
        ),
      ]
    }
  }
  const flows = flowsOf(base.expr, context)
  return flows.map((flow) => (base.sign === 1 ? moved(flow, others, context.pointerWidth) : { ...flow, ...ASTRAY }))
}

const moved = (flow: Flow, others: readonly Term[], pointerWidth: number): Flow => {
  let by = flow.shift
  let { stride, widest, forward } = flow
  for (const { expr, sign } of others)
    if (expr.kind === 'const') by += sign * Number(expr.value)
    else {
      stride = gcd(stride, factorOf(expr, pointerWidth))
      widest = Math.max(widest, widestOf(expr))
      const further = sign === 1 ? lastElement(expr) : undefined
      forward = forward === undefined || further === undefined ? undefined : forward + further
    }
  return { from: flow.from, shift: by, stride, widest, forward }
}

/** The offset of the last element of a declared array. */
const lastElement = (offset: Expr): number | undefined =>
  offset.kind === 'binary' && offset.within !== undefined && offset.right.kind === 'const'
    ? Math.max(0, offset.within - Number(offset.right.value))
    : undefined

/** self * stride, with casts. */
const isSelf = (term: Expr, procedure: Procedure): boolean => {
  if (term.kind === 'var') return term.variable === procedure.self
  if (term.kind === 'cast') return isSelf(term.arg, procedure)
  return term.kind === 'binary' && term.op === 'mul' && term.right.kind === 'const' && isSelf(term.left, procedure)
}

/** The slot after a flow. */
export const along = (slot: Slot, flow: Flow): Slot => spread(shift(slot, flow.shift), flow)
