// What lenses and hovers need of a text before any engine runs: where functions are defined, which of them are started
// as threads, which word is under the cursor. Approximate on purpose: a lens too many does no harm.
export interface Definition {
  readonly name: string
  /** From 0. */
  readonly line: number
}

const DEFINITION = /^[A-Za-z_][\w\s*]*?\b([A-Za-z_]\w*)\s*\([^;{}]*\)\s*\{/gm
const STARTED = /\b(?:pthread_create|thrd_create)\s*\(([^;]*)\)/g
const KEYWORDS = new Set(['if', 'while', 'for', 'switch', 'return', 'else', 'do'])

const definitionsOf = (text: string): readonly Definition[] =>
  [...text.matchAll(DEFINITION)]
    .map((match) => ({ name: match[1]!, line: text.slice(0, match.index).split('\n').length - 1 }))
    .filter(({ name }) => !KEYWORDS.has(name))

/** The entry, and every function that is named where a thread is started. */
export const threadFunctionsOf = (text: string, entry: string): readonly Definition[] => {
  const named = new Set([...text.matchAll(STARTED)].flatMap(([, args]) => args!.match(/[A-Za-z_]\w*/g) ?? []))
  return definitionsOf(text).filter(({ name }) => name === entry || named.has(name))
}

export const hasFunction = (text: string, name: string): boolean => definitionsOf(text).some((d) => d.name === name)

/** The chain of members under the cursor: of `q.head->next` at `head`, `q.head`. */
export const wordAt = (line: string, character: number): string | undefined => {
  for (const match of line.matchAll(/[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/g)) {
    const end = match.index + match[0].length
    if (character < match.index || character > end) continue
    const rest = /^\w*/.exec(line.slice(character))![0]
    return match[0].slice(0, Math.min(match[0].length, character - match.index + rest.length))
  }
  return undefined
}
