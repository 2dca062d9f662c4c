// The engine `graphs`: visits every execution graph of a program once.

import type { Property } from '../../property/index.js'
import type { Result } from '../../verdict/index.js'
import { unsupportedReason } from '../../verdict/reason.js'
import { unknown } from '../../verdict/result.js'
import { Unsupported } from '../../xcfa/index.js'
import type { Engine, Env, Options, Task } from '../engine.js'
import { engineOf } from '../engine.js'
import { checkAccessesThenLeaks } from '../memory-safety.js'
import type { Consistency } from './consistency/consistency.js'
import { rc11 } from './consistency/rc11.js'
import { sequentialConsistency } from './consistency/sc.js'
import { partialStoreOrder, totalStoreOrder } from './consistency/store-buffers.js'
import { Run } from './run.js'
import { graphsSpec } from './spec.js'

const MODELS: Readonly<Record<string, () => Consistency>> = {
  sc: sequentialConsistency,
  tso: totalStoreOrder,
  pso: partialStoreOrder,
  rc11: () => rc11,
}

const verify = (task: Task, options: Options, env: Env): Result => {
  const { property, settings } = task
  const { memoryModel } = settings
  const problem =
    undecided(property, memoryModel) ??
    (Number(options['preemptions'] ?? -1) >= 0 && memoryModel !== 'sc'
      ? `a bound on preemptions under the memory model ${memoryModel}`
      : undefined)
  if (problem) return unknown({ kind: 'not-applicable', problem }, {})
  try {
    return new Run(task, options, env, MODELS[memoryModel]!()).result()
  } catch (error) {
    if (error instanceof Unsupported) return unknown(unsupportedReason(error), {})
    throw error
  }
}

const undecided = (property: Property, memoryModel: string): string | undefined => {
  if (!MODELS[memoryModel]) return `the memory model ${memoryModel} in the engine graphs`
  if (memoryModel === 'sc' || property === 'assert' || property === 'unreach-call') return undefined
  if (memoryModel === 'rc11' && property === 'no-data-race') return undefined
  return `${property} under the memory model ${memoryModel}`
}

export const graphsEngine: Engine = checkAccessesThenLeaks(engineOf(graphsSpec, verify))
