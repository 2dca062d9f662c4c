// BullMQ on Redis: the queue that workers take jobs from. Both packages are optional; nobody needs them on one machine.
import type { JobsOptions, Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { UsageError } from '../call/options.js'

const QUEUE = 'jobs'
const PREFIX = 'heddle'

/** A worker that has not renewed its claim on a job for so long is dead. */
const LOCK_MS = 2000
/** How often workers look for jobs of dead ones. */
const STALLED_MS = 1000

/**
 * A job that was done is forgotten: its result is kept apart (store.ts), so that it counts once however often it runs.
 * A worker that dies does not make a job fail; a job whose own process fails is tried again a few times.
 */
export const JOB_OPTIONS: JobsOptions = {
  removeOnComplete: true,
  removeOnFail: true,
  attempts: 4,
  backoff: { type: 'fixed', delay: 500 },
}

interface Packages {
  readonly bullmq: typeof import('bullmq')
  readonly ioredis: { readonly Redis: typeof Redis }
}

const loadPackages = async (): Promise<Packages> => {
  try {
    const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')])
    return { bullmq, ioredis }
  } catch {
    throw new UsageError('--queue needs the packages bullmq and ioredis: npm install bullmq ioredis')
  }
}

export interface Connection {
  readonly redis: Redis
  readonly queue: Queue
  worker(run: ConstructorParameters<typeof Worker>[1], concurrency: number): Worker
  close(): Promise<void>
}

/** Commands wait while the server is away, and go on when it is back. */
export const connect = async (url: string): Promise<Connection> => {
  const { bullmq, ioredis } = await loadPackages()
  if (!/^rediss?:\/\//.test(url)) throw new UsageError(`--queue ${url}: write redis://HOST:PORT`)
  const open = (): Redis => {
    const redis = new ioredis.Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 300 })
    redis.on('error', () => {})
    return redis
  }
  const redis = open()
  const queue = new bullmq.Queue(QUEUE, { connection: redis, prefix: PREFIX })
  queue.on('error', () => {})
  const workers: Worker[] = []
  return {
    redis,
    queue,
    worker: (run, concurrency) => {
      const worker = new bullmq.Worker(QUEUE, run, {
        ...{ connection: open(), prefix: PREFIX, concurrency },
        ...{ lockDuration: LOCK_MS, stalledInterval: STALLED_MS, maxStalledCount: Number.MAX_SAFE_INTEGER },
      })
      worker.on('error', () => {})
      workers.push(worker)
      return worker
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close(true)))
      await queue.close()
      redis.disconnect()
    },
  }
}
