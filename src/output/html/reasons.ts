// What a reader wants to know first where there is no execution to show: why a property holds, or how far the run came
// and what to try.
import type { Report } from '../../verdict/index.js'
import type { OutputContext, SharedUse } from '../context.js'
import { partialSentences } from '../partial.js'
import { reachedText } from '../progress.js'
import { attemptName, outcomeText } from '../reason.js'
import { thousands } from '../text.js'
import { invariantSentences } from './invariants.js'
import { escapeHtml, tag } from './markup.js'

export const reasons = (context: OutputContext): string => {
  const { report, shared } = context
  if (report.verdict === 'unknown') return undecided(report)
  const parts = [
    explored(report),
    shared && shared.length > 0 ? protection(shared) : '',
    ...invariantSentences(context).map((sentence) => tag('p', sentence, 'holds')),
  ]
  return parts.some(Boolean) ? section('Why it holds', parts.join('\n')) : ''
}

const section = (title: string, body: string): string =>
  `<section class="reasons" aria-label="${title}" tabindex="0"><h2>${title}</h2>${body}</section>`

const undecided = (report: Report): string => {
  const { hint, attempts } = report
  const known = partialSentences(report)
    .map((sentence) => tag('p', sentence))
    .join('')
  const rows = (attempts ?? []).map(
    (attempt) =>
      `<tr>${tag('td', attemptName(attempt))}${tag('td', outcomeText(attempt.outcome))}${tag('td', reachedText(attempt.engine, attempt.stats))}</tr>`,
  )
  const table =
    rows.length > 0
      ? `<table><thead><tr><th scope="col">engine</th><th scope="col">ended with</th><th scope="col">reached</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
      : ''
  const advice = hint
    ? `<p class="hint-line"><b>${report.engine === 'native' ? '' : 'Worth trying: '}</b>${escapeHtml(hint)}</p>`
    : ''
  return section('How far the search got', `${known}${advice}${table}`)
}

const explored = ({ stats, engine }: Report): string => {
  const nodes = stats['nodes']
  if (engine !== 'explicit' || typeof nodes !== 'number') return ''
  const counted = stats['counted_threads']
  if (typeof counted === 'number' && counted > 0)
    return tag(
      'p',
      'The threads run the same code, so the search counted how many of them are at each statement instead of telling them apart. It covered every interleaving, and none violates the property.',
    )
  const states = nodes === 1 ? 'one state' : `${thousands(nodes)} states`
  return tag('p', `The search visited ${states}, which stand for every interleaving; none violates the property.`)
}

/** A variable that some lock is always held for, or the accesses that tell why none is needed. */
const protection = (shared: readonly SharedUse[]): string => {
  const rows = shared.map(({ name, accesses }) => {
    const always = accesses[0]!.locks.filter((lock) => accesses.every(({ locks }) => locks.includes(lock)))
    const threads = [...new Set(accesses.map(({ thread }) => thread))].join(', ')
    const how = accesses.every(({ atomic }) => atomic)
      ? 'atomic at every access'
      : always.length > 0
        ? `always under ${always.join(', ')}`
        : locksBySide(accesses)
    return `<tr><th scope="row">${escapeHtml(name)}</th>${tag('td', how)}${tag('td', threads)}</tr>`
  })
  return `<table class="protection"><thead><tr><th scope="col">shared variable</th><th scope="col">protected by</th><th scope="col">accessed by</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

const locksBySide = (accesses: SharedUse['accesses']): string => {
  const without = accesses.filter(({ locks, atomic }) => locks.length === 0 && !atomic)
  const locks = [...new Set(accesses.flatMap((access) => access.locks))]
  const lines = [...new Set(without.map(({ position }) => position.line))].join(', ')
  return locks.length === 0 ? 'no lock' : `${locks.join(', ')}, but no lock at line ${lines}`
}
