// How the steps of an execution hang together: what starts, awaits and hands over, and which write a read sees. And which
// of the steps repeat each other, so that a page can fold them.
import type { StepReport } from '../../verdict/index.js'

export interface Link {
  readonly kind: 'switch' | 'thread' | 'lock' | 'value'
  readonly from: number
  readonly to: number
}

export const linksOf = (steps: readonly StepReport[]): readonly Link[] => {
  const links: Link[] = []
  const released = new Map<string, number>()
  const written = new Map<string, number>()
  steps.forEach(({ thread, event, reads, writes }, to) => {
    const before = steps[to - 1]
    if (before && before.thread !== thread) links.push({ kind: 'switch', from: to - 1, to })
    const link = (kind: Link['kind'], from: number | undefined): void => {
      if (from !== undefined && from >= 0 && steps[from]!.thread !== thread) links.push({ kind, from, to })
    }
    if (!steps.slice(0, to).some((s) => s.thread === thread))
      link(
        'thread',
        steps.findIndex(({ event: e }) => e?.kind === 'create' && e.thread === thread),
      )
    if (event?.kind === 'join')
      link(
        'thread',
        steps.slice(0, to).findLastIndex((s) => s.thread === event.thread),
      )
    if (event?.kind === 'take') link('lock', released.get(event.object))
    if (event?.kind === 'release') released.set(event.object, to)
    for (const name of reads ?? []) link('value', written.get(name))
    for (const name of writes ?? []) written.set(name, to)
  })
  return links
}

/** Steps from `from` up to, and without, `to` repeat the `period` steps before them, over and over. */
export interface Fold {
  readonly from: number
  readonly to: number
  readonly times: number
}

const MAX_PERIOD = 16
/** With fewer repetitions a reader sees more without the fold. */
const MIN_TIMES = 4

/** Of so many equal rounds the first and the last stay in sight. */
export const foldsOf = (steps: readonly StepReport[]): readonly Fold[] => {
  const keys = steps.map(({ thread, file, line, text }) => `${thread} ${file}:${line} ${text}`)
  const folds: Fold[] = []
  for (let i = 0; i < keys.length; ) {
    const best = longestRepetition(keys, i)
    if (best && best.times >= MIN_TIMES) {
      const { period, times } = best
      folds.push({ from: i + period, to: i + period * (times - 1), times: times - 2 })
      i += period * times
    } else i++
  }
  return folds
}

const longestRepetition = (
  keys: readonly string[],
  start: number,
): { readonly period: number; readonly times: number } | undefined => {
  let best: { period: number; times: number } | undefined
  for (let period = 1; period <= MAX_PERIOD && start + period < keys.length; period++) {
    let end = start + period
    while (end < keys.length && keys[end] === keys[end - period]) end++
    const times = Math.floor((end - start) / period)
    if (times >= MIN_TIMES && (!best || times * period > best.times * best.period)) best = { period, times }
  }
  return best
}
