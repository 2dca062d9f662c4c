// How cegar takes steps. States say nothing of locals that nobody reads any more, so that more of them are equal; an
// access that hits no object goes on: what it does then is more than what can happen, and counterexamples are replayed.
import type { TransitionPolicy } from '../../symbolic/index.js'

export const cegarSteps: TransitionPolicy = { strays: 'proceed', locals: 'live', maxInitialCells: 256 }
