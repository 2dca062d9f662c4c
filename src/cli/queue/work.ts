// heddle work: takes jobs from a queue until it is told to stop.
import { parseArguments, UsageError } from '../../run/call/options.js'
import { work as workFor } from '../../run/queue/work.js'
import { WORK_OPTIONS } from './options.js'

export const work = async (args: readonly string[]): Promise<number> => {
  const { options } = parseArguments(args, WORK_OPTIONS)
  const url = options.get('queue')?.[0]
  if (url === undefined) throw new UsageError('no queue given: heddle work --queue redis://HOST:PORT')
  const jobs = Number(options.get('jobs')?.[0] ?? '1')
  if (!Number.isInteger(jobs) || jobs < 1) throw new UsageError('--jobs is a number from 1')
  const worker = await workFor(url, jobs)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve)
  })
  // A job that is given up is another one's: there is nothing to wait for.
  await Promise.race([worker.close(), new Promise((resolve) => setTimeout(resolve, CLOSE_MS))])
  process.exit(0)
}

const CLOSE_MS = 1000
