// An entry of the ledger (semantics.md): what a verdict assumes, as a record. The words are src/output's (ledger.ts there).

export type Assumption = Assumed & { readonly status: 'discharged' | 'open' | 'by option' }

export type Assumed =
  | { readonly kind: 'sequential-consistency' }
  | { readonly kind: 'memory-model'; readonly model: string }
  /** The DRF theorem: without data races, and with seq_cst atomics only, rc11 has no more executions. */
  | { readonly kind: 'race-free' }
  | { readonly kind: 'no-spurious-wakeups' }
  | { readonly kind: 'scheduler'; readonly name: string }
  | { readonly kind: 'no-overflow' }
  | { readonly kind: 'overflow-wraps'; readonly met?: Met }
  | { readonly kind: 'defined-behaviour'; readonly met?: Met }
  | { readonly kind: 'valid-dereferences' }
  | { readonly kind: 'malloc-succeeds' }
  | { readonly kind: 'pointers-within-objects' }
  | { readonly kind: 'lost-only-at-the-end' }
  | { readonly kind: 'tracked-at-exit' }
  /** A lock that is seen held orders what its owner did before, which C11 does not promise (7.26.4.5). */
  | { readonly kind: 'failed-trylock-orders' }
  /** What the front end noted, in its words. */
  | { readonly kind: 'note'; readonly text: string }

/** The first place of several, in the source. */
export interface Met {
  readonly text: string
  readonly file: string
  readonly line: number
  /** How many more places there are. */
  readonly more?: number
  /** An execution that comes there was seen. */
  readonly isReached?: boolean
  /** It is an access of memory that is not there, which valid-memsafety would show. */
  readonly isAccess?: boolean
}

/** Whether something of a kind is left open. */
export const isOpen = (assumptions: readonly Assumption[], wanted: Assumed['kind']): boolean =>
  assumptions.some(({ kind, status }) => kind === wanted && status === 'open')
