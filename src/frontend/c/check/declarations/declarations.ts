// Declarations (C11 6.7) at file scope and in blocks: typedefs, functions, variables with their initialisers.
import { Unsupported } from '../../../../xcfa/index.js'
import type { CStatement, CType, CVariable } from '../../ast.js'
import { field, fields, type SyntaxNode } from '../../parse/index.js'
import { type Context, fail, positionOf, unsupported } from '../context.js'
import { checkText } from '../expressions/expressions.js'
import { addImplicitCall } from '../implicit-calls.js'
import { shortText } from '../text.js'
import { compatible, type FunctionCType, isComplete, isScalar, isVoid, typeName, unqualified } from '../types.js'
import { type Declared, declarator } from './declarators.js'
import { checkInitializer } from './initializers.js'
import { declareFunction, declareLinkedVariable, type LinkStorage } from './linkage.js'
import { type Specifiers, specifiersOf } from './specifiers.js'

/** A declaration anywhere; in a block it may leave statements that bring its variables to life. */
export const checkDeclaration = (c: Context, node: SyntaxNode, out: CStatement[]): void => {
  const specifiers = specifiersOf(c, node)
  for (const part of fields(node, 'declarator')) {
    const isInit = part.type === 'init_declarator'
    const declared = declarator(c, isInit ? field(part, 'declarator') : part, specifiers.type)
    if (c.function) out.push(...c.function.pending.splice(0))
    if (declared.name === undefined) continue
    const value = isInit ? field(part, 'value') : undefined
    declareOne(c, { node, part, specifiers, declared, name: declared.name, value }, out)
  }
}

interface Declaration {
  readonly node: SyntaxNode
  readonly part: SyntaxNode
  readonly specifiers: Specifiers
  readonly declared: Declared
  readonly name: string
  readonly value: SyntaxNode | undefined
}

const declareOne = (c: Context, declaration: Declaration, out: CStatement[]): void => {
  const { specifiers, declared, name, part, value } = declaration
  const { storage } = specifiers
  if (storage === 'typedef') {
    declareTypedef(c, declared, name)
    return
  }
  const { implicitCall } = specifiers.attributes
  const { alias } = specifiers.attributes
  if (alias !== undefined && declareAlias(c, declaration, alias)) return
  if (declared.type.kind === 'function') {
    if (value) fail(c, part, `function '${name}' is initialized like a variable`)
    const inBlock = c.function !== undefined && storage !== 'extern' && storage !== 'static'
    const type = declared.type as FunctionCType
    const symbol = declareFunction(c, part, name, type, inBlock ? undefined : linkStorage(specifiers))
    if (implicitCall) addImplicitCall(c, symbol, implicitCall, part)
    return
  }
  if (isVoid(declared.type)) fail(c, part, `variable '${name}' declared void`)
  if (!c.function || storage === 'extern') declareGlobal(c, declaration)
  else if (storage === 'static' || specifiers.thread) declareStaticLocal(c, declaration)
  else declareLocal(c, declaration, out)
}

/** Another name of something that is defined already, of the same type; anything else is not modelled. */
const declareAlias = (c: Context, { part, declared, name }: Declaration, alias: string): boolean => {
  const known = c.fileScope.names.get(alias)
  const isSame = (known?.kind === 'variable' || known?.kind === 'function') && compatible(known.type, declared.type)
  if (!isSame || c.program.externals.has(name)) return unsupported(`attribute alias of ${name}`, positionOf(c, part))
  c.fileScope.names.set(name, known)
  c.program.externals.set(name, known)
  return true
}

const linkStorage = ({ storage }: Specifiers): LinkStorage =>
  storage === 'extern' || storage === 'static' ? storage : undefined

const declareTypedef = (c: Context, declared: Declared, name: string): void => {
  const owned = c.isLibrary || !c.program.disownedTypes.has(name) ? c.program.ownedTypes.get(name) : undefined
  const known = c.scope.names.get(name)
  if (known && known.kind !== 'typedef') fail(c, declared.nameNode!, `'${name}' redeclared as different kind of symbol`)
  if (known?.kind === 'typedef' && !owned && !compatible(known.type, declared.type))
    fail(c, declared.nameNode!, `conflicting types for '${name}'`)
  const record = unqualified(declared.type)
  if (record.kind === 'record') record.typedefName ??= name
  c.scope.names.set(name, { kind: 'typedef', type: owned ?? declared.type })
}

