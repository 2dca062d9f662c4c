// Invariants as people read them: `0 ≤ x ≤ 4` instead of the C expression of a witness.
import type { OutputContext } from '../context.js'

/** What `src/semantics/exploration/invariants.ts` writes as C. */
const invariantText = (expression: string): string =>
  expression
    .replace(/^(\w+) >= (-?\d+) && \w+ <= (-?\d+)$/, '$2 ≤ $1 ≤ $3')
    .replace(/^\(long long\)/, '')
    .replace(' == ', ' = ')

/** By line of a file: what holds while a thread is there. */
export const invariantsByLine = ({ invariants }: OutputContext, file: string): ReadonlyMap<number, string> =>
  new Map(
    (invariants?.lines ?? [])
      .filter((entry) => entry.file === file)
      .map(({ line, expressions }) => [line, expressions.map(invariantText).join(', ')]),
  )

/** What holds in every state, and while nobody holds a mutex. */
export const invariantSentences = ({ invariants }: OutputContext): readonly string[] => {
  if (!invariants) return []
  const list = (expressions: readonly string[]): string => expressions.map(invariantText).join(', ')
  return [
    ...(invariants.expressions.length > 0 ? [`In every state ${list(invariants.expressions)}.`] : []),
    ...invariants.ghosts.map(
      ({ name, whileFree }) => `While no thread holds ${name.replace(/_locked$/, '')}, ${list(whileFree)}.`,
    ),
    ...(invariants.lines.length > 0
      ? ['A green line above a statement says what else holds whenever a thread is about to execute it.']
      : []),
  ]
}
