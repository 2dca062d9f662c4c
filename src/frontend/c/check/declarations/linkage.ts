// Linkage (C11 6.2.2): which declarations, in one file or several, mean the same function or variable; composite types
// and conflicts (6.2.7); tentative definitions (6.9.2).
import type { CFunction, CType, CVariable } from '../../ast.js'
import type { SyntaxNode } from '../../parse/index.js'
import { type Context, fail, positionOf, warn } from '../context.js'
import { compatible, type FunctionCType, typeName, unqualified } from '../types.js'

export type LinkStorage = 'extern' | 'static' | undefined

/** The symbol of this name with linkage that a declaration here would mean. */
const linked = (c: Context, name: string, storage: LinkStorage): CVariable | CFunction | undefined => {
  const inFile = c.fileScope.names.get(name)
  if (inFile?.kind === 'variable' || inFile?.kind === 'function') return inFile
  return storage === 'static' ? undefined : c.program.externals.get(name)
}

export const declareFunction = (
  c: Context,
  node: SyntaxNode,
  name: string,
  type: FunctionCType,
  storage: LinkStorage,
): CFunction => {
  const known = linked(c, name, storage)
  if (known?.kind === 'variable' && !c.isLibrary)
    return fail(c, node, `'${name}' redeclared as different kind of symbol`)
  const symbol = known?.kind === 'function' ? known : newFunction(c, node, name, type, storage)
  if (known) mergeFunction(c, node, name, symbol, type)
  c.scope.names.set(name, symbol)
  return symbol
}

const newFunction = (
  c: Context,
  node: SyntaxNode,
  name: string,
  type: FunctionCType,
  storage: LinkStorage,
): CFunction => {
  const position = positionOf(c, node)
  const internal = storage === 'static'
  const isTaken =
    internal && (c.program.functionNames.has(name) || (c.program.definitions.get(name) ?? 0) > (c.isLibrary ? 0 : 1))
  const unique = isTaken ? `${name}@${position.file}` : name
  const symbol: CFunction = {
    kind: 'function',
    name: unique,
    type,
    position,
    parameters: [],
    body: undefined,
    addressTaken: false,
  }
  c.program.functionNames.add(unique)
  if (!internal) c.program.externals.set(name, symbol)
  if (c.isLibrary) c.program.libraryOnly.add(symbol)
  // An internal function stays visible to later declarations of the file, also when it is first declared in a block.
  if (internal) c.fileScope.names.set(name, symbol)
  return symbol
}

const mergeFunction = (c: Context, node: SyntaxNode, name: string, symbol: CFunction, type: FunctionCType): void => {
  if (c.isLibrary && !c.program.libraryOnly.has(symbol)) return
  const replaces = !c.isLibrary && c.program.libraryOnly.delete(symbol)
  if (!replaces && !compatible(symbol.type, type)) {
    const inThisFile = c.fileScope.names.get(name) === symbol
    const text = `conflicting types for '${name}': '${typeName(type)}', before '${typeName(symbol.type)}'`
    const isKnownToLibrary = c.program.library.model(name) !== undefined
    if (inThisFile && !isKnownToLibrary && !c.isLibrary) fail(c, node, text)
    else warn(c, positionOf(c, node), text)
  }
  if (replaces || symbol.type.unprototyped) symbol.type = type
}

export const declareLinkedVariable = (
  c: Context,
  node: SyntaxNode,
  name: string,
  type: CType,
  storage: LinkStorage,
  thread: boolean,
): CVariable => {
  const known = linked(c, name, storage)
  if (known?.kind === 'function') return fail(c, node, `'${name}' redeclared as different kind of symbol`)
  if (known) {
    if (!(c.isLibrary && !c.program.libraryOnly.has(known))) mergeVariable(c, node, known, type)
    c.scope.names.set(name, known)
    return known
  }
  const variable: CVariable = {
    kind: 'variable',
    name,
    type,
    position: positionOf(c, node),
    storage: thread ? 'thread' : 'static',
    addressTaken: !isScalarType(type),
  }
  if (storage !== 'static') c.program.externals.set(name, variable)
  if (c.isLibrary) c.program.libraryOnly.add(variable)
  c.program.variables.add(variable)
  c.scope.names.set(name, variable)
  return variable
}

const isScalarType = (type: CType): boolean => ['int', 'float', 'pointer'].includes(unqualified(type).kind)

const mergeVariable = (c: Context, node: SyntaxNode, known: CVariable, type: CType): void => {
  const replaces = !c.isLibrary && c.program.libraryOnly.delete(known)
  if (!replaces && !compatible(known.type, type))
    fail(c, node, `conflicting types for '${known.name}': '${typeName(type)}', before '${typeName(known.type)}'`)
  const old = unqualified(known.type)
  if (replaces || (old.kind === 'array' && old.length === undefined)) known.type = type
}
