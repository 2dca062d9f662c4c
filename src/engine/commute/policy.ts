// How commute takes steps: an access that hits no object goes on, so that steps stay independent of starts and
// allocations, and states say nothing about locals that nobody reads any more.
import type { TransitionPolicy } from '../../symbolic/index.js'
import { indexedRegions } from '../../xcfa/passes/index.js'

export const commuteSteps: TransitionPolicy = {
  strays: 'proceed',
  locals: 'live',
  maxInitialCells: 1024,
  indexed: indexedRegions,
}
