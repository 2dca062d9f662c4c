// Expressions that name types: casts, compound literals, sizeof, offsetof, _Generic (C11 6.5.1.1, 6.5.2.5, 6.5.3.4,
// 6.5.4). What they say about sizes is constant, but for variable length arrays.
import type { CExpr, CType, CVariable } from '../../ast.js'
import { field, namedChildren, type SyntaxNode } from '../../parse/index.js'
import { type Context, fail, failure, positionOf, textOf, unevaluated, unsupported } from '../context.js'
import { typeOfDescriptor } from '../declarations/declarators.js'
import { checkInitializer } from '../declarations/initializers.js'
import { findMember } from '../declarations/layout.js'
import { alignOf, compatible, isInteger, isScalar, isVoid, sizeOf, typeName, unqualified } from '../types.js'
import { complexCast, isComplexConversion } from './complex.js'
import { cast, constant, refuseExotic, toValue } from './convert.js'
import { checkExpression, checkValue } from './expressions.js'
import { makeBinary } from './operators.js'
import { isVector, reinterpret } from './vectors.js'

export const checkCast = (c: Context, node: SyntaxNode): CExpr => {
  const type = unqualified(typeOfDescriptor(c, field(node, 'type')!))
  const position = positionOf(c, node)
  if (type.kind === 'void') return cast(c, checkDiscarded(c, field(node, 'value')!), type, position)
  const operand = checkExpression(c, field(node, 'value')!)
  const value = toValue(c, operand)
  const from = unqualified(value.type)
  if (type.kind === 'record' && from.kind === 'record' && compatible(from, type)) return value
  if (isComplexConversion(from, type)) return complexCast(c, value, type)
  if (isVector(type) || isVector(from)) return reinterpret(c, node, value, type)
  if (type.kind === 'record') {
    return type.union
      ? unsupported('cast to a union', position)
      : fail(c, node, 'conversion to non-scalar type requested')
  }
  if (!isScalar(type)) return fail(c, node, `cast specifies '${typeName(type)}'`)
  if (!isScalar(from)) return fail(c, node, `cannot convert '${typeName(from)}' to '${typeName(type)}'`)
  if ((type.kind === 'pointer' && from.kind === 'float') || (type.kind === 'float' && from.kind === 'pointer'))
    return fail(c, node, `cannot convert '${typeName(from)}' to '${typeName(type)}'`)
  refuseExotic(c, type, position)
  return cast(c, value, type, position)
}

/** An expression whose value nobody needs; `*p` of void has none. */
/** An expression of which only the effects count. */
export const checkDiscarded = (c: Context, node: SyntaxNode): CExpr => {
  noteDiscarded(c, node)
  return discard(c, checkExpression(c, node))
}

const noteDiscarded = (c: Context, node: SyntaxNode): void => {
  if (node.type === 'call_expression') c.program.discarded.add(node)
  else if (node.type === 'parenthesized_expression' || node.type === 'comma_expression')
    for (const part of namedChildren(node)) noteDiscarded(c, part)
}

const discard = (c: Context, e: CExpr): CExpr => (e.kind === 'deref' && isVoid(e.type) ? e.pointer : toValue(c, e))

export const checkCompoundLiteral = (c: Context, node: SyntaxNode): CExpr => {
  const declared = typeOfDescriptor(c, field(node, 'type')!)
  const position = positionOf(c, node)
  const { type, entries, tail } = checkInitializer(c, declared, field(node, 'value')!, c.function === undefined)
  const variable: CVariable = {
    ...(tail ? { tail } : {}),
    kind: 'variable',
    name: 'literal',
    type,
    position,
    storage: c.function ? 'auto' : 'static',
    addressTaken: !isScalar(type),
    ...(c.function ? {} : { initializer: entries }),
  }
  if (!c.function) {
    c.program.variables.add(variable)
    c.program.defined.add(variable)
    return { kind: 'variable', variable, type, position }
  }
  return { kind: 'compound', variable, initializer: entries, type, position }
}

export const checkSizeof = (c: Context, node: SyntaxNode): CExpr => {
  return sizeExpression(c, typeOrOperandType(c, node), node)
}

