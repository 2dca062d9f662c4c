// Initialisers (C11 6.7.9) flattened to scalars at byte offsets: designators, brace elision, strings, GNU ranges.
// What is not named is zero. Types of incomplete arrays are completed.
import type { CExpr, CField, CInitializer, CType, CVariable } from '../../ast.js'
import { field, namedChildren, type SyntaxNode } from '../../parse/index.js'
import { type Constants, type Context, fail, failure, positionOf, textOf, unsupported } from '../context.js'
import { constantEntries, isComplex } from '../expressions/complex.js'
import { constant, convertAsAssigned, toValue } from '../expressions/convert.js'
import { checkExpression, integerConstant } from '../expressions/expressions.js'
import {
  type ArrayCType,
  arrayOf,
  compatibleUnqualified,
  isScalar,
  type PlainType,
  qualifiersOf,
  qualify,
  sizeOf,
  typeName,
  unqualified,
} from '../types.js'
import { findMember } from './layout.js'

type Entry = CInitializer[number]

/** A place to initialise. */
interface Place {
  readonly type: CType
  readonly offset: number
  readonly bits?: CField['bits']
}

interface Item {
  designators: readonly SyntaxNode[]
  readonly value: SyntaxNode
  checked?: CExpr
}

/** The items of one pair of braces, and how far they are used. */
interface Cursor {
  readonly items: readonly Item[]
  next: number
}

interface Work {
  readonly c: Context
  readonly entries: Entry[]
  readonly isStatic: boolean
  /** The member of a union that was named last, by where the union is and its type. */
  readonly named: Map<CType, Map<number, CField>>
  /** Of the object itself: its flexible array member, completed. */
  tail: CVariable['tail']
}

export interface CheckedInitializer {
  readonly type: CType
  readonly entries: CInitializer
  readonly tail: CVariable['tail']
}

export const checkInitializer = (c: Context, type: CType, node: SyntaxNode, isStatic: boolean): CheckedInitializer => {
  const work: Work = { c, entries: [], isStatic, named: new Map(), tail: undefined }
  const completed = fromNode(work, { type, offset: 0 }, node)
  return { type: completed, entries: work.entries, tail: work.tail }
}

const isString = (node: SyntaxNode): boolean => {
  const inner = withoutParentheses(node)
  return inner.type === 'string_literal' || inner.type === 'concatenated_string'
}

const isCharacterArray = (type: PlainType): type is ArrayCType =>
  type.kind === 'array' && unqualified(type.of).kind === 'int'

/** Initialises one place from a braced list or an expression. Returns its type, completed. */
const fromNode = (work: Work, place: Place, node: SyntaxNode): CType => {
  const { c } = work
  const type = unqualified(place.type)
  if (node.type !== 'initializer_list') {
    if (isCharacterArray(type) && isString(node)) return fromString(work, place, type, node)
    addValue(work, place, node, checkExpression(c, node))
    return place.type
  }
  const items = itemsOf(node)
  forget(work, place)
  const only = items.length === 1 && items[0]!.designators.length === 0 ? items[0]!.value : undefined
  if (only && isCharacterArray(type) && isString(only)) return fromString(work, place, type, only)
  if (type.kind === 'record' && c.program.ownedRecords.has(type)) return fromOwned(work, place, node, items)
  if (isScalar(type) || isComplex(type)) {
    if (items.length === 0) return place.type
    return fromNode(work, place, items[0]!.value)
  }
  const length = fillAggregate(work, place, { items, next: 0 }, true, node)
  return type.kind === 'array' && type.length === undefined && !type.variable
    ? qualify(arrayOf(type.of, length), qualifiersOf(place.type))
    : place.type
}

const itemsOf = (list: SyntaxNode): Item[] =>
  namedChildren(list).map((node) =>
    node.type === 'initializer_pair'
      ? { designators: node.children.filter((part) => part.role === 'designator'), value: field(node, 'value')! }
      : { designators: [], value: node },
  )

