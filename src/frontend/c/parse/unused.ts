// Declarations of headers that nothing names: most of a preprocessed file is prototypes of functions that the program
// never calls, and records that it never uses; parsing them takes longer than all the rest. A pass over the tokens finds
// them before the grammar sees them. Only what is surely well formed is left out, so that what is wrong is still told:
// prototypes, types and external variables of a plain shape (unused-types.ts), and static inline functions. A check that
// fails is repeated with the whole text (index.ts), for its messages' sake.
import type { Lexeme } from '../preprocess/lexer.js'
import { typeNamesOf } from './unused-types.js'
import { BUILTIN_TYPES, KEYWORDS, QUALIFIERS, SPELLINGS, TYPE_KEYWORDS } from './words.js'

/** Tokens from one index to another, end exclusive. */
export interface TokenRange {
  readonly from: number
  readonly to: number
}

/** What stands between two declarations at file scope. */
interface Item extends TokenRange {
  /** One of these must occur elsewhere for this item to count; undefined: it always counts. */
  readonly names: readonly string[] | undefined
}

/** `mayDrop` tells by a token's offset whether its declaration comes from a header. */
export const unusedDeclarations = (
  tokens: readonly Lexeme[],
  closing: ReadonlyMap<number, number>,
  mayDrop: (offset: number) => boolean,
): readonly TokenRange[] => {
  const items = itemsOf(tokens, closing, mayDrop)
  const byName = new Map<string, Item[]>()
  for (const item of items)
    for (const name of item.names ?? []) {
      const same = byName.get(name)
      if (same) same.push(item)
      else byName.set(name, [item])
    }
  if (byName.size === 0) return []
  const kept = new Set(items.filter(({ names }) => names === undefined))
  // The set grows while it is walked.
  for (const item of kept)
    for (let at = item.from; at < item.to; at++) {
      const { kind, text } = tokens[at]!
      const named = kind === 'identifier' ? byName.get(text) : undefined
      if (!named) continue
      byName.delete(text)
      for (const other of named) kept.add(other)
    }
  return items.filter((item) => !kept.has(item))
}

const itemsOf = (
  tokens: readonly Lexeme[],
  closing: ReadonlyMap<number, number>,
  mayDrop: (offset: number) => boolean,
): readonly Item[] => {
  const items: Item[] = []
  const typeNames = new Set(BUILTIN_TYPES)
  for (let from = 0; from < tokens.length; ) {
    const { to, parameters, body } = endOf(tokens, closing, from)
    const isTypedef = tokens[from]!.text === 'typedef' || tokens[from + 1]?.text === 'typedef'
    if (isTypedef)
      for (let at = from; at < to; at++) if (tokens[at]!.kind === 'identifier') typeNames.add(tokens[at]!.text)
    const range = { from, to }
    const droppable =
      !isTypedef &&
      parameters !== undefined &&
      from < parameters - 1 &&
      tokens[parameters - 1]?.kind === 'identifier' &&
      !KEYWORDS.has(tokens[parameters - 1]!.text) &&
      mayDrop(tokens[from]!.start) &&
      (body === undefined
        ? isPlainPrototype(tokens, closing, range, parameters, typeNames)
        : isInline(tokens, closing, from, parameters))
    const names = droppable
      ? [tokens[parameters! - 1]!.text]
      : body === undefined && mayDrop(tokens[from]!.start)
        ? typeNamesOf(tokens, closing, range)
        : undefined
    items.push({ ...range, names })
    from = to
  }
  return items
}

const ATTRIBUTE = /^(?:__attribute(?:__)?|__asm(?:__)?|asm)$/

/** The end of the declaration that begins here, its first parenthesis (no attribute's) and its body, if it has them. */
const endOf = (tokens: readonly Lexeme[], closing: ReadonlyMap<number, number>, from: number) => {
  let parameters: number | undefined
  let plain = true
  for (let at = from; at < tokens.length; at++) {
    const { text, kind } = tokens[at]!
    if (text === ';') return { to: at + 1, parameters: plain ? parameters : undefined, body: undefined }
    if (text === '=' || text === ',') plain = false
    if (kind === 'identifier' && ATTRIBUTE.test(text)) at = closing.get(at + 1) ?? at
    else if (text === '(' && kind === 'punctuator') {
      parameters ??= at
      at = closing.get(at) ?? at
    } else if (text === '{' && kind === 'punctuator') {
      const close = closing.get(at) ?? at
      if (plain && parameters !== undefined && tokens[at - 1]?.text === ')')
        return { to: close + 1, parameters, body: at }
      plain = false
      at = close
    }
  }
  return { to: tokens.length, parameters: undefined, body: undefined }
}

const SPECIFIER = /^(?:extern|static|inline|__inline|__inline__|__extension__|_Noreturn|signed|unsigned)$/

const RECORD = /^(?:struct|union|enum)$/

const isSpecifier = (text: string): boolean =>
  SPECIFIER.test(text) || TYPE_KEYWORDS.has(text) || QUALIFIERS.has(text) || SPELLINGS.has(text)

/** `extern int f(const char *name, size_t n) __attribute__((nothrow));`: types that are known, names, stars, brackets. */
const isPlainPrototype = (
  tokens: readonly Lexeme[],
  closing: ReadonlyMap<number, number>,
  { from, to }: TokenRange,
  parameters: number,
  typeNames: ReadonlySet<string>,
): boolean => {
  for (let at = from; at < to - 1; at++) {
    const { kind, text } = tokens[at]!
    if (at === parameters - 1) continue
    if (kind === 'identifier') {
      if (ATTRIBUTE.test(text) && closing.has(at + 1)) at = closing.get(at + 1)!
      else if (RECORD.test(text)) {
        if (tokens[at + 1]?.kind !== 'identifier') return false
        at++
      } else if (isSpecifier(text) || typeNames.has(text)) continue
      else if (at < parameters || !isParameterName(tokens, at, typeNames)) return false
    } else if (kind === 'punctuator') {
      if (!/^(?:[*,()[\]]|\.\.\.)$/.test(text)) return false
    } else if (kind !== 'number' || tokens[at - 1]?.text !== '[') return false
  }
  return true
}

/** A name after a type: `size_t n`, `*name`, `struct tag s`, `const char *names[]`. */
const isParameterName = (tokens: readonly Lexeme[], at: number, typeNames: ReadonlySet<string>): boolean => {
  const before = tokens[at - 1]!
  if (!/^[,)[]$/.test(tokens[at + 1]?.text ?? '')) return false
  if (before.kind !== 'identifier') return before.text === '*'
  return isSpecifier(before.text) || typeNames.has(before.text) || RECORD.test(tokens[at - 2]!.text)
}

/** A function that a header defines for whoever includes it; static, so that no other file can mean it. */
const isInline = (
  tokens: readonly Lexeme[],
  closing: ReadonlyMap<number, number>,
  from: number,
  parameters: number,
): boolean => {
  let isStatic = false
  let inline = false
  for (let at = from; at < parameters; at++) {
    const { text } = tokens[at]!
    if (text === 'static') isStatic = true
    else if (/^(?:inline|__inline|__inline__)$/.test(text)) inline = true
    else if (ATTRIBUTE.test(text)) {
      const close = closing.get(at + 1) ?? at
      for (let inside = at + 2; inside < close; inside++)
        if (/^(?:__)?always_inline(?:__)?$/.test(tokens[inside]!.text)) inline = true
      at = close
    }
  }
  return isStatic && inline
}
