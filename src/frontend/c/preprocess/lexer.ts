// Preprocessing tokens (C11 6.4), from text whose continued lines are joined already. Comments count as white space.

export type LexemeKind =
  | 'identifier'
  | 'number'
  | 'string'
  | 'character'
  | 'punctuator'
  /** A character that begins no token of C: @, `, control characters. */
  | 'stray'
  /** A string or character constant without its end on the line, or a comment without its end. */
  | 'unterminated'

export interface Lexeme {
  readonly kind: LexemeKind
  readonly text: string
  /** Offsets into the text, end exclusive. */
  readonly start: number
  readonly end: number
  /** White space or a comment stands before it. */
  readonly space: boolean
  /** It is the first on its line. */
  readonly first: boolean
}

const WHITE = /(?:[ \t\r\f\v]+|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)+/y
const TOKEN = new RegExp(
  [
    /(?<identifier>(?!(?:u8|[uUL])["'])[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)/,
    /(?<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)/,
    /(?<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\[^\n])*")/,
    /(?<character>[uUL]?'(?:[^'\\\n]|\\[^\n])+')/,
    /(?<unterminated>\/\*|(?:u8|[uUL])?["'])/,
    /(?<punctuator>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<:|:>|<%|%>|%:%:|%:|[<>=!*/%+\-&^|]=|&&|\|\||##|[-+*/%&|^!~<>=?:;,.(){}[\]#])/,
    /(?<stray>[\s\S])/,
  ]
    .map((part) => part.source)
    .join('|'),
  'y',
)

const DIGRAPHS: Readonly<Record<string, string>> = {
  '<:': '[',
  ':>': ']',
  '<%': '{',
  '%>': '}',
  '%:': '#',
  '%:%:': '##',
}

/** All tokens of a text. Nothing is an error here: a skipped group may hold anything. */
export const lex = (text: string): Lexeme[] => {
  const lexemes: Lexeme[] = []
  let at = 0
  let space = false
  let first = true
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 10) {
      at++
      first = space = true
      continue
    }
    if (code === 32) {
      at++
      space = true
      continue
    }
    WHITE.lastIndex = at
    if ((code < 32 || code === 47) && WHITE.test(text)) {
      // A comment over several lines does not begin a new line for directives: the next token is first only if
      // nothing stood before the comment.
      at = WHITE.lastIndex
      space = true
      continue
    }
    const lexeme = lexemeAt(text, at, space, first)
    lexemes.push(lexeme)
    at = lexeme.end
    space = first = false
  }
  return lexemes
}

const WORD = 1
const DIGIT = 2
/** Punctuators that no longer one begins with. */
const ALONE = 4

const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[0-9]/.test(character)) return WORD | DIGIT
  return /[A-Za-z_$]/.test(character) ? WORD : /[;,()[\]{}~?]/.test(character) ? ALONE : 0
})

const classAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code < 128 ? CLASSES[code]! : at < text.length ? WORD : 0
}

/** Most tokens are words, numbers and single punctuators; the rest is for the expression above. */
const lexemeAt = (text: string, start: number, space: boolean, first: boolean): Lexeme => {
  const kind = classAt(text, start)
  if (kind === ALONE) {
    const end = start + 1
    return { kind: 'punctuator', text: text[start]!, start, end, space, first }
  }
  if (kind === WORD) {
    let end = start + 1
    while ((classAt(text, end) & WORD) !== 0) end++
    const next = text.charCodeAt(end)
    // u8"...", L'x': the word is a part of the constant.
    if ((next !== 34 && next !== 39) || end - start > 2)
      return { kind: 'identifier', text: text.slice(start, end), start, end, space, first }
  }
  return otherLexemeAt(text, start, space, first)
}

const otherLexemeAt = (text: string, start: number, space: boolean, first: boolean): Lexeme => {
  TOKEN.lastIndex = start
  const match = TOKEN.exec(text)!
  const kind = kindOf(match.groups!)
  if (kind === 'unterminated') {
    const lineEnd = text.indexOf('\n', start)
    const end = match[0] === '/*' || lineEnd < 0 ? text.length : lineEnd
    return { kind, text: text.slice(start, end), start, end, space, first }
  }
  const spelling = kind === 'punctuator' ? (DIGRAPHS[match[0]] ?? match[0]) : match[0]
  return { kind, text: spelling, start, end: start + match[0].length, space, first }
}

const KINDS: readonly LexemeKind[] = ['identifier', 'punctuator', 'number', 'string', 'character', 'unterminated']

const kindOf = (groups: Readonly<Record<string, string | undefined>>): LexemeKind =>
  KINDS.find((kind) => groups[kind] !== undefined) ?? 'stray'
