// Function definitions (C11 6.9.1), also old-style ones whose parameters are declared after the list.
import { Unsupported } from '../../../../xcfa/index.js'
import type { CFunction, CStatement, CVariable } from '../../ast.js'
import { InputError } from '../../diagnostic.js'
import { field, fields, type SyntaxNode } from '../../parse/index.js'
import { type Context, type FunctionContext, fail, failAt, newScope, positionOf, unsupported } from '../context.js'
import { addImplicitCall } from '../implicit-calls.js'
import { checkItems } from '../statements.js'
import { shortText } from '../text.js'
import { type FunctionCType, INT, isComplete, isVoid, typeName, unqualified } from '../types.js'
import { adjusted, type Declared, declarator, parameterVariable } from './declarators.js'
import { declareFunction } from './linkage.js'
import { cellStatements } from './nested.js'
import { specifiersOf } from './specifiers.js'

/** A definition whose body is still to be checked. */
export interface Definition {
  readonly function: CFunction
  readonly parameters: readonly CVariable[]
  readonly sizes: readonly CStatement[]
  readonly body: SyntaxNode
  readonly node: SyntaxNode
}

/** Declares the function; undefined: the program has its own definition already. */
export const declareDefinition = (c: Context, node: SyntaxNode): Definition | undefined => {
  const specifiers = specifiersOf(c, node)
  const { implicitCall } = specifiers.attributes
  const declared = declarator(c, field(node, 'declarator'), specifiers.type)
  if (declared.type.kind !== 'function' || declared.name === undefined)
    return fail(c, node, 'expected a function definition')
  const oldStyle = declared.oldStyle.length > 0
  const parameters = oldStyle ? oldStyleParameters(c, node, declared) : declared.parameters.map((one) => one.variable)
  const type = definedType(declared.type as FunctionCType, parameters)
  const nameNode = declared.nameNode!
  const storage = specifiers.storage === 'static' || specifiers.storage === 'extern' ? specifiers.storage : undefined
  const isInternal = storage === 'static' || (specifiers.inline && storage === undefined)
  // GNU `extern inline` is only a hint for the optimiser: another definition, or a model, is the function.
  const isHint = specifiers.inline && storage === 'extern'
  const symbol = declareFunction(c, nameNode, declared.name, type, isInternal ? 'static' : storage)
  if (isHint && (c.program.defined.has(symbol) || c.program.library.model(declared.name))) return undefined
  if (c.program.defined.has(symbol))
    return c.isLibrary ? undefined : fail(c, nameNode, `redefinition of '${declared.name}'`)
  c.program.defined.add(symbol)
  c.program.functions.add(symbol)
  // The definition is what is executed: its type counts.
  symbol.type = type
  symbol.parameters = parameters
  if (implicitCall) addImplicitCall(c, symbol, implicitCall, node)
  return { function: symbol, parameters, sizes: declared.sizes, body: field(node, 'body')!, node }
}

const definedType = (type: FunctionCType, parameters: readonly CVariable[]): FunctionCType => ({
  ...type,
  parameters: parameters.map((parameter) => unqualified(parameter.type)),
})

const oldStyleParameters = (c: Context, node: SyntaxNode, declared: Declared): readonly CVariable[] => {
  const types = new Map<string, CVariable>()
  for (const declaration of node.children) {
    if (declaration.type !== 'declaration') continue
    const specifiers = specifiersOf(c, declaration)
    for (const part of fields(declaration, 'declarator')) {
      const one = declarator(c, part, specifiers.type)
      if (one.name) types.set(one.name, parameterVariable(c, one.name, adjusted(one.type), one.nameNode ?? part))
    }
  }
  return declared.oldStyle.map((nameNode) => {
    const name = c.tree.text.slice(nameNode.start, nameNode.end)
    return types.get(name) ?? parameterVariable(c, name, INT, nameNode)
  })
}

