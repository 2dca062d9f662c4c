// The engine `redcomp`: reduction to blocks, then compositional reasoning by Horn clauses (redcomp.txt).
import { errorsOf } from '../../property/index.js'
import type { Smt } from '../../smt/index.js'
import type { Assumption, Result } from '../../verdict/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import { createEncoding, NotExpressible } from '../../xcfa/terms/index.js'
import type { Engine, Env, Options, Task } from '../engine.js'
import { ruleSafety } from './rule-safety.js'
import { redcompSpec } from './spec.js'
import { specialise } from './specialise.js'
import { stateSpace } from './state.js'

const verify = (task: Task, options: Options, env: Env): Result => {
  try {
    return decide(task, options, env, task.smt!)
  } catch (error) {
    if (error instanceof NotExpressible) return unknown(error.message)
    throw error
  }
}

const unknown = (reason: string, stats: Record<string, number> = {}): Result => ({
  verdict: 'unknown',
  reason,
  stats,
  assumptions: [],
})

const decide = (task: Task, _options: Options, env: Env, smt: Smt): Result => {
  const prepared = prepare(errorsOf(task.raw, task.property))
  const threads = specialise(prepared)
  const arith = task.settings.arith === 'bv' ? 'bv' : 'int'
  const encoding = createEncoding(arith, { pointerWidth: prepared.dataModel === 'ilp32' ? 32 : 64 })
  const space = stateSpace(threads, encoding)
  const { rules, steps } = ruleSafety(space, { obligations: task.settings.arith === 'auto', counters: true })
  env.progress('clauses', { clauses: rules.length })
  const stats = { clauses: rules.length, threads: threads.threads.length }
  const horn = smt.horn({ inline: true })
  const found = horn.solve(rules)
  horn.dispose()
  if (found.status !== 'sat') return unknown(found.status === 'unknown' ? found.reason : 'a goal is reached', stats)
  const assumptions: Assumption[] = []
  if (arith === 'int') assumptions.push({ what: 'no signed overflow', status: task.settings.arith === 'auto' ? 'discharged' : 'open' })
  if (steps.some((s) => s.mayStop)) assumptions.push({ what: 'valid dereferences', status: 'open' })
  return { verdict: 'true', certificate: { kind: 'horn', data: {} }, stats, assumptions }
}

export const redcompEngine: Engine = { ...redcompSpec, verify }
