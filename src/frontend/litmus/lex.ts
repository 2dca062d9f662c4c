// Words of litmus files outside of assembly: initial state, conditions, C. Comments are replaced by spaces first, so
// that positions stay those of the file.
import { LitmusProblem, type Position } from './test.js'

export interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'symbol' | 'end'
  readonly text: string
  readonly at: Position
}

const SYMBOLS = [
  ...[
    '/\\',
    '\\/',
    '=>',
    '==',
    '!=',
    '<=',
    '<>',
    '>=',
    '<<',
    '>>',
    '&&',
    '||',
    '++',
    '--',
    '->',
    '+=',
    '-=',
    '|=',
    '&=',
    '^=',
  ],
  ...[
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    ';',
    ',',
    ':',
    '=',
    '<',
    '>',
    '+',
    '-',
    '*',
    '/',
    '%',
    '&',
    '|',
    '^',
    '~',
    '!',
    '?',
    '.',
    '$',
    '#',
  ],
] // prettier-ignore

/** Whether the parenthesis that opens here encloses a comment: it ends with a star, too, unlike `(*p)` in C. */
const isComment = (text: string, at: number): boolean => {
  if (!text.startsWith('(*', at)) return false
  if (!/[A-Za-z_(*]/.test(text[at + 2] ?? ' ')) return true
  for (let depth = 0, end = at; end < text.length; end++) {
    if (text[end] === '(') depth++
    // A cast like `(*(int *)p)` has stars at the end of inner parentheses only.
    if (text[end] === ')' && --depth === 0) return text[end - 1] === '*'
  }
  return true
}

/** Blanks out `(* … *)`, `// …` and block comments. */
export const withoutComments = (text: string): string => {
  const blank = (piece: string): string => piece.replace(/[^\n]/g, ' ')
  let result = ''
  let at = 0
  while (at < text.length) {
    if (isComment(text, at)) {
      const start = at
      let depth = 0
      do {
        if (text.startsWith('(*', at)) {
          depth++
          at += 2
        } else if (text.startsWith('*)', at)) {
          depth--
          at += 2
        } else at++
      } while (depth > 0 && at < text.length)
      result += blank(text.slice(start, at))
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2)
      const stop = end < 0 ? text.length : end + 2
      result += blank(text.slice(at, stop))
      at = stop
    } else if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at)
      const stop = end < 0 ? text.length : end
      result += blank(text.slice(at, stop))
      at = stop
    } else result += text[at++]
  }
  return result
}

export const lex = (text: string, firstLine: number, firstColumn = 1): readonly Token[] => {
  const tokens: Token[] = []
  let line = firstLine
  let lineStart = 1 - firstColumn
  let at = 0
  const here = (): Position => ({ line, column: at - lineStart + 1 })
  while (at < text.length) {
    const character = text[at]!
    if (character === '\n') {
      line++
      at++
      lineStart = at
      continue
    }
    if (/\s/.test(character)) {
      at++
      continue
    }
    const rest = text.slice(at, at + 120)
    const word = /^%?[A-Za-z_][A-Za-z0-9_]*/.exec(rest)
    const number = /^(?:0[xX][0-9A-Fa-f]+|\d+)[uUlL]*/.exec(rest)
    const string = /^"[^"\n]*"/.exec(rest)
    const symbol = SYMBOLS.find((s) => rest.startsWith(s))
    const found = word?.[0] ?? number?.[0] ?? string?.[0] ?? symbol
    if (found === undefined) throw new LitmusProblem(here(), `the character "${character}" is not expected here`)
    const kind = word ? 'name' : number ? 'number' : string ? 'string' : 'symbol'
    tokens.push({ kind, text: found, at: here() })
    at += found.length
  }
  tokens.push({ kind: 'end', text: '', at: here() })
  return tokens
}

export const numberOf = (text: string): bigint => BigInt(text.replace(/[uUlL]+$/, ''))

export const shown = (token: Token): string => (token.kind === 'end' ? 'the end' : `"${token.text}"`)

/** A cursor over words, with the usual questions. */
export class Words {
  private readonly tokens: readonly Token[]
  private next = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  get token(): Token {
    return this.tokens[this.next]!
  }

  peek(ahead: number): Token {
    return this.tokens[Math.min(this.next + ahead, this.tokens.length - 1)]!
  }

  get position(): number {
    return this.next
  }

  rewind(position: number): void {
    this.next = position
  }

  get atEnd(): boolean {
    return this.token.kind === 'end'
  }

  is(...texts: readonly string[]): boolean {
    return this.token.kind !== 'end' && this.token.kind !== 'string' && texts.includes(this.token.text)
  }

  accept(...texts: readonly string[]): boolean {
    if (!this.is(...texts)) return false
    this.next++
    return true
  }

  expect(text: string, where: string): void {
    if (!this.accept(text)) this.fail(`expected "${text}" ${where}, but found ${shown(this.token)}`)
  }

  take(): Token {
    return this.tokens[this.next++]!
  }

  name(what: string): string {
    if (this.token.kind !== 'name') this.fail(`expected ${what}, but found ${shown(this.token)}`)
    return this.take().text
  }

  fail(message: string, at: Position = this.token.at): never {
    throw new LitmusProblem(at, message)
  }
}
