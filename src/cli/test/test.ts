// heddle test: the real program, compiled by the machine's compiler, under our scheduler. It finds failing assertions,
// races, deadlocks, crashes and leaks, and tells them like a counterexample; finding nothing proves nothing.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Campaign,
  chanceOfNew,
  checksFor,
  FINDINGS,
  type Finding,
  type Found,
  MAX_THREADS,
  type RunRequest,
  readSchedule,
  replayRequest,
  type Strategy,
} from '../../native/index.js'
import { ServerEnded } from '../../native/process/server.js'
import { reportJson } from '../../output/report-json.js'
import { renderReport } from '../../output/terminal.js'
import { milliseconds, type Parsed, parseArguments, UsageError } from '../../run/call/options.js'
import { projectOf } from '../../run/call/project-file.js'
import { readTask } from '../../run/call/task-definition.js'
import type { Report, TaskReport } from '../../verdict/index.js'
import { STATUS } from '../status.js'
import { showsProgress, styleOf } from '../terminal-style.js'
import { buildProgram, type Program } from './build.js'
import { TEST_OPTIONS } from './options.js'
import { testProject } from './project.js'
import { describeFound, unknownReport } from './report.js'

export interface TestCall {
  readonly parsed: Parsed
  readonly files: readonly string[]
  readonly args: readonly string[]
  readonly findings: ReadonlySet<Finding>
  readonly timeoutMs: number
  readonly maxRuns: number
  readonly strategy: Strategy
  readonly seed: bigint
  readonly jobs: number
  readonly maxSteps: number
  readonly runMs: number
  readonly depth: number
  readonly replays: number
  readonly spurious: number
  readonly mallocMayFail: boolean
  readonly task: TaskReport
}

export const option = (parsed: Parsed, name: string): string | undefined =>
  parsed.options.get(name)?.[0] ?? TEST_OPTIONS.find((o) => o.name === name)?.default

export const test = async (args: readonly string[]): Promise<number> => {
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  const parsed = parseArguments(own, TEST_OPTIONS)
  const builds = ['build', 'run', 'compile-commands', 'replay'].some((name) => parsed.options.has(name))
  const project = builds ? undefined : projectOf(parsed)
  return project ? testProject(project, args, parsed, testProgramOf) : testProgramOf(args)
}

const testProgramOf = async (args: readonly string[]): Promise<number> => {
  const call = callFrom(args)
  const keep = option(call.parsed, 'keep')
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'heddle-test-'))
  if (keep) mkdirSync(keep, { recursive: true })
  const clean = (): void => {
    if (!keep) rmSync(folder, { recursive: true, force: true })
  }
  const cleanups: (() => void)[] = [clean]
  try {
    const built = await buildProgram(call, folder, cleanups)
    if (built.kind === 'problem') {
      console.error(`heddle: error: ${built.text}`)
      if (!built.noCompiler) return STATUS.wrongInput
      console.log('VERDICT: UNKNOWN(no C compiler)')
      return STATUS.unknown
    }
    return await testProgram(call, built, cleanups)
  } catch (error) {
    if (!(error instanceof ServerEnded)) throw error
    console.error(`heddle: error: ${error.message}`)
    return STATUS.unknown
  } finally {
    for (const cleanup of cleanups.toReversed()) cleanup()
  }
}

