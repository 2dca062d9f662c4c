// Vectors (GNU C: attribute vector_size). A vector is a record of one array, its lanes; an operation on vectors computes
// lane by lane, after it has evaluated each operand once.
import type { Position } from '../../../../xcfa/index.js'
import type { CExpr, CRecord, CType, CVariable } from '../../ast.js'
import type { SyntaxNode } from '../../parse/index.js'
import { type Context, fail, unsupported } from '../context.js'
import {
  type ArrayCType,
  arrayOf,
  INT,
  isArithmetic,
  isScalar,
  LONG_LONG,
  pointerTo,
  SHORT,
  SIGNED_CHAR,
  sizeOf,
  typeName,
  unqualified,
} from '../types.js'
import { cast, constant, isLvalue, takeAddress, toValue } from './convert.js'
import { hiddenVariable } from './expressions.js'

/** No member of a program has this name. */
const LANES = '[lanes]'

/** The vector type of so many bytes; undefined where the elements are no numbers, or do not fill it. */
export const vectorType = (c: Context, of: CType, bytes: number): CRecord | undefined => {
  const size = isArithmetic(of) ? sizeOf(of, c.target) : undefined
  if (!size || bytes < size || bytes % size !== 0) return undefined
  const lanes = arrayOf(unqualified(of), bytes / size)
  return {
    ...{ kind: 'record', union: false, tag: `vector of ${bytes / size} ${typeName(of)}`, complete: true },
    ...{ fields: [{ name: LANES, type: lanes, offset: 0 }], size: bytes, align: bytes },
  }
}

/** The lanes of a vector type. */
const lanesOf = (type: CType): (ArrayCType & { readonly length: number }) | undefined => {
  const plain = unqualified(type)
  const [lanes] = plain.kind === 'record' ? plain.fields : []
  if (lanes?.name !== LANES || lanes.type.kind !== 'array' || lanes.type.length === undefined) return undefined
  return { ...lanes.type, length: lanes.type.length }
}

export const isVector = (type: CType): boolean => lanesOf(type) !== undefined

/** The lane of a vector that is an lvalue. */
const laneAt = (c: Context, vector: CExpr, index: CExpr): CExpr => {
  const { position } = vector
  const lanes = lanesOf(vector.type)!
  const type = unqualified(vector.type) as CRecord
  const field = type.fields[0]!
  const pointer = toValue(c, { kind: 'member', record: vector, field, type: field.type, position })
  const by = cast(c, index, c.target.difference)
  const elementSize = sizeOf(lanes.of, c.target)!
  const place: CExpr = { kind: 'pointerAdd', pointer, index: by, elementSize, type: pointerTo(lanes.of), position }
  return { kind: 'deref', pointer: place, type: lanes.of, position }
}

const lane = (c: Context, vector: CExpr, index: number): CExpr =>
  toValue(c, laneAt(c, vector, constant(index, INT, vector.position)))

/** Computes with operands that are evaluated once, each an lvalue of its own. */
export const once = (c: Context, operands: readonly CExpr[], compute: (...kept: CExpr[]) => CExpr): CExpr => {
  const { position } = operands[0]!
  if (!c.function) return unsupported('a computed initializer of a static object', position)
  const outer = c.function.pending
  c.function.pending = []
  const kept = operands.map((operand) => {
    const hidden = hiddenVariable(c, operand, 'vector')
    return hidden.kind === 'load' ? hidden.lvalue : hidden
  })
  const body = c.function.pending
  c.function.pending = outer
  const value = compute(...kept)
  return { kind: 'statements', body, value, type: value.type, position }
}

/** A vector of these lanes. */
const build = (c: Context, type: CRecord, position: Position, at: (index: number) => CExpr): CExpr => {
  const lanes = lanesOf(type)!
  const of = unqualified(lanes.of)
  const size = sizeOf(of, c.target)!
  const variable: CVariable = { kind: 'variable', name: 'vector', type, position, storage: 'auto', addressTaken: true }
  const initializer = Array.from({ length: lanes.length }, (_, index) => ({
    offset: index * size,
    type: of,
    value: cast(c, at(index), of),
  }))
  return toValue(c, { kind: 'compound', variable, initializer, type, position })
}

const SIGNED: Readonly<Record<number, CType>> = { 1: SIGNED_CHAR, 2: SHORT, 4: INT, 8: LONG_LONG }

/** Comparisons give lanes of -1 and 0, as wide as what is compared. */
const comparedType = (c: Context, type: CType): CRecord => {
  const { of, length } = lanesOf(type)!
  const size = sizeOf(of, c.target)!
  const integer = size === c.target.long.width / 8 ? c.target.long : SIGNED[size]!
  return vectorType(c, integer, size * length)!
}

