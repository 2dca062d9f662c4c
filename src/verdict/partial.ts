// What is certain although a run ended without an answer. Each fact holds of the program as it is, under the assumptions
// that a proof by the same engine would make (valid dereferences, above all); none is ever a verdict.
import type { Position } from '../xcfa/index.js'

/** Of valid-memsafety: what a fact is about where it is not about all of it. */
interface Limited {
  readonly only?: 'accesses and frees'
}

export type PartialFact =
  /** No violation in executions with at most so many switches away from a thread that could go on. */
  | ({ readonly kind: 'switches'; readonly switches: number } & Limited)
  /** No violation in executions in which no thread goes round its loops more often than this, all loops together. */
  | ({ readonly kind: 'unrolled'; readonly times: number } & Limited)
  /** No violation within so many steps. */
  | ({ readonly kind: 'steps'; readonly steps: number } & Limited)
  /** Assertions that hold in every execution, and those that are not decided. */
  | { readonly kind: 'assertions'; readonly proved: readonly Claim[]; readonly open: readonly Claim[] }
  /** Shared variables that no two threads access in a race, and those that are not decided, with two accesses of each. */
  | { readonly kind: 'races'; readonly proved: readonly string[]; readonly open: readonly OpenRace[] }

/** A place of the program, with its text. */
export interface Claim {
  readonly file: string
  readonly line: number
  readonly text: string
}

export interface OpenRace {
  readonly name: string
  readonly accesses: readonly [Claim, Claim]
}

export const claimAt = ({ file, line }: Position, text: string): Claim => ({ file, line, text })

/** What stood in the way of an answer. */
export type Obstacle =
  /** No engine had begun. */
  | { readonly kind: 'reading'; readonly phase: string }
  | { readonly kind: 'states'; readonly states: number; readonly open?: number }
  | { readonly kind: 'unrolling'; readonly bound: number; readonly events: number }

/** How much a fact says, to compare it with another of its kind. */
const extentOf = (fact: PartialFact): number => {
  switch (fact.kind) {
    case 'switches':
      return fact.switches
    case 'unrolled':
      return fact.times
    case 'steps':
      return fact.steps
    case 'assertions':
    case 'races':
      return fact.proved.length
  }
}

/** The facts of several sources: of each kind, and of each part of a property, the one that says most. */
export const mergeFacts = (facts: readonly PartialFact[]): readonly PartialFact[] => {
  const best = new Map<string, PartialFact>()
  for (const fact of facts) {
    const key = `${fact.kind} ${'only' in fact ? fact.only : ''}`
    const known = best.get(key)
    if (!known || extentOf(fact) > extentOf(known)) best.set(key, fact)
  }
  return [...best.values()]
}
