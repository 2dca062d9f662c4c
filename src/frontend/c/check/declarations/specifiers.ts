// Declaration specifiers (C11 6.7): storage class, qualifiers and the type they name; structs, unions and
// enumerations are defined as they are met.
import type { CRecord, CType } from '../../ast.js'
import { child, field, fields, namedChildren, type SyntaxNode } from '../../parse/index.js'
import {
  type Context,
  fail,
  lookup,
  lookupTag,
  positionOf,
  suggestion,
  type Tag,
  textOf,
  unevaluated,
  unsupported,
} from '../context.js'
import { complexType } from '../expressions/complex.js'
import { checkExpression, checkValue, integerConstant } from '../expressions/expressions.js'
import {
  alignOf,
  arrayOf,
  BOOL,
  CHAR,
  DOUBLE,
  FLOAT,
  FLOAT128,
  INT,
  INT128,
  type IntCType,
  isComplete,
  isInteger,
  LONG_DOUBLE,
  LONG_LONG,
  pointerTo,
  type Qualifiers,
  qualify,
  SHORT,
  SIGNED_CHAR,
  typeName,
  UNSIGNED_CHAR,
  UNSIGNED_INT,
  UNSIGNED_INT128,
  UNSIGNED_LONG_LONG,
  UNSIGNED_SHORT,
  unqualified,
  VOID,
} from '../types.js'
import { type Attributes, declarationAttributes, recordAttributes, withAttributes } from './attributes.js'
import { declarator, typeOfDescriptor } from './declarators.js'
import { layOut, type MemberDeclaration } from './layout.js'

type StorageClass = 'typedef' | 'extern' | 'static' | 'auto' | 'register'

export interface Specifiers {
  readonly type: CType
  readonly storage: StorageClass | undefined
  readonly thread: boolean
  readonly inline: boolean
  /** _Alignas or aligned(n). */
  readonly align: number | undefined
  readonly attributes: Attributes
}

/** Beside a type it stands as a qualifier for the grammar, alone as a type. */
const COMPLEX = /^(?:_Complex|__complex__|__complex)$/

/** Specifiers of a declaration, parameter, member or function definition: all children that are no declarators. */
export const specifiersOf = (c: Context, node: SyntaxNode): Specifiers => {
  let type: CType | undefined
  let storage: StorageClass | undefined
  let thread = false
  let inline = false
  let align: number | undefined
  for (const part of node.children) {
    if (part.role === 'type') type = textOf(c, part) === '__auto_type' ? autoType(c, node) : specifiedType(c, part)
    else if (part.type === 'storage_class_specifier') {
      const word = textOf(c, part).trim()
      if (word === '__thread' || word === 'thread_local') thread = true
      else if (word === 'inline') inline = true
      else if (!word.startsWith('__')) storage = word as StorageClass
    } else if (part.type === 'typedef') storage = 'typedef'
    else if (part.role === 'declarator' || part.role === 'body') break
    const alignas = part.type === 'type_qualifier' ? child(part, 'alignas_qualifier') : undefined
    if (alignas) align = Math.max(align ?? 1, alignmentOf(c, alignas))
  }
  const attributes = declarationAttributes(c, node)
  if (attributes.align !== undefined) align = Math.max(align ?? 1, attributes.align)
  const isComplex = node.children.some((part) => part.type === 'type_qualifier' && COMPLEX.test(textOf(c, part).trim()))
  const specified = isComplex ? complexType(c, type ?? DOUBLE, positionOf(c, node)) : (type ?? INT)
  const base = withAttributes(c, specified, attributes)
  return { type: qualify(base, qualifiersIn(c, node)), storage, thread, inline, align, attributes }
}

/** GNU: the type of the initialiser. */
const autoType = (c: Context, node: SyntaxNode): CType => {
  const [declared, ...others] = fields(node, 'declarator')
  const value = declared && field(declared, 'value')
  if (!value || others.length > 0) return fail(c, node, "'__auto_type' needs one initialized variable")
  return unqualified(unevaluated(c, () => checkValue(c, value)).type)
}

