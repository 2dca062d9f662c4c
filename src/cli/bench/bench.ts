// heddle bench: runs tasks with known verdicts, one row per run, and tabulates. Rows are appended to results.csv as they
// come, so that an interrupted run goes on where it stopped.

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchPage, type ChartLibrary } from '../../output/bench/page.js'
import {
  type BenchRow,
  compareRows,
  csvHeader,
  csvRow,
  markdownTables,
  parseCsv,
  summary,
} from '../../output/bench/table.js'
import { reasonText } from '../../output/reason.js'
import { parsePropertyFile } from '../../property/index.js'
import { milliseconds, type Parsed, parseArguments, UsageError } from '../../run/call/options.js'
import type { Request } from '../../run/call/request.js'
import { requestFrom, verifyTable } from '../../run/call/request-from.js'
import { findTasks, readTask } from '../../run/call/task-definition.js'
import { decide } from '../../run/decide.js'
import { readAsset } from '../../run/program/assets.js'
import type { TaskResult } from '../../run/queue/tasks.js'
import { BENCH_OPTIONS } from './options.js'

interface Run {
  readonly task: string
  readonly property: string
  readonly expected: boolean | undefined
  readonly configuration: ReadonlyMap<string, string>
  readonly repetition: number
}

export const bench = async (args: readonly string[]): Promise<number> => {
  const table = [...BENCH_OPTIONS, ...verifyTable().filter((o) => !BENCH_OPTIONS.some((b) => b.name === o.name))]
  const parsed = parseArguments(args, table)
  const option = (name: string): string | undefined => parsed.options.get(name)?.[0]
  if (parsed.files.length === 0) throw new UsageError('no tasks given: heddle bench FOLDER')
  const runs = runsFor(parsed)
  const rows: BenchRow[] = []
  const out = option('out')
  if (out) mkdirSync(out, { recursive: true })
  const csv = out && join(out, 'results.csv')
  if (csv && existsSync(csv)) rows.push(...rowsOfEarlierRun(csv))
  else if (csv) writeFileSync(csv, csvHeader())
  if (runs.length === 0) throw new UsageError(nothingToRun(parsed))
  const done = new Set(rows.map(keyOf))
  const todo = runs.filter((run) => !done.has(keyOf(rowKey(run))))

  if (csv && rows.length > 0)
    console.error(
      `heddle: ${csv} has ${rows.length} rows of earlier runs; ${todo.length} of ${runs.length} runs are left (choose another --out to start again)`,
    )
  const progress = progressLine()
  let finished = runs.length - todo.length
  const add = (row: BenchRow): void => {
    rows.push(row)
    if (csv) appendFileSync(csv, csvRow(row))
    finished++
    report(row, finished, runs.length)
    progress.show(runs.length - todo.length, finished, runs.length)
  }
  const url = option('queue')
  if (url === undefined)
    await inParallel(Number(option('jobs') ?? '1'), todo, async (run) => add(await execute(run, parsed)))
  else await overQueue(url, runs, todo, parsed, add)
  progress.clear()

  if (out) {
    writeFileSync(join(out, 'results.md'), markdownTables(rows))
    writeFileSync(join(out, 'results.html'), benchPage(rows, chartLibrary()))
  }
  console.log(`\n${summary(rows)}`)
  const old = option('compare')
  if (old) console.log(compareRows(parseCsv(readFileSync(old, 'utf8')), rows))
  return rows.some((row) => row.status === 'wrong') ? 1 : 0
}

/** A run that is started again goes on; a file of somebody else is not appended to. */
const rowsOfEarlierRun = (csv: string): readonly BenchRow[] => {
  const text = readFileSync(csv, 'utf8')
  if (!text.startsWith(csvHeader().trimEnd()))
    throw new UsageError(`${csv}: not a table of heddle bench; choose another --out, or remove the file`)
  return parseCsv(text)
}

const chartLibrary = (): ChartLibrary => ({
  script: readAsset('uPlot.iife.min.js').toString('utf8'),
  style: readAsset('uPlot.min.css').toString('utf8'),
})

const runsFor = (parsed: Parsed): Run[] => {
  const asked = parsed.options.get('property')?.[0]
  const repeat = Number(parsed.options.get('repeat')?.[0] ?? '1')
  const runs: Run[] = []
  for (const configuration of gridOf(parsed.options.get('grid') ?? []))
    for (const task of findTasks(parsed.files)) {
      const definition = readTask(task)
      for (const { property: file, expected } of definition.properties) {
        const parsedFile = existsSync(file) ? parsePropertyFile(readFileSync(file, 'utf8')) : undefined
        if (parsedFile?.kind !== 'property' || (asked && asked !== parsedFile.property)) continue
        const { property } = parsedFile
        for (let repetition = 0; repetition < repeat; repetition++)
          runs.push({ task, property, expected, configuration, repetition })
      }
    }
  return runs
}

/** Why there are tasks, but no runs. */
const nothingToRun = (parsed: Parsed): string => {
  const asked = parsed.options.get('property')?.[0]
  const files = findTasks(parsed.files).flatMap((task) => readTask(task).properties.map(({ property }) => property))
  const missing = files.find((file) => !existsSync(file))
  if (files.length === 0) return `the tasks of ${parsed.files.join(', ')} name no properties: nothing to compare with`
  if (missing !== undefined) return `${missing}: no such property file, so there is nothing to run`
  return `no task asks for ${asked ?? 'a property that Heddle decides'}: nothing to run`
}

