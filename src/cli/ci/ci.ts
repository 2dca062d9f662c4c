// heddle ci: verifies the programs of a project that changed, within a budget, and fails the build for findings that are
// not in the baseline. What the budget does not reach is told, not passed over.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { count } from '../../output/text.js'
import { milliseconds, type Parsed, parseArguments, UsageError } from '../../run/call/options.js'
import { expandProperties, worstOf } from '../several.js'
import { STATUS } from '../status.js'
import { CI_OPTIONS, DEFAULT_PROPERTIES } from './options.js'
import { beginCheck, lineOf, type Outcome } from './outcome.js'
import { changedPrograms, programsBelow } from './programs.js'

export interface Finding {
  readonly program: string
  readonly property: string
  /** The same for the same statement on another line: see sarif.ts. */
  readonly fingerprint: string
  readonly text: string
}

export const ci = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, CI_OPTIONS)
  const option = (name: string): string | undefined =>
    parsed.options.get(name)?.[0] ?? CI_OPTIONS.find((o) => o.name === name)?.default
  const all = programsBelow(parsed.files.length > 0 ? parsed.files : ['.'])
  const base = option('base')
  const programs = base === undefined ? all : changedPrograms(all, changedSince(base))
  const properties = expandProperties(parsed.options.get('property') ?? DEFAULT_PROPERTIES)
  const deadline = Date.now() + milliseconds(option('budget')!)
  const outcomes: Outcome[] = []
  for (const program of programs)
    for (const property of properties) {
      const outcome =
        Date.now() >= deadline
          ? { program, property, problem: 'the budget is used up' }
          : await beginCheck(parsed, program, property, deadline).outcome
      outcomes.push(outcome)
      if (!parsed.options.has('json')) console.log(lineOf(outcome))
    }
  return await conclude(parsed, all.length, outcomes)
}

const changedSince = (base: string): readonly string[] => {
  try {
    const git = (...args: string[]): string[] =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).split('\n')
    return [
      ...git('diff', '--name-only', '--relative', base),
      ...git('ls-files', '--others', '--exclude-standard'),
    ].filter(Boolean)
  } catch (error) {
    const text = String((error as { stderr?: string }).stderr ?? (error as Error).message).split('\n')[0]
    throw new UsageError(`--base ${base}: ${text}`)
  }
}

const conclude = async (parsed: Parsed, programs: number, outcomes: readonly Outcome[]): Promise<number> => {
  const reports = outcomes.flatMap(({ report }) => (report ? [report] : []))
  const { combinedSarif, findingsOf } = await import('./sarif.js')
  const findings = findingsOf(reports)
  const file = parsed.options.get('baseline')?.[0]
  const known = new Set(file !== undefined && existsSync(file) ? readBaseline(file).map(keyOf) : [])
  const fresh = findings.filter((finding) => !known.has(keyOf(finding)))
  const sarif = parsed.options.get('sarif')?.[0]
  if (sarif !== undefined) writeFileSync(sarif, combinedSarif(reports))
  if (file !== undefined && parsed.options.has('update-baseline'))
    writeFileSync(file, `${JSON.stringify({ version: 1, findings }, null, 2)}\n`)
  const undecided = outcomes.filter(({ report }) => report?.verdict !== 'true' && report?.verdict !== 'false').length
  const updated = parsed.options.has('update-baseline')
  if (parsed.options.has('json'))
    console.log(
      JSON.stringify({ version: 1, verdict: worstOf(reports), findings, fresh, undecided, outcomes }, null, 2),
    )
  else
    console.log(
      `${count(outcomes.length, 'check')} of ${count(programs, 'program')}: ${count(findings.length, 'finding')}, ${fresh.length} not in the baseline; ${undecided} not decided`,
    )
  if (!updated && fresh.length > 0) return STATUS.false
  return undecided > 0 ? STATUS.unknown : STATUS.true
}

const keyOf = ({ program, property, fingerprint }: Finding): string => `${program} ${property} ${fingerprint}`

const readBaseline = (file: string): readonly Finding[] => {
  try {
    const { findings } = JSON.parse(readFileSync(file, 'utf8')) as { findings?: unknown }
    if (Array.isArray(findings)) return findings as readonly Finding[]
  } catch {
    // Told below, as any other text that is no baseline.
  }
  throw new UsageError(`${file}: not a baseline of heddle ci`)
}
