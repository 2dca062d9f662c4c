// heddle verify: reads the call, decides, prints the result, answers with the exit status of the contract.
import { existsSync, readFileSync, statSync } from 'node:fs'
import type { EngineSpec } from '../engine/index.js'
// Not through the folders' doors: their engines and analyses are for the processes that run them.
import { ENGINES } from '../engine/registry.js'
import { renderReport, type TerminalStyle } from '../output/terminal.js'
import { isProperty, PROPERTIES, type Property, parsePropertyFile } from '../property/names.js'
import { checkModelName } from '../run/call/model-names.js'
import {
  type CommandOption,
  megabytes,
  milliseconds,
  type Parsed,
  parseArguments,
  UsageError,
  VERIFY_OPTIONS,
} from '../run/call/options.js'
import type { Request } from '../run/call/request.js'
import { readTask } from '../run/call/task-definition.js'
import { type Decide, decide } from '../run/decide.js'
import { proposeTest } from '../run/propose-test.js'
import type { Report } from '../verdict/index.js'
import { checkOutputs, OUTPUTS, taskOf } from './output-names.js'
import { expandProperties, outputNameFor, renderReports, worstOf } from './several.js'

export const STATUS = { true: 0, false: 1, wrongInput: 2, unknown: 3 } as const

/** The options of verify with those of all engines: a name that several engines have is one option here. */
export const verifyTable = (): readonly CommandOption[] => {
  const engineOptions = new Map<string, CommandOption>()
  for (const engine of ENGINES)
    for (const [name, spec] of Object.entries(engine.options)) {
      const values = Array.isArray(spec.values) ? spec.values : undefined
      const before = engineOptions.get(name)
      engineOptions.set(name, {
        name,
        value: values
          ? [...new Set([...(before?.values ?? []), ...values])].join('|')
          : String(spec.values).toUpperCase(),
        ...(values && { values: [...new Set([...(before?.values ?? []), ...values])] }),
        help: spec.help,
      })
    }
  return [...VERIFY_OPTIONS, ...engineOptions.values()]
}

export const verify = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, verifyTable())
  // A litmus test needs no engine's process, and many are decided in this one.
  if (parsed.files.every((file) => file.endsWith('.litmus')) && parsed.files.length > 0)
    return (await import('./litmus.js')).verifyLitmus(parsed)
  const properties = expandProperties(parsed.options.get('property') ?? [])
  const single = properties.length <= 1
  const calls = single ? [parsed] : properties.map((property) => withProperty(parsed, property))
  for (const call of calls) checkOutputs(outputsOf(call))
  const reports: Report[] = []
  for (const call of calls) {
    const decided = await decideOne(call)
    if (decided.kind === 'input-error') {
      if (parsed.options.has('json')) printJson({ verdict: 'error', diagnostics: decided.diagnostics })
      for (const diagnostic of decided.diagnostics) console.error(diagnostic)
      return STATUS.wrongInput
    }
    reports.push(decided.report)
    if (decided.interrupted) break
  }
  if (single) print(reports[0]!, parsed)
  else if (parsed.options.has('json'))
    printJson({ verdict: worstOf(reports), results: reports.map((report) => ({ version: 1, ...report })) })
  else process.stdout.write(renderReports(reports, styleOf(parsed)))
  for (const report of reports) await writeOutputsOf(report, parsed, single)
  return STATUS[worstOf(reports)]
}

const withProperty = ({ files, options }: Parsed, property: string): Parsed => ({
  files,
  options: new Map([...options, ['property', [property]]]),
})

type Decided =
  | { readonly kind: 'report'; readonly report: Report; readonly interrupted: boolean }
  | { readonly kind: 'input-error'; readonly diagnostics: readonly string[] }

const decideOne = async (parsed: Parsed): Promise<Decided> => {
  const began = Date.now()
  const request = await requestOf(parsed, began)
  const run = decide(request, (lines) => {
    for (const line of lines) console.error(line)
  })
  const stopProgress =
    process.stderr.isTTY && !parsed.options.has('json') ? showProgress(run, began, request) : () => {}
  const signals = endOnSignals(run)
  const decision = await run.decision
  signals.forget()
  stopProgress()
  if (decision.kind === 'input-error') return decision
  const found: Report = { ...proposeTest(decision.report, request), task: taskOf(request) }
  const decided = parsed.options.has('fix') && found.verdict === 'false' ? await withFix(request, found) : found
  const report = parsed.options.has('check') ? await checkedReport(request, decided) : decided
  return { kind: 'report', report, interrupted: signals.seen() }
}

