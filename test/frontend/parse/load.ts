// The parser with its WASM files from node_modules, and small helpers to look at its trees.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type CParser,
  loadParser,
  type SyntaxNode,
  type SyntaxTree,
  textOf,
} from '../../../src/frontend/c/parse/index.js'
import type { Preprocessed } from '../../../src/frontend/c/preprocess/index.js'
import { preprocess } from '../../../src/frontend/c/preprocess/index.js'

const require = createRequire(import.meta.url)

export const testParser = (): Promise<CParser> =>
  loadParser({
    runtime: readFileSync(require.resolve('web-tree-sitter/web-tree-sitter.wasm')),
    grammar: readFileSync(require.resolve('tree-sitter-c/tree-sitter-c.wasm')),
  })

export const preprocessed = (text: string, file = 'test.i'): Preprocessed =>
  preprocess(file, text, { dataModel: 'lp64' })

/** The first node of a type, in the order of the text. */
export const findNode = (node: SyntaxNode, type: string): SyntaxNode | undefined => {
  if (node.type === type) return node
  for (const child of node.children) {
    const found = findNode(child, type)
    if (found) return found
  }
  return undefined
}

/** An expression with all its parentheses: what belongs to what. */
export const shape = (tree: SyntaxTree, node: SyntaxNode): string => {
  const parts = node.children.filter((child) => !/^[(),;]$/.test(child.type)).map((child) => shape(tree, child))
  switch (node.type) {
    case 'parenthesized_expression':
      return parts[0]!
    case 'cast_expression':
      return `cast<${parts[0]}>(${parts[1]})`
    case 'sizeof_expression':
      return node.children.some((child) => child.role === 'type')
        ? `sizeof<${parts.at(-1)}>`
        : `sizeof(${parts.at(-1)})`
    case 'call_expression':
      return `call(${parts.join(' ')})`
    case 'subscript_expression':
      return `index(${parts[0]} ${parts[2]})`
    default:
      if (node.children.length === 0) return textOf(tree, node)
      return /_expression$/.test(node.type) ? `(${parts.join(' ')})` : parts.join(' ')
  }
}
