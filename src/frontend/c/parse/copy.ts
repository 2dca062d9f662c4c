// From tree-sitter's tree to plain nodes, in one walk of a cursor without recursion, with offsets of the text again.
import type { TreeCursor } from 'web-tree-sitter'
import { MAX_DEPTH } from './brackets.js'
import type { Prepared } from './prepare.js'
import type { SyntaxNode } from './syntax.js'

type MutableNode = Omit<SyntaxNode, 'children' | 'type'> & { type: string; children: SyntaxNode[] }

/** Places in the text where the grammar found no sense. */
export interface ParseFailure {
  readonly offset: number
  readonly end: number
  /** What the grammar would have liked to see there. */
  readonly missing: string | undefined
  readonly tooDeep?: boolean
}

export interface Copy {
  readonly root: SyntaxNode
  readonly errors: readonly ParseFailure[]
}

const MAX_ERRORS = 100

const errorAt = (node: SyntaxNode): ParseFailure => ({ offset: node.start, end: node.end, missing: undefined })

/** `original` maps offsets of the input to those of the text. */
export const copyTree = (cursor: TreeCursor, original: Int32Array, prepared: Prepared): Copy => {
  const errors: ParseFailure[] = []
  const read = (): MutableNode => {
    const start = original[cursor.startIndex]!
    const end = original[cursor.endIndex]!
    const type = cursor.nodeType
    const missing = cursor.nodeIsMissing
    if (errors.length < MAX_ERRORS && (missing || type === 'ERROR'))
      errors.push({ offset: start, end, missing: missing ? type : undefined })
    return {
      type: type === 'primitive_type' && prepared.typeNames.has(start) ? 'type_identifier' : type,
      named: cursor.nodeIsNamed,
      role: cursor.currentFieldName ?? undefined,
      start,
      end,
      children: [],
    }
  }
  const root = read()
  const path = [root]
  if (!cursor.gotoFirstChild()) return { root, errors }
  while (true) {
    const node = read()
    if (node.type !== 'comment') path.at(-1)!.children.push(node)
    if (cursor.gotoFirstChild()) {
      path.push(node)
      if (path.length > MAX_DEPTH) return { root, errors: [...errors, { ...errorAt(node), tooDeep: true }] }
      continue
    }
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent() || path.length === 1) return { root, errors }
      markCaseRange(path.pop()!, prepared)
      if (path.length === 0) return { root, errors }
    }
  }
}

const markCaseRange = (node: MutableNode, prepared: Prepared): void => {
  if (node.type !== 'binary_expression' || prepared.caseRanges.size === 0) return
  if (node.children.some((child) => prepared.caseRanges.has(child.start) && child.type === '||'))
    node.type = 'case_range'
}