const testProgram = async (call: TestCall, program: Program, cleanups: (() => void)[]): Promise<number> => {
  const began = Date.now()
  const replay = option(call.parsed, 'replay')
  const runners = Array.from({ length: replay === undefined ? call.jobs : 1 }, (_, i) => program.start(i))
  cleanups.push(() => {
    for (const runner of runners) runner.close()
  })
  if (replay !== undefined) return replaySchedule(call, program, runners[0]!, replay)
  let ended = false
  const deadline = began + call.timeoutMs
  let firstRace: number | undefined
  const campaign = new Campaign(runners, {
    ...call,
    openValues: program.dictionary.slice(0, 12),
    isOver: () => ended || Date.now() >= deadline,
    remainingMs: () => deadline - Date.now(),
    patience: () => {
      firstRace ??= Date.now()
      return Date.now() < Math.min(firstRace + RACE_PATIENCE_MS, deadline)
    },
    isAssumption: (pc) => /^assume/.test(program.place(pc)?.function ?? ''),
  })
  const onSignal = (): void => {
    ended = true
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  const stopProgress = showsProgress(call.parsed) ? showProgress(campaign, runners, began, call) : () => {}
  const found = await campaign.run()
  stopProgress()
  process.off('SIGINT', onSignal)
  process.off('SIGTERM', onSignal)
  const measured = { began, campaign, deadline, coverage: Math.max(0, ...runners.map((r) => r.coverage())) }
  const report = found
    ? await describeFound(call, program, runners[0]!, found, measured)
    : unknownReport(call, measured)
  return finish(call, report)
}

/** How long a race is kept back, to see whether it makes an assertion fail. */
const RACE_PATIENCE_MS = 1500

const finish = async (call: TestCall, report: Report): Promise<number> => {
  const { parsed } = call
  if (parsed.options.has('json')) console.log(JSON.stringify(reportJson(report), null, 2))
  else process.stdout.write(renderReport(report, styleOf(parsed)))
  const schedule = option(parsed, 'schedule')
  if (schedule !== undefined && report.native) writeFileSync(schedule, `${JSON.stringify(report.native)}\n`)
  const outputs = new Map(
    ['html', 'sarif'].flatMap((name) => (parsed.options.has(name) ? [[name, option(parsed, name)!] as const] : [])),
  )
  if (outputs.size > 0)
    await (await import('../outputs.js')).writeOutputs(
      { ...report, property: report.violated ?? report.property },
      call.task,
      outputs,
    )
  return STATUS[report.verdict]
}

/** What a campaign asks for, without schedule and values. */
export const baseRequest = (call: TestCall): RunRequest => ({
  ...{ policy: 'stay', seed: 0n, checks: checksFor(call.findings), record: 0, segments: [], values: [] },
  ...{ maxSteps: call.maxSteps, runMs: call.runMs, depth: 1, length: 8, fill: 0, reuse: false },
  ...{ spurious: call.spurious, mallocMayFail: call.mallocMayFail, maxThreads: MAX_THREADS },
})

const replaySchedule = async (
  call: TestCall,
  program: Program,
  runner: ReturnType<Program['start']>,
  file: string,
): Promise<number> => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file}: ${(error as NodeJS.ErrnoException).code ?? 'cannot be read'}`)
  }
  const schedule = readSchedule(text)
  if ('wrong' in schedule) throw new UsageError(`${file}: ${schedule.wrong}`)
  const began = Date.now()
  const request = { ...replayRequest(schedule, baseRequest(call)) }
  const answer = await runner.run(request)
  const campaign = new Campaign([], {
    ...call,
    openValues: [],
    isOver: () => true,
    remainingMs: () => 0,
    patience: () => false,
    isAssumption: () => false,
  })
  campaign.counts.schedules = 1
  const { findingOf } = await import('../../native/index.js')
  const finding = findingOf(answer, { isAssumption: () => false })
  const measured = { began, campaign, deadline: began, coverage: runner.coverage() }
  if (!finding) return finish(call, unknownReport(call, measured))
  const found: Found = { finding, request: { ...request, segments: [], values: [] }, answer }
  return finish(call, await describeFound(call, program, runner, found, measured, { shrinks: false }))
}

// ---- the call

const callFrom = (args: readonly string[]): TestCall => {
  const split = args.indexOf('--')
  const parsed = parseArguments(split < 0 ? args : args.slice(0, split), TEST_OPTIONS)
  const number = (name: string): number => {
    const text = option(parsed, name)!
    if (!/^\d+$/.test(text) || Number(text) < 1) throw new UsageError(`--${name} ${text}: not a number above 0`)
    return Number(text)
  }
  const task = parsed.files.length === 1 && /\.ya?ml$/.test(parsed.files[0]!) ? readTask(parsed.files[0]!) : undefined
  const files = task?.files ?? parsed.files
  const building = parsed.options.has('build') || parsed.options.has('compile-commands') || parsed.options.has('run')
  if (files.length === 0 && !building)
    throw new UsageError('no file given: heddle test FILE.c... [-- ARGUMENTS], or --build COMMAND --run PROGRAM')
  if (parsed.options.has('build') && !parsed.options.has('run'))
    throw new UsageError('--build needs --run PROGRAM: what to run after it')
  for (const file of files) if (!existsSync(file)) throw new UsageError(`${file}: no such file`)
  const dataModel = (parsed.options.get('data-model')?.[0] ?? task?.dataModel ?? 'lp64') as TaskReport['dataModel']
  const seed = option(parsed, 'seed')!
  if (!/^\d{1,18}$/.test(seed)) throw new UsageError(`--seed ${seed}: not a number`)
  return {
    parsed,
    files,
    args: split < 0 ? [] : args.slice(split + 1),
    findings: findingsFrom(
      parsed.options.get('property')?.[0] ?? propertyOfTask(task?.properties[0]?.property) ?? 'all',
    ),
    timeoutMs: milliseconds(option(parsed, 'timeout')!),
    maxRuns: parsed.options.has('runs') ? number('runs') : Number.POSITIVE_INFINITY,
    strategy: option(parsed, 'strategy') as Strategy,
    seed: BigInt(seed),
    jobs: parsed.options.has('jobs') ? number('jobs') : availableParallelism(),
    maxSteps: number('steps'),
    runMs: milliseconds(option(parsed, 'run-timeout')!),
    depth: number('depth'),
    replays: number('replays'),
    spurious: option(parsed, 'spurious-wakeups') === 'on' ? 4 : 0,
    mallocMayFail: parsed.options.has('malloc-may-fail'),
    task: {
      ...{ files, dataModel, entry: 'main', spuriousWakeups: true, mallocMayFail: false },
      ...{ defines: parsed.options.get('D') ?? [], includeDirs: parsed.options.get('I') ?? [] },
    },
  }
}

const propertyOfTask = (property: string | undefined): string | undefined =>
  property === undefined
    ? undefined
    : ({ 'unreach-call': 'assert', 'valid-memsafety': 'crash,leak', termination: 'step-limit' }[property] ?? property)

const findingsFrom = (text: string): ReadonlySet<Finding> => {
  const names = text.split(',').map((name) => ({ 'unreach-call': 'assert', termination: 'step-limit' })[name] ?? name)
  const wrong = names.find((name) => name !== 'all' && !(FINDINGS as readonly string[]).includes(name))
  if (wrong !== undefined)
    throw new UsageError(`--property ${wrong}: heddle test looks for ${FINDINGS.join(', ')}, or all`)
  return new Set(
    names.flatMap((name) => (name === 'all' ? FINDINGS.filter((f) => f !== 'step-limit') : [name as Finding])),
  )
}

/** One line, rewritten; only on a terminal. */
const showProgress = (
  campaign: Campaign,
  runners: readonly { coverage(): number }[],
  began: number,
  call: TestCall,
): (() => void) => {
  const number = (n: number): string => n.toLocaleString('en-US')
  const timer = setInterval(() => {
    const { counts, exploration } = campaign
    const seconds = (Date.now() - began) / 1000
    const parts = [
      `${seconds.toFixed(0)} s of ${Math.round(call.timeoutMs / 1000)} s`,
      `${number(counts.schedules)} schedules (${number(Math.round(counts.schedules / seconds))}/s)`,
      `${number(counts.executions.size)} distinct`,
      `${number(Math.max(...runners.map((r) => r.coverage())))} pairs of racing places`,
      `preemption bound ${exploration.bound}`,
      `next one new: ${Math.round(100 * chanceOfNew(counts))} %`,
    ]
    process.stderr.write(`\r\u001b[K${parts.join(' · ').slice(0, (process.stderr.columns ?? 80) - 1)}`)
  }, 200)
  return () => {
    clearInterval(timer)
    process.stderr.write('\r\u001b[K')
  }
}
