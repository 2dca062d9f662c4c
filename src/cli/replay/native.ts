// heddle replay --native: compiles the program, unchanged, with the machine's compiler, links it to the runtime of heddle
// test, makes a schedule of the verifier's execution (native/follow), runs it, and tells whether it really failed.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Followed, follow, guide, type Machine, type Traced, tracedItems } from '../../native/follow/index.js'
import {
  CHECKS,
  functionsFor,
  MAX_THREADS,
  type RunAnswer,
  type RunRequest,
  scheduleOf,
  symbolsOf,
} from '../../native/index.js'
import { compileProgram } from '../../native/process/compile.js'
import { Server } from '../../native/process/server.js'
import type { Request } from '../../run/call/request.js'
import type { Interpreter, Replay, ViolationFound } from '../../semantics/index.js'
import { STATUS } from '../status.js'
import { type CodePlaces, codePlaces } from '../test/build.js'

export interface NativeReplay {
  readonly request: Request
  readonly interpreter: Interpreter
  readonly replayed: Replay
  /** Where to leave what was compiled, and the schedule. */
  readonly keep: string | undefined
}

const RUN_MS = 20_000
/** How long to look near a schedule that does not show the violation by itself. */
const GUIDED_MS = 10_000

export const replayNatively = async ({ request, interpreter, replayed, keep }: NativeReplay): Promise<number> => {
  const violation = replayed.violation!
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'heddle-native-'))
  mkdirSync(folder, { recursive: true })
  try {
    if (violation.kind === 'endless') return failed('an execution without end is not run natively')
    const built = await compileProgram({
      ...{ files: request.files, folder, dataModel: request.dataModel, optimise: 'O0' },
      ...{ defines: request.defines, includeDirs: request.includeDirs, ldflags: [] },
      cflags: overflows(violation)
        ? ['-fsanitize=signed-integer-overflow', '-fsanitize-undefined-trap-on-error']
        : ['-fwrapv'],
    })
    if (built.kind === 'problem') return failed(`not compiled: ${built.text.split('\n')[0]}`)
    const symbols = symbolsOf(readFileSync(built.program))
    const server = new Server({
      ...{ program: resolve(built.program), args: [], functions: functionsFor(symbols), dictionary: [] },
      controlFile: join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), `heddle-${process.pid}-replay`),
    })
    try {
      const places = codePlaces(built.program, request.files)
      const traced = tracedItems(replayed, interpreter.layout)
      const machine = machineOf(server, symbols, places, violation)
      const shown = await reproduce(machine, traced, violation)
      if (keep !== undefined)
        writeFileSync(join(keep, 'schedule.json'), `${JSON.stringify(scheduleOf(shown.request, shown.request))}\n`)
      return tell(shown, violation, built.command, places)
    } finally {
      server.close()
    }
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

const overflows = (violation: ViolationFound): boolean =>
  violation.kind === 'error' && violation.violation.kind === 'overflow'

const answer = (text: string, last: string, status: number): number => {
  process.stdout.write(`${text}\n\n${last}\n`)
  return status
}
const failed = (text: string): number => answer(`? ${text}`, 'NOT REPLAYED NATIVELY', STATUS.unknown)

const machineOf = (
  server: Server,
  symbols: ReturnType<typeof symbolsOf>,
  places: CodePlaces,
  violation: ViolationFound,
): Machine => {
  const addresses = new Map<string, number | undefined>()
  for (const { name, address, kind } of symbols) {
    if (kind !== 'object') continue
    const tidy = name.replace(/\.\d+$/, '')
    // A name that stands for several objects tells nothing.
    addresses.set(tidy, addresses.has(tidy) ? undefined : address)
  }
  return {
    run: (request) => server.run(request),
    base: {
      ...{ policy: 'stay', seed: 0n, record: 0, segments: [], values: [], depth: 1, length: 8, fill: 0, reuse: false },
      ...{
        maxSteps: 1_000_000,
        runMs: RUN_MS,
        mallocMayFail: false,
        maxThreads: MAX_THREADS,
        checks: checksFor(violation),
      },
      // Whether a wait wakes by itself is asked each time, and answered as the trace has it.
      spurious: 1_000_000,
    },
    lines: (pcs) => {
      places.many(pcs)
      return (pc) => places(pc)?.line
    },
    addressOf: (symbol) => addresses.get(symbol),
  }
}

/** Races are seen by where the threads stand; what else could end a run before its time is not looked for. */
const checksFor = (violation: ViolationFound): number => {
  if (violation.kind !== 'error') return 0
  switch (violation.violation.kind) {
    case 'deref':
    case 'free':
      return CHECKS.accesses
    case 'memtrack':
      return CHECKS.leaks
    default:
      return 0
  }
}

