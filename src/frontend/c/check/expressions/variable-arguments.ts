// Variable argument lists (C11 7.16). A caller lays the arguments beyond the prototype into consecutive places of 8 bytes,
// and passes their address behind the others; a va_list keeps where the next one is.
import type { CExpr, CType } from '../../ast.js'
import type { SyntaxNode } from '../../parse/index.js'
import { type Context, fail, positionOf } from '../context.js'
import { pointerTo, sizeOf, unqualified, VOID } from '../types.js'
import { cast, constant, toValue } from './convert.js'
import { checkExpression } from './expressions.js'

/** The address of the first of the arguments, in a function that takes them. */
export const ARGUMENTS = '__heddle_arguments'

/** Arguments lie this far apart, or multiples of it. */
export const ARGUMENT_SIZE = 8

export const checkVaStart = (c: Context, node: SyntaxNode, args: readonly SyntaxNode[]): CExpr => {
  const position = positionOf(c, node)
  const user = c.function?.function
  if (!user?.type.variadic) return fail(c, node, "'va_start' used in function with fixed arguments")
  user.takesArguments = true
  const next = nextOf(c, node, args[0])
  const first: CExpr = { kind: 'builtin', name: ARGUMENTS, args: [], type: pointerTo(VOID), position }
  return { kind: 'assign', target: next, value: cast(c, first, unqualified(next.type)), type: next.type, position }
}

export const checkVaCopy = (c: Context, node: SyntaxNode, args: readonly SyntaxNode[]): CExpr => {
  const [to, from] = [nextOf(c, node, args[0]), nextOf(c, node, args[1])]
  return { kind: 'assign', target: to, value: toValue(c, from), type: to.type, position: positionOf(c, node) }
}

/** Nothing ends, but the list may be an expression with an effect. */
export const checkVaEnd = (c: Context, node: SyntaxNode, args: readonly SyntaxNode[]): CExpr => {
  const nothing = cast(c, constant(0, c.target.long, positionOf(c, node)), VOID)
  const list = args[0] && checkExpression(c, args[0])
  if (!list || list.kind === 'variable') return nothing
  return cast(c, toValue(c, list), VOID)
}

/** The next argument, as a value of the type; the list then is behind it. */
export const checkVaArg = (c: Context, node: SyntaxNode, list: SyntaxNode, type: CType): CExpr => {
  const position = positionOf(c, node)
  const next = nextOf(c, node, list)
  const size = sizeOf(type, c.target)
  if (size === undefined) return fail(c, node, 'argument of incomplete type')
  const room = Math.ceil(size / ARGUMENT_SIZE) * ARGUMENT_SIZE
  const pointer = unqualified(next.type)
  const behind: CExpr = {
    kind: 'compoundAssign',
    op: '+',
    target: next,
    operand: constant(room, c.target.long, position),
    computeAs: pointer,
    elementSize: 1,
    type: pointer,
    position,
  }
  const back = constant(-room, c.target.long, position)
  const here: CExpr = { kind: 'pointerAdd', pointer: behind, index: back, elementSize: 1, type: pointer, position }
  return toValue(c, { kind: 'deref', pointer: cast(c, here, pointerTo(type)), type, position })
}

/** Where a list keeps the address of the next argument: x86-64's has a field for it, i386's is a pointer itself. */
const nextOf = (c: Context, node: SyntaxNode, list: SyntaxNode | undefined): CExpr => {
  if (!list) return fail(c, node, 'expected an argument list')
  const e = checkExpression(c, list)
  if (c.target.pointerBytes === 4) return e
  const pointer = toValue(c, e)
  const record = unqualified(pointer.type).kind === 'pointer' ? pointee(pointer.type) : undefined
  if (record?.kind !== 'record') return fail(c, node, "first argument is not of type 'va_list'")
  const field = record.fields.find(({ name }) => name === 'overflow_arg_area')
  if (!field) return fail(c, node, "first argument is not of type 'va_list'")
  const { position } = e
  const whole: CExpr = { kind: 'deref', pointer, type: record, position }
  return { kind: 'member', record: whole, field, type: field.type, position }
}

const pointee = (type: CType): CType | undefined => {
  const pointer = unqualified(type)
  return pointer.kind === 'pointer' ? unqualified(pointer.to) : undefined
}
