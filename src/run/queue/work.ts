// A worker of the queue: takes jobs, runs them in processes of their own, records what came of them. It may be killed at
// any time: a job whose worker is gone is given to another one, and a result that was recorded is not worked out again.
import { hostname } from 'node:os'
import type { Totals } from '../../engine/crew.js'
import type { Report } from '../../verdict/index.js'
import type { Request } from '../call/request.js'
import { decide } from '../decide.js'
import { type Connection, connect, JOB_OPTIONS } from './connection.js'
import { JobProcess } from './job-process.js'
import { childKey, type Job, jobId, type RunData, type SubtreeResult } from './jobs.js'
import { Store } from './store.js'
import type { TaskResult } from './tasks.js'

/** How long a job may take; the first ones of a search are short, so that everybody soon has something to do. */
const MAX_JOB_MS = 1000
const FIRST_JOB_MS = 100
const MIN_JOB_MS = 50
/** A run that nobody waits for is looked at again after so long. */
const LATER_MS = 3000
const SHOW_MS = 1000

/** A job that was begun before and not finished gets less, so that it ends before its worker does. */
const budgetOf = (key: string, begun: number): number => {
  const depth = key.split('.').length
  const full = Math.min(MAX_JOB_MS, FIRST_JOB_MS * 2 ** (depth - 1))
  return Math.max(MIN_JOB_MS, full / 2 ** Math.max(0, begun - 1))
}

/** Works until `close` of the answer is called. */
export const work = async (url: string, concurrency: number): Promise<{ close(): Promise<void> }> => {
  const connection = await connect(url)
  const worker = new QueueWorker(connection)
  const bull = connection.worker(async (job, lock) => {
    const { data, attemptsStarted, stalledCounter } = job
    const begun = attemptsStarted + (stalledCounter ?? 0)
    const isLast = job.attemptsMade + 1 >= (job.opts.attempts ?? 1)
    const outcome = await worker.run(data as Job, begun, isLast)
    if (outcome === 'later') {
      await job.moveToDelayed(Date.now() + LATER_MS, lock)
      const { DelayedError } = await import('bullmq')
      throw new DelayedError()
    }
  }, concurrency)
  const show = setInterval(() => void worker.show(), SHOW_MS)
  void worker.show()
  return {
    close: async () => {
      clearInterval(show)
      await bull.close(true)
      worker.close()
      await connection.close()
    },
  }
}

class QueueWorker {
  private readonly store: Store
  private readonly since = Date.now()
  private readonly idle: JobProcess[] = []
  private readonly busy = new Set<JobProcess>()
  private jobs = 0
  private executions = 0
  private doing = 'waiting'

  constructor(private readonly connection: Connection) {
    this.store = new Store(connection.redis)
  }

  async run(job: Job, begun: number, isLast: boolean): Promise<'done' | 'later'> {
    const state = await this.store.stateOf(job.token)
    if (state === 'gone') return 'done'
    if (state === 'left') return 'later'
    this.doing = `${job.kind} ${job.key}`
    try {
      if (job.kind === 'task') await this.decideTask(job)
      else await this.searchSubtree(job, begun, isLast)
    } finally {
      this.doing = 'waiting'
    }
    this.jobs++
    return 'done'
  }

  show(): Promise<void> {
    const { since, jobs, executions, doing } = this
    return this.store.showWorker({ name: `${hostname()}-${process.pid}`, since, jobs, executions, doing })
  }

  close(): void {
    for (const process of [...this.idle, ...this.busy]) process.close()
  }

  private async decideTask({ token, key, task }: Job & { kind: 'task' }): Promise<void> {
    if ((await this.store.resultOf(token, key)) !== undefined) return
    const began = Date.now()
    const request: Request = { ...task.request, deadline: began + task.timeoutMs }
    const decision = await decide(request).decision
    const wallMs = Date.now() - began
    const result: TaskResult =
      decision.kind === 'report'
        ? { kind: 'report', report: shortened(decision.report), cpuMs: decision.cpuMs, wallMs }
        : { ...decision, wallMs }
    await this.store.record(token, key, result)
  }

  /** What is left becomes jobs by the result that counts, whoever recorded it. */
  private async searchSubtree(job: Job & { kind: 'subtree' }, begun: number, isLast: boolean): Promise<void> {
    const { token, key } = job
    let result = await this.store.resultOf<SubtreeResult>(token, key)
    if (!result) {
      result = await this.store.record(token, key, await this.search(job, budgetOf(key, begun), isLast))
      this.executions += result.totals.executions
    }
    await this.connection.queue.addBulk(
      result.left.map((subtrees, i) => {
        const data: Job = { kind: 'subtree', token, key: childKey(key, i), subtrees }
        return { name: 'subtree', data, opts: { ...JOB_OPTIONS, jobId: jobId(data) } }
      }),
    )
  }

  private async search(job: Job & { kind: 'subtree' }, budgetMs: number, isLast: boolean): Promise<SubtreeResult> {
    const process = await this.processFor(job.token)
    this.busy.add(process)
    try {
      return await process.search({ subtrees: job.subtrees, budgetMs })
    } catch (error) {
      if (!isLast) throw error
      return {
        totals: NOTHING,
        left: [],
        failed: { kind: 'failure', what: 'engine failed', text: (error as Error).message },
      }
    } finally {
      this.busy.delete(process)
      if (process.isUsable) this.idle.push(process)
    }
  }

  private async processFor(token: string): Promise<JobProcess> {
    const waiting = this.idle.pop()
    if (waiting?.token === token) return waiting
    waiting?.close()
    const data = await this.store.dataOf<RunData>(token)
    if (data?.kind !== 'search') throw new Error('a search that is over')
    return new JobProcess(token, data)
  }
}

const shortened = ({
  verdict,
  reason,
  engine,
  memory_mb,
  stats,
}: Report): (TaskResult & { kind: 'report' })['report'] => ({
  ...{ verdict, engine, memory_mb, stats },
  ...(reason !== undefined && { reason }),
})

const NOTHING: Totals = {
  ...{ executions: 0, blocked: 0, dropped: 0, graphs: 0, events: 0, covered: 0 },
  ...{ digest: '0'.repeat(16), isCut: false, leftOutWrites: false, hasRacingWrites: false },
}
