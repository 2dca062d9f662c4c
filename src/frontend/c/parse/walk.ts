// tree-sitter's tree, visited through the functions that its TreeCursor is made of. That class copies the cursor into
// WASM memory and out again for each question; here the cursor stays there, which makes a visit five times as fast.
// Every function takes the tree's address and finds the cursor in the one transfer buffer, so nothing else of
// tree-sitter may be called during a walk. Where these functions cannot be had, the class does.
import { Language, Parser, type Tree, type TreeCursor } from 'web-tree-sitter'

type CursorFunction = (tree: number) => number

/** The exports of the WASM module that a walk needs; emscripten puts them into the object that `init` was given. */
type Exports = Readonly<Record<(typeof NEEDED)[number], CursorFunction>>

const NEEDED = [
  '_ts_tree_root_node_wasm',
  '_ts_tree_cursor_new_wasm',
  '_ts_tree_cursor_delete_wasm',
  '_ts_tree_cursor_goto_first_child_wasm',
  '_ts_tree_cursor_goto_next_sibling_wasm',
  '_ts_tree_cursor_goto_parent_wasm',
  '_ts_tree_cursor_start_index_wasm',
  '_ts_tree_cursor_end_index_wasm',
  '_ts_tree_cursor_current_node_type_id_wasm',
  '_ts_tree_cursor_current_field_id_wasm',
  '_ts_tree_cursor_current_node_is_named_wasm',
  '_ts_tree_cursor_current_node_is_missing_wasm',
] as const

/** tree-sitter is loaded once; whoever asks again gets the same. */
let loaded: Promise<Exports | undefined> | undefined

const loadRuntime = (wasmBinary: Uint8Array): Promise<Exports | undefined> => {
  loaded ??= (async () => {
    const module: { wasmBinary: Uint8Array } & Partial<Exports> = { wasmBinary }
    await Parser.init(module)
    return NEEDED.every((name) => name in module) ? (module as Exports) : undefined
  })()
  return loaded
}

/** A parser with a language, and the way to walk its trees. */
export interface Grammar {
  readonly parser: Parser
  readonly exports: Exports | undefined
  readonly typeNames: readonly (string | null)[]
  readonly fieldNames: readonly (string | null)[]
}

export const loadGrammar = async (wasm: { runtime: Uint8Array; grammar: Uint8Array }): Promise<Grammar> => {
  const exports = await loadRuntime(wasm.runtime)
  const language = await Language.load(wasm.grammar)
  const parser = new Parser()
  parser.setLanguage(language)
  return { parser, exports, typeNames: language.types, fieldNames: language.fields }
}

/** Where the cursor stands, in the input's offsets. */
export interface Walker {
  readonly start: () => number
  readonly end: () => number
  readonly type: () => string
  readonly named: () => boolean
  readonly role: () => string | undefined
  readonly missing: () => boolean
  readonly firstChild: () => boolean
  readonly nextSibling: () => boolean
  readonly parent: () => boolean
}

/** Walks a tree from its root, and frees what the walk needed. */
export const walk = <T>(grammar: Grammar, tree: Tree, visit: (walker: Walker) => T): T => {
  const { exports } = grammar
  if (!exports) {
    const cursor = tree.walk()
    try {
      return visit(slowWalker(cursor))
    } finally {
      cursor.delete()
    }
  }
  const address = (tree as unknown as { readonly 0: number })[0]
  exports._ts_tree_root_node_wasm(address)
  exports._ts_tree_cursor_new_wasm(address)
  try {
    return visit(fastWalker(address, exports, grammar))
  } finally {
    exports._ts_tree_cursor_delete_wasm(address)
  }
}

const fastWalker = (tree: number, exports: Exports, { typeNames, fieldNames }: Grammar): Walker => {
  const typeId = exports._ts_tree_cursor_current_node_type_id_wasm
  const isNamed = exports._ts_tree_cursor_current_node_is_named_wasm
  return {
    start: () => exports._ts_tree_cursor_start_index_wasm(tree),
    end: () => exports._ts_tree_cursor_end_index_wasm(tree),
    type: () => typeNames[typeId(tree)] || 'ERROR',
    named: () => isNamed(tree) === 1,
    role: () => fieldNames[exports._ts_tree_cursor_current_field_id_wasm(tree)] ?? undefined,
    missing: () => exports._ts_tree_cursor_current_node_is_missing_wasm(tree) === 1,
    firstChild: () => exports._ts_tree_cursor_goto_first_child_wasm(tree) === 1,
    nextSibling: () => exports._ts_tree_cursor_goto_next_sibling_wasm(tree) === 1,
    parent: () => exports._ts_tree_cursor_goto_parent_wasm(tree) === 1,
  }
}

const slowWalker = (cursor: TreeCursor): Walker => ({
  start: () => cursor.startIndex,
  end: () => cursor.endIndex,
  type: () => cursor.nodeType,
  named: () => cursor.nodeIsNamed,
  role: () => cursor.currentFieldName ?? undefined,
  missing: () => cursor.nodeIsMissing,
  firstChild: () => cursor.gotoFirstChild(),
  nextSibling: () => cursor.gotoNextSibling(),
  parent: () => cursor.gotoParent(),
})
