// How a statement is shown in a trace: as written, macros not expanded, on one line, at most 60 characters.
import type { SyntaxNode } from '../parse/index.js'
import type { Context } from './context.js'

const MAX_CHARACTERS = 60

/** From the node's start to `end`, an offset of the tree's text. */
export const shortText = (c: Context, node: SyntaxNode, end = node.end): string => {
  // A long body is cut before it is made one line.
  const text =
    writtenText(c, node.start, end) ?? c.tree.text.slice(node.start, Math.min(end, node.start + 8 * MAX_CHARACTERS))
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS - 1)}…`
}

/** The source between two places; undefined where it is not at hand, or both are inside one use of a macro. */
const writtenText = (c: Context, start: number, end: number): string | undefined => {
  const first = c.tree.position(start)
  const lines = c.program.sources.get(first.file)
  const last = c.tree.position(end - 1)
  if (!lines || last.file !== first.file || last.line < first.line || last.line > lines.length) return undefined
  if (last.line === first.line && last.column <= first.column) return undefined
  const written = lines.slice(first.line - 1, Math.min(last.line, first.line + 8))
  if (last.line - first.line < 8) written[written.length - 1] = written.at(-1)!.slice(0, last.column)
  written[0] = written[0]!.slice(first.column - 1)
  return written.join(' ')
}
