// The engine `impact`: prepares the program, chooses the arithmetic, runs the algorithm, and says what came of it.
// Under `--arith auto` integers come first; what they prove counts only if no signed operation on the proof's paths
// can overflow, otherwise bit-vectors try again.

import { errorsOf } from '../../property/index.js'
import { interpreterOf, replayWith, type Trace } from '../../semantics/index.js'
import { Transitions } from '../../symbolic/index.js'
import type { Assumption, Result, Stats } from '../../verdict/index.js'
import { inconclusive, notExpressible, type Reason, unsupportedReason } from '../../verdict/reason.js'
import { unknown } from '../../verdict/result.js'
import { type Program, Unsupported } from '../../xcfa/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import {
  type Arithmetic,
  arithmeticsFor,
  createEncoding,
  isOwed,
  NotExpressible,
  type ObligationKind,
} from '../../xcfa/terms/index.js'
import { type Engine, type Env, engineOf, type Options, parseOptions, type Task } from '../engine.js'
import { checkAccessesThenLeaks } from '../memory-safety.js'
import { certificateOf } from './certificate.js'
import { Impact, type ImpactOptions } from './impact.js'
import { discharge } from './obligations.js'
import { impactSteps } from './policy.js'
import { IMPACT_OPTIONS, impactSpec } from './spec.js'
import { traceOf } from './trace.js'

/** How often labels are strengthened for the sake of obligations before integers give up. */
const DISCHARGE_ROUNDS = 40

const verify = (task: Task, options: Options, env: Env): Result => {
  const { property } = task
  const program = prepare(errorsOf(task.raw, property, task), {
    slice: property !== 'no-data-race',
    keepExit: property === 'no-deadlock',
  })
  let last: Attempt | undefined
  for (const arithmetic of arithmeticsFor(program, task.settings.arith)) {
    last = attempt(task, program, arithmetic, { ...impactOptions(options), property }, env)
    if (last.cause === undefined) break
  }
  return last!.result
}

const impactOptions = (raw: Options): ImpactOptions => {
  const options = parseOptions(IMPACT_OPTIONS, raw)
  return {
    por: options.por,
    forceCover: options['force-cover'] === 'on',
    interpolation: options.interpolation,
    conditionalDependence: options.conditional === 'on',
    pruneEdges: options['prune-edges'] === 'on',
  }
}

/** What the arithmetic is to blame for: another one may do better. */
type Cause =
  | { readonly kind: 'obligation'; readonly obligation: ObligationKind }
  | { readonly kind: 'not-expressible' }
  | { readonly kind: 'not-replayed' }

interface Attempt {
  readonly result: Result
  readonly cause?: Cause
}

const reasonOf = (cause: Cause): Reason => {
  switch (cause.kind) {
    case 'obligation':
      return { kind: 'obligation', obligation: cause.obligation }
    case 'not-expressible':
      return inconclusive('not expressible in integers')
    case 'not-replayed':
      return inconclusive('a counterexample in integers does not replay')
  }
}

const failed = (cause: Cause, stats: Stats): Attempt => ({ cause, result: unknown(reasonOf(cause), stats) })

const attempt = (task: Task, program: Program, arithmetic: Arithmetic, options: ImpactOptions, env: Env): Attempt => {
  let impact: Impact | undefined
  try {
    const encoding = createEncoding(arithmetic, { pointerWidth: program.dataModel === 'ilp32' ? 32 : 64 })
    const transitions = new Transitions(program, encoding, impactSteps)
    impact = new Impact(transitions, task.smt!, options, env)
    return decided(task, transitions, impact, arithmetic)
  } catch (error) {
    if (error instanceof NotExpressible)
      return arithmetic === 'int'
        ? failed({ kind: 'not-expressible' }, {})
        : { result: unknown(notExpressible(error), {}) }
    if (error instanceof Unsupported) return { result: unknown(unsupportedReason(error), {}) }
    throw error
  } finally {
    impact?.dispose()
  }
}

const decided = (task: Task, transitions: Transitions, impact: Impact, arithmetic: Arithmetic): Attempt => {
  let overflow: Assumption['status'] = 'discharged'
  for (let round = 0; round < DISCHARGE_ROUNDS; round++) {
    const outcome = impact.main()
    switch (outcome.kind) {
      case 'stopped':
        return { result: unknown(outcome.reason, statsOf(impact)) }
      case 'error': {
        const trace = traceOf(outcome.node, outcome.model, transitions)
        const stats = statsOf(impact)
        if (replays(task, trace)) return { result: { verdict: 'false', trace, stats, assumptions: [] } }
        return arithmetic === 'int'
          ? failed({ kind: 'not-replayed' }, stats)
          : { result: unknown({ kind: 'no-replay' }, stats) }
      }
      case 'safe': {
        const withOverflow = overflow === 'discharged'
        const owed = discharge(
          impact,
          (formula) => transitions.rangesOf(formula),
          (kind) => isOwed(kind, withOverflow),
        )
        if (owed.kind === 'discharged')
          return { result: proved(transitions, impact, { kind: 'no-overflow', status: overflow }) }
        if (owed.kind === 'open') {
          if (owed.obligation !== 'overflow' || task.settings.arith !== 'int')
            return failed({ kind: 'obligation', obligation: owed.obligation }, statsOf(impact))
          overflow = 'open'
        }
      }
    }
  }
  return failed({ kind: 'obligation', obligation: 'overflow' }, statsOf(impact))
}

const proved = (transitions: Transitions, impact: Impact, overflow: Assumption): Result => ({
  verdict: 'true',
  certificate: certificateOf(impact, transitions, impact.options.por),
  stats: statsOf(impact),
  assumptions: [
    ...(transitions.encoding.arithmetic === 'int' ? [overflow] : []),
    ...(transitions.mayStop ? [{ kind: 'valid-dereferences', status: 'open' } as const] : []),
  ],
})

const replays = (task: Task, trace: Trace): boolean => replayWith(interpreterOf(task.raw), trace, task.property).reached

const statsOf = ({ tree, counts, implications, refinement, reduction }: Impact) => ({
  nodes: tree.nodes.length,
  ...counts,
  ...refinement.counts,
  ...implications.statistics(),
  ...reduction.counts,
  solver_calls: refinement.counts.solver_calls + implications.statistics().solved,
})

export const impactEngine: Engine = checkAccessesThenLeaks(engineOf(impactSpec, verify))