/** One of them is a vector; a scalar stands for a vector of it. `scalar` computes a lane. */
export const vectorBinary = (
  c: Context,
  node: SyntaxNode,
  [left, right]: readonly [CExpr, CExpr],
  compares: boolean,
  scalar: (left: CExpr, right: CExpr) => CExpr,
): CExpr => {
  const type = unqualified(isVector(left.type) ? left.type : right.type) as CRecord
  const { of, length } = lanesOf(type)!
  const fits = (e: CExpr): boolean => lanesOf(e.type)?.length === length || isArithmetic(e.type)
  if (!fits(left) || !fits(right))
    return fail(c, node, `invalid operands: '${typeName(left.type)}' and '${typeName(right.type)}'`)
  const operand = (e: CExpr): CExpr => (isVector(e.type) ? e : cast(c, e, of))
  return once(c, [operand(left), operand(right)], (a, b) => {
    const part = (e: CExpr, index: number): CExpr => (isVector(e.type) ? lane(c, e, index) : toValue(c, e))
    return build(c, compares ? comparedType(c, type) : type, left.position, (index) => {
      const value = scalar(part(a!, index), part(b!, index))
      return compares ? { kind: 'unary', op: '-', operand: value, type: INT, position: left.position } : value
    })
  })
}

export const vectorUnary = (c: Context, operand: CExpr, scalar: (operand: CExpr) => CExpr): CExpr =>
  once(c, [operand], (kept) =>
    build(c, unqualified(operand.type) as CRecord, operand.position, (index) => scalar(lane(c, kept!, index))),
  )

/** v[i], an lvalue if v is one. */
export const vectorSubscript = (c: Context, vector: CExpr, index: CExpr): CExpr =>
  isLvalue(vector)
    ? laneAt(c, vector, index)
    : once(c, [vector, index], (kept, at) => toValue(c, laneAt(c, kept!, toValue(c, at!))))

/** target op= operand, where the target is evaluated once. */
export const vectorAssign = (c: Context, target: CExpr, compute: (loaded: CExpr) => CExpr): CExpr => {
  const { position } = target
  const type = unqualified(target.type)
  const assign = (to: CExpr): CExpr => ({
    ...{ kind: 'assign', target: to, type, position },
    value: compute({ kind: 'load', lvalue: to, type, position }),
  })
  if (target.kind === 'variable') return assign(target)
  takeAddress(c, target)
  const address: CExpr = { kind: 'address', lvalue: target, type: pointerTo(target.type), position }
  return once(c, [address], (kept) =>
    assign({ kind: 'deref', pointer: toValue(c, kept!), type: target.type, position }),
  )
}

/** A cast to or from a vector keeps the bytes. */
export const reinterpret = (c: Context, node: SyntaxNode, value: CExpr, type: CType): CExpr => {
  const { position } = value
  const [from, to] = [sizeOf(value.type, c.target), sizeOf(type, c.target)]
  const isMeant = (t: CType): boolean => isVector(t) || isScalar(t)
  if (from !== to || !isMeant(value.type) || !isMeant(type))
    return fail(c, node, `cannot convert '${typeName(value.type)}' to '${typeName(type)}'`)
  return once(c, [value], (kept) => {
    takeAddress(c, kept!)
    const address: CExpr = { kind: 'address', lvalue: kept!, type: pointerTo(value.type), position }
    const pointer = cast(c, address, pointerTo(type))
    return toValue(c, { kind: 'deref', pointer, type, position })
  })
}

/** __builtin_shuffle: lanes of one or two vectors, chosen by the last operand. */
export const shuffle = (c: Context, node: SyntaxNode, args: readonly CExpr[]): CExpr => {
  const [first] = args
  const count = first && lanesOf(first.type)?.length
  if (count === undefined || args.length < 2 || args.length > 3)
    return fail(c, node, '__builtin_shuffle takes one or two vectors and a mask')
  return once(c, args, (...kept) => {
    const mask = kept.at(-1)!
    return build(c, unqualified(first!.type) as CRecord, first!.position, (index) => {
      const all = count * (args.length - 1)
      const chosen = masked(lane(c, mask, index), all - 1)
      const from = (vector: CExpr): CExpr => toValue(c, laneAt(c, vector, masked(chosen, count - 1)))
      if (args.length === 2) return from(kept[0]!)
      const { position } = first!
      const size = constant(count, LONG_LONG, position)
      const condition: CExpr = { kind: 'compare', op: '<', left: chosen, right: size, type: INT, position }
      const [then, otherwise] = [from(kept[0]!), from(kept[1]!)]
      return { kind: 'conditional', condition, then, else: otherwise, type: then.type, position }
    })
  })

  function masked(e: CExpr, mask: number): CExpr {
    const { position } = e
    const right = constant(mask, LONG_LONG, position)
    return { kind: 'binary', op: '&', left: cast(c, e, LONG_LONG), right, type: LONG_LONG, position }
  }
}

/** __builtin_convertvector: lane by lane. */
export const convertVector = (c: Context, node: SyntaxNode, value: CExpr, type: CType): CExpr => {
  const [from, to] = [lanesOf(value.type), lanesOf(type)]
  if (!from || !to || from.length !== to.length)
    return fail(c, node, '__builtin_convertvector of vectors of another length')
  return once(c, [value], (kept) =>
    build(c, unqualified(type) as CRecord, value.position, (index) => lane(c, kept!, index)),
  )
}
