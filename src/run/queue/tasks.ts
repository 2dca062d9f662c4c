// The tasks of a bench over the queue: each is a job, decided by whoever takes it. A coordinator that is started again
// finds the results that were recorded while it was away.
import { readFileSync } from 'node:fs'
import { decodeSource } from '../../frontend/c/index.js'
import type { Report } from '../../verdict/index.js'
import type { Request } from '../call/request.js'
import { connect, JOB_OPTIONS } from './connection.js'
import { identityOf, type Job, jobId, type RunData } from './jobs.js'
import { Store } from './store.js'

const POLL_MS = 200
const ALIVE_MS = 5000

/** What a table needs of a decision. */
export type TaskResult = { readonly wallMs: number } & (
  | {
      readonly kind: 'report'
      readonly report: Pick<Report, 'verdict' | 'reason' | 'engine' | 'memory_mb' | 'stats'>
      readonly cpuMs: number
    }
  | { readonly kind: 'input-error'; readonly diagnostics: readonly string[] }
)

export interface QueuedTask {
  readonly key: string
  readonly request: Request
  readonly timeoutMs: number
}

/** `all`: names the bench, also when some of its tasks are done already. */
export const decideOverQueue = async (
  url: string,
  all: readonly string[],
  tasks: readonly QueuedTask[],
  onResult: (key: string, result: TaskResult) => void,
): Promise<void> => {
  const connection = await connect(url)
  const store = new Store(connection.redis)
  const jobs = tasks.map(({ key, request: { deadline: _, ...request }, timeoutMs }) => ({
    ...{ kind: 'task' as const, key: identityOf(key), name: key },
    task: { request: { ...request, texts: textsOf(request) }, timeoutMs },
  }))
  const identity = identityOf('bench', all, jobs.length === 0 ? '' : jobs[0]!.task.timeoutMs)
  const data: RunData = { kind: 'bench', tasks: all.length }
  const token = await store.open(identity, data)
  const left = new Map(jobs.map((job) => [job.key, job]))
  const addAll = (): Promise<unknown> =>
    connection.queue.addBulk(
      [...left.values()].map(({ name: _, ...rest }) => {
        const job: Job = { ...rest, token }
        return { name: 'task', data: job, opts: { ...JOB_OPTIONS, jobId: jobId(job) } }
      }),
    )
  await addAll()
  for (let alive = Date.now(); left.size > 0; ) {
    for (const [key, result] of await store.allResults<TaskResult>(token)) {
      const job = left.get(key)
      if (!job) continue
      left.delete(key)
      onResult(job.name, result)
    }
    if (Date.now() - alive > ALIVE_MS) {
      alive = Date.now()
      await store.keepAlive(token)
      // What is in the queue stays as it is; what was lost is there again.
      await addAll()
    }
    if (left.size > 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  await store.forget(identity, token)
  await connection.close()
}

/** Workers on other machines have no such files. */
const textsOf = ({ files, texts }: Pick<Request, 'files' | 'texts'>): Record<string, string> => ({
  ...Object.fromEntries(files.map((file) => [file, decodeSource(readFileSync(file))])),
  ...texts,
})
