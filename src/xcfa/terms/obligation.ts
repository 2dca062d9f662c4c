// What a step takes for granted: each must be shown of every state in which the step is taken, or TRUE does not count.
// The kinds are a closed set, so that whoever proves something has to say what becomes of each of them.
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Edge, MemoryObject, Program } from '../model.js'
import { intervalOf } from './intervals.js'

export type Obligation =
  /** A signed operation stays in its type (integer arithmetic only: bit-vectors wrap). */
  | { readonly kind: 'overflow'; readonly holds: Term }
  /** An allocation whose size is known at run time only asks for no more bytes than are reserved for an instance. */
  | { readonly kind: 'allocation-size'; readonly holds: Term; readonly object: MemoryObject }
  /** Addresses are reserved for one more instance of a heap object. */
  | { readonly kind: 'heap-instances'; readonly holds: Term; readonly object: MemoryObject }
  /** Addresses are reserved for the objects of one more thread. */
  | { readonly kind: 'thread-instances'; readonly holds: Term }

export type ObligationKind = Obligation['kind']

export const OBLIGATION_KINDS = [
  'overflow',
  'allocation-size',
  'heap-instances',
  'thread-instances',
] as const satisfies readonly ObligationKind[]

/** The same obligation of a state that is described otherwise. */
export const mapObligation = (obligation: Obligation, holds: (term: Term) => Term): Obligation => ({
  ...obligation,
  holds: holds(obligation.holds),
})

/** Obligations that hold only where a condition does, without those that hold anyway. */
export const obligationsUnder = (condition: Term, obligations: readonly Obligation[]): readonly Obligation[] =>
  obligations
    .map((each) => mapObligation(each, (term) => logic.implies(condition, term)))
    .filter(({ holds }) => holds !== logic.TRUE)

/** Room for the objects of a thread with this number. */
export const threadRoom = ({ objects }: Pick<Program, 'objects'>, number: number): Obligation => ({
  kind: 'thread-instances',
  holds: logic.boolConst(
    objects.every(({ storage, instances }) => storage !== 'thread' || number < (instances ?? Number.POSITIVE_INFINITY)),
  ),
})

/**
 * An allocation that may ask for more bytes than are reserved for it, as far as types tell: for proofs that look at no
 * values. Passes take an address behind what is reserved for one that nobody may use.
 */
export const allocationOfUnknownSize = ({ templates }: Pick<Program, 'templates'>): Edge | undefined =>
  [...templates.values()]
    .flatMap(({ edges }) => edges)
    .find(({ labels }) =>
      labels.some(
        (label) =>
          label.kind === 'allocate' && intervalOf(label.size, () => undefined).high > BigInt(label.object.size),
      ),
    )

/** Why a proof does not count, where an obligation of this kind is open. */
export const openObligation = (kind: ObligationKind): string => {
  switch (kind) {
    case 'overflow':
      return 'signed overflow is possible'
    case 'allocation-size':
      return 'an allocation may be larger than what is reserved for it'
    case 'heap-instances':
      return 'more heap objects than addresses are reserved for'
    case 'thread-instances':
      return 'more threads than addresses are reserved for'
  }
}
