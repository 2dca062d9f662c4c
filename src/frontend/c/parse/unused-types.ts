// The names that a declaration of types, or of an external variable, declares, if it has a plain shape:
//   struct tag { ... };  enum { A, B };  typedef struct tag { ... } name;  typedef int (*name)(void);  extern int name[2];
// A tag or an enumerator in the braces belongs to the whole file, too.
import type { Lexeme } from '../preprocess/lexer.js'
import type { TokenRange } from './unused.js'
import { KEYWORDS } from './words.js'

const RECORD = /^(?:struct|union|enum)$/
const ATTRIBUTE = /^(?:__attribute(?:__)?|__asm(?:__)?|asm|_Alignas|__typeof(?:__)?|typeof)$/
/** What may stand in such a declaration besides words. */
const PLAIN = /^(?:[*,()[\]{};:]|\.\.\.)$/
/** Sizes of arrays and values of enumerators. */
const ARITHMETIC = /^(?:[-+*/%&|^~=<>!?]|<<|>>|<=|>=|==|!=|&&|\|\|)$/

/** Undefined: not of a plain shape, or not only types. */
export const typeNamesOf = (
  tokens: readonly Lexeme[],
  closing: ReadonlyMap<number, number>,
  range: TokenRange,
): readonly string[] | undefined => {
  const begin = tokens[range.from]!.text === '__extension__' ? range.from + 1 : range.from
  const { text: first } = tokens[begin]!
  if (tokens[range.to - 1]?.text !== ';' || !isPlain(tokens, closing, range)) return undefined
  if (first === 'typedef' || (first === 'extern' && !hasParameters(tokens, closing, range))) {
    const declared = declarators(tokens, closing, begin + 1, range.to - 1)
    return declared && [...declared, ...declaredInside(tokens, closing, range)]
  }
  if (!RECORD.test(first)) return undefined
  const end = afterRecord(tokens, closing, begin)
  if (end !== range.to - 1) return undefined
  const names = declaredInside(tokens, closing, range)
  const tag = tokens[begin + 1]!
  // struct tag; says that there is one.
  return tag.kind === 'identifier' ? [...names, tag.text] : names
}

/** Prototypes are not for here. */
const hasParameters = (
  tokens: readonly Lexeme[],
  closing: ReadonlyMap<number, number>,
  { from, to }: TokenRange,
): boolean => {
  for (let at = from; at < to; at++)
    if (ATTRIBUTE.test(tokens[at]!.text)) at = closing.get(at + 1) ?? at
    else if (tokens[at]!.text === '(') return true
  return false
}

const isPlain = (
  tokens: readonly Lexeme[],
  closing: ReadonlyMap<number, number>,
  { from, to }: TokenRange,
): boolean => {
  let inside = 0
  for (let at = from; at < to; at++) {
    const { kind, text } = tokens[at]!
    if (kind === 'identifier') {
      if (/^_Static_assert$/.test(text)) return false
      if (ATTRIBUTE.test(text)) at = closing.get(at + 1) ?? at
      else if (text === 'enum') inside = Math.max(inside, enumEnd(tokens, closing, at))
    } else if (kind === 'punctuator') {
      if (PLAIN.test(text)) {
        if (text === '[') inside = Math.max(inside, closing.get(at) ?? at)
      } else if (!ARITHMETIC.test(text) || at > inside) return false
    } else if (kind !== 'number' && !(kind === 'character' && at <= inside)) return false
  }
  return true
}

const enumEnd = (tokens: readonly Lexeme[], closing: ReadonlyMap<number, number>, at: number): number => {
  for (let open = at + 1; open <= at + 2; open++) if (tokens[open]?.text === '{') return closing.get(open) ?? at
  return at
}

/** From `struct` to the token after its tag, body and attributes. */
const afterRecord = (tokens: readonly Lexeme[], closing: ReadonlyMap<number, number>, at: number): number => {
  let next = skipAttributes(tokens, closing, at + 1)
  if (tokens[next]?.kind === 'identifier') next++
  if (tokens[next]?.text === '{') next = (closing.get(next) ?? next) + 1
  return skipAttributes(tokens, closing, next)
}

const skipAttributes = (tokens: readonly Lexeme[], closing: ReadonlyMap<number, number>, at: number): number => {
  let next = at
  while (ATTRIBUTE.test(tokens[next]?.text ?? '')) next = (closing.get(next + 1) ?? next) + 1
  return next
}

/** The names of all declarators after the specifiers; undefined where one is not found. */
const declarators = (
  tokens: readonly Lexeme[],
  closing: ReadonlyMap<number, number>,
  from: number,
  end: number,
): readonly string[] | undefined => {
  const names: string[] = []
  let last: string | undefined
  for (let at = from; at < end; at++) {
    const { kind, text } = tokens[at]!
    if (kind === 'identifier' && RECORD.test(text)) at = afterRecord(tokens, closing, at) - 1
    else if (kind === 'identifier' && ATTRIBUTE.test(text)) at = closing.get(at + 1) ?? at
    else if (kind === 'identifier') last = KEYWORDS.has(text) ? last : text
    else if (text === '[') at = closing.get(at) ?? at
    else if (text === '(') {
      const close = closing.get(at) ?? at
      // (*name)(parameters) or name(parameters)
      if (tokens[at + 1]?.text === '*') last = [...tokens.slice(at, close)].find((t) => isName(t))?.text
      at = tokens[close + 1]?.text === '(' ? (closing.get(close + 1) ?? close) : close
    } else if (text === ',') {
      if (last === undefined) return undefined
      names.push(last)
      last = undefined
    } else if (text !== '*') return undefined
  }
  return last === undefined ? undefined : [...names, last]
}

const isName = ({ kind, text }: Lexeme): boolean => kind === 'identifier' && !KEYWORDS.has(text)

/** Tags of records that have their members here, and enumerators. */
const declaredInside = (
  tokens: readonly Lexeme[],
  closing: ReadonlyMap<number, number>,
  { from, to }: TokenRange,
): readonly string[] => {
  const names: string[] = []
  for (let at = from; at < to; at++) {
    const { kind, text } = tokens[at]!
    if (kind !== 'identifier' || !RECORD.test(text)) continue
    const tag = skipAttributes(tokens, closing, at + 1)
    const open = tokens[tag]?.kind === 'identifier' ? tag + 1 : tag
    if (tokens[open]?.text !== '{') continue
    if (open > tag) names.push(tokens[tag]!.text)
    if (text === 'enum') names.push(...enumerators(tokens, closing, open))
  }
  return names
}

const enumerators = (tokens: readonly Lexeme[], closing: ReadonlyMap<number, number>, open: number): string[] => {
  const names: string[] = []
  const close = closing.get(open) ?? open
  for (let at = open; at < close; at = (at > open && closing.get(at)) || at + 1)
    if ((at === open || tokens[at]!.text === ',') && tokens[at + 1]?.kind === 'identifier')
      names.push(tokens[at + 1]!.text)
  return names
}