/** With `--fix`: which memory orders would make it hold. */
const withFix = async (request: Request, report: Report): Promise<Report> => {
  const answer = await (await import('../run/fix.js')).fixOrders(request)
  return answer.kind === 'fix' ? { ...report, fix: answer.fix } : { ...report, fix: { reason: answer.reason } }
}

const writeOutputsOf = async (report: Report, parsed: Parsed, single: boolean): Promise<void> => {
  const named = [...outputsOf(parsed)].map(
    ([name, file]) => [name, single ? file : outputNameFor(file, report.property)] as const,
  )
  if (named.length > 0) await (await import('./outputs.js')).writeOutputs(report, report.task!, new Map(named))
}

/** With `--check`: a TRUE whose proof is not accepted is none. */
const checkedReport = async (request: Request, report: Report): Promise<Report> => {
  if (report.verdict !== 'true') return report
  const answer = await (await import('./check/proof.js')).checkReport(request, report)
  if (answer.kind === 'accepted') return { ...report, checked: answer.how }
  const { certificate: _, ...rest } = report
  const reason = answer.kind === 'rejected' ? `it is rejected: ${answer.place}` : answer.reason
  return {
    ...rest,
    verdict: 'unknown',
    assumptions: [],
    reason: `the proof of ${report.engine} is not checked: ${reason}`,
  }
}

/** With -p, the files come from the build. */
const requestOf = async (parsed: Parsed, began: number): Promise<Request> => {
  const [build] = parsed.options.get('p') ?? []
  if (build === undefined) return requestFrom(parsed, began)
  const wanted = [...(parsed.options.get('file') ?? []), ...parsed.files]
  const request = requestFrom({ ...parsed, files: [] }, began)
  return (await import('../run/call/project.js')).withProject(request, build, wanted)
}

export const requestFrom = (parsed: Parsed, now: number, texts?: Request['texts']): Request => {
  const option = (name: string): string | undefined => parsed.options.get(name)?.[0]
  const standard = (name: string): string => option(name) ?? VERIFY_OPTIONS.find((o) => o.name === name)!.default!
  if (parsed.files.length === 0 && !parsed.options.has('p')) throw new UsageError('no file given: heddle verify FILE.c')
  const task = parsed.files.length === 1 && /\.ya?ml$/.test(parsed.files[0]!) ? readTask(parsed.files[0]!) : undefined
  const files = task?.files ?? parsed.files
  for (const file of files) if (texts?.[file] === undefined) checkReadable(file)
  const property = propertyFrom(option('property') ?? task?.properties[0]?.property ?? 'assert')
  const engine = standard('engine')
  return {
    files,
    ...(texts && { texts }),
    property,
    engine,
    engineOptions: engineOptionsFrom(parsed, engine, property),
    dataModel: (option('data-model') ?? task?.dataModel ?? 'lp64') as Request['dataModel'],
    entry: standard('entry'),
    defines: parsed.options.get('D') ?? [],
    includeDirs: [...(parsed.options.get('I') ?? []), ...(parsed.options.get('isystem') ?? [])],
    ...(parsed.options.has('U') && { undefines: parsed.options.get('U')! }),
    ...(parsed.options.has('include') && { preincludes: parsed.options.get('include')! }),
    ...(option('std') !== undefined && { std: option('std')! }),
    ...(option('cpp') !== undefined && { cpp: option('cpp')! }),
    ...((parsed.options.has('assume-pure') || standard('extern') === 'havoc') && {
      externs: {
        pure: (parsed.options.get('assume-pure') ?? []).flatMap((names) => names.split(',')),
        havoc: standard('extern') === 'havoc',
      },
    }),
    ...(option('volatile-is-atomic') === 'on' && { volatileIsAtomic: true }),
    headers: standard('headers') as NonNullable<Request['headers']>,
    arith: standard('arith') as Request['arith'],
    solver: standard('solver'),
    memoryModel: memoryModelFrom(standard('memory-model'), engine),
    // Task definitions are of a competition whose programs are sequentially consistent.
    ...(option('memory-model') === undefined && !task && { byOrders: true }),
    spuriousWakeups: standard('spurious-wakeups') === 'on',
    mallocMayFail: option('malloc-may-fail') === 'on',
    ...errorFunctionsFrom(parsed),
    deadline: now + milliseconds(standard('timeout')),
    memoryMb: megabytes(standard('memory')),
  }
}

/** Sequential consistency and store buffers are for every engine, models as axioms for bmc. */
const memoryModelFrom = (text: string, engine: string): string => {
  if (text === 'sc' || text === 'tso' || text === 'pso') return text
  checkModelName(text)
  if (engine !== 'auto' && engine !== 'bmc')
    throw new UsageError(
      `--memory-model ${text}: the engine ${engine} takes sc, tso and pso; bmc takes models as axioms`,
    )
  return text
}

