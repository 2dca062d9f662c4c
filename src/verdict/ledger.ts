// The assumption ledger (semantics.md): what a verdict assumes, and whether it was shown.
import type { Assumption, Result } from './result.js'

export interface LedgerContext {
  readonly memoryModel: string
  readonly spuriousWakeups: boolean
  readonly mallocMayFail: boolean
  /** What the front end noted: weak memory orders, externs without a definition. */
  readonly notes: readonly string[]
  /** There are atomic operations with an order weaker than sequential consistency. */
  readonly weakOrders?: boolean
}

/** A FALSE is an execution: it assumes only what chose the semantics. A TRUE adds what the engine left open. */
export const ledgerOf = (result: Result, context: LedgerContext): readonly Assumption[] => {
  const memory: Assumption =
    context.memoryModel === 'sc'
      ? { kind: 'sequential-consistency', status: 'open' }
      : { kind: 'memory-model', model: context.memoryModel, status: 'by option' }
  const options: Assumption[] = context.spuriousWakeups ? [] : [{ kind: 'no-spurious-wakeups', status: 'by option' }]
  if (result.verdict === 'unknown') return []
  const notes = context.notes.map((text): Assumption => ({ kind: 'note', text, status: 'open' }))
  return [memory, ...options, ...result.assumptions, ...notes]
}
