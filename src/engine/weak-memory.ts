// `--memory-model tso|pso` for every engine: the program with store buffers in its place (xcfa/passes/store-buffers/store-buffers.ts).
// Buffers are bounded, so TRUE counts only when no buffer can be full, which is asked of the same engine; otherwise
// longer ones are tried (soundness.md 18).

import type { Result } from '../verdict/index.js'
import { inconclusive, type Reason } from '../verdict/reason.js'
import { unknown } from '../verdict/result.js'
import type { Program } from '../xcfa/index.js'
import { storeBuffers } from '../xcfa/passes/store-buffers/store-buffers.js'
import type { Engine, Env, Options, Task } from './engine.js'

const LENGTHS: readonly number[] = [2, 4, 8]

export interface Decided {
  readonly result: Result
  /** The program in which a counterexample replays. */
  readonly raw: Program
}

export const verifyUnderMemoryModel = (engine: Engine, task: Task, options: Options, env: Env): Decided => {
  const { raw, settings, property } = task
  const { memoryModel: model } = settings
  if (model === 'sc') return { result: engine.verify(task, options, env), raw }
  const undecided = (reason: Reason): Decided => ({ raw, result: unknown(reason) })
  // Models as axioms are for the engine whose executions are graphs.
  if ((task.model && engine.name === 'bmc') || engine.name === 'graphs')
    return { result: engine.verify(task, options, env), raw }
  if (property !== 'assert' && property !== 'unreach-call')
    return undecided({ kind: 'not-applicable', problem: `${property} under the memory model ${model}` })
  if (model !== 'tso' && model !== 'pso')
    return undecided({ kind: 'not-applicable', problem: `the memory model ${model} in the engine ${engine.name}` })
  for (const length of LENGTHS) {
    const weak = storeBuffers(raw, { model, length, full: 'wait' })
    const result = engine.verify({ ...task, raw: weak }, options, env)
    if (result.verdict !== 'true') return { result, raw: weak }
    const filling = {
      ...task,
      property: 'unreach-call',
      raw: storeBuffers(raw, { model, length, full: 'error' }),
    } as const
    const bounded = engine.verify(filling, options, env)
    // soundness 18
    if (bounded.verdict === 'true') return { result, raw: weak }
    if (bounded.verdict === 'unknown') return undecided({ kind: 'store-buffers', length, because: bounded.reason })
  }
  return undecided(inconclusive(`store buffers of length ${LENGTHS.at(-1)} can be full`))
}
