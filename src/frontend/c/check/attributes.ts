// GNU attributes and _Alignas, as far as they change a layout: packed, aligned(n). Others have no meaning here.
import { field, type SyntaxNode } from '../parse/index.js'
import type { Context } from './context.js'
import { evaluateAttribute } from './expressions.js'

export interface LayoutAttributes {
  readonly packed: boolean
  readonly align: number | undefined
}

const NONE: LayoutAttributes = { packed: false, align: undefined }

/** Attributes that begin in [start, end) of the text; those are few, and sorted. */
export const attributesBetween = (c: Context, start: number, end: number): LayoutAttributes => {
  const { attributes } = c.tree
  let low = 0
  let high = attributes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (attributes[middle]!.start < start) low = middle + 1
    else high = middle
  }
  let { packed, align } = NONE
  for (; low < attributes.length && attributes[low]!.start < end; low++) {
    const attribute = attributes[low]!
    if (attribute.name === 'packed') packed = true
    else if (attribute.name === 'aligned')
      align = Math.max(align ?? 1, attribute.argument.trim() ? evaluateAttribute(c, attribute.argument) : 16)
  }
  return packed || align !== undefined ? { packed, align } : NONE
}

/** Of a struct or union: those before its members and directly behind them, not those inside. */
export const recordAttributes = (c: Context, node: SyntaxNode): LayoutAttributes => {
  if (c.tree.attributes.length === 0) return NONE
  const body = field(node, 'body')
  const before = attributesBetween(c, node.start, body?.start ?? node.end)
  const after = body ? attributesBetween(c, body.end, skipSpace(c, Math.max(node.end, body.end))) : NONE
  return { packed: before.packed || after.packed, align: before.align ?? after.align }
}

const skipSpace = (c: Context, from: number): number => {
  let at = from
  while (at < c.tree.text.length && /\s/.test(c.tree.text[at]!)) at++
  return at
}
