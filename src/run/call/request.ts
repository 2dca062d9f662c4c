// What the command line asks of an engine's process, and what comes back: plain data, a JSON text a line.
import type { Attempt, PartialFact, Reason, Report, TaskReport } from '../../verdict/index.js'
import type { Facts } from '../../xcfa/passes/index.js'

/** Files, and how they are read, as the report has them (TaskReport), with what is asked of them. */
export interface Request extends Omit<TaskReport, 'hashes'> {
  /** Texts by path that are read instead of the files: of an editor's buffer, or of a program that is no file. */
  readonly texts?: Readonly<Record<string, string>>
  readonly property: string
  readonly engine: string
  /** Whether random walks try to refute what the engine proves (cross-check.ts). */
  readonly crossCheck?: boolean
  readonly engineOptions: Readonly<Record<string, string>>
  readonly arith: 'auto' | 'int' | 'bv'
  readonly solver: string
  readonly memoryModel: string
  /** No model was asked for: a program with orders weaker than seq_cst is decided under rc11. */
  readonly byOrders?: boolean
  /** Calls of these functions are errors. */
  readonly errorFunctions?: readonly string[]
  /** Milliseconds since the epoch at which the process should have answered. */
  readonly deadline: number
  readonly memoryMb: number
  /** Where workers take parts of a search from. */
  readonly queue?: string
  /** The folder of results of earlier runs. */
  readonly proofs?: string
}

/** How a process ended: a report, wrong input (status 2), or how far it got when it was ended. */
export type Outcome =
  /** `forAll`: no other engine need try, be it that the program cannot be read or that nothing decides what is open. */
  | { readonly kind: 'report'; readonly report: Report; readonly forAll?: true }
  | { readonly kind: 'input-error'; readonly diagnostics: readonly string[] }
  | { readonly kind: 'ended'; readonly reason: Reason; readonly progress?: Progress }

export interface Progress {
  readonly phase: string
  readonly counts: Readonly<Record<string, number>>
}

/** What a process has used so far. */
export interface Usage {
  readonly memoryMb: number
  readonly cpuMs: number
}

export type Message =
  | { readonly type: 'facts'; readonly facts: Facts; readonly warnings: readonly string[] }
  | { readonly type: 'progress'; readonly progress: Progress; readonly usage: Usage }
  | { readonly type: 'known'; readonly fact: PartialFact }
  | { readonly type: 'outcome'; readonly outcome: Outcome }

export const attemptOf = (engine: string, outcome: Outcome, options: Attempt['options'] = {}): Attempt => {
  const by = { engine, ...(Object.keys(options).length > 0 && { options }) }
  switch (outcome.kind) {
    case 'report':
      return { ...by, outcome: outcomeOf(outcome.report), stats: outcome.report.stats }
    case 'input-error':
      return { ...by, outcome: 'wrong input', stats: {} }
    case 'ended':
      return { ...by, outcome: endOf(outcome), stats: { ...(outcome.progress?.counts ?? {}) } }
  }
}

const outcomeOf = ({ verdict, reason }: Report): Attempt['outcome'] =>
  verdict === 'unknown' ? (reason ?? { kind: 'inconclusive', why: 'unknown' }) : verdict

/** Before an engine has begun, the time goes to reading the program or to the passes over it: that is told. */
const endOf = ({ reason, progress }: Outcome & { readonly kind: 'ended' }): Reason => {
  if (reason.kind !== 'timeout' || !progress || !BEFORE_ENGINES.has(progress.phase)) return reason
  return { kind: 'timeout', phase: progress.phase }
}

const BEFORE_ENGINES: ReadonlySet<string> = new Set(['front end', 'passes before the engine'])
