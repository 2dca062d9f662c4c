// What a search that was stopped has covered: exactly how many executions, and how much of the whole that is by estimate.
import type { Stats } from '../../verdict/index.js'
import type { Counts, Search } from './search.js'

type Covered = Pick<Search, 'counts' | 'covered'>

export const estimateOf = ({ counts: { executions, blocked }, covered }: Covered): Stats =>
  covered > 0
    ? {
        estimated_executions: Math.round((executions + blocked) / covered),
        covered_percent: Number((100 * covered).toPrecision(3)),
      }
    : {}

export const coverageOf = (search: Covered): string => {
  const { executions, blocked } = search.counts
  const { estimated_executions: all, covered_percent: percent } = estimateOf(search)
  const part = all === undefined ? '' : `, about ${percent} % of an estimated ${Number(all).toLocaleString('en-US')}`
  return `no violation in ${(executions + blocked).toLocaleString('en-US')} executions${part}`
}

export const statsOf = ({ executions, blocked, dropped, redundant, graphs, events }: Counts): Stats => ({
  executions,
  blocked,
  explored_redundantly: redundant,
  dropped,
  nodes: graphs,
  depth: events,
})
