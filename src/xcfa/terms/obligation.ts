// What a step takes for granted: each must be shown of every state in which the step is taken, or TRUE does not count.
// The kinds are a closed set, so that whoever proves something has to say what becomes of each of them.
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Edge, MemoryObject, Program } from '../model.js'
import { dividedAlike } from '../passes/unsized.js'
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

/** What somebody does about each kind of obligation: complete by its type, so that a new kind breaks the build there. */
export type ByObligation<T> = Readonly<Record<ObligationKind, T>>

/** Why a proof does not count, where an obligation of this kind is open. */
const OPEN: ByObligation<string> = {
  overflow: 'signed overflow is possible',
  'allocation-size': 'an allocation may be larger than what is reserved for it',
  'heap-instances': 'more heap objects than addresses are reserved for',
  'thread-instances': 'more threads than addresses are reserved for',
}

export const openObligation = (kind: ObligationKind): string => OPEN[kind]

/** All kinds, since the record above has all of them. */
export const OBLIGATION_KINDS = Object.keys(OPEN) as readonly ObligationKind[]

/**
 * Whether a proof has to show an obligation of this kind: overflow only where it is not an assumption that the verdict
 * names, everything else always.
 */
export const isOwed = (kind: ObligationKind, overflow: boolean): boolean => {
  switch (kind) {
    case 'overflow':
      return overflow
    case 'allocation-size':
    case 'heap-instances':
    case 'thread-instances':
      return true
  }
}

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

export type ThreadRoom = Extract<Obligation, { readonly kind: 'thread-instances' }>

/** Room for the objects of a thread with this number. */
export const threadRoom = ({ objects }: Pick<Program, 'objects'>, number: number): ThreadRoom => ({
  kind: 'thread-instances',
  holds: logic.boolConst(
    objects.every(({ storage, instances }) => storage !== 'thread' || number < (instances ?? Number.POSITIVE_INFINITY)),
  ),
})

/**
 * What proofs that look at no values can say of each kind. They look at objects, not at addresses, of which all instances
 * are one; so it is nothing to them how many instances or threads have addresses, and values that overflow are any values.
 * Only an allocation may be too large: passes take an address behind what is reserved for one that nobody may use, and two
 * regions may meet only there.
 */
const WITHOUT_VALUES: ByObligation<(program: Divided) => Edge | undefined> = {
  overflow: () => undefined,
  'allocation-size': (program) => allocationOfUnknownSize(program),
  'heap-instances': () => undefined,
  'thread-instances': () => undefined,
}

/** An obligation that a proof without values leaves open, with the edge that owes it. */
export const owedWithoutValues = (
  program: Divided,
): { readonly kind: ObligationKind; readonly edge: Edge } | undefined => {
  for (const kind of OBLIGATION_KINDS) {
    const edge = WITHOUT_VALUES[kind](program)
    if (edge) return { kind, edge }
  }
  return undefined
}

/** An allocation that may ask for more bytes than are reserved for it, as far as types tell. */
const allocationOfUnknownSize = (program: Divided): Edge | undefined =>
  [...program.templates.values()]
    .flatMap(({ edges }) => edges)
    .find(({ labels }) =>
      labels.some(
        (label) =>
          label.kind === 'allocate' &&
          intervalOf(label.size, () => undefined).high > BigInt(label.object.size) &&
          !dividedAlike(program, label.object),
      ),
    )

type Divided = Pick<Program, 'templates' | 'regions'>