const alignmentOf = (c: Context, node: SyntaxNode): number => {
  const argument = namedChildren(node)[0]
  if (!argument) return 1
  if (argument.type === 'type_descriptor') return alignOf(typeOfDescriptor(c, argument), c.target)
  return Number(integerConstant(c, argument, 'alignment'))
}

/** The qualifiers among a node's own children. */
export const qualifiersIn = (c: Context, node: SyntaxNode): Qualifiers => {
  let [atomic, volatile, constant] = [false, false, false]
  for (const part of node.children) {
    if (part.type !== 'type_qualifier') continue
    const word = textOf(c, part).trim()
    if (word === '_Atomic') atomic = true
    else if (word === 'volatile') volatile = true
    else if (word === 'const') constant = true
  }
  return { atomic, volatile, constant }
}

/** The type that a type specifier names. */
export const specifiedType = (c: Context, node: SyntaxNode): CType => {
  switch (node.type) {
    case 'primitive_type':
    case 'type_identifier':
    case 'identifier':
      return namedType(c, node, textOf(c, node))
    case 'sized_type_specifier':
      return qualify(sizedType(c, node), qualifiersIn(c, node))
    case 'struct_specifier':
      return recordType(c, node, false)
    case 'union_specifier':
      return recordType(c, node, true)
    case 'enum_specifier':
      return enumType(c, node)
    case 'typeof_specifier':
    case 'macro_type_specifier':
    case 'atomic_specifier':
      return typeofType(c, node)
    default:
      return fail(c, node, `expected a type before '${textOf(c, node)}'`)
  }
}

const PRIMITIVES: Readonly<Record<string, CType>> = {
  void: VOID,
  char: CHAR,
  int: INT,
  float: FLOAT,
  double: DOUBLE,
  _Bool: BOOL,
  bool: BOOL,
  __int128: INT128,
  __int128_t: INT128,
  __uint128_t: UNSIGNED_INT128,
  _Float32: FLOAT,
  _Float64: DOUBLE,
  _Float32x: DOUBLE,
  _Float64x: LONG_DOUBLE,
  _Float128: FLOAT128,
  __float128: FLOAT128,
  short: SHORT,
  unsigned: UNSIGNED_INT,
  signed: INT,
}

/** Type names that no typedef declares. */
export const isBuiltinType = (name: string): boolean =>
  Object.hasOwn(PRIMITIVES, name) ||
  /^(?:long|__auto_type|__builtin_va_list|_Complex|__complex__|__complex)$/.test(name)

const namedType = (c: Context, node: SyntaxNode, name: string): CType => {
  const symbol = lookup(c, name)
  if (symbol?.kind === 'typedef') return symbol.type
  const primitive = PRIMITIVES[name]
  if (primitive) return primitive
  if (name === 'long') return c.target.long
  if (name === '__builtin_va_list') return vaList(c)
  if (COMPLEX.test(name)) return complexType(c, DOUBLE, positionOf(c, node))
  if (symbol) return fail(c, node, `'${name}' is not a type`)
  return fail(c, node, `unknown type name '${name}'${suggestion(c, name, (known) => known.kind === 'typedef')}`)
}

/** x86-64: an array of one structure; i386: a pointer to the arguments. */
const vaList = (c: Context): CType => {
  if (c.target.pointerBytes === 4) return pointerTo(CHAR)
  const known = c.program.ownedTypes.get('__builtin_va_list')
  if (known) return known
  const record: CRecord = {
    kind: 'record',
    union: false,
    tag: '__va_list_tag',
    complete: false,
    fields: [],
    size: 0,
    align: 1,
  }
  const members = [
    { name: 'gp_offset', type: UNSIGNED_INT },
    { name: 'fp_offset', type: UNSIGNED_INT },
    { name: 'overflow_arg_area', type: pointerTo(VOID) },
    { name: 'reg_save_area', type: pointerTo(VOID) },
  ]
  layOut(record, members, { packed: false, align: undefined }, c.target)
  const type = arrayOf(record, 1)
  c.program.ownedTypes.set('__builtin_va_list', type)
  return type
}

