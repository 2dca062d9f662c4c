// What an engine answers. Results are checked values: FALSE carries a trace that was replayed, TRUE a certificate.
import type { Certificate } from '../certificate/index.js'
import type { ExecutionView } from '../memory-model/view.js'
import type { Trace } from '../semantics/trace.js'
import type { Assumption } from './assumption.js'
import type { Reason } from './reason.js'

export type { Certificate } from '../certificate/index.js'
export type { Assumption } from './assumption.js'

export type Verdict = 'true' | 'false' | 'unknown'

export type Result =
  | {
      readonly verdict: 'true'
      readonly certificate: Certificate
      readonly stats: Stats
      readonly assumptions: readonly Assumption[]
    }
  | {
      readonly verdict: 'false'
      readonly trace: Trace
      /** Under a memory model: the execution graph, consistent with the model; there is no interleaving to replay then. */
      readonly execution?: ExecutionView
      readonly stats: Stats
      readonly assumptions: readonly Assumption[]
    }
  | {
      readonly verdict: 'unknown'
      readonly reason: Reason
      /** No other engine can do better. */
      readonly forAll?: true
      readonly stats: Stats
      readonly assumptions: readonly Assumption[]
    }

/** Counts under the stable names of docs/cli.md (nodes, edges, solver_calls, ...), each engine those that apply. */
export type Stats = Readonly<Record<string, number | string>>

export const unknown = (reason: Reason, stats: Stats = {}): Result & { readonly verdict: 'unknown' } => ({
  verdict: 'unknown',
  reason,
  stats,
  assumptions: [],
})