/** A function in a function: it sees the names around it. */
export const declareNested = (c: Context, node: SyntaxNode): void => {
  const outer = c.function!
  const specifiers = specifiersOf(c, node)
  const declared = declarator(c, field(node, 'declarator'), specifiers.type)
  if (declared.type.kind !== 'function' || declared.name === undefined) {
    fail(c, node, 'expected a function definition')
    return
  }
  if (declared.sizes.length > 0) unsupported('parameters of variable size in a nested function', positionOf(c, node))
  const oldStyle = declared.oldStyle.length > 0
  const parameters = oldStyle ? oldStyleParameters(c, node, declared) : declared.parameters.map((one) => one.variable)
  const type = definedType(declared.type as FunctionCType, parameters)
  const known = c.scope.names.get(declared.name)
  const isForward = known?.kind === 'function' && !c.program.defined.has(known)
  const symbol: CFunction = isForward
    ? known
    : {
        kind: 'function',
        name: `${outer.function.name}.${declared.name}@${node.start}`,
        type,
        position: positionOf(c, declared.nameNode!),
        parameters,
        body: undefined,
        addressTaken: false,
      }
  symbol.type = type
  symbol.parameters = parameters
  c.scope.names.set(declared.name, symbol)
  c.program.defined.add(symbol)
  c.program.functions.add(symbol)
  const { scope, depth, unevaluated, parameterSizes } = c
  checkFunctionBody(c, { function: symbol, parameters, sizes: declared.sizes, body: field(node, 'body')!, node })
  Object.assign(c, { function: outer, scope, depth, unevaluated, parameterSizes })
}

export const checkFunctionBody = (
  c: Context,
  { function: symbol, parameters, sizes, body, node }: Definition,
): void => {
  const position = positionOf(c, node)
  const outer = c.function
  c.function = {
    function: symbol,
    outer,
    cells: new Map(),
    labels: new Set(),
    uses: [],
    skipped: undefined,
    loops: 0,
    switches: [],
    pending: [],
  }
  c.scope = newScope(outer ? c.scope : c.fileScope)
  c.scope.function = c.function
  c.depth = 0
  c.unevaluated = 0
  try {
    const statements: CStatement[] = [...sizes]
    declareParameters(c, symbol, parameters, body)
    checkItems(c, body.children, statements)
    checkLabels(c, c.function)
    statements.unshift(...cellStatements(c.function, symbol.name))
    symbol.body = { kind: 'block', body: statements, position, text: shortText(c, node, body.start) }
  } catch (error) {
    // What a statement that is not modelled declares is missing further on.
    const { skipped } = c.function
    if (error instanceof InputError && skipped)
      symbol.body = { kind: 'unsupported', what: skipped.what, position: skipped.position, text: symbol.name }
    else if (error instanceof InputError && !c.isLibrary) {
      // Whether this is wrong input depends on whether execution can come here.
      c.program.broken.set(symbol, error.diagnostics)
      symbol.body = { kind: 'unsupported', what: error.message, position, text: symbol.name }
    } else if (error instanceof Unsupported)
      symbol.body = { kind: 'unsupported', what: error.what, position: error.position, text: symbol.name }
    else throw error
  } finally {
    c.function = undefined
    c.scope = c.fileScope
  }
}

/** A label may stand in a statement that is not modelled: then the whole function is not. */
const checkLabels = (c: Context, { labels, uses, skipped, outer }: FunctionContext): void => {
  for (const { name, node } of uses) {
    if (labels.has(name)) continue
    if (skipped) throw skipped
    if (outer) throw new Unsupported('a jump out of a nested function', positionOf(c, node))
    fail(c, node, `label '${name}' used but not defined`)
  }
}

const declareParameters = (c: Context, symbol: CFunction, parameters: readonly CVariable[], body: SyntaxNode): void => {
  const { result } = symbol.type
  if (!isVoid(result) && !isComplete(result, c.target)) fail(c, body, `return type '${typeName(result)}' is incomplete`)
  for (const parameter of parameters) {
    if (!isComplete(parameter.type, c.target))
      failAt(parameter.position, `parameter '${parameter.name}' has incomplete type '${typeName(parameter.type)}'`)
    if (parameter.name) c.scope.names.set(parameter.name, parameter)
  }
}
