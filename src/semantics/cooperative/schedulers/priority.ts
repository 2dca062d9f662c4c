// Fixed priorities, as in OSEK: of the runnable threads the one that was created first runs, until it waits. The same
// programs and primitives as FairThreads, with another choice: what a scheduler is to the engine is in one place.
import { type FairState, fairThreads } from './fairthreads.js'
import type { Scheduler } from './scheduler.js'

export const fixedPriority = (): Scheduler<FairState> => {
  const fair = fairThreads('anew')
  return {
    ...fair,
    name: 'priority',
    // Nobody waits for a pass to end: whoever has the highest priority goes on.
    schedule: (state) => {
      const choices = fair.schedule({ ...state, done: [] })
      const highest = Math.min(...choices.map(({ running }) => running!))
      return choices.filter(({ running }) => running === highest).map((choice) => ({ ...choice, done: [] }))
    },
    runsAgain: () => true,
  }
}
