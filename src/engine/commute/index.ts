// The engine `commute`: trace abstraction with reductions, after A. Farzan, D. Klumpp, A. Podelski: Sound sequentialization
// for concurrent program verification (PLDI 2022), Stratified commutativity in verification algorithms for concurrent
// programs (POPL 2023). The loop: look for an error trace of the reduction that the proof does not cover; if it can be
// executed, replay it; otherwise what refutes it joins the proof.

import { errorsOf } from '../../property/index.js'
import { interpreterOf, replayWith } from '../../semantics/index.js'
import { Transitions } from '../../symbolic/index.js'
import type { Assumption, Result } from '../../verdict/index.js'
import { inconclusive, notExpressible, unsupportedReason } from '../../verdict/reason.js'
import { unknown } from '../../verdict/result.js'
import { type Program, Unsupported } from '../../xcfa/index.js'
import { assumedOfShared, prepare, type Relaxed, relaxedBy } from '../../xcfa/passes/index.js'
import { type Arithmetic, arithmeticsFor, createEncoding, NotExpressible } from '../../xcfa/terms/index.js'
import { type Engine, type Env, engineOf, type Options, parseOptions, type Task } from '../engine.js'
import { Attempt, type Outcome } from './attempt.js'
import { certificateOf } from './certificate.js'
import { commuteSteps } from './policy.js'
import { COMMUTE_OPTIONS, commuteSpec } from './spec.js'

const verify = (task: Task, options: Options, env: Env): Result => {
  const program = prepare(errorsOf(task.raw, task.property, task))
  let result: Result = unknown(inconclusive('no arithmetic to work in'))
  for (const arithmetic of arithmeticsFor(program, task.settings.arith)) {
    const exact: Version = { program, arithmetic, wrapping: false, relaxed: [] }
    const relaxed = arithmetic === 'int' && task.settings.arith === 'auto' ? assumedOfShared(program) : []
    const more = relaxed.length > 0 ? relaxedBy(program, relaxed) : undefined
    // What commutes more has shorter proofs.
    const versions = more ? [{ program: more, arithmetic, wrapping: true, relaxed }, exact] : [exact]
    result = byTurns(versions, task, options, env)
    if (result.verdict !== 'unknown' || env.stopped()) return result
  }
  return result
}

/** A program to prove right, in an arithmetic. */
interface Version {
  readonly program: Program
  readonly arithmetic: Arithmetic
  /** Signed integers wrap. */
  readonly wrapping: boolean
  /** What was left out of the program as it is: its errors may not be real. */
  readonly relaxed: readonly Relaxed[]
}

/** The first of the versions that decides; else what became of the last one, the program as it is. */
const byTurns = (versions: readonly Version[], task: Task, options: Options, env: Env): Result => {
  const attempts = versions.map((version) => attemptOn(version, task, options, env))
  const results = new Map<number, Result>()
  while (results.size < attempts.length)
    for (const [i, attempt] of attempts.entries()) {
      if (results.has(i)) continue
      const { done, value } = attempt.next()
      if (!done) continue
      results.set(i, value)
      if (value.verdict === 'unknown' && !env.stopped()) continue
      for (const other of attempts) other.return(value)
      return value
    }
  return results.get(attempts.length - 1)!
}

function* attemptOn(version: Version, task: Task, options: Options, env: Env): Generator<undefined, Result> {
  const { program, arithmetic, wrapping } = version
  let attempt: Attempt | undefined
  try {
    const encoding = createEncoding(arithmetic, { pointerWidth: program.dataModel === 'ilp32' ? 32 : 64, wrapping })
    const transitions = new Transitions(program, encoding, commuteSteps)
    const owesOverflow = task.settings.arith !== 'int'
    attempt = new Attempt(transitions, task.smt!, parseOptions(COMMUTE_OPTIONS, options), owesOverflow, env)
    const outcome = yield* attempt.main()
    return decided(attempt, outcome, version, task)
  } catch (error) {
    if (error instanceof NotExpressible) return unknown(notExpressible(error))
    if (error instanceof Unsupported) return unknown(unsupportedReason(error))
    throw error
  } finally {
    attempt?.dispose()
  }
}

const decided = (attempt: Attempt, outcome: Outcome, { arithmetic, relaxed }: Version, task: Task): Result => {
  const stats = { ...attempt.statistics(), arithmetic, relaxed: relaxed.length }
  switch (outcome.kind) {
    case 'proved':
      return {
        verdict: 'true',
        certificate: certificateOf(attempt, outcome.visited, relaxed),
        stats,
        assumptions: assumptionsOf(attempt, task),
      }
    case 'error':
      if (replayWith(interpreterOf(task.raw), outcome.trace, task.property).reached)
        return { verdict: 'false', trace: outcome.trace, stats, assumptions: [] }
      return unknown({ kind: 'no-replay' }, stats)
    case 'open':
      return unknown({ kind: 'obligation', obligation: outcome.obligation }, stats)
    case 'stopped':
      return unknown(outcome.reason, stats)
  }
}

const assumptionsOf = ({ transitions, owesOverflow }: Attempt, { raw }: Task): readonly Assumption[] => [
  ...(transitions.encoding.arithmetic === 'int' && !transitions.encoding.wraps
    ? [{ kind: 'no-overflow', status: owesOverflow ? 'discharged' : 'open' } as const]
    : []),
  ...(usesPointers(raw) ? [{ kind: 'valid-dereferences', status: 'open' } as const] : []),
]

const usesPointers = ({ templates }: Program): boolean =>
  [...templates.values()].some(({ edges }) =>
    edges.some(({ labels }) =>
      labels.some((label) => (label.kind === 'load' || label.kind === 'store') && label.address.kind !== 'const'),
    ),
  )

export const commuteEngine: Engine = engineOf(commuteSpec, verify)
