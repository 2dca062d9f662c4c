// C to a syntax tree, by tree-sitter with its C grammar. Both are WASM, handed in as bytes: the same in Node and in a
// browser.
import { isLibrary, type Position } from '../../../xcfa/index.js'
import { type Diagnostic, InputError } from '../diagnostic.js'
import type { Preprocessed } from '../preprocess/index.js'
import { MAX_DEPTH } from './brackets.js'
import { type Copy, copyTree, type ParseFailure } from './copy.js'
import { type Edit, type Placeholder, type Prepared, prepare } from './prepare.js'
import type { SyntaxNode, SyntaxTree } from './syntax.js'
import { type Grammar, loadGrammar, walk } from './walk.js'

/** A loaded grammar. Parsing is synchronous; wrong input throws InputError. */
export interface CParser {
  /** Declarations of headers that nothing names are left out, unless the `whole` text is asked for. */
  readonly parse: (source: Preprocessed, whole?: boolean) => SyntaxTree
}

const MAX_CHARACTERS = 8 << 20
const MAX_DIAGNOSTICS = 10

/** `runtime` is web-tree-sitter.wasm, `grammar` is tree-sitter-c.wasm. */
export const loadParser = async (wasm: { runtime: Uint8Array; grammar: Uint8Array }): Promise<CParser> => {
  const grammar = await loadGrammar(wasm)
  return { parse: (source, whole) => parse(grammar, source, whole === true) }
}

const parse = (grammar: Grammar, source: Preprocessed, whole: boolean): SyntaxTree => {
  if (source.text.length > MAX_CHARACTERS) throw tooLarge(source)
  const prepared = prepare(source.text, source.position, (offset) => !whole && isOfHeader(source, offset))
  const { root, errors } = parseRange(grammar, prepared, 0, source.text.length, '', '')
  if (errors.length > 0) throw new InputError(diagnostics(errors, prepared.text, source.position))
  const { packs } = source
  return {
    root,
    text: prepared.text,
    position: source.position,
    attributes: prepared.attributes,
    ...(packs && packs.length > 0
      ? { packAt: (offset: number) => packs.findLast((pack) => pack.offset <= offset)?.align }
      : {}),
  }
}

/** A preprocessed file is headers for the most part; those of the library are named in angle brackets. */
const isOfHeader = (source: Preprocessed, offset: number): boolean => {
  if (source.file.endsWith('.i')) return true
  const position = source.position(offset)
  const { file } = position
  if (source.systemDirectories?.some((directory) => file.startsWith(`${directory}/`))) return file !== source.file
  return isLibrary(position) && file !== source.file
}

const tooLarge = (source: Preprocessed): InputError => {
  const text = `the program has ${source.text.length} characters, more than ${MAX_CHARACTERS}`
  return new InputError([{ severity: 'error', text, position: { file: source.file, line: 1, column: 1 } }])
}

/** Parses a part of the text between two pieces of C, and what the placeholders in it stand for. */
const parseRange = (
  grammar: Grammar,
  prepared: Prepared,
  from: number,
  to: number,
  prefix: string,
  suffix: string,
): Copy => {
  const { input, original } = compose(prepared, from, to, prefix, suffix)
  const tree = grammar.parser.parse(input)
  if (!tree) throw new Error('tree-sitter gave no tree')
  try {
    const copy = walk(grammar, tree, (walker) => copyTree(walker, original, prepared))
    if (prepared.placeholders.size === 0) return copy
    const errors = [...copy.errors]
    fillPlaceholders(grammar, prepared, copy.root, errors)
    return { root: copy.root, errors }
  } finally {
    tree.delete()
  }
}

/** The input for the grammar with all edits made, and for each of its offsets the one in the text. */
const compose = (prepared: Prepared, from: number, to: number, prefix: string, suffix: string) => {
  const { text, edits } = prepared
  const pieces: (Edit & { readonly copied?: boolean })[] = [{ input: prefix, start: from, end: from }]
  let at = from
  for (let index = firstEditFrom(prepared, from); index < edits.length; index++) {
    const edit = edits[index]!
    if (edit.start >= to) break
    if (edit.start < at) continue
    pieces.push({ input: text.slice(at, edit.start), start: at, end: edit.start, copied: true }, edit)
    at = edit.end
  }
  pieces.push({ input: text.slice(at, to), start: at, end: to, copied: true }, { input: suffix, start: to, end: to })
  const input = pieces.map((piece) => piece.input).join('')
  const original = new Int32Array(input.length + 1).fill(to)
  let offset = 0
  for (const { input, start, end, copied } of pieces) {
    const wordEnd = input.trimEnd().length
    for (let step = 0; step < input.length; step++)
      original[offset + step] = copied ? start + step : step < wordEnd ? start : end
    offset += input.length
  }
  return { input, original }
}

