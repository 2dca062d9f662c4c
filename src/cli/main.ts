#!/usr/bin/env node
// The command line: chooses the command, turns wrong calls into status 2. Commands are one file each.
import { isUsageError, suggest, UsageError } from '../run/call/options.js'
import { STATUS } from './status.js'
import { verify } from './verify.js'
import { VERSION } from './version.js'

type Command = (args: readonly string[]) => Promise<number>

/** Loaded when called: start-up time is what a user notices first. */
const COMMANDS: Readonly<Record<string, Command>> = {
  verify,
  test: async (args) => (await import('./test/test.js')).test(args),
  bench: async (args) => (await import('./bench/bench.js')).bench(args),
  replay: async (args) => (await import('./replay/replay.js')).replay(args),
  check: async (args) => (await import('./check/check.js')).check(args),
  show: async (args) => (await import('./show.js')).show(args),
  stubs: async (args) => (await import('./stubs.js')).stubs(args),
  init: async (args) => (await import('./init.js')).init(args),
  harness: async (args) => (await import('./harness.js')).harness(args),
  ci: async (args) => (await import('./ci/ci.js')).ci(args),
  watch: async (args) => (await import('./watch/watch.js')).watch(args),
  lsp: async (args) => (await import('./lsp.js')).lsp(args),
  work: async (args) => (await import('./queue/work.js')).work(args),
  queue: async (args) => (await import('./queue/status.js')).queue(args),
  doctor: async () => (await import('./doctor.js')).doctor(),
}

const main = async (args: readonly string[]): Promise<number> => {
  const [command, ...rest] = args
  if (command === undefined || command === '--help' || command === '-h' || command === 'help') {
    const { helpFor, helpOverview } = await import('./help.js')
    console.log(rest[0] ? helpFor(rest[0]) : helpOverview())
    return command === undefined ? STATUS.wrongInput : 0
  }
  if (command === '--version' || command === 'version') {
    console.log(`heddle ${VERSION}`)
    return 0
  }
  const run = COMMANDS[command]
  if (!run)
    throw new UsageError(
      `unknown command ${command}${suggest(command, Object.keys(COMMANDS))}. The commands are ${Object.keys(COMMANDS).join(', ')}; heddle --help explains them`,
    )
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest
  if (own.includes('--help') || own.includes('-h')) {
    console.log((await import('./help.js')).helpFor(command))
    return 0
  }
  return run(rest)
}

// Whoever reads the output may stop early (`heddle show FILE | head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

const args = process.argv.slice(2)
main(args).then(
  (status) => {
    process.exitCode = status
  },
  (error: unknown) => {
    if (!isUsageError(error)) throw error
    // Whoever reads JSON gets some, whatever is wrong with the call.
    if (args.includes('--json'))
      console.log(JSON.stringify({ version: 1, verdict: 'error', diagnostics: [error.message] }, null, 2))
    console.error(`heddle: error: ${error.message}`)
    process.exitCode = STATUS.wrongInput
  },
)