/** --error-function abort,my_panic */
const errorFunctionsFrom = (parsed: Parsed): Pick<Request, 'errorFunctions'> => {
  const names = (parsed.options.get('error-function') ?? []).flatMap((list) => list.split(','))
  const wrong = names.find((name) => !/^[A-Za-z_]\w*$/.test(name))
  if (wrong !== undefined) throw new UsageError(`--error-function ${wrong}: not the name of a function`)
  return names.length > 0 ? { errorFunctions: names } : {}
}

const checkReadable = (file: string): void => {
  if (!existsSync(file)) throw new UsageError(`${file}: no such file`)
  if (statSync(file).isDirectory()) throw new UsageError(`${file}: is a directory, not a C file`)
}

/** A name, or the path of an SV-COMP property file. */
export const propertyFrom = (text: string): Property => {
  if (isProperty(text)) return text
  if (!text.endsWith('.prp'))
    throw new UsageError(`--property ${text}: not one of ${PROPERTIES.join(', ')}, nor a .prp file`)
  checkReadable(text)
  const parsed = parsePropertyFile(readFileSync(text, 'utf8'))
  if (parsed.kind === 'wrong') throw new UsageError(`${text}: ${parsed.reason}`)
  return parsed.property
}

const engineOptionsFrom = (parsed: Parsed, name: string, property: Property): Record<string, string> => {
  const engine: EngineSpec | undefined = ENGINES.find((e) => e.name === name)
  const result: Record<string, string> = {}
  for (const [option, values] of parsed.options) {
    const value = values[0]!
    if (!ENGINES.some((e) => e.options[option])) continue
    if (!engine) throw new UsageError(`--${option} belongs to a certain engine: say --engine NAME`)
    const spec = engine.options[option]
    if (!spec) throw new UsageError(`--${option} has no meaning for --engine ${name}`)
    if (Array.isArray(spec.values) && !spec.values.includes(value))
      throw new UsageError(`--${option} ${value}: ${name} takes ${spec.values.join(', ')}`)
    if (spec.values === 'number' && !/^\d+$/.test(value)) throw new UsageError(`--${option} ${value}: not a number`)
    result[option] = value
  }
  const senseless = engine?.senseless?.(result, property)
  if (senseless) throw new UsageError(senseless)
  return result
}

const outputsOf = (parsed: Parsed): ReadonlyMap<string, string> =>
  new Map(
    OUTPUTS.flatMap((name) => {
      const file = parsed.options.get(name)?.[0]
      return file === undefined ? [] : [[name, file] as const]
    }),
  )

const print = (report: Report, parsed: Parsed): void => {
  if (parsed.options.has('json')) {
    printJson(report)
  } else {
    process.stdout.write(renderReport(report, styleOf(parsed)))
  }
}

const styleOf = (parsed: Parsed): TerminalStyle => ({
  width: process.stdout.columns ?? 110,
  colour: Boolean(process.stdout.isTTY) && !process.env['NO_COLOR'],
  stats: parsed.options.has('stats'),
})

/** The version of the form, which schema/report.schema.json describes. */
const printJson = (result: object): void => console.log(JSON.stringify({ version: 1, ...result }, null, 2))

/** One line, rewritten; only on a terminal. */
const showProgress = (run: Decide, began: number, request: Request): (() => void) => {
  const limit = Math.round((request.deadline - began) / 1000)
  const timer = setInterval(() => {
    const parts = run.running().map(({ engine, progress }) => {
      const counts = Object.entries(progress?.counts ?? {}).map(([k, v]) => `${v.toLocaleString('en-US')} ${k}`)
      return [engine, progress?.phase, ...counts].filter(Boolean).join(' · ')
    })
    const line = `${parts.join(' │ ')} · ${Math.round((Date.now() - began) / 1000)} s of ${limit} s`
    process.stderr.write(`\r\u001b[2K${line.slice(0, (process.stderr.columns ?? 100) - 1)}`)
  }, 200)
  return () => {
    clearInterval(timer)
    process.stderr.write('\r\u001b[2K')
  }
}

const endOnSignals = (run: Decide): { forget(): void; seen(): boolean } => {
  let seen = false
  const handlers = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const handler = (): void => {
      seen = true
      run.end('interrupted')
    }
    process.on(signal, handler)
    return () => process.off(signal, handler)
  })
  return {
    forget: () => {
      for (const off of handlers) off()
    },
    seen: () => seen,
  }
}