/** Any order of signed, unsigned, long, short and one type name. */
const sizedType = (c: Context, node: SyntaxNode): CType => {
  const words = node.children.filter((part) => part.type !== 'type_qualifier').map((part) => textOf(c, part).trim())
  const unsigned = words.includes('unsigned')
  const longs = words.filter((word) => word === 'long').length
  const base = words.find((word) => !['signed', 'unsigned', 'long', 'short', 'int'].includes(word))
  switch (base) {
    case 'char':
      return unsigned ? UNSIGNED_CHAR : words.includes('signed') ? SIGNED_CHAR : CHAR
    case 'double':
      return longs > 0 ? LONG_DOUBLE : DOUBLE
    case '__int128':
      return unsigned ? UNSIGNED_INT128 : INT128
    case undefined:
      break
    default:
      return fail(c, node, `'${words.join(' ')}' is not a type`)
  }
  if (words.includes('short')) return unsigned ? UNSIGNED_SHORT : SHORT
  if (longs > 1) return unsigned ? UNSIGNED_LONG_LONG : LONG_LONG
  if (longs === 1) return unsigned ? c.target.unsignedLong : c.target.long
  return unsigned ? UNSIGNED_INT : INT
}

const typeofType = (c: Context, node: SyntaxNode): CType => {
  const argument = namedChildren(node).findLast((part) => part.role !== 'name')
  if (!argument) return fail(c, node, 'expected a type or an expression')
  const type =
    argument.type === 'type_descriptor'
      ? typeOfDescriptor(c, argument)
      : unevaluated(c, () => checkExpression(c, argument).type)
  return node.type === 'atomic_specifier' ? qualify(type, { atomic: true, volatile: false, constant: false }) : type
}

// ---- structs and unions

const recordType = (c: Context, node: SyntaxNode, union: boolean): CRecord => {
  const nameNode = field(node, 'name')
  const body = field(node, 'body')
  const tag = nameNode ? textOf(c, nameNode) : ''
  const record = recordOfTag(c, node, tag, union, body !== undefined)
  if (!body) return record
  if (record.complete) return fail(c, node, `redefinition of '${union ? 'union' : 'struct'} ${tag}'`)
  const members = body.children
    .filter((part) => part.type === 'field_declaration')
    .flatMap((declaration) => membersOf(c, declaration))
  checkMembers(c, body, members)
  layOut(record, members, { ...recordAttributes(c, node), pack: c.tree.packAt?.(node.start) }, c.target)
  return record
}

const recordOfTag = (c: Context, node: SyntaxNode, tag: string, union: boolean, defines: boolean): CRecord => {
  // `struct s;` alone and a definition declare in this scope, a mere use may mean one of an outer scope.
  const known = tag === '' ? undefined : defines ? c.scope.tags.get(tag) : lookupTag(c, tag)
  if (known?.kind === 'enum' || (known && known.record.union !== union))
    return fail(c, node, `'${tag}' defined as wrong kind of tag`)
  if (known) return known.record
  const record: CRecord = { kind: 'record', union, tag, complete: false, fields: [], size: 0, align: 1 }
  if (tag) c.scope.tags.set(tag, { kind: 'record', record })
  return record
}

const membersOf = (c: Context, node: SyntaxNode): MemberDeclaration[] => {
  const specifiers = specifiersOf(c, node)
  const declarators = fields(node, 'declarator')
  if (declarators.length === 0) {
    const bits = child(node, 'bitfield_clause')
    if (bits) return [member(c, specifiers, undefined, bits)]
    // An anonymous struct or union; anything else without a declarator declares nothing (a tag at most).
    const type = unqualified(specifiers.type)
    return type.kind === 'record' && type.tag === '' ? [{ name: '', type: specifiers.type }] : []
  }
  return declarators.map((one) => {
    const next = node.children[node.children.indexOf(one) + 1]
    return member(c, specifiers, one, next?.type === 'bitfield_clause' ? next : undefined)
  })
}

