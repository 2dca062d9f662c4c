// GNU attributes, as far as they change what a program means: layout (packed, aligned), types (mode, vector_size), and
// code that runs by itself (constructor, cleanup). Others say nothing about behaviour.
import type { CType } from '../../ast.js'
import { type Attribute, field, type SyntaxNode } from '../../parse/index.js'
import type { Context } from '../context.js'
import { evaluateAttribute } from '../expressions/expressions.js'
import { vectorType } from '../expressions/vectors.js'
import {
  DOUBLE,
  FLOAT,
  INT,
  INT128,
  LONG_LONG,
  SHORT,
  SIGNED_CHAR,
  UNSIGNED_CHAR,
  UNSIGNED_INT,
  UNSIGNED_INT128,
  UNSIGNED_LONG_LONG,
  UNSIGNED_SHORT,
  unqualified,
  vectorOf,
} from '../types.js'

export interface Attributes {
  readonly packed: boolean
  readonly align: number | undefined
  readonly mode: string | undefined
  /** Bytes of a vector. */
  readonly vector: number | undefined
  /** Another name of a function or variable. */
  readonly alias: string | undefined
  /** A function that runs without a call: its attribute. */
  readonly implicitCall: { readonly kind: string; readonly priority: number } | undefined
  /** The function that is called with a local variable's address when its block is left. */
  readonly cleanup: string | undefined
}

/** Of constructors without a priority. */
const LAST = 65536

const NONE: Attributes = {
  packed: false,
  align: undefined,
  mode: undefined,
  vector: undefined,
  alias: undefined,
  implicitCall: undefined,
  cleanup: undefined,
}

/** Attributes that begin in [start, end) of the text; all of them are sorted. */
const attributesBetween = (c: Context, start: number, end: number): readonly Attribute[] => {
  const { attributes } = c.tree
  let low = 0
  let high = attributes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (attributes[middle]!.start < start) low = middle + 1
    else high = middle
  }
  let last = low
  while (last < attributes.length && attributes[last]!.start < end) last++
  return attributes.slice(low, last)
}

const interpreted = (c: Context, attributes: readonly Attribute[]): Attributes => {
  let result = NONE
  for (const { name, argument } of attributes) {
    const number = (): number => (argument.trim() ? evaluateAttribute(c, argument) : 16)
    if (name === 'packed') result = { ...result, packed: true }
    else if (name === 'aligned') result = { ...result, align: Math.max(result.align ?? 1, number()) }
    else if (name === 'mode') result = { ...result, mode: argument.replace(/_/g, '').trim() }
    else if (name === 'vector_size') result = { ...result, vector: number() }
    else if (name === 'cleanup') result = { ...result, cleanup: argument.trim() }
    else if (name === 'alias') result = { ...result, alias: argument.replaceAll('"', '') }
    else if (/^(?:constructor|destructor|ifunc)$/.test(name))
      result = { ...result, implicitCall: { kind: name, priority: argument.trim() ? number() : LAST } }
  }
  return result
}

/** Of a struct or union: those before its members and directly behind them, not those inside. */
export const recordAttributes = (c: Context, node: SyntaxNode): Attributes => {
  if (c.tree.attributes.length === 0) return NONE
  const body = field(node, 'body')
  const before = attributesBetween(c, node.start, body?.start ?? node.end)
  const after = body ? attributesBetween(c, body.end, skipSpace(c, Math.max(node.end, body.end))) : []
  return interpreted(c, [...before, ...after])
}

/** Of a declaration, member, parameter or definition: all but those inside its type and its body. */
export const declarationAttributes = (c: Context, node: SyntaxNode): Attributes => {
  if (c.tree.attributes.length === 0) return NONE
  const type = field(node, 'type')
  const end = field(node, 'body')?.start ?? skipSpace(c, node.end)
  const before = attributesBetween(c, skipSpaceBack(c, node.start), type?.start ?? node.start)
  const after = attributesBetween(c, type?.end ?? node.start, end)
  return before.length + after.length === 0 ? NONE : interpreted(c, [...before, ...after])
}

const skipSpace = (c: Context, from: number): number => {
  let at = from
  while (at < c.tree.text.length && /\s/.test(c.tree.text[at]!)) at++
  return at
}

/** An attribute that comes first is blank in the text, and the node begins behind it. */
const skipSpaceBack = (c: Context, from: number): number => {
  let at = from
  while (at > 0 && /\s/.test(c.tree.text[at - 1]!)) at--
  return at
}

const MODES: Readonly<Record<string, readonly [CType, CType]>> = {
  QI: [SIGNED_CHAR, UNSIGNED_CHAR],
  byte: [SIGNED_CHAR, UNSIGNED_CHAR],
  HI: [SHORT, UNSIGNED_SHORT],
  SI: [INT, UNSIGNED_INT],
  DI: [LONG_LONG, UNSIGNED_LONG_LONG],
  TI: [INT128, UNSIGNED_INT128],
  SF: [FLOAT, FLOAT],
  DF: [DOUBLE, DOUBLE],
}

/** The type with its mode or as a vector of it: `typedef unsigned int u_int8_t __attribute__((mode(QI)))`. */
export const withAttributes = (c: Context, type: CType, { mode, vector }: Attributes): CType => {
  if (vector !== undefined) {
    const of = mode === undefined ? type : withAttributes(c, type, { ...NONE, mode })
    return vectorType(c, of, vector) ?? vectorOf(vector)
  }
  if (mode === undefined) return type
  const plain = unqualified(type)
  const unsigned = plain.kind === 'int' && !plain.signed
  if (mode === 'DI' && c.target.long.width === 64) return unsigned ? c.target.unsignedLong : c.target.long
  if (mode === 'word' || mode === 'pointer') return unsigned ? c.target.unsignedLong : c.target.long
  return MODES[mode]?.[unsigned ? 1 : 0] ?? vectorOf(16)
}
