// One file as the preprocessor reads it: continued lines joined, cut into tokens that know their original offsets.
import { type Lexeme, lex } from './lexer.js'
import { Source } from './source.js'

export interface SourceFile {
  readonly path: string
  readonly lexemes: readonly Lexeme[]
  /** Continued lines joined: what the offsets of lexemes refer to. */
  readonly joined: string
  /** From an offset in the joined text to one in the file. */
  readonly original: (offset: number) => number
  readonly source: Source
}

const CONTINUATION = /\\[ \t]*\r?\n/g

export const readSourceFile = (path: string, name: string, text: string): SourceFile => {
  const clean = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text
  const { joined, original } = joinLines(clean)
  return { path, joined, original, lexemes: lex(joined), source: new Source(name, clean) }
}

const joinLines = (text: string): Pick<SourceFile, 'joined' | 'original'> => {
  if (!text.includes('\\')) return { joined: text, original: (offset) => offset }
  const cuts: number[] = []
  const removed: number[] = []
  let total = 0
  const joined = text.replace(CONTINUATION, (match: string, offset: number) => {
    cuts.push(offset - total)
    total += match.length
    removed.push(total)
    return ''
  })
  if (cuts.length === 0) return { joined, original: (offset) => offset }
  return {
    joined,
    original: (offset) => {
      let low = 0
      let high = cuts.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (cuts[middle]! <= offset) low = middle + 1
        else high = middle
      }
      return offset + (removed[low - 1] ?? 0)
    },
  }
}