// ---- what came of it

interface Shown {
  readonly how: 'exact' | 'guided' | 'no'
  readonly request: RunRequest
  /** None where the threads only stand before their accesses. */
  readonly answer: RunAnswer | undefined
  readonly followed: Followed
  readonly tries: number
}

const reproduce = async (machine: Machine, traced: Traced, violation: ViolationFound): Promise<Shown> => {
  const followed = await follow(machine, traced)
  const { values, segments } = followed
  const goesOn = violation.kind === 'error' ? [{ thread: violation.thread, steps: 1_000_000 }] : []
  const request = { ...machine.base, segments: [...segments, ...goesOn], values }
  if (followed.race) return { how: 'exact', request, answer: undefined, followed, tries: 0 }
  const run = await machine.run(request)
  const seen = { how: 'exact', request, answer: run, followed, tries: 0 } as const
  if (isShown(run, violation, true)) return seen
  const until = Date.now() + GUIDED_MS
  const base = violation.kind === 'race' ? { ...machine.base, checks: CHECKS.races } : machine.base
  const guided = await guide({ ...machine, base }, followed, {
    isOver: () => Date.now() > until,
    isShown: (a) => isShown(a, violation, false) && (violation.kind !== 'race' || isThatRace(machine, a, traced)),
  })
  return guided ? { ...seen, ...guided, how: 'guided' } : { ...seen, how: 'no' }
}

const isShown = (run: RunAnswer, violation: ViolationFound, exact: boolean): boolean => {
  switch (violation.kind) {
    case 'race':
      return run.outcome === 'race'
    case 'deadlock':
      return run.outcome === 'deadlock'
    case 'endless':
      return false
    case 'error':
      return (
        OUTCOMES_OF[violation.violation.kind]!.includes(run.outcome) &&
        (!exact || run.outcome === 'leak' || run.thread === violation.thread)
      )
  }
}

const OUTCOMES_OF: Readonly<Record<string, readonly RunAnswer['outcome'][]>> = {
  assert: ['assert'],
  'reach-error': ['assert', 'aborted'],
  overflow: ['crash'],
  deref: ['crash', 'invalid-access'],
  free: ['crash', 'invalid-access'],
  memtrack: ['leak'],
  limit: [],
}

/** A race of the program is the trace's only if it is between the same two lines. */
const isThatRace = ({ lines }: Machine, run: RunAnswer, { racing }: Traced): boolean => {
  const line = lines([run.pc, run.otherPc])
  const seen = [line(run.pc), line(run.otherPc)].sort().join()
  return (
    seen ===
    racing
      .map((item) => item.line)
      .sort()
      .join()
  )
}

const tell = (shown: Shown, violation: ViolationFound, command: string, places: CodePlaces): number => {
  const { followed, how, answer: run } = shown
  const { segments, missed, items } = followed
  const found = `${items - missed} of ${items} steps of the trace were found in the machine code`
  if (how === 'no') {
    const why =
      violation.kind === 'race'
        ? 'the threads do not come to their accesses'
        : `${run?.outcome}${run?.text ? `, ${run.text}` : ''}`
    return failed(`the program did not fail when run in this order, nor near it: ${why}; ${found}`)
  }
  const steps = segments.reduce((sum, s) => sum + s.steps, 0)
  const order =
    how === 'exact'
      ? `${steps} accesses and calls in the order of the trace${missed > 0 ? `; ${found}` : ''}`
      : `with the trace as a guide: its own order did not fail, one near it did (${shown.tries} tried)`
  return answer(
    `✗ ${happened(shown, violation, places)}\n  Compiled with ${command}, run on real threads, ${order}.`,
    'REPLAYED NATIVELY',
    STATUS.false,
  )
}

const happened = ({ answer: run }: Shown, violation: ViolationFound, places: CodePlaces): string => {
  if (!run) return 'in the real program both threads stand before their accesses at the same time'
  const who = run.thread === 0 ? 'main' : `T${run.thread}`
  const place = run.line > 0 ? run : places(run.pc)
  const where = `${place ? `${place.file}:${place.line}, ` : ''}in ${who}`
  switch (violation.kind) {
    case 'race':
      return 'in the real program nothing orders the two accesses'
    case 'deadlock':
      return 'the real program is deadlocked: every thread is blocked'
    case 'endless':
      return 'the real program does not end'
    case 'error':
      if (/\(\)$/.test(run.text)) return `the real program called ${run.text}, ${where}`
      return run.outcome === 'assert'
        ? `the real program failed its assertion: ${run.text}, ${where}`
        : `the real program failed: ${run.text}, ${where}`
  }
}
