// valid-memsafety for engines that see error locations only. Accesses and frees come first: they are exact. Then memory
// that is not freed at the end, which is more than is asked (something may still point to it): what is found there
// counts only after it was replayed.

import { replay } from '../semantics/index.js'
import type { Result } from '../verdict/index.js'
import { unknown } from '../verdict/result.js'
import type { Engine, Env, Task } from './engine.js'

export const checkAccessesThenLeaks = (engine: Engine): Engine => ({
  ...engine,
  verify(task, options, env) {
    if (task.property !== 'valid-memsafety') return engine.verify(task, options, env)
    const first = engine.verify({ ...task, leaks: false }, options, accessesOnly(env))
    if (first.verdict !== 'true' || !hasHeap(task)) return replayedOnly(task, first)
    return replayedOnly(task, engine.verify(task, options, env))
  },
})

/** What is known before leaks are looked for says nothing of them. */
const accessesOnly = (env: Env): Env => ({
  ...env,
  known: (fact) => {
    if (fact.kind === 'switches' || fact.kind === 'unrolled' || fact.kind === 'steps')
      env.known?.({ ...fact, only: 'accesses and frees' })
  },
})

const hasHeap = ({ raw }: Task): boolean =>
  raw.objects.some(({ storage, automatic }) => storage === 'heap' && !automatic)

/** A counterexample that does not replay is none. */
export const replayedOnly = ({ raw, property }: Task, result: Result): Result => {
  if (result.verdict !== 'false') return result
  const { reached, reason } = replay(raw, result.trace, property)
  if (reached) return result
  return unknown({ kind: 'no-replay', why: `${reason}` }, result.stats)
}
