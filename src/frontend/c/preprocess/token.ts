// Tokens while they are expanded: each knows where it was written and which macros may not expand it any more.
import type { Lexeme, LexemeKind } from './lexer.js'
import type { Source } from './source.js'

export interface Token {
  readonly kind: LexemeKind | 'placemarker'
  readonly text: string
  /** White space stands before it. */
  readonly space: boolean
  /** It begins a line. */
  readonly first: boolean
  /** Where it was written, or the use of the macro that it comes from. */
  readonly source: Source
  readonly offset: number
  /** It stands in the source as it is: not from a macro's body. */
  readonly written: boolean
  readonly hidden: HideSet
}

/** Macro names that a token may not be expanded by (Prosser's hide set). */
export type HideSet = ReadonlySet<string>

export const NOTHING_HIDDEN: HideSet = new Set()

export const writtenToken = (lexeme: Lexeme, source: Source, offset: number): Token => ({
  kind: lexeme.kind,
  text: lexeme.text,
  space: lexeme.space,
  first: lexeme.first,
  source,
  offset,
  written: true,
  hidden: NOTHING_HIDDEN,
})

export const hide = (set: HideSet, more: HideSet): HideSet => {
  if (set.size === 0) return more
  const fresh = [...more].filter((name) => !set.has(name))
  return fresh.length === 0 ? set : new Set([...set, ...fresh])
}

export const intersection = (a: HideSet, b: HideSet): HideSet =>
  a === b ? a : new Set([...a].filter((name) => b.has(name)))