// ---- variables

const declareGlobal = (c: Context, { part, specifiers, declared, name, value }: Declaration): void => {
  const existing = c.scope.names.get(name)
  if (existing && existing.kind !== 'variable') fail(c, part, `'${name}' redeclared as different kind of symbol`)
  const variable = declareLinkedVariable(c, part, name, declared.type, linkStorage(specifiers), specifiers.thread)
  if (specifiers.align !== undefined) variable.align = Math.max(variable.align ?? 1, specifiers.align)
  if (value) {
    if (variable.initializer) {
      if (c.isLibrary) return
      fail(c, part, `redefinition of '${name}'`)
    }
    c.program.defined.add(variable)
    initializeIfModelled(c, variable, value)
  } else if (specifiers.storage !== 'extern') c.program.defined.add(variable)
}

/** An initialiser that is not modelled matters only if the variable is used. */
const initializeIfModelled = (c: Context, variable: CVariable, value: SyntaxNode): void => {
  try {
    initializeStatic(c, variable, value)
  } catch (error) {
    if (!(error instanceof Unsupported) || c.function) throw error
    c.unevaluated = 0
    c.depth = 0
    c.program.unmodelled.set(variable, error)
  }
}

const initializeStatic = (c: Context, variable: CVariable, value: SyntaxNode): void => {
  // The initialiser may refer to the variable itself: `struct list l = { &l, &l }`.
  const { type, entries, tail } = checkInitializer(c, variable.type, value, true)
  variable.type = type
  variable.initializer = entries
  if (tail) variable.tail = tail
}

const newLocal = (
  c: Context,
  { part, specifiers, declared, name }: Declaration,
  storage: CVariable['storage'],
): CVariable => {
  const existing = c.scope.names.get(name)
  if (existing && (existing.kind !== 'variable' || existing.storage !== 'static' || storage !== 'static'))
    fail(c, part, `redefinition of '${name}'`)
  const variable: CVariable = {
    kind: 'variable',
    name,
    type: declared.type,
    position: positionOf(c, declared.nameNode ?? part),
    storage,
    addressTaken: !isScalar(declared.type),
    ...(specifiers.align !== undefined ? { align: specifiers.align } : {}),
  }
  c.scope.names.set(name, variable)
  return variable
}

const hasVariableRows = (type: CType): boolean => {
  const array = unqualified(type)
  const row = array.kind === 'array' ? unqualified(array.of) : undefined
  return row?.kind === 'array' && (row.variable !== undefined || hasVariableRows(row))
}

const declareStaticLocal = (c: Context, declaration: Declaration): void => {
  const { specifiers, value, part, name } = declaration
  const variable = newLocal(c, declaration, specifiers.thread ? 'thread' : 'static')
  c.program.variables.add(variable)
  c.program.defined.add(variable)
  if (value) initializeStatic(c, variable, value)
  if (!isComplete(variable.type, c.target)) fail(c, part, `storage size of '${name}' is not known`)
}

const declareLocal = (c: Context, declaration: Declaration, out: CStatement[]): void => {
  const { part, node, name, value, declared } = declaration
  const variable = newLocal(c, declaration, 'auto')
  const position = positionOf(c, declared.nameNode ?? part)
  const text = shortText(c, node)
  if (value) {
    const { type, entries } = checkInitializer(c, variable.type, value, false)
    variable.type = type
    out.push(...c.function!.pending.splice(0))
    requireComplete(c, variable, part, name)
    out.push({ kind: 'declare', variable, initializer: entries, position, text })
  } else {
    requireComplete(c, variable, part, name)
    out.push({ kind: 'declare', variable, position, text })
  }
  const { cleanup } = declaration.specifiers.attributes
  if (cleanup === undefined) return
  const call = `${cleanup}(&${name})`
  out.push({ kind: 'expression', expression: checkText(c, call, position), isCleanup: true, position, text: call })
}

const requireComplete = (c: Context, variable: CVariable, part: SyntaxNode, name: string): void => {
  if (hasVariableRows(variable.type)) unsupported('an array of arrays of variable length', positionOf(c, part))
  if (!isComplete(variable.type, c.target))
    fail(c, part, `storage size of '${name}' is not known: '${typeName(variable.type)}'`)
}
