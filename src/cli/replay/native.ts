// heddle replay --native: compiles the program, unchanged, with the machine's compiler, links it to a runtime that lets
// every access and every pthread call wait for its turn in the schedule, runs it, and tells whether it really failed.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { nativeSchedule, RUNTIME, WRAPPED } from '../../output/native/index.js'
import type { Request } from '../../run/call/request.js'
import type { Interpreter, Replay, ViolationFound } from '../../semantics/index.js'
import { STATUS } from '../status.js'

export interface NativeReplay {
  readonly request: Request
  readonly interpreter: Interpreter
  readonly replayed: Replay
  /** Where to leave what was compiled. */
  readonly keep: string | undefined
}

const RUN_MS = 30_000

export const replayNatively = ({ request, interpreter, replayed, keep }: NativeReplay): number => {
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'heddle-native-'))
  mkdirSync(folder, { recursive: true })
  try {
    const built = build(request, folder)
    if (built.kind === 'problem')
      return answer(`? not compiled: ${built.text}`, 'NOT REPLAYED NATIVELY', STATUS.unknown)
    const schedule = nativeSchedule(replayed, interpreter.layout)
    const symbols = symbolsOf(built.program)
    const file = join(folder, 'schedule.txt')
    writeFileSync(file, schedule.text(symbols))
    const { stderr } = spawnSync(built.program, [], {
      env: { ...process.env, HEDDLE_SCHEDULE: file },
      encoding: 'utf8',
      timeout: RUN_MS,
      killSignal: 'SIGKILL',
      maxBuffer: 1 << 26,
    })
    return tell(outcomeOf(stderr ?? ''), replayed.violation!, built, schedule.events)
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

const answer = (text: string, last: string, status: number): number => {
  process.stdout.write(`${text}\n\n${last}\n`)
  return status
}

// ---- compile and link

type Built =
  | { readonly kind: 'built'; readonly program: string; readonly command: string }
  | { readonly kind: 'problem'; readonly text: string }

const build = (request: Request, folder: string): Built => {
  const compiler = process.env['CC'] ?? 'cc'
  const width = request.dataModel === 'ilp32' ? ['-m32'] : []
  const common = ['-g', '-O0', '-fwrapv', '-w', '-fno-pie', ...width]
  const include = [...request.includeDirs.map((d) => `-I${d}`), ...request.defines.map((d) => `-D${d}`)]
  const runtime = join(folder, 'runtime.c')
  const program = join(folder, 'program')
  writeFileSync(runtime, RUNTIME)
  try {
    const objects = request.files.map((file, i) => {
      const object = join(folder, `${i}-${basename(file)}.o`)
      const observed = ['-fsanitize=thread', '-finstrument-functions', '-x', 'c']
      run(compiler, [...common, ...include, ...observed, '-c', file, '-o', object])
      return object
    })
    run(compiler, [...common, '-pthread', '-c', runtime, '-o', `${runtime}.o`])
    const wraps = WRAPPED.map((name) => `-Wl,--wrap=${name}`)
    run(compiler, [...width, '-no-pie', '-pthread', ...wraps, ...objects, `${runtime}.o`, '-lm', '-o', program])
  } catch (error) {
    return { kind: 'problem', text: (error as Error).message }
  }
  return { kind: 'built', program, command: [compiler, '-fwrapv', '-pthread', ...width].join(' ') }
}

const run = (command: string, args: readonly string[]): void => {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 26 })
  if (error) throw new Error(`${command}: ${(error as NodeJS.ErrnoException).code ?? error.message}`)
  if (status !== 0)
    throw new Error(stderr.split('\n').find((line) => /error|undefined/.test(line)) ?? stderr.slice(0, 200))
}

/** Addresses by name; a name that stands for several is left out, numbers that compilers append are not part of it. */
const symbolsOf = (program: string): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  const several = new Set<string>()
  for (const line of execFileSync('nm', ['--defined-only', program], { encoding: 'utf8' }).split('\n')) {
    const [address, , symbol] = line.split(' ')
    if (!symbol) continue
    const name = symbol.replace(/\.\d+$/, '')
    if (found.has(name)) several.add(name)
    found.set(name, Number.parseInt(address!, 16))
  }
  for (const name of several) found.delete(name)
  return found
}

// ---- what came of it

interface Outcome {
  readonly kind: string
  readonly thread: number
  readonly line: number
  readonly skipped: number
  readonly file: string
  readonly what: string
}

const outcomeOf = (stderr: string): Outcome | undefined => {
  const match = /^HEDDLE (\w+) thread=(-?\d+) line=(-?\d+) skipped=(\d+) file=(.*?) what=(.*)$/m.exec(stderr)
  if (!match) return undefined
  const [, kind, thread, line, skipped, file, what] = match
  return { kind: kind!, thread: +thread!, line: +line!, skipped: +skipped!, file: file!, what: what! }
}

const tell = (outcome: Outcome | undefined, violation: ViolationFound, built: Built, events: number): number => {
  const happened = outcome && confirmation(outcome, violation, built)
  const skipped = outcome && outcome.skipped > 0 ? `; ${outcome.skipped} steps had to be let go out of turn` : ''
  if (!happened)
    return answer(
      `? the program did not fail when run in this order: ${outcome ? `${outcome.kind.toLowerCase()}, ${outcome.what}` : 'it ended by itself'}`,
      'NOT REPLAYED NATIVELY',
      STATUS.unknown,
    )
  const how = built.kind === 'built' ? built.command : ''
  return answer(
    `✗ ${happened}\n  Compiled with ${how}, run on real threads, ${events} accesses and calls in the order of the schedule${skipped}.`,
    'REPLAYED NATIVELY',
    STATUS.false,
  )
}

const confirmation = (outcome: Outcome, violation: ViolationFound, built: Built): string | undefined => {
  const who = outcome.thread === 0 ? 'main' : `T${outcome.thread}`
  switch (outcome.kind) {
    case 'ASSERT':
    case 'REACHED':
    case 'ABORT': {
      if (violation.kind !== 'error' || outcome.thread !== violation.thread) return undefined
      const { file, line } = violation.location.position
      const at =
        outcome.kind === 'ASSERT' ? `${outcome.file}:${outcome.line}` : (siteOf(outcome, built) ?? `${file}:${line}`)
      return outcome.kind === 'ASSERT'
        ? `the real program failed its assertion: ${outcome.what}, ${at}, in ${who}`
        : `the real program called ${outcome.what}, ${at}, in ${who}`
    }
    case 'RACE':
      return violation.kind === 'race'
        ? 'in the real program both threads stand before their accesses at the same time'
        : undefined
    case 'DEADLOCK':
      return violation.kind === 'deadlock' ? 'the real program is deadlocked: every thread is blocked' : undefined
    default:
      return undefined
  }
}

/** The line from which the function was called, where the debugging tools are at hand. */
const siteOf = ({ line: address }: Outcome, built: Built): string | undefined => {
  if (built.kind !== 'built' || address <= 0) return undefined
  const { stdout } = spawnSync('addr2line', ['-e', built.program, (address - 1).toString(16)], { encoding: 'utf8' })
  return /^[^?].*:\d+/.exec(stdout ?? '')?.[0]?.replace(/ \(.*$/, '')
}
