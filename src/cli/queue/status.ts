// heddle queue status: workers, rates, and what is left.
import { parseArguments, UsageError } from '../../run/call/options.js'
import { type QueueStatus, statusOf } from '../../run/queue/status.js'
import { QUEUE_OPTIONS } from './options.js'

export const queue = async (args: readonly string[]): Promise<number> => {
  const { files, options } = parseArguments(args, QUEUE_OPTIONS)
  const url = options.get('queue')?.[0]
  if (files.join() !== 'status' || url === undefined)
    throw new UsageError('heddle queue status --queue redis://HOST:PORT')
  const status = await statusOf(url)
  console.log(options.has('json') ? JSON.stringify({ version: 1, ...status }, null, 2) : textOf(status))
  return 0
}

const textOf = ({ workers, waiting, active, delayed, runs }: QueueStatus): string =>
  [
    `${workers.length} workers; jobs: ${active} running, ${waiting} waiting, ${delayed} delayed`,
    ...workers.map(
      ({ name, jobs, executions, executionsPerSecond, doing }) =>
        `  ${name}: ${jobs} jobs, ${executions} executions, ${executionsPerSecond} a second; ${doing}`,
    ),
    ...runs.map(({ what, state, done, left, executions, percent }) => {
      const rest = percent === undefined ? '' : `, ${executions} executions, about ${percent} % of the search`
      return `${what}: ${done} jobs done, ${left} known to be left${rest}${state === 'left' ? '; nobody waits for it' : ''}`
    }),
  ].join('\n')
