// From tree-sitter's tree to plain nodes, in one walk of a cursor without recursion, with offsets of the text again.
import { MAX_DEPTH } from './brackets.js'
import type { Prepared } from './prepare.js'
import type { SyntaxNode } from './syntax.js'
import type { Walker } from './walk.js'

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

const NO_CHILDREN: SyntaxNode[] = []

/** `original` maps offsets of the input to those of the text. */
export const copyTree = (walker: Walker, original: Int32Array, prepared: Prepared): Copy => {
  const errors: ParseFailure[] = []
  const read = (): MutableNode => {
    const from = walker.start()
    const to = walker.end()
    const start = original[from]!
    const end = original[to]!
    const type = walker.type()
    // What the grammar puts where something is missing takes no room.
    const missing = from === to && walker.missing()
    if (errors.length < MAX_ERRORS && (missing || type === 'ERROR'))
      errors.push({ offset: start, end, missing: missing ? type : undefined })
    return {
      type: undisguised(type, start, prepared),
      named: walker.named(),
      role: walker.role(),
      start,
      end,
      children: NO_CHILDREN,
    }
  }
  const root = read()
  const path = [root]
  if (!walker.firstChild()) return { root, errors }
  root.children = []
  while (true) {
    const node = read()
    // Keywords and punctuation have no children.
    const hasChildren = node.named && walker.firstChild()
    if (hasChildren) node.children = []
    if (node.type !== 'comment' && !isInserted(node)) path.at(-1)!.children.push(signSplit(node, prepared.text))
    if (hasChildren) {
      path.push(node)
      if (path.length > MAX_DEPTH) return { root, errors: [...errors, { ...errorAt(node), tooDeep: true }] }
      continue
    }
    while (!walker.nextSibling()) {
      if (!walker.parent() || path.length === 1) return { root, errors }
      restore(path.pop()!, prepared)
      if (path.length === 0) return { root, errors }
    }
  }
}

const undisguised = (type: string, start: number, { typeNames, values }: Prepared): string => {
  if (type === 'primitive_type' && typeNames.has(start)) return 'type_identifier'
  if (type === 'number_literal' && values.has(start)) return 'identifier'
  return type
}

/** A word that preparation put where C leaves one out has no place in the text. */
const isInserted = (node: SyntaxNode): boolean =>
  node.start === node.end && (node.type === 'field_identifier' || node.type === 'primitive_type')

/** The grammar takes a sign for a part of the number; C does not: -2147483648 is the negation of a long. */
const signSplit = (node: SyntaxNode, text: string): SyntaxNode => {
  if (node.type !== 'number_literal') return node
  const sign = text[node.start]
  if (sign !== '-' && sign !== '+') return node
  const operatorEnd = node.start + 1
  const digits = operatorEnd + (/^\s*/.exec(text.slice(operatorEnd, node.end))?.[0].length ?? 0)
  const operator: SyntaxNode = { ...node, type: sign, named: false, role: 'operator', end: operatorEnd }
  const argument: SyntaxNode = { ...node, role: 'argument', start: digits }
  return { ...node, type: 'unary_expression', children: [operator, argument] }
}

/** What stands for something else in the input becomes itself again: `||` a case range, `~` a sizeof. */
const restore = (node: MutableNode, { caseRanges, sizeofs, computedGotos, labelAddresses }: Prepared): void => {
  if (node.type === 'return_statement' && computedGotos.has(node.start)) node.type = 'computed_goto_statement'
  if (node.type === 'pointer_expression' && labelAddresses.has(node.start)) node.type = 'label_address_expression'
  if (node.type !== 'binary_expression' && node.type !== 'unary_expression') return
  const operator = node.children.find((child) => child.role === 'operator')
  if (!operator) return
  if (node.type === 'binary_expression' && caseRanges.has(operator.start)) node.type = 'case_range'
  else if (node.type === 'unary_expression' && sizeofs.has(operator.start)) {
    node.type = 'sizeof_expression'
    const value = node.children.find((child) => child.role === 'argument')
    node.children = [{ ...operator, type: 'sizeof', role: undefined }, ...(value ? [{ ...value, role: 'value' }] : [])]
  }
}
