// Calls (C11 6.5.2.2): functions with a prototype, without one, through pointers; and what looks like a call but is a
// builtin (builtins.ts).
import type { CExpr, CField, CFunction, CType, CVariable } from '../../ast.js'
import { field, namedChildren, type SyntaxNode } from '../../parse/index.js'
import { type Context, fail, lookup, positionOf, suggestion, textOf, unsupported, warn } from '../context.js'
import { declareFunction } from '../declarations/linkage.js'
import { compatibleUnqualified, type FunctionCType, INT, isComplete, isVoid, typeName, unqualified } from '../types.js'
import { builtinName, checkBuiltin } from './builtins.js'
import { ANY_SIZE, convertAsAssigned, isNullPointerConstant, promoteArgument, toValue } from './convert.js'
import { checkExpression, checkValue, noteUse } from './expressions.js'
import { checkFormat, lengthOf, printedTexts } from './formats.js'

export const checkCall = (c: Context, node: SyntaxNode): CExpr => {
  const calleeNode = field(node, 'function')!
  const argumentNodes = namedChildren(field(node, 'arguments') ?? node).filter((part) => part !== calleeNode)
  if (calleeNode.type === 'identifier') {
    const name = textOf(c, calleeNode)
    const symbol = lookup(c, name)
    const builtin = builtinName(c, name, symbol)
    if (builtin) return checkBuiltin(c, node, builtin, argumentNodes, symbol)
    if (!symbol) return callOf(c, node, implicitFunction(c, calleeNode, name), argumentNodes)
  }
  return callOf(c, node, checkExpression(c, calleeNode), argumentNodes)
}

/** C89 declares a function by calling it; we accept that for functions of the library, with a warning. */
const implicitFunction = (c: Context, node: SyntaxNode, name: string): CExpr => {
  const position = positionOf(c, node)
  const known = c.program.externals.get(name) ?? c.program.loadModel(name)
  const declaredHere = c.program.definitions.has(name)
  if (known?.kind !== 'function' && !declaredHere) {
    const close = suggestion(c, name, (symbol) => symbol.kind === 'function')
    return fail(c, node, `implicit declaration of function '${name}'${close}`)
  }
  warn(c, position, `implicit declaration of function '${name}'`)
  const type: FunctionCType = { kind: 'function', result: INT, parameters: [], variadic: false, unprototyped: true }
  const symbol: CFunction = known?.kind === 'function' ? known : declareFunction(c, node, name, type, undefined)
  noteUse(c, symbol)
  return { kind: 'function', function: symbol, type: symbol.type, position }
}

const callOf = (c: Context, node: SyntaxNode, called: CExpr, argumentNodes: readonly SyntaxNode[]): CExpr => {
  const position = positionOf(c, node)
  const direct = called.kind === 'function'
  const callee = direct ? called : toValue(c, called)
  const pointed = unqualified(callee.type)
  const type = pointed.kind === 'pointer' ? unqualified(pointed.to) : pointed
  const name = direct ? `'${called.function.name}'` : 'this function pointer'
  if (type.kind !== 'function') return fail(c, node, 'called object is not a function or function pointer')
  if (!isVoid(type.result) && !isComplete(type.result, c.target))
    return fail(c, node, `call of a function that returns incomplete type '${typeName(type.result)}'`)
  const args = argumentNodes.map((argument) => checkValue(c, argument))
  checkCount(c, node, type, args.length, name)
  const converted = args.map((argument, index) => {
    const parameter = type.parameters[index]
    const member = parameter && transparentMember(parameter, argument)
    if (member) return asUnion(c, argument, parameter, member)
    if (parameter) return convertAsAssigned(c, argument, parameter, `passing argument ${index + 1} of ${name}`)
    if (isVoid(argument.type)) return fail(c, argumentNodes[index]!, 'argument of type void')
    return promoteArgument(c, argument)
  })
  if (direct) {
    if (REPLACED.has(called.function.name) && c.program.definitions.has(called.function.name))
      unsupported(`a definition of ${called.function.name}, which compilers replace by their own,`, position)
    checkFormat(c, node, called.function, args)
    for (const index of printedTexts(c, called.function, args)) converted[index] = printed(c, converted[index]!)
  }
  const call: CExpr = { kind: 'call', callee, args: converted, type: unqualified(type.result), position }
  if (!direct) return call
  const length = c.program.discarded.has(node) ? undefined : lengthOf(c, called.function, args)
  if (length) return { ...call, ...modelOf(c, length.model), args: converted.slice(length.format) }
  return !c.isLibrary && isModelOfOrder(c, called.function) ? ofAnySize(c, call) : call
}

