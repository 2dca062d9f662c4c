// Declarators (C11 6.7.6): from the type of the specifiers to that of the declared name, outermost part first.
import type { CExpr, CStatement, CType, CVariable } from '../../ast.js'
import { field, namedChildren, type SyntaxNode } from '../../parse/index.js'
import { type Context, fail, inScope, lookup, positionOf, textOf, unsupported } from '../context.js'
import { cast, toValue } from '../expressions/convert.js'
import { checkExpression, hiddenVariable } from '../expressions/expressions.js'
import {
  arrayOf,
  type FunctionCType,
  isComplete,
  isInteger,
  isVoid,
  pointerTo,
  qualify,
  sizeOf,
  typeName,
  unqualified,
  VOID,
} from '../types.js'
import { isBuiltinType, qualifiersIn, specifiersOf } from './specifiers.js'

interface Parameter {
  readonly name: string | undefined
  readonly type: CType
  readonly node: SyntaxNode
  readonly variable: CVariable
}

export interface Declared {
  readonly name: string | undefined
  readonly nameNode: SyntaxNode | undefined
  readonly type: CType
  /** Of the function that the declarator declares, if it declares one. */
  readonly parameters: readonly Parameter[]
  /** The names of an old-style definition, whose types follow as declarations. */
  readonly oldStyle: readonly SyntaxNode[]
  /** Sizes of variable length arrays among the parameters. */
  readonly sizes: readonly CStatement[]
}

export const declarator = (c: Context, node: SyntaxNode | undefined, base: CType): Declared => {
  let type = base
  let part = node
  let parameters: readonly Parameter[] = []
  let oldStyle: readonly SyntaxNode[] = []
  let sizes: readonly CStatement[] = []
  while (part) {
    switch (part.type) {
      case 'pointer_declarator':
      case 'abstract_pointer_declarator':
        type = qualify(pointerTo(type), qualifiersIn(c, part))
        part = field(part, 'declarator')
        break
      case 'array_declarator':
      case 'abstract_array_declarator':
        type = arrayType(c, part, type)
        part = field(part, 'declarator')
        break
      case 'function_declarator':
      case 'abstract_function_declarator': {
        const list = field(part, 'parameters')!
        const name = part.type === 'abstract_function_declarator' ? parenthesizedName(c, part) : undefined
        if (name) {
          part = name
          break
        }
        if (type.kind === 'array' || type.kind === 'function')
          return fail(c, part, `a function cannot return '${typeName(type)}'`)
        ;({ parameters, sizes } = parametersOf(c, list))
        oldStyle = oldStyleNames(c, list)
        type = functionType(c, list, unqualifiedResult(type), parameters)
        part = field(part, 'declarator')
        break
      }
      case 'parenthesized_declarator':
      case 'abstract_parenthesized_declarator':
      case 'attributed_declarator':
        part = namedChildren(part).find(
          (child) => child.type !== 'attribute_specifier' && child.type !== 'ms_call_modifier',
        )
        break
      default: {
        const name = textOf(c, part)
        return { name: name || undefined, nameNode: part, type, parameters, oldStyle, sizes }
      }
    }
  }
  return { name: undefined, nameNode: undefined, type, parameters, oldStyle, sizes }
}

/** `void (cb)(int)` as a parameter: the grammar reads the name in parentheses as a parameter list. */
const parenthesizedName = (c: Context, node: SyntaxNode): SyntaxNode | undefined => {
  const declarations = namedChildren(field(node, 'parameters')!)
  const [only] = declarations
  if (field(node, 'declarator') || declarations.length !== 1 || !only || !isOldStyleName(c, only)) return undefined
  return only.type === 'identifier' ? only : only.children[0]
}

const unqualifiedResult = (type: CType): CType => unqualified(type)

export const typeOfDescriptor = (c: Context, node: SyntaxNode): CType => {
  const { type } = specifiersOf(c, node)
  return declarator(c, field(node, 'declarator'), type).type
}

/** A size that is no constant makes a variable length array; its value is computed once, where it is declared. */
const arrayType = (c: Context, node: SyntaxNode, element: CType): CType => {
  if (element.kind === 'function') return fail(c, node, 'array of functions')
  if (!isComplete(element, c.target)) return fail(c, node, `array of incomplete type '${typeName(element)}'`)
  const sizeNode = field(node, 'size')
  if (!sizeNode || sizeNode.type === '*') return arrayOf(element, undefined)
  const size = toValue(c, checkExpression(c, sizeNode))
  if (!isInteger(size.type)) return fail(c, sizeNode, `size of array has type '${typeName(size.type)}'`)
  if (size.kind !== 'constant') return variableArray(c, sizeNode, element, size)
  if (size.value < 0) return fail(c, sizeNode, 'size of array is negative')
  if (!Number.isSafeInteger(Number(size.value) * (sizeOf(element, c.target) ?? 0)))
    return unsupported('an array of more than 2^53 bytes', positionOf(c, sizeNode))
  return arrayOf(element, Number(size.value))
}

