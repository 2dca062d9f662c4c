// What goes on at a queue: who works, how fast, what is left.
import { connect } from './connection.js'
import type { RunData, SubtreeResult } from './jobs.js'
import { Store, type WorkerState } from './store.js'

interface RunStatus {
  readonly token: string
  readonly what: string
  readonly state: 'alive' | 'left' | 'gone'
  /** Results that are recorded. */
  readonly done: number
  /** Jobs whose result is still missing, as far as they are known. */
  readonly left: number
  readonly executions: number
  /** How much of a search is done, by its branching. */
  readonly percent?: number
}

export interface QueueStatus {
  readonly workers: readonly (WorkerState & { readonly executionsPerSecond: number })[]
  readonly waiting: number
  readonly active: number
  readonly delayed: number
  readonly runs: readonly RunStatus[]
}

export const statusOf = async (url: string): Promise<QueueStatus> => {
  const connection = await connect(url)
  const store = new Store(connection.redis)
  const { waiting = 0, active = 0, delayed = 0 } = await connection.queue.getJobCounts('waiting', 'active', 'delayed')
  const runs: RunStatus[] = []
  for (const token of await store.tokens()) runs.push(await runStatus(store, token))
  const workers = (await store.workers()).map((worker) => ({
    ...worker,
    executionsPerSecond: Math.round(worker.executions / Math.max(1, (Date.now() - worker.since) / 1000)),
  }))
  await connection.close()
  return { workers, waiting, active, delayed, runs }
}

const runStatus = async (store: Store, token: string): Promise<RunStatus> => {
  const data = await store.dataOf<RunData>(token)
  const state = await store.stateOf(token)
  const results = [...(await store.allResults<SubtreeResult>(token)).values()]
  const done = results.length
  if (data?.kind !== 'search') {
    const tasks = data?.tasks ?? 0
    return { token, what: 'bench', state, done, left: Math.max(0, tasks - done), executions: 0 }
  }
  const sum = (of: (r: SubtreeResult) => number): number => results.reduce((total, r) => total + of(r), 0)
  return {
    ...{ token, state, done, what: `${data.request.files.join(' ')} (${data.request.property})` },
    left: 1 + sum(({ left }) => left.length) - done,
    executions: sum(({ totals }) => totals.executions + totals.blocked),
    percent: Number((100 * sum(({ totals }) => totals.covered)).toPrecision(3)),
  }
}