const modelOf = (c: Context, name: string): { readonly callee?: CExpr } => {
  const model = c.program.loadModel(name)
  if (model?.kind !== 'function') return {}
  noteUse(c, model)
  return { callee: { kind: 'function', function: model, type: model.type, position: model.position } }
}

/** To define these is undefined behaviour (C11 7.1.3), and gcc computes their value instead of calling them. */
const REPLACED: ReadonlySet<string> = new Set(['abs', 'labs', 'llabs', 'imaxabs'])

/** Of what these return, only the sign is said (C11 7.24.4, POSIX). */
const ORDERS: ReadonlySet<string> = new Set(['memcmp', 'strcmp', 'strncmp', 'strcasecmp', 'strncasecmp'])

const isModelOfOrder = (c: Context, { name }: CFunction): boolean =>
  ORDERS.has(name) && !c.program.definitions.has(name)

const ofAnySize = (c: Context, call: CExpr): CExpr => modelCall(c, ANY_SIZE, call) ?? call

/** A union that takes arguments of its members' types (attribute transparent_union): the member that is meant. */
const transparentMember = (parameter: CType, argument: CExpr): CField | undefined => {
  const union = unqualified(parameter)
  const from = unqualified(argument.type)
  if (union.kind !== 'record' || !union.union || from.kind === 'record') return undefined
  const accepts = ({ type }: CField): boolean => {
    const plain = unqualified(type)
    if (compatibleUnqualified(plain, from)) return true
    if (plain.kind !== 'pointer') return false
    return isNullPointerConstant(argument) || (from.kind === 'pointer' && (isVoid(from.to) || isVoid(plain.to)))
  }
  return union.fields.find(({ type }) => compatibleUnqualified(type, from)) ?? union.fields.find(accepts)
}

const asUnion = (c: Context, argument: CExpr, parameter: CType, { offset, type: memberType }: CField): CExpr => {
  const { position } = argument
  const type = unqualified(parameter)
  const value = convertAsAssigned(c, argument, memberType, 'passing an argument')
  const variable: CVariable = {
    kind: 'variable',
    name: 'argument',
    type,
    position,
    storage: 'auto',
    addressTaken: true,
  }
  const initializer = [{ offset, type: unqualified(memberType), value }]
  return toValue(c, { kind: 'compound', variable, initializer, type, position })
}

/** The text, read to its end. */
const printed = (c: Context, text: CExpr): CExpr => modelCall(c, '__heddle_printed', text) ?? text

/** A call of a function that models have among themselves. */
const modelCall = (c: Context, name: string, argument: CExpr): CExpr | undefined => {
  const model = c.program.loadModel(name)
  if (model?.kind !== 'function') return undefined
  noteUse(c, model)
  const { position } = argument
  const callee: CExpr = { kind: 'function', function: model, type: model.type, position }
  const converted = convertAsAssigned(c, argument, model.type.parameters[0]!, 'passing an argument')
  return { kind: 'call', callee, args: [converted], type: unqualified(model.type.result), position }
}

const checkCount = (c: Context, node: SyntaxNode, type: FunctionCType, given: number, name: string): void => {
  const expected = type.parameters.length
  if (given < expected) fail(c, node, `too few arguments to ${name}: expected ${expected}, have ${given}`)
  if (given > expected && !type.variadic && !type.unprototyped)
    fail(c, node, `too many arguments to ${name}: expected ${expected}, have ${given}`)
}
