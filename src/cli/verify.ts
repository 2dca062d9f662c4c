// heddle verify: reads the call, decides, prints the result, answers with the exit status of the contract.
import { reportJson } from '../output/report-json.js'
import { renderReport } from '../output/terminal.js'
import { withAdvice } from '../run/advice.js'
import { type Parsed, parseArguments } from '../run/call/options.js'
import { projectOf } from '../run/call/project-file.js'
import type { Request } from '../run/call/request.js'
import { requestFrom, verifyTable } from '../run/call/request-from.js'
import { taskOf } from '../run/call/task-report.js'
import { decide } from '../run/decide.js'
import type { Report } from '../verdict/index.js'
import { hashesOf } from './hashes.js'
import { checkOutputs, OUTPUTS } from './output-names.js'
import { endOnSignals, showProgress } from './progress.js'
import { expandProperties, outputNameFor, renderReports, worstOf } from './several.js'
import { STATUS } from './status.js'
import { showsProgress, styleOf } from './terminal-style.js'

export const verify = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, verifyTable())
  // A litmus test needs no engine's process, and many are decided in this one.
  if (parsed.files.every((file) => file.endsWith('.litmus')) && parsed.files.length > 0)
    return (await import('./litmus.js')).verifyLitmus(parsed)
  const project = projectOf(parsed)
  if (project) return (await import('./project.js')).verifyProject(project, args, parsed)
  return verifyProgram(parsed, [])
}

/** `stubs`: files beside those of the build, with -p. */
export const verifyProgram = async (parsed: Parsed, stubs: readonly string[]): Promise<number> => {
  const properties = expandProperties(parsed.options.get('property') ?? [])
  const single = properties.length <= 1
  const calls = single ? [parsed] : properties.map((property) => withProperty(parsed, property))
  for (const call of calls) checkOutputs(outputsOf(call))
  const reports: Report[] = []
  for (const call of calls) {
    const decided = await decideOne(call, stubs)
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
    printJson({
      verdict: worstOf(reports),
      results: reports.map((report) => ({ version: 1, ...reportJson(withHashes(report)) })),
    })
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

const decideOne = async (parsed: Parsed, stubs: readonly string[]): Promise<Decided> => {
  const began = Date.now()
  const request = await requestOf(parsed, began, stubs)
  const run = decide(request, (lines) => {
    if (!parsed.options.has('quiet')) for (const line of lines) console.error(line)
  })
  const stopProgress = showsProgress(parsed) ? showProgress(run, began, request.deadline) : () => {}
  const signals = endOnSignals(run)
  const decision = await run.decision
  signals.forget()
  stopProgress()
  if (decision.kind === 'input-error') return decision
  const found: Report = { ...withAdvice(decision.report, request), task: taskOf(request) }
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
  const problem = answer.kind === 'rejected' ? `it is rejected: ${answer.place}` : answer.reason
  return {
    ...rest,
    verdict: 'unknown',
    assumptions: [],
    reason: { kind: 'unchecked-proof', engine: report.engine, problem },
  }
}

/** With -p, the files come from the build. */
const requestOf = async (parsed: Parsed, began: number, stubs: readonly string[]): Promise<Request> => {
  const [build] = parsed.options.get('p') ?? []
  if (build === undefined) return requestFrom(parsed, began)
  const wanted = [...(parsed.options.get('file') ?? []), ...parsed.files]
  const request = requestFrom({ ...parsed, files: [] }, began)
  return (await import('../run/call/project.js')).withProject(request, build, wanted, stubs)
}

const outputsOf = (parsed: Parsed): ReadonlyMap<string, string> =>
  new Map(
    OUTPUTS.flatMap((name) => {
      const file = parsed.options.get(name)?.[0]
      return file === undefined ? [] : [[name, file] as const]
    }),
  )

const print = (report: Report, parsed: Parsed): void => {
  if (parsed.options.has('json')) printJson(reportJson(withHashes(report)))
  else process.stdout.write(renderReport(report, styleOf(parsed)))
}

/** Which texts the report is about: `heddle replay` and `heddle check` compare. */
const withHashes = (report: Report): Report =>
  report.task ? { ...report, task: { ...report.task, hashes: hashesOf(report.task.files) } } : report

/** The version of the form, which schema/report.schema.json describes. */
const printJson = (result: object): void => console.log(JSON.stringify({ version: 1, ...result }, null, 2))
