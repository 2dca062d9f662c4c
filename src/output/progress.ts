// What an engine is doing, or how far it got, in words that need no knowledge of engines. Phases and counts are those
// that engines report (`Env.progress`, and the statistics of docs/cli.md); an unknown one is printed as it is.
import type { Stats } from '../verdict/index.js'
import { count, roundNumber, times } from './text.js'

/** What the engine is doing now. */
export const progressText = (phase: string, counts: Readonly<Record<string, number>>): string => {
  const { states, nodes, bound, depth, clauses } = counts
  switch (phase) {
    case 'front end':
      return 'reading the program'
    case 'passes before the engine':
      return 'preparing the program'
    case 'exploring':
      return `exploring states: ${roundNumber(states ?? 0)}`
    case 'unrolled':
      return `loops unrolled ${times(bound ?? 0)}: no violation so far`
    case 'frames':
      return `executions of ${count(depth ?? 0, 'step')}: no violation so far`
    case 'cegar':
    case 'unwinding':
    case 'forest':
      return `exploring abstract states: ${roundNumber(nodes ?? 0)}`
    case 'executions':
      return `executions visited: ${roundNumber(counts['executions'] ?? 0)}`
    case 'searching':
      return `searching for a proof: ${roundNumber(nodes ?? 0)} states, ${count(counts['assertions'] ?? 0, 'assertion')}`
    case 'clauses':
      return `solving ${count(clauses ?? 0, 'clause')}`
    default:
      return [phase, ...Object.entries(counts).map(([name, value]) => `${roundNumber(value)} ${name}`)].join(' · ')
  }
}

/** How far an engine got; empty if it got nowhere. */
export const reachedText = (engine: string, stats: Stats): string => {
  const number = (name: string): number | undefined => {
    const value = stats[name]
    return typeof value === 'number' && value > 0 ? value : undefined
  }
  const states = number('states') ?? number('nodes')
  const bound = number('bound') ?? number('depth')
  const clauses = number('clauses')
  switch (engine) {
    case 'explicit':
      return states === undefined ? '' : `${roundNumber(states)} states explored, no violation in them`
    case 'cegar':
    case 'impact':
    case 'esst': {
      const refinements = number('refinements')
      const refined = refinements === undefined ? '' : `, refined ${times(refinements)}`
      return states === undefined ? '' : `${roundNumber(states)} abstract states explored${refined}`
    }
    case 'bmc':
      return bound === undefined ? '' : `loops unrolled ${times(bound)}`
    case 'graphs': {
      const executions = number('executions')
      return executions === undefined ? '' : `${roundNumber(executions)} executions visited, no violation in them`
    }
    case 'commute':
      return states === undefined ? '' : `searched for a proof: ${roundNumber(states)} states`
    case 'redcomp':
      return clauses === undefined ? '' : `searched for a proof: ${count(clauses, 'clause')}`
    default:
      return Object.entries(stats)
        .slice(0, 4)
        .map(
          ([name, value]) => `${typeof value === 'number' ? roundNumber(value) : value} ${name.replaceAll('_', ' ')}`,
        )
        .join(', ')
  }
}
