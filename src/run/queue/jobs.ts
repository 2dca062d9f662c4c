// What is in the queue: subtrees of a search, or tasks of a bench.
import type { Branches, Totals } from '../../engine/crew.js'
import type { Reason } from '../../verdict/index.js'
import type { Request } from '../call/request.js'
import { sha256 } from '../hash.js'

export type Job =
  | { readonly kind: 'subtree'; readonly token: string; readonly key: string; readonly subtrees: readonly Branches[] }
  | { readonly kind: 'task'; readonly token: string; readonly key: string; readonly task: Task }

/** The request of a task; its deadline begins when it runs. */
interface Task {
  readonly request: Omit<Request, 'deadline'>
  readonly timeoutMs: number
}

/** What a run is about, for those who work for it. */
export type RunData =
  | {
      readonly kind: 'search'
      readonly request: Request
      /** Of searches of the same property that are over, whether they ended with a proof. */
      readonly past: readonly boolean[]
    }
  | { readonly kind: 'bench'; readonly tasks: number }

/** A subtree's result: what was counted, and what is left of it, in jobs of their own. */
export interface SubtreeResult {
  readonly totals: Totals
  readonly left: readonly (readonly Branches[])[]
  readonly violation?: Branches
  readonly failed?: Reason
}

/** The first job of a search; those that are left of a job have its key and a number. */
export const ROOT = '0'

export const childKey = (key: string, index: number): string => `${key}.${index}`

/** In the queue a job has this name: to add it again changes nothing. */
export const jobId = ({ token, key }: Pick<Job, 'token' | 'key'>): string => `${token}-${key}`

/** The same run, whoever asks for it: a coordinator that is started again finds what was done. */
export const identityOf = (...parts: readonly unknown[]): string => sha256(JSON.stringify(parts)).slice(0, 32)

/**
 * What is left of a job as new jobs: the oldest subtrees are the largest, so they stand alone; the others are small, and
 * one job together. So the number of jobs follows the time that a search takes, not its size.
 */
export const grouped = (left: readonly Branches[]): readonly (readonly Branches[])[] => {
  const [first, second, ...others] = left
  return [...(first ? [[first]] : []), ...(second ? [[second]] : []), ...(others.length > 0 ? [others] : [])]
}
