// C++ to a syntax tree, by tree-sitter with its C++ grammar. The macros of SystemC that are no C++ by themselves are
// written out first, on the same lines.
import { Language, type Node, Parser } from 'web-tree-sitter'
import { type Position, Unsupported } from '../../../xcfa/index.js'
import { InputError } from '../../c/index.js'

export type { Node } from 'web-tree-sitter'

/** A loaded grammar. */
export interface CxxParser {
  readonly parse: (text: string) => Node
}

/** `runtime` is web-tree-sitter.wasm, `grammar` is tree-sitter-cpp.wasm. */
export const loadCxxParser = async (wasm: { runtime: Uint8Array; grammar: Uint8Array }): Promise<CxxParser> => {
  await Parser.init({ wasmBinary: wasm.runtime })
  const language = await Language.load(wasm.grammar)
  const parser = new Parser()
  parser.setLanguage(language)
  return {
    parse: (text) => {
      const tree = parser.parse(withMacros(text))
      if (!tree) throw new Error('tree-sitter gave no tree')
      return tree.rootNode
    },
  }
}

const withMacros = (text: string): string =>
  text
    .replace(/\bSC_MODULE\s*\(\s*(\w+)\s*\)/g, 'struct $1 : sc_module')
    .replace(/\bSC_CTOR\s*\(\s*(\w+)\s*\)/g, '$1(sc_module_name)')
    .replace(/\bSC_HAS_PROCESS\s*\(\s*\w+\s*\)\s*;/g, '')
    .replace(/\bsc_core::|\bstd::/g, '')

const positionOf = (file: string, node: Node): Position => ({
  file,
  line: node.startPosition.row + 1,
  column: node.startPosition.column + 1,
})

export const unsupported = (file: string, node: Node, what: string): never => {
  throw new Unsupported(what, positionOf(file, node))
}

const wrong = (file: string, node: Node, text: string): never => {
  throw new InputError([{ severity: 'error', text, position: positionOf(file, node) }])
}

/** The first part of the tree that is no C++. */
export const checkSyntax = (file: string, root: Node): void => {
  if (!root.hasError) return
  const work: Node[] = [root]
  for (let node = work.pop(); node; node = work.pop()) {
    if (node.isMissing) wrong(file, node, `syntax error: expected '${node.type}'`)
    if (node.isError) wrong(file, node, `syntax error near '${node.text.split('\n')[0]!.slice(0, 40)}'`)
    for (const child of [...node.children].reverse()) if (child?.hasError || child?.isMissing) work.push(child)
  }
}

export const named = (node: Node): readonly Node[] =>
  node.namedChildren.filter((child): child is Node => child !== null && child.type !== 'comment')

export const field = (node: Node, name: string): Node | undefined => node.childForFieldName(name) ?? undefined
