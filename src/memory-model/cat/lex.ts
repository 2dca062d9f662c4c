// The words of the CAT language. Comments are `(* … *)`, which nest, and `// …`; names may contain dots and dashes.
import type { CatError, Position } from './syntax.js'

export interface Token {
  readonly kind: 'name' | 'string' | 'symbol' | 'number' | 'end'
  readonly text: string
  readonly at: Position
}

const SYMBOLS = [
  '^-1',
  '||',
  '++',
  '|',
  '&',
  ';',
  '\\',
  '*',
  '+',
  '?',
  '[',
  ']',
  '(',
  ')',
  '{',
  '}',
  '=',
  '~',
  ',',
  "'",
]

export const describeToken = (token: Token): string =>
  token.kind === 'end' ? 'the end of the file' : `"${token.text}"`

export const lexCat = (text: string, file: string): readonly Token[] | CatError => {
  const tokens: Token[] = []
  let line = 1
  let lineStart = 0
  let at = 0
  const here = (): Position => ({ file, line, column: at - lineStart + 1 })
  const advance = (count: number): void => {
    for (let i = 0; i < count; i++, at++)
      if (text[at] === '\n') {
        line++
        lineStart = at + 1
      }
  }
  while (at < text.length) {
    const rest = text.slice(at, at + 200)
    const space = /^\s+/.exec(rest)
    if (space) {
      advance(space[0].length)
    } else if (rest.startsWith('//')) {
      const end = text.indexOf('\n', at)
      advance((end < 0 ? text.length : end) - at)
    } else if (rest.startsWith('(*')) {
      const start = here()
      let depth = 0
      do {
        if (text.startsWith('(*', at)) {
          depth++
          advance(2)
        } else if (text.startsWith('*)', at)) {
          depth--
          advance(2)
        } else if (at >= text.length) {
          return { at: start, message: 'this comment does not end' }
        } else advance(1)
      } while (depth > 0)
    } else if (rest.startsWith('"')) {
      const end = text.indexOf('"', at + 1)
      if (end < 0) return { at: here(), message: 'this string does not end' }
      tokens.push({ kind: 'string', text: text.slice(at + 1, end), at: here() })
      advance(end + 1 - at)
    } else {
      const word = /^[A-Za-z_][A-Za-z0-9_.-]*/.exec(rest) ?? /^\d+/.exec(rest)
      const symbol = SYMBOLS.find((s) => rest.startsWith(s))
      if (word) {
        tokens.push({ kind: /^\d/.test(word[0]) ? 'number' : 'name', text: word[0], at: here() })
        advance(word[0].length)
      } else if (symbol) {
        tokens.push({ kind: 'symbol', text: symbol, at: here() })
        advance(symbol.length)
      } else return { at: here(), message: `the character "${text[at]}" is not part of the CAT language` }
    }
  }
  tokens.push({ kind: 'end', text: '', at: here() })
  return tokens
}
