// Where an engine sees more errors than there are, a counterexample counts only after it was replayed.
import { replay } from '../semantics/index.js'
import type { Result } from '../verdict/index.js'
import type { Task } from './engine.js'

export const replayedOnly = ({ raw, property }: Task, result: Result): Result => {
  if (result.verdict !== 'false') return result
  const { reached, reason } = replay(raw, result.trace, property)
  if (reached) return result
  const { stats } = result
  return { verdict: 'unknown', reason: `a counterexample does not replay: ${reason}`, stats, assumptions: [] }
}
