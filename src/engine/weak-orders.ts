// no-data-race beside atomic operations that are weaker than sequentially consistent (property/weak-orders.ts): a race
// under sequential consistency is one; that there is none is shown of a program in which weak operations order no more
// than they do. And rc11 by way of sequential consistency, for engines that know interleavings only.

import { hasWeakOrders, isSequentialIfRaceFree, raceFreeIfThese, SAFETY_PROPERTIES } from '../property/index.js'
import type { Engine, Env, Options, Task } from './engine.js'
import { misfit } from './engine.js'
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

/**
 * Under rc11, by an engine of interleavings. Violations count: sequentially consistent executions are executions of
 * rc11. A proof counts (`ordersDecided`) if it says nothing else than that there is no race, or if the same engine shows
 * that there is none. Where some operations are weaker, both are asked of a program in which those tell nothing: every
 * execution of the given one is an execution of it, and what is left to order is sequentially consistent.
 */
export const verifyAsSequential = (engine: Engine, task: Task, options: Options, env: Env): RacesDecided => {
  const decided = verifyWithOrders(engine, task, options, env)
  const { raw, property } = task
  if (decided.result.verdict !== 'true' || !SAFETY_PROPERTIES.includes(property)) return decided
  if (decided.ordersDecided) return decided
  if (property === 'no-data-race') return isSequentialIfRaceFree(raw) ? carried(decided) : decided
  if (misfit(engine, options, 'no-data-race') !== undefined) return decided
  for (const program of raceFreeIfThese(raw)) {
    const result = program === raw ? decided.result : engine.verify({ ...task, raw: program }, options, env)
    if (result.verdict !== 'true') continue
    const races = engine.verify({ ...task, raw: program, property: 'no-data-race' }, options, env)
    if (races.verdict === 'true') return carried({ result, raw: program })
  }
  return decided
}

/** A proof under sequential consistency of a program that was shown to have no race. */
const carried = ({ result, raw }: Decided): RacesDecided => {
  const assumptions = [...result.assumptions, { kind: 'race-free', status: 'discharged' } as const]
  return { result: { ...result, assumptions }, raw, ordersDecided: true }
}
