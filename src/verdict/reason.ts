// Why a verdict is UNKNOWN. Whatever code asks about a reason is its kind or a field of it; the sentence that people read
// is made in src/output (reason.ts there), and no code looks into it.
import type { Position, Unsupported } from '../xcfa/index.js'
import type { NotExpressible, ObligationKind } from '../xcfa/terms/index.js'

/** A position as a message names it. */
type Place = Pick<Position, 'file' | 'line'>

export type Reason =
  /** `phase`: what took the time, where no engine had begun. */
  | { readonly kind: 'timeout'; readonly phase?: string }
  | { readonly kind: 'memory' }
  /** By the user or a caller. */
  | { readonly kind: 'cancelled'; readonly by: 'interrupted' | 'aborted' | 'cancelled' | 'the program was edited' }
  /** Another engine said all that can be said. */
  | { readonly kind: 'superseded'; readonly isSettled: boolean }
  | { readonly kind: 'no-engine' }
  /** A defect of ours, or a process that cannot be started. */
  | { readonly kind: 'failure'; readonly what: 'engine failed' | 'cannot start'; readonly text: string }
  | Gap
  /** Options or a property that the engine has no meaning for. */
  | { readonly kind: 'not-applicable'; readonly problem: string }
  | { readonly kind: 'not-expressible'; readonly what: string }
  /** Something that a step takes for granted may not hold. */
  | { readonly kind: 'obligation'; readonly obligation: ObligationKind; readonly at?: Place }
  /** Of a choice among too many values some were tried, and nothing is wrong with these. */
  | { readonly kind: 'sampled'; readonly at?: Place; readonly variable?: string }
  /** A pointer to a freed block is compared, whose address may have been given to another one since. */
  | { readonly kind: 'freed-address'; readonly at: Place }
  | { readonly kind: 'no-replay'; readonly why?: string }
  | { readonly kind: 'wrong-proof'; readonly problem: string }
  | { readonly kind: 'unchecked-proof'; readonly engine: string; readonly problem: string }
  | { readonly kind: 'undefined-behaviour'; readonly text: string; readonly at: Place }
  /** It holds under sequential consistency, and the program's memory orders are weaker. */
  | { readonly kind: 'weaker-orders' }
  | { readonly kind: 'store-buffers'; readonly length: number; readonly because: Reason }
  /** The search ended early; `covered` says what it saw. */
  | { readonly kind: 'partial'; readonly because: Reason; readonly covered: string }
  /** In an engine's own words: its search ended without an answer. */
  | { readonly kind: 'inconclusive'; readonly why: string }

/** What is not modelled. `lacks`: a function without a definition, so that the program cannot be linked, either. */
interface Gap {
  readonly kind: 'unsupported'
  readonly what: string
  readonly at?: Place
  readonly lacks?: string
  /** The execution needs more than a model provides for. */
  readonly isLimit?: true
}

export const inconclusive = (why: string): Reason => ({ kind: 'inconclusive', why })

export const TIMEOUT: Reason = { kind: 'timeout' }

export const unsupportedReason = ({ what, position: { file, line }, lacks }: Unsupported): Reason => ({
  ...{ kind: 'unsupported', what, at: { file, line } },
  ...(lacks !== undefined && { lacks }),
})

export const notExpressible = ({ what }: NotExpressible): Reason => ({ kind: 'not-expressible', what })

/** Whether more time would have helped. */
export const isOutOfTime = (reason: Reason): boolean =>
  reason.kind === 'timeout' || (reason.kind === 'partial' && isOutOfTime(reason.because))

/** Whether the reason is a limit of ours (time, memory, what is modelled), and not a fact about the program. */
export const isOurLimit = (reason: Reason): boolean => isOutOfTime(reason) || reason.kind === 'memory' || isGap(reason)

const isGap = (reason: Reason): boolean => gapOf(reason) !== undefined

/** What is not modelled, wherever it came up. */
export const gapOf = (reason: Reason): Gap | undefined => {
  if (reason.kind === 'unsupported') return reason
  return reason.kind === 'store-buffers' || reason.kind === 'partial' ? gapOf(reason.because) : undefined
}