const addValue = (work: Work, place: Place, node: SyntaxNode, e: CExpr): void => {
  const { c } = work
  const type = unqualified(place.type)
  // An object that is initialised by a compound literal needs no second object (and is constant if its list is).
  const literal = withoutParentheses(node)
  if (literal.type === 'compound_literal_expression' && compatibleUnqualified(e.type, type) && !isScalar(type)) {
    fromNode(work, place, field(literal, 'value')!)
    return
  }
  if (type.kind === 'array') throw failure(c, node, 'invalid initializer')
  const value = convertAsAssigned(c, toValue(c, e), type, 'initialization')
  const parts = constantEntries(value)
  if (parts && type.kind === 'record') {
    for (const part of parts)
      addEntry(work, { offset: place.offset + part.offset, type: part.value.type, value: part.value })
    return
  }
  if (work.isStatic && !isConstantInitializer(value)) fail(c, node, 'initializer element is not constant')
  addEntry(work, { offset: place.offset, type, value, ...(place.bits ? { bits: place.bits } : {}) })
}

const withoutParentheses = (node: SyntaxNode): SyntaxNode => {
  const inner = node.type === 'parenthesized_expression' ? namedChildren(node)[0] : undefined
  return inner ? withoutParentheses(inner) : node
}

/** A later entry replaces earlier ones that it covers (C11 6.7.9p19). */
const addEntry = (work: Work, entry: Entry): void => {
  const last = work.entries.at(-1)
  if (last && last.offset >= entry.offset) {
    const size = sizeOf(entry.type, work.c.target) ?? 0
    for (let index = work.entries.length - 1; index >= 0; index--) {
      const old = work.entries[index]!
      const inside =
        old.offset >= entry.offset && old.offset + (sizeOf(old.type, work.c.target) ?? 0) <= entry.offset + size
      const sameBits = !entry.bits || (old.bits?.offset === entry.bits.offset && old.offset === entry.offset)
      if (inside && sameBits) work.entries.splice(index, 1)
    }
  }
  work.entries.push(entry)
}

/** What was said before of any part of an object is void where a list or a string initialises all of it (6.7.9p19). */
const forget = (work: Work, place: Place): void => {
  const { entries, c } = work
  const end = place.offset + (sizeOf(place.type, c.target) ?? Number.POSITIVE_INFINITY)
  if (place.bits || !entries.some(({ offset }) => offset >= place.offset && offset < end)) return
  const kept = entries.filter(({ offset }) => offset < place.offset || offset >= end)
  entries.splice(0, entries.length, ...kept)
}

const fromString = (work: Work, place: Place, type: ArrayCType, node: SyntaxNode): CType => {
  const { c } = work
  forget(work, place)
  const literal = checkExpression(c, node)
  if (literal.kind !== 'string' || literal.type.kind !== 'array') return fail(c, node, 'invalid initializer')
  const size = sizeOf(type.of, c.target)!
  if (size !== sizeOf(literal.type.of, c.target)) return fail(c, node, 'string of another character type')
  const count = literal.bytes.length / size
  const length = type.length ?? count
  const element = unqualified(type.of)
  const signed = element.kind === 'int' && element.signed
  for (let index = 0; index < Math.min(count, length); index++) {
    let code = 0
    for (let byte = size - 1; byte >= 0; byte--) code = code * 256 + literal.bytes[index * size + byte]!
    if (signed && code >= 2 ** (size * 8 - 1)) code -= 2 ** (size * 8)
    if (code === 0) continue
    addEntry(work, {
      offset: place.offset + index * size,
      type: element,
      value: constant(code, element, literal.position),
    })
  }
  return type.length === undefined ? arrayOf(type.of, length) : place.type
}

// ---- aggregates

/** The parts of an aggregate in order: elements or members. Undefined: there is no such part. */
const partAt = (c: Context, place: Place, index: number): Place | undefined => {
  const type = unqualified(place.type)
  if (type.kind === 'array') {
    if (type.length !== undefined && index >= type.length) return undefined
    return { type: type.of, offset: place.offset + index * (sizeOf(type.of, c.target) ?? 0) }
  }
  if (type.kind !== 'record' || (type.union && index > 0)) return undefined
  const member = type.fields[index]
  return member && memberPlace(place, member)
}

const memberPlace = (place: Place, member: CField): Place => ({
  type: member.type,
  offset: place.offset + member.offset,
  ...(member.bits ? { bits: member.bits } : {}),
})

const isDesignated = (cursor: Cursor): boolean => (cursor.items[cursor.next]?.designators.length ?? 0) > 0