/** Every combination of the grid's values. */
const gridOf = (axes: readonly string[]): Map<string, string>[] =>
  axes.reduce<Map<string, string>[]>(
    (grid, axis) => {
      const [key, values] = axis.split('=')
      if (!key || !values) throw new UsageError(`--grid ${axis}: write KEY=V1,V2`)
      return grid.flatMap((point) => values.split(',').map((value) => new Map([...point, [key, value]])))
    },
    [new Map()],
  )

const requestFor = (run: Run, parsed: Parsed): { readonly request: Request; readonly timeoutMs: number } => {
  const options = new Map(parsed.options)
  for (const own of ['jobs', 'grid', 'repeat', 'out', 'compare', 'queue']) options.delete(own)
  options.set('property', [run.property])
  for (const [key, value] of run.configuration) options.set(key, [value])
  const timeout = options.get('timeout')?.[0] ?? '20s'
  options.set('timeout', [timeout])
  return { request: requestFrom({ files: [run.task], options }, Date.now()), timeoutMs: milliseconds(timeout) }
}

const execute = async (run: Run, parsed: Parsed): Promise<BenchRow> => {
  const began = Date.now()
  const { request, timeoutMs } = requestFor(run, parsed)
  const result = await decide(request).decision
  return rowOf(run, { ...result, wallMs: Date.now() - began }, timeoutMs)
}

/** The runs are jobs for whoever works at the queue. */
const overQueue = async (
  url: string,
  runs: readonly Run[],
  todo: readonly Run[],
  parsed: Parsed,
  add: (row: BenchRow) => void,
): Promise<void> => {
  const { decideOverQueue } = await import('../../run/queue/tasks.js')
  const nameOf = (run: Run): string => keyOf(rowKey(run))
  const byName = new Map(todo.map((run) => [nameOf(run), { run, ...requestFor(run, parsed) }]))
  const tasks = [...byName].map(([key, { request, timeoutMs }]) => ({ key, request, timeoutMs }))
  await decideOverQueue(url, runs.map(nameOf), tasks, (key, result) => {
    const { run, timeoutMs } = byName.get(key)!
    add(rowOf(run, result, timeoutMs))
  })
}

const rowOf = (run: Run, result: TaskResult, timeoutMs: number): BenchRow => {
  const { wallMs } = result
  if (result.kind === 'input-error')
    return {
      ...rowKey(run),
      verdict: 'error',
      status: 'error',
      reason: result.diagnostics[0] ?? '',
      wallMs,
      cpuMs: 0,
      memoryMb: 0,
      engine: '',
      stats: {},
    }
  const { report } = result
  const decided = report.verdict !== 'unknown'
  const right = run.expected === undefined || String(run.expected) === report.verdict
  const status = decided
    ? right
      ? 'correct'
      : 'wrong'
    : report.reason?.kind === 'timeout' || wallMs >= timeoutMs
      ? 'timeout'
      : 'unknown'
  return {
    ...rowKey(run),
    verdict: report.verdict,
    status,
    reason: report.reason ? reasonText(report.reason) : '',
    wallMs,
    cpuMs: result.cpuMs,
    memoryMb: report.memory_mb,
    engine: report.engine,
    stats: report.stats,
  }
}

const rowKey = (run: Run): Pick<BenchRow, 'task' | 'property' | 'expected' | 'configuration' | 'repetition'> => ({
  task: run.task,
  property: run.property,
  expected: run.expected === undefined ? '' : String(run.expected),
  configuration: [...run.configuration].map(([k, v]) => `${k}=${v}`).join(' '),
  repetition: run.repetition,
})

const keyOf = (row: Pick<BenchRow, 'task' | 'property' | 'configuration' | 'repetition'>): string =>
  [row.task, row.property, row.configuration, row.repetition].join('|')

const CLEAR_LINE = '\r\u001b[K'
const BAR = 30

/** On a terminal, below the rows: how much is done, and how long the rest takes if it is like what was done. */
const progressLine = (): { show(before: number, done: number, all: number): void; clear(): void } => {
  const began = Date.now()
  const { stderr } = process
  if (!stderr.isTTY) return { show: () => {}, clear: () => {} }
  return {
    show: (before, done, all) => {
      const left = ((Date.now() - began) / Math.max(1, done - before)) * (all - done)
      const full = Math.round((BAR * done) / all)
      const bar = '█'.repeat(full) + '░'.repeat(BAR - full)
      stderr.write(`${CLEAR_LINE}${bar} ${done} of ${all}, about ${Math.ceil(left / 60_000)} min left`)
    },
    clear: () => stderr.write(CLEAR_LINE),
  }
}

const report = (row: BenchRow, done: number, all: number): void => {
  const seconds = (row.wallMs / 1000).toFixed(1).padStart(6)
  const mark = row.status === 'correct' ? '✓' : row.status === 'wrong' ? 'WRONG' : '-'
  const note = row.reason ? `  ${row.reason.slice(0, 100)}` : ''
  if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE)
  console.log(
    `[${done}/${all}] ${mark.padEnd(5)} ${row.verdict.padEnd(7)} ${seconds} s  ${row.engine.padEnd(9)} ${row.task} ${row.configuration}${note}`,
  )
}

const inParallel = async <T>(jobs: number, items: readonly T[], run: (item: T) => Promise<void>): Promise<void> => {
  const queue = [...items]
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, worker))
}