const firstEditFrom = ({ edits }: Prepared, from: number): number => {
  let low = 0
  let high = edits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (edits[middle]!.start < from) low = middle + 1
    else high = middle
  }
  return low
}

const isLeafAt = (node: SyntaxNode, prepared: Prepared): Placeholder | undefined =>
  node.children.length === 0 && node.named ? prepared.placeholders.get(node.start) : undefined

/** Puts a typeof, an _Atomic(T) or a builtin with type arguments in the place of the word that stood for it. */
const fillPlaceholders = (grammar: Grammar, prepared: Prepared, root: SyntaxNode, errors: ParseFailure[]): void => {
  const waiting: SyntaxNode[] = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const children = node.children as SyntaxNode[]
    children.forEach((child, index) => {
      const placeholder = isLeafAt(child, prepared)
      if (!placeholder) waiting.push(child)
      else children[index] = filled(grammar, prepared, child, placeholder, errors)
    })
  }
}

const filled = (
  grammar: Grammar,
  prepared: Prepared,
  node: SyntaxNode,
  { kind, end, nameEnd, arguments: ranges }: Placeholder,
  errors: ParseFailure[],
): SyntaxNode => {
  const children = ranges.map((range) => typeOrExpression(grammar, prepared, range.start, range.end, errors))
  if (kind !== 'call_expression')
    return { ...node, type: kind, end, children: children.map((child) => ({ ...child, role: 'type' })) }
  const name: SyntaxNode = { ...node, type: 'identifier', role: 'function', end: nameEnd, children: [] }
  const list: SyntaxNode = { ...node, type: 'argument_list', role: 'arguments', start: nameEnd, end, children }
  return { ...node, type: kind, end, children: [name, list] }
}

/** The operand of a sizeof is either: the grammar decides. */
const typeOrExpression = (
  grammar: Grammar,
  prepared: Prepared,
  start: number,
  end: number,
  errors: ParseFailure[],
): SyntaxNode => {
  const fragment = parseRange(grammar, prepared, start, end, 'int heddle = sizeof(', ');')
  errors.push(...fragment.errors)
  const operand = find(fragment.root, (node) => node.type === 'sizeof_expression')?.children[1]
  const inner =
    operand?.type === 'parenthesized_expression'
      ? operand.children.find((child) => child.named)
      : find(fragment.root, (node) => node.type === 'type_descriptor')
  if (!inner && fragment.errors.length === 0) errors.push({ offset: start, end, missing: undefined })
  return { ...(inner ?? fragment.root), role: undefined }
}

const find = (root: SyntaxNode, test: (node: SyntaxNode) => boolean): SyntaxNode | undefined => {
  const waiting: SyntaxNode[] = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (test(node)) return node
    waiting.push(...node.children.toReversed())
  }
  return undefined
}

const diagnostics = (
  errors: readonly ParseFailure[],
  text: string,
  position: (offset: number) => Position,
): readonly Diagnostic[] => {
  const found: Diagnostic[] = []
  const lines = new Set<string>()
  for (const error of errors) {
    const offset = skipBlank(text, error.offset)
    const at = position(error.missing === undefined ? offset : Math.max(0, endOfTokenBefore(text, error.offset)))
    const line = `${at.file}:${at.line}`
    if (lines.has(line) || found.length === MAX_DIAGNOSTICS) continue
    lines.add(line)
    found.push({ severity: 'error', text: message(error, tokenAt(text, offset)), position: at })
  }
  return found
}

const message = (error: ParseFailure, token: string): string => {
  if (error.tooDeep) return `nested too deeply (more than ${MAX_DEPTH} levels)`
  if (error.missing !== undefined) return `syntax error: expected ${expected(error.missing)} before ${token}`
  return `syntax error at ${token}`
}

const expected = (type: string): string =>
  /^[a-z_]+$/.test(type) ? (type === 'type_identifier' ? 'a type' : `an ${type.replaceAll('_', ' ')}`) : `'${type}'`

const skipBlank = (text: string, offset: number): number => {
  let at = offset
  while (at < text.length && /\s/.test(text[at]!)) at++
  return at
}

const endOfTokenBefore = (text: string, offset: number): number => {
  let at = offset
  while (at > 0 && /\s/.test(text[at - 1]!)) at--
  return at - 1
}

const tokenAt = (text: string, offset: number): string =>
  offset >= text.length
    ? 'the end of the file'
    : `'${/^(?:[\w$]+|"[^"\n]*"|.)/su.exec(text.slice(offset, offset + 60))![0]}'`