/** What sizeof and _Alignof are about: a type, or the type of an expression. */
const typeOrOperandType = (c: Context, node: SyntaxNode): CType => {
  const operandNode = (field(node, 'type') ?? field(node, 'value'))!
  if (operandNode.type === 'type_descriptor') return typeOfDescriptor(c, operandNode)
  return unevaluated(c, () => {
    const operand = checkExpression(c, operandNode)
    if (operand.kind === 'member' && operand.field.bits)
      return fail(c, node, `'sizeof' applied to bit-field '${operand.field.name}'`)
    return operand.type
  })
}

/** A constant, but for variable length arrays. */
const sizeExpression = (c: Context, type: CType, node: SyntaxNode): CExpr => {
  const position = positionOf(c, node)
  const size = sizeOf(type, c.target)
  if (size !== undefined) return constant(size, c.target.size, position)
  if (type.kind === 'array' && type.variable)
    return makeBinary(c, '*', type.variable, sizeExpression(c, type.of, node), c.target.size, position)
  return fail(c, node, `invalid application of 'sizeof' to incomplete type '${typeName(type)}'`)
}

/** offsetof(type, member.inner[2].x): the member is given by the tokens after the comma. */
export const checkOffsetof = (
  c: Context,
  typeNode: SyntaxNode,
  designator: readonly SyntaxNode[],
  node: SyntaxNode,
): CExpr => {
  let type: CType = unqualified(typeOfDescriptor(c, typeNode))
  let offset = 0
  let computed: CExpr | undefined
  const position = positionOf(c, node)
  const plus = (left: CExpr, right: CExpr): CExpr => makeBinary(c, '+', left, right, c.target.size, position)
  const member = (nameNode: SyntaxNode): void => {
    const record = unqualified(type)
    const name = textOf(c, nameNode)
    const path = record.kind === 'record' ? findMember(record, name) : undefined
    if (!path) throw failure(c, nameNode, `'${typeName(type)}' has no member named '${name}'`)
    for (const part of path) offset += part.offset
    type = path[path.length - 1]!.type
  }
  const index = (indexNode: SyntaxNode): void => {
    const array = unqualified(type)
    if (array.kind !== 'array') throw failure(c, indexNode, `'${typeName(type)}' is no array`)
    const size = sizeOf(array.of, c.target)!
    const value = checkValue(c, indexNode)
    if (!isInteger(value.type)) throw failure(c, indexNode, 'index is not an integer')
    if (value.kind === 'constant') offset += Number(value.value) * size
    else {
      const bytes = constant(size, c.target.size, position)
      const scaled = makeBinary(c, '*', cast(c, value, c.target.size), bytes, c.target.size, position)
      computed = computed ? plus(computed, scaled) : scaled
    }
    type = array.of
  }
  const follow = (part: SyntaxNode): void => {
    if (part.type === 'field_expression') {
      follow(field(part, 'argument')!)
      member(field(part, 'field')!)
    } else if (part.type === 'subscript_expression') {
      follow(field(part, 'argument')!)
      index(field(part, 'index')!)
    } else if (part.named) member(part)
  }
  for (const part of designator) follow(part)
  const fixed = constant(offset, c.target.size, position)
  return computed ? plus(computed, fixed) : fixed
}

export const checkGeneric = (c: Context, node: SyntaxNode): CExpr => {
  const parts = namedChildren(node)
  const controlling = unevaluated(c, () => unqualified(checkValue(c, parts[0]!).type))
  let chosen: SyntaxNode | undefined
  for (let index = 1; index + 1 < parts.length; index += 2) {
    const typeNode = parts[index]!
    const isDefault = textOf(c, typeNode).trim() === 'default'
    if (isDefault ? chosen === undefined : compatible(typeOfDescriptor(c, typeNode), controlling)) {
      chosen = parts[index + 1]
      if (!isDefault) break
    }
  }
  if (!chosen)
    return fail(
      c,
      node,
      `'_Generic' selector of type '${typeName(controlling)}' is not compatible with any association`,
    )
  return checkExpression(c, chosen)
}

export const checkAlignof = (c: Context, node: SyntaxNode): CExpr =>
  constant(alignOf(typeOrOperandType(c, node), c.target), c.target.size, positionOf(c, node))