const variableArray = (c: Context, node: SyntaxNode, element: CType, size: CExpr): CType => {
  if (!c.function && !c.parameterSizes) return fail(c, node, 'variably modified type at file scope')
  const count = cast(c, size, c.target.size)
  if (c.unevaluated > 0) return arrayOf(element, undefined, count)
  return arrayOf(element, undefined, hiddenVariable(c, count, 'length'))
}

// ---- parameters

/** `int f(a, b)`: names without types; a single one looks like a type to the grammar. */
const isOldStyleName = (c: Context, node: SyntaxNode): boolean => {
  const [only, more] = node.children
  if (node.type === 'identifier') return true
  if (node.type !== 'parameter_declaration' || more || only?.type !== 'type_identifier') return false
  const name = textOf(c, only)
  return lookup(c, name)?.kind !== 'typedef' && !isBuiltinType(name)
}

const oldStyleNames = (c: Context, list: SyntaxNode): readonly SyntaxNode[] =>
  list.children.filter((child) => isOldStyleName(c, child))

interface ParameterList {
  readonly parameters: readonly Parameter[]
  readonly sizes: readonly CStatement[]
}

const parametersOf = (c: Context, list: SyntaxNode): ParameterList => {
  const declarations = list.children.filter(
    (child) => child.type === 'parameter_declaration' && !isOldStyleName(c, child),
  )
  if (declarations.length === 0) return { parameters: [], sizes: [] }
  const outer = c.parameterSizes
  const sizes: CStatement[] = []
  c.parameterSizes = sizes
  const parameters: Parameter[] = []
  inScope(c, () => {
    for (const node of declarations) {
      const { type: base } = specifiersOf(c, node)
      const declared = declarator(c, parameterDeclarator(field(node, 'declarator')), base)
      if (declarations.length === 1 && isVoid(declared.type) && declared.name === undefined) break
      parameters.push(parameter(c, node, declared))
      const size = sizeWithEffect(field(node, 'declarator'))
      if (size) sizes.push(evaluated(c, size))
    }
  })
  c.parameterSizes = outer
  return { parameters, sizes }
}

const EFFECTS = new Set(['update_expression', 'assignment_expression', 'call_expression'])

const hasEffect = (node: SyntaxNode): boolean => EFFECTS.has(node.type) || node.children.some(hasEffect)

/** `int a[n++]`: the size next to a parameter's name is evaluated where the function begins. */
const sizeWithEffect = (node: SyntaxNode | undefined): SyntaxNode | undefined => {
  const size = node && field(node, 'size')
  if (size && hasEffect(size)) return size
  const inner = node && field(node, 'declarator')
  return inner ? sizeWithEffect(inner) : undefined
}

const evaluated = (c: Context, node: SyntaxNode): CStatement => {
  const expression = cast(c, toValue(c, checkExpression(c, node)), VOID)
  return { kind: 'expression', expression, position: positionOf(c, node), text: textOf(c, node) }
}

/** The size next to the name is without meaning in a parameter: `int a[n][m]` is `int (*a)[m]`. */
const parameterDeclarator = (node: SyntaxNode | undefined): SyntaxNode | undefined => {
  if (!node) return undefined
  const isArray = node.type === 'array_declarator' || node.type === 'abstract_array_declarator'
  if (!isArray && node.type !== 'pointer_declarator') return node
  const inner = field(node, 'declarator')
  if (isArray && (!inner || inner.type === 'identifier'))
    return { ...node, children: node.children.filter((child) => child.role !== 'size') }
  return { ...node, children: node.children.map((child) => (child === inner ? parameterDeclarator(child)! : child)) }
}

const parameter = (c: Context, node: SyntaxNode, declared: Declared): Parameter => {
  const type = adjusted(declared.type)
  const variable = parameterVariable(c, declared.name ?? '', type, declared.nameNode ?? node)
  if (declared.name !== undefined) {
    if (c.scope.names.has(declared.name)) return fail(c, node, `redefinition of parameter '${declared.name}'`)
    c.scope.names.set(declared.name, variable)
  }
  return { name: declared.name, type, node, variable }
}

/** Arrays and functions as parameters are pointers (C11 6.7.6.3p7). */
export const adjusted = (type: CType): CType => {
  const plain = unqualified(type)
  if (plain.kind === 'array') return pointerTo(plain.of)
  return plain.kind === 'function' ? pointerTo(plain) : type
}

export const parameterVariable = (c: Context, name: string, type: CType, node: SyntaxNode): CVariable => ({
  kind: 'variable',
  name,
  type,
  position: positionOf(c, node),
  storage: 'auto',
  addressTaken: unqualified(type).kind === 'record',
})

const functionType = (c: Context, list: SyntaxNode, result: CType, parameters: readonly Parameter[]): FunctionCType => {
  const variadic = list.children.some((child) => child.type === 'variadic_parameter')
  const empty = list.children.every((child) => !child.named || isOldStyleName(c, child))
  return {
    kind: 'function',
    result,
    parameters: parameters.map(({ type }) => unqualified(type)),
    variadic,
    ...(empty && !variadic ? { unprototyped: true as const } : {}),
  }
}
