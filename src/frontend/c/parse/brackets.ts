// What can be said before parsing: stray characters, unterminated constants, unmatched and too deep brackets. Telling
// these first gives better messages than a grammar's recovery, and bounds its work on rubbish.
import type { Position } from '../../../xcfa/index.js'
import { type Diagnostic, InputError } from '../diagnostic.js'
import type { Lexeme } from '../preprocess/lexer.js'

const MAX_DIAGNOSTICS = 10
/** Recursive passes follow: a tree deeper than this would exhaust the stack. */
export const MAX_DEPTH = 1000

const PARTNER: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** For each opening bracket's index the index of its end. Throws what is wrong. */
export const checkTokens = (
  tokens: readonly Lexeme[],
  position: (offset: number) => Position,
): ReadonlyMap<number, number> => {
  const diagnostics: Diagnostic[] = []
  const fail = (token: Lexeme, text: string) =>
    diagnostics.push({ severity: 'error', text, position: position(token.start) })
  const closing = new Map<number, number>()
  const open: number[] = []
  for (let index = 0; index < tokens.length && diagnostics.length < MAX_DIAGNOSTICS; index++) {
    const token = tokens[index]!
    if (token.kind === 'stray') fail(token, `stray ${shown(token.text)} in program`)
    else if (token.kind === 'unterminated') fail(token, `unterminated ${unterminatedKind(token.text)}`)
    else if (token.kind !== 'punctuator') continue
    else if (token.text === '(' || token.text === '[' || token.text === '{') {
      if (open.push(index) > MAX_DEPTH) {
        fail(token, `nested too deeply (more than ${MAX_DEPTH} levels)`)
        break
      }
    } else if (token.text in PARTNER) {
      const partner = open.pop()
      if (partner === undefined) fail(token, `unmatched '${token.text}'`)
      else if (tokens[partner]!.text !== PARTNER[token.text]) {
        const line = position(tokens[partner]!.start).line
        fail(token, `'${token.text}' does not match '${tokens[partner]!.text}' of line ${line}`)
        break
      } else closing.set(partner, index)
    }
  }
  const last = open.pop()
  if (last !== undefined && diagnostics.length === 0) fail(tokens[last]!, `'${tokens[last]!.text}' is never closed`)
  if (diagnostics.length > 0) throw new InputError(diagnostics)
  return closing
}

const unterminatedKind = (text: string): string =>
  text.startsWith('/*') ? 'comment' : text.includes('"') ? 'string' : 'character constant'

const shown = (character: string): string => {
  const code = character.charCodeAt(0)
  return code > 32 && code < 127 ? `'${character}'` : `character U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
