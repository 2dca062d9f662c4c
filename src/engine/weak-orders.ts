// no-data-race beside atomic operations that are weaker than sequentially consistent (property/weak-orders.ts): a race
// under sequential consistency is one; that there is none is shown of a program in which weak operations order no more
// than they do.
import { hasWeakOrders, raceFreeIfThese } from '../property/index.js'
import type { Engine, Env, Options, Task } from './engine.js'
import { type Decided, verifyUnderMemoryModel } from './weak-memory.js'

export interface RacesDecided extends Decided {
  /** The proof holds whatever the weak operations order. */
  readonly ordersDecided?: true
}

export const verifyWithOrders = (engine: Engine, task: Task, options: Options, env: Env): RacesDecided => {
  const { raw, property, settings } = task
  const decided = verifyUnderMemoryModel(engine, task, options, env)
  if (property !== 'no-data-race' || settings.memoryModel !== 'sc' || !hasWeakOrders(raw)) return decided
  if (decided.result.verdict !== 'true') return decided
  for (const program of raceFreeIfThese(raw)) {
    const result = program === raw ? decided.result : engine.verify({ ...task, raw: program }, options, env)
    if (result.verdict === 'true') return { result, raw: program, ordersDecided: true }
  }
  return decided
}
