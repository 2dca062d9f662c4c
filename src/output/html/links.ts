// How the steps of an execution hang together: what starts, awaits and hands over, and which write a read sees.
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
