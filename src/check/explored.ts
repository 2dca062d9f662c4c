// All interleavings, without reduction, by the interpreter that no engine uses: of the raw program, and if that has too
// many states for half of the time, of the program after the passes, which proofs by formulas are about, too.
import { type OracleResult, oracle, STATE_PROPERTIES } from '../semantics/index.js'
import type { Program } from '../xcfa/index.js'
import { prepare } from '../xcfa/passes/index.js'
import type { Answer, Task } from './answer.js'
import { count, TRUSTED_PASSES } from './answer.js'

const MAX_STATES = 10_000_000

/** `until`: when to give up, in milliseconds since the epoch. */
export const explored = ({ raw, errors, property, now }: Task, until: number): Answer => {
  if (!STATE_PROPERTIES.some((p) => p === property))
    return { kind: 'unknown', reason: `exploration does not decide ${property}` }
  const visit = (program: Program, end: number): OracleResult =>
    oracle(program, property, {
      maxStates: MAX_STATES,
      paths: false,
      stopped: () => (now() > end ? 'time is up' : undefined),
    })
  const asItIs = visit(raw, (now() + until) / 2)
  const isAboutErrors = property === 'assert' || property === 'unreach-call'
  const goesOn = asItIs.verdict === 'unknown' && isAboutErrors
  const found = goesOn ? visit(prepare(errors, { resetDead: true }), until) : asItIs
  const how = `explored again by the independent interpreter, without reduction${goesOn ? ', after the passes' : ''}`
  switch (found.verdict) {
    case 'true': {
      const assumes = found.undefined.map(({ text, position: { file, line } }) => `no ${text} at ${file}:${line}`)
      const trusted = goesOn ? TRUSTED_PASSES : []
      return { kind: 'accepted', how: `${how}: ${count(found.states)} states`, assumes, trusted }
    }
    case 'false': {
      const last = found.last?.edge.position
      return { kind: 'rejected', place: `${property} is violated${last ? ` at ${last.file}:${last.line}` : ''}` }
    }
    case 'unknown':
      return {
        kind: 'unknown',
        reason: `${how}, as far as it came, ${count(found.states)} states, no violation: ${found.reason ?? ''}`,
      }
  }
}
