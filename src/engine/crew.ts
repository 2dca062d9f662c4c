// Others that search parts of the same program: threads of the same process, or machines behind a queue. One leads: it
// has the result, and hands out subtrees; the others help. All of them run the same engine on the same program, so that
// a subtree is named by the branches that lead to it. Messages are plain data.
import type { Reason } from '../verdict/reason.js'

/** A subtree of a search: at each place with several branches the one that is taken. */
export type Branches = readonly number[]

/** What a search has counted; sums of these are the counts of the whole. */
export interface Totals {
  readonly executions: number
  readonly blocked: number
  readonly dropped: number
  readonly graphs: number
  /** The longest execution, in events. */
  readonly events: number
  /** The part of the whole search that is done, by its branching. */
  readonly covered: number
  readonly digest: string
  /** A loop was cut at its bound. */
  readonly isCut: boolean
  /** What the engine graphs must know of all together before it proves anything (its again.ts). */
  readonly leftOutWrites: boolean
  readonly hasRacingWrites: boolean
  /** A violation that was not believed, and why. */
  readonly doubt?: string
}

export type Message =
  /** Subtrees that somebody else should search. */
  | { readonly kind: 'subtrees'; readonly subtrees: readonly Branches[] }
  /** Since the last message. `isDone`: the sender has nothing left. */
  | { readonly kind: 'totals'; readonly totals: Totals; readonly isDone: boolean }
  /** Since the beginning, of all: takes the place of what was counted before. */
  | { readonly kind: 'sum'; readonly totals: Totals; readonly isDone: boolean }
  | { readonly kind: 'violation'; readonly branches: Branches }
  /** The sender cannot go on; so nobody can say that all is searched. */
  | { readonly kind: 'failed'; readonly reason: Reason }

export interface Leader {
  readonly role: 'leader'
  /** Whether it searches, too, or only adds up what others find. */
  readonly searches: boolean
  /** How many have nothing to do. */
  wanting(): number
  give(subtrees: readonly Branches[]): void
  /** What has arrived; waits a little if nothing has and `mayWait`. */
  receive(mayWait: boolean): readonly Message[]
  /** Whether others are still at work. */
  isBusy(): boolean
  /** A search is over; `isStopped`: before its end. A property may need several, one after the other. */
  over(isProved: boolean, isStopped: boolean): void
}

export type Order =
  | { readonly kind: 'search'; readonly subtrees: readonly Branches[] }
  | { readonly kind: 'over'; readonly isProved: boolean }

export interface Helper {
  readonly role: 'helper'
  /** Waits for what to do next. */
  next(): Order
  send(message: Message): void
  /** Asked now and then: whether to say what was counted, to hand something over, or to stop and hand over everything. */
  wish(): 'go on' | 'report' | 'share' | 'stop'
}

export type Crew = Leader | Helper