/**
 * Fills the parts of an aggregate from the items, from its first part on, until the items or (without braces of its
 * own) the parts end. Returns how many parts an array must have.
 */
const fillAggregate = (
  work: Work,
  place: Place,
  cursor: Cursor,
  braced: boolean,
  node: SyntaxNode,
  from = 0,
): number => {
  const { c } = work
  let index = from
  let length = from
  while (cursor.next < cursor.items.length) {
    if (isDesignated(cursor)) {
      if (!braced) return length
      index = fillDesignated(work, place, cursor, node)
    } else {
      const part = partAt(c, place, index)
      if (!part) {
        if (braced) skipExcess(work, cursor)
        return length
      }
      nameMember(work, place, index)
      fillPart(work, part, cursor)
      index++
    }
    length = Math.max(length, index)
  }
  return length
}

/** gcc warns about excess elements and drops them. */
const skipExcess = (work: Work, cursor: Cursor): void => {
  while (cursor.next < cursor.items.length) {
    if (isDesignated(cursor)) fail(work.c, cursor.items[cursor.next]!.value, 'designator after excess elements')
    cursor.next++
  }
}

const fillPart = (work: Work, place: Place, cursor: Cursor): void => {
  const { c } = work
  const item = cursor.items[cursor.next]!
  const type = unqualified(place.type)
  if (type.kind === 'array' && type.length === undefined) {
    fillFlexible(work, place, cursor)
    return
  }
  const { value } = item
  const isWhole =
    value.type === 'initializer_list' ||
    isScalar(type) ||
    isComplex(type) ||
    (isCharacterArray(type) && isString(value))
  if (isWhole) {
    cursor.next++
    if (item.checked) addValue(work, place, value, item.checked)
    else fromNode(work, place, value)
    return
  }
  item.checked ??= checkExpression(c, value)
  if (compatibleUnqualified(item.checked.type, type) && type.kind === 'record') {
    cursor.next++
    addValue(work, place, value, item.checked)
    return
  }
  // Braces left out: the aggregate takes as many items as it has parts.
  if (partAt(c, place, 0) === undefined) throw failure(c, value, `invalid initializer for '${typeName(type)}'`)
  const before = cursor.next
  fillAggregate(work, place, cursor, false, value)
  if (cursor.next === before) fail(c, value, `invalid initializer for '${typeName(type)}'`)
}

/** GNU: the object is larger than its type. */
const fillFlexible = (work: Work, place: Place, cursor: Cursor): void => {
  const { value } = cursor.items[cursor.next]!
  const position = positionOf(work.c, value)
  if (!work.isStatic || work.tail || !(value.type === 'initializer_list' || isString(value)))
    unsupported('initializer of a flexible array member', position)
  cursor.next++
  work.tail = { offset: place.offset, type: fromNode(work, place, value) }
}

/** Follows the first designator; the others apply inside. Returns the index of the next part. */
const fillDesignated = (work: Work, place: Place, cursor: Cursor, node: SyntaxNode): number => {
  const { c } = work
  const item = cursor.items[cursor.next]!
  const [first, ...rest] = item.designators
  const type = unqualified(place.type)
  if (first!.type === 'subscript_designator' || first!.type === 'subscript_range_designator') {
    if (type.kind !== 'array') return fail(c, first!, 'array index in non-array initializer')
    return fillRange(work, place, cursor, rest, indexRange(c, first!, type))
  }
  const nameNode = first!.type === 'field_designator' ? namedChildren(first!)[0]! : first!
  const name = textOf(c, nameNode)
  const path = type.kind === 'record' ? findMember(type, name) : undefined
  if (!path || type.kind !== 'record')
    return fail(c, nameNode, `unknown member '${name}' in initializer of '${typeName(type)}'`)
  const index = type.fields.indexOf(path[0]!)
  // A member of an anonymous struct: its name is a designator once more, inside.
  item.designators = path.length > 1 ? [first!, ...rest] : rest
  nameMember(work, place, index)
  fillInside(work, memberPlace(place, path[0]!), cursor, node)
  return index + 1
}

/** A union holds one member: naming another one leaves nothing of what was said before, and the rest is zero. */
const nameMember = (work: Work, place: Place, index: number): void => {
  const type = unqualified(place.type)
  if (type.kind !== 'record' || !type.union) return
  const places = work.named.get(type) ?? new Map<number, CField>()
  const last = places.get(place.offset)
  if (last && last !== type.fields[index]) forget(work, place)
  work.named.set(type, places.set(place.offset, type.fields[index]!))
}