const member = (
  c: Context,
  specifiers: Specifiers,
  declared: SyntaxNode | undefined,
  clause: SyntaxNode | undefined,
): MemberDeclaration => {
  const { name, type } = declared ? declarator(c, declared, specifiers.type) : { name: '', type: specifiers.type }
  const { align, attributes } = specifiers
  const common = { name: name ?? '', type, ...(align !== undefined ? { align } : {}), packed: attributes.packed }
  if (!clause) return common
  const bits = Number(integerConstant(c, namedChildren(clause)[0]!, 'bit-field width'))
  const plain = unqualified(type)
  if (!isInteger(plain) || plain.kind !== 'int') return fail(c, clause, `bit-field '${name}' has no integer type`)
  if (bits < 0) return fail(c, clause, `negative width in bit-field '${name}'`)
  if (bits > plain.width) return fail(c, clause, `width of bit-field '${name}' exceeds its type`)
  if (bits === 0 && name) return fail(c, clause, `zero width for bit-field '${name}'`)
  return { ...common, bits }
}

const checkMembers = (c: Context, body: SyntaxNode, members: readonly MemberDeclaration[]): void => {
  const seen = new Set<string>()
  for (const [index, { name, type }] of members.entries()) {
    if (name && seen.has(name)) fail(c, body, `duplicate member '${name}'`)
    seen.add(name)
    const flexible =
      type.kind === 'array' && type.length === undefined && !type.variable && index === members.length - 1
    if (type.kind === 'function') fail(c, body, `member '${name}' declared as a function`)
    if (isVariable(type)) unsupported('variable length array as a member', positionOf(c, body))
    if (!flexible && !isComplete(type, c.target)) {
      fail(c, body, `member '${name}' has incomplete type '${typeName(type)}'`)
    }
  }
}

/** Its size, or that of its elements, is known at run time only. */
const isVariable = (type: CType): boolean => {
  const array = unqualified(type)
  return array.kind === 'array' && (array.variable !== undefined || isVariable(array.of))
}

// ---- enumerations

/** gcc's choice: unsigned int, unless an enumerator is negative; wider if one needs it. */
const enumType = (c: Context, node: SyntaxNode): IntCType => {
  const nameNode = field(node, 'name')
  const body = field(node, 'body')
  const tag = nameNode ? textOf(c, nameNode) : ''
  const known = tag === '' ? undefined : body ? c.scope.tags.get(tag) : lookupTag(c, tag)
  if (known?.kind === 'record') return fail(c, node, `'${tag}' defined as wrong kind of tag`)
  if (!body) {
    if (known) return known.type
    if (tag) c.scope.tags.set(tag, { kind: 'enum', type: UNSIGNED_INT })
    return UNSIGNED_INT
  }
  const values = enumerators(c, body)
  const negative = values.some((value) => value < 0n)
  const wide = values.some((value) => value < -(1n << 31n) || value >= 1n << (negative ? 31n : 32n))
  const plain = wide ? (negative ? LONG_LONG : UNSIGNED_LONG_LONG) : negative ? INT : UNSIGNED_INT
  const type: IntCType = { ...plain, enumeration: positionOf(c, node) }
  const entry: Tag = { kind: 'enum', type }
  if (tag) c.scope.tags.set(tag, entry)
  return type
}

const enumerators = (c: Context, body: SyntaxNode): bigint[] => {
  const values: bigint[] = []
  let next = 0n
  for (const node of body.children) {
    if (node.type !== 'enumerator') continue
    const valueNode = field(node, 'value')
    const nameNode = field(node, 'name')!
    if (valueNode) next = BigInt(integerConstant(c, valueNode, 'enumerator value'))
    const name = textOf(c, nameNode)
    if (c.scope.names.has(name)) fail(c, nameNode, `redeclaration of enumerator '${name}'`)
    const wide = next < -(1n << 31n) || next >= 1n << 31n
    const type = !wide ? INT : next < 1n << 32n && next > 0n ? UNSIGNED_INT : next < 0n ? c.target.long : LONG_LONG
    const value = Number.isSafeInteger(Number(next)) ? Number(next) : next
    c.scope.names.set(name, { kind: 'enumerator', value, type })
    values.push(next++)
  }
  return values
}
