// How a statement is shown in a trace: as written, on one line, at most 60 characters.
import type { SyntaxNode } from '../parse/index.js'
import type { Context } from './context.js'

const MOST = 60

export const shortText = (c: Context, node: SyntaxNode, end = node.end): string => {
  // A long body is cut before it is made one line; twice the length leaves room for spaces.
  const line = c.tree.text
    .slice(node.start, Math.min(end, node.start + 8 * MOST))
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= MOST ? line : `${line.slice(0, MOST - 1)}…`
}