const fillInside = (work: Work, place: Place, cursor: Cursor, node: SyntaxNode): void => {
  if (!isDesignated(cursor)) {
    fillPart(work, place, cursor)
    return
  }
  const next = fillDesignated(work, place, cursor, node)
  fillAggregate(work, place, cursor, false, node, next)
}

const indexRange = (c: Context, node: SyntaxNode, type: ArrayCType): readonly [number, number] => {
  const isRange = node.type === 'subscript_range_designator'
  const low = Number(integerConstant(c, (isRange ? field(node, 'start') : namedChildren(node)[0])!, 'array index'))
  const high = isRange ? Number(integerConstant(c, field(node, 'end')!, 'array index')) : low
  if (low < 0 || high < low || (type.length !== undefined && high >= type.length))
    return fail(c, node, 'array index in initializer exceeds array bounds')
  return [low, high]
}

const fillRange = (
  work: Work,
  place: Place,
  cursor: Cursor,
  rest: readonly SyntaxNode[],
  [low, high]: readonly [number, number],
): number => {
  const type = unqualified(place.type) as ArrayCType
  const size = sizeOf(type.of, work.c.target) ?? 0
  const start = cursor.next
  const item = cursor.items[start]!
  for (let index = low; index <= high; index++) {
    cursor.next = start
    item.designators = rest
    fillInside(work, { type: type.of, offset: place.offset + index * size }, cursor, item.value)
  }
  return high + 1
}

// ---- constants

/** C11 6.6p7: arithmetic constants, null pointers, addresses of static objects and functions, and offsets from them. */
const isConstantInitializer = (e: CExpr): boolean => {
  switch (e.kind) {
    case 'constant':
    case 'function':
    case 'label':
    case 'string':
      return true
    case 'pointerDifference':
      return isConstantInitializer(e.left) && isConstantInitializer(e.right)
    case 'cast':
      return isConstantInitializer(e.operand)
    case 'address':
      return isStaticObject(e.lvalue)
    case 'pointerAdd':
      return isConstantInitializer(e.pointer) && isConstantInitializer(e.index)
    case 'binary':
      return isConstantInitializer(e.left) && isConstantInitializer(e.right)
    case 'load':
      return e.lvalue.kind === 'compound'
    default:
      return false
  }
}

const isStaticObject = (lvalue: CExpr): boolean => {
  switch (lvalue.kind) {
    case 'variable':
      return lvalue.variable.storage === 'static'
    case 'function':
    case 'string':
      return true
    case 'member':
      return isStaticObject(lvalue.record)
    case 'deref':
      return isConstantInitializer(lvalue.pointer)
    default:
      return false
  }
}

// ---- types of the library

/** PTHREAD_MUTEX_INITIALIZER and the like, in our form or in glibc's. */
const fromOwned = (work: Work, place: Place, node: SyntaxNode, items: readonly Item[]): CType => {
  const { c } = work
  const type = unqualified(place.type)
  if (type.kind !== 'record') return place.type
  const name = c.program.ownedRecords.get(type)!
  const named = c.program.library.initialise(name, constantsOf(c, items))
  if (!named) return unsupported(`initializer of ${name}`, positionOf(c, node))
  for (const { field: fieldName, value } of named) {
    if (value === 0n) continue
    const member = findMember(type, fieldName)?.[0]
    if (!member) return unsupported(`initializer of ${name}`, positionOf(c, node))
    const memberType = unqualified(member.type)
    addEntry(work, {
      offset: place.offset + member.offset,
      type: memberType,
      value: constant(Number(value), memberType, positionOf(c, node)),
    })
  }
  return place.type
}

const constantsOf = (c: Context, items: readonly Item[]): Constants =>
  items.map(({ value, designators }) => {
    if (designators.length > 0) return unsupported('initializer of a library type', positionOf(c, value))
    if (value.type === 'initializer_list') return constantsOf(c, itemsOf(value))
    const e = toValue(c, checkExpression(c, value))
    return e.kind === 'constant' ? BigInt(e.value) : unsupported('initializer of a library type', positionOf(c, value))
  })
