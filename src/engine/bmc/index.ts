// The engine `bmc`.
import { errorsOf } from '../../property/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import { NotExpressible } from '../../xcfa/terms/index.js'
import type { Engine } from '../engine.js'
import { inMemorySteps } from '../memory-safety.js'
import { interleaving } from './interleaving/index.js'
import type { GirEncoding, Reduction } from './interleaving/peephole.js'
import { partialOrder } from './partial-order/index.js'
import type { OrderEncoding } from './partial-order/order.js'
import { bmcSpec } from './spec.js'

export const bmcEngine: Engine = inMemorySteps({
  ...bmcSpec,
  verify: (task, options, env) => {
    try {
      return verify(task, options, env)
    } catch (problem) {
      if (!(problem instanceof NotExpressible)) throw problem
      return { verdict: 'unknown', reason: problem.message, stats: {}, assumptions: [] }
    }
  },
})

const verify: Engine['verify'] = (task, options, env) => {
  const depth = Number(options['depth'] ?? 0) || undefined
  const { arith } = task.settings
  const errors = errorsOf(task.raw, task.property, task)
  if (task.model) {
    if (options['encoding'] === 'interleaving') throw new NotExpressible('interleavings under a memory model')
    // Every access matters to a model, also one whose value nobody uses, and steps are single accesses.
    const program = prepare(errors, { slice: false, largeBlocks: false, resetDead: true })
    const order = (options['order'] ?? 'auto') as OrderEncoding
    return partialOrder(program, task.property, task.smt!, { arithmetic: 'bv', order, depth, model: task.model }, env)
  }
  if (options['encoding'] !== 'interleaving') {
    const program = prepare(errors, {
      slice: task.property !== 'no-data-race',
      keepExit: task.property === 'no-deadlock',
      resetDead: true,
    })
    const order = (options['order'] ?? 'auto') as OrderEncoding
    return partialOrder(program, task.property, task.smt!, { arithmetic: arith, order, depth }, env)
  }
  // What nobody reads any more is reset: it would keep transitions from being independent.
  const program = prepare(errors, { resetDead: true })
  const reduction = (options['por'] ?? 'ppor-simple') as Reduction
  const girEncoding = (options['gir-encoding'] ?? 'merged') as GirEncoding
  return interleaving(program, task.smt!, arith === 'int' ? 'int' : 'bv', { reduction, girEncoding, depth }, env)
}
