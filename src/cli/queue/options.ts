import type { CommandOption } from '../../run/call/options.js'

const QUEUE: CommandOption = {
  name: 'queue',
  value: 'URL',
  help: 'the Redis server that holds the jobs: redis://HOST:PORT',
}

export const WORK_OPTIONS: readonly CommandOption[] = [
  QUEUE,
  { name: 'jobs', value: 'N', default: '1', help: 'how many jobs run at the same time' },
]

export const QUEUE_OPTIONS: readonly CommandOption[] = [QUEUE, { name: 'json', help: 'print one JSON object' }]
