// How impact takes steps: an access that hits no object stops its thread, as the interpreter has it.
import type { TransitionPolicy } from '../../symbolic/index.js'

export const impactSteps: TransitionPolicy = { strays: 'stop', locals: 'all', maxInitialCells: 4096 }
