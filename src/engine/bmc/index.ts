// The engine `bmc`.

import { errorsOf } from '../../property/index.js'
import { notExpressible } from '../../verdict/reason.js'
import { unknown } from '../../verdict/result.js'
import { prepare } from '../../xcfa/passes/index.js'
import { NotExpressible } from '../../xcfa/terms/index.js'
import { type Engine, parseOptions, type Task } from '../engine.js'
import { checkAccessesThenLeaks } from '../memory-safety.js'
import { interleaving } from './interleaving/index.js'
import { partialOrder } from './partial-order/index.js'
import { BMC_OPTIONS, bmcSpec } from './spec.js'

export const bmcEngine: Engine = checkAccessesThenLeaks({
  ...bmcSpec,
  verify: (task, options, env) => {
    try {
      return verify(task, options, env)
    } catch (problem) {
      if (!(problem instanceof NotExpressible)) throw problem
      return unknown(notExpressible(problem))
    }
  },
})

const verify: Engine['verify'] = (task, raw, env) => {
  const { encoding, order, por: reduction, 'gir-encoding': girEncoding, ...given } = parseOptions(BMC_OPTIONS, raw)
  const { unroll } = given
  const depth = unroll || given.depth || undefined
  const bounded = unroll > 0 ? soughtBy(task) : undefined
  const { arith } = task.settings
  const errors = errorsOf(task.raw, task.property, task)
  if (task.model) {
    if (encoding === 'interleaving') throw new NotExpressible('interleavings under a memory model')
    // Every access matters to a model, also one whose value nobody uses, and steps are single accesses.
    const keepExit = task.property === 'no-deadlock'
    const program = prepare(errors, { slice: false, largeBlocks: false, keepExit, resetDead: true })
    return partialOrder(
      program,
      task.property,
      task.smt!,
      { arithmetic: 'bv', order, depth, bounded, model: task.model },
      env,
    )
  }
  if (encoding !== 'interleaving') {
    const program = prepare(errors, {
      slice: task.property !== 'no-data-race',
      keepExit: task.property === 'no-deadlock',
      resetDead: true,
    })
    return partialOrder(program, task.property, task.smt!, { arithmetic: arith, order, depth, bounded }, env)
  }
  // What nobody reads any more is reset: it would keep transitions from being independent.
  const program = prepare(errors, { resetDead: true })
  return interleaving(program, task.smt!, arith === 'int' ? 'int' : 'bv', { reduction, girEncoding, depth }, env)
}

/** Leaks are looked for after a proof of everything else only. */
const soughtBy = ({ property, leaks }: Task): string =>
  property === 'valid-memsafety' && leaks === false ? 'invalid access or free' : 'violation'
