// What a reader wants to know first where there is no execution to show: why a property holds, or how far the run came
// and what to try.
import type { Report } from '../../verdict/index.js'
import type { OutputContext, SharedUse } from '../context.js'
import { partialSentences } from '../partial.js'
import { reachedText } from '../progress.js'
import { outcomeText } from '../reason.js'
import { escapeHtml, tag } from './markup.js'

export const reasons = (context: OutputContext): string => {
  const { report, shared } = context
  if (report.verdict === 'unknown') return undecided(report)
  const parts = [explored(report), shared && shared.length > 0 ? protection(shared) : '']
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
    ({ engine, outcome, stats }) =>
      `<tr>${tag('td', engine)}${tag('td', outcomeText(outcome))}${tag('td', reachedText(engine, stats))}</tr>`,
  )
  const table =
    rows.length > 0
      ? `<table><thead><tr><th scope="col">engine</th><th scope="col">ended with</th><th scope="col">reached</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
      : ''
  const advice = hint ? `<p class="hint-line"><b>Try:</b> ${escapeHtml(hint)}</p>` : ''
  return section('How far it came', `${known}${advice}${table}`)
}

const explored = ({ stats, engine }: Report): string => {
  const nodes = stats['nodes']
  if (engine !== 'explicit' || typeof nodes !== 'number') return ''
  return tag(
    'p',
    `All ${nodes.toLocaleString('en-US')} states that the reduced search needs were visited; in none of them is the property violated.`,
  )
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
  return locks.length === 0 ? 'no lock' : `${locks.join(', ')}; not at line ${lines}`
}
