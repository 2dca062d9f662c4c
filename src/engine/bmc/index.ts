// The engine `bmc`.
import { errorsOf } from '../../property/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import type { Engine } from '../engine.js'
import { partialOrder } from './partial-order/index.js'
import { bmcSpec } from './spec.js'

export const bmcEngine: Engine = {
  ...bmcSpec,
  verify: (task, _options, env) => {
    const program = prepare(errorsOf(task.raw, task.property))
    return partialOrder(program, task.smt!, task.settings.arith === 'int' ? 'int' : 'bv', env)
  },
}
