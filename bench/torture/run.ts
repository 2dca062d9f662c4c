// GCC's execution tests (gcc.c-torture/execute), with `abort` as the error, all in one process: see README.md.
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { assumptionText } from '../../src/output/ledger.js'
import { reasonText } from '../../src/output/reason.js'
import { parseArguments, VERIFY_OPTIONS } from '../../src/run/call/options.js'
import { requestFrom } from '../../src/run/call/request-from.js'
import { loadProgram } from '../../src/run/program/load.js'
import { outcomeOf } from '../../src/run/run-engine.js'

interface Tried {
  readonly name: string
  readonly kind: 'decided' | 'decided, with undefined behaviour' | 'unknown' | 'not read' | 'WRONG' | 'gcc'
  readonly reason?: string
  readonly seconds?: number
}

const args = process.argv.slice(2)
const option = (name: string, standard: string): string => {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? standard : args.splice(at, 2)[1]!
}
const seconds = Number(option('seconds', '5'))
const engine = option('engine', 'explicit')
const until = Date.now() + 1000 * Number(option('for', '1e9'))
const [part, parts] = option('slice', '1/1').split('/').map(Number) as [number, number]
const [out, before, only] = [option('out', ''), option('before', ''), option('only', '.')]
const [folder] = args
if (!folder) {
  console.error('usage: run.ts FOLDER [--engine NAME] [--seconds S] [--slice I/N] [--only REGEXP]')
  console.error('              [--out FILE] [--before FILE] [--for SECONDS]')
  process.exit(2)
}
const linesOf = (file: string): readonly Tried[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []
const scratch = mkdtempSync(join(tmpdir(), 'heddle-torture-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

/** Whether gcc compiles the program and it ends well. */
const holds = (file: string): boolean => {
  const binary = join(scratch, 'program')
  try {
    execFileSync('gcc', ['-w', '-O0', file, '-o', binary, '-lm'], { stdio: 'ignore', timeout: 60_000 })
    execFileSync(binary, [], { stdio: 'ignore', timeout: 20_000 })
    return true
  } catch {
    return false
  }
}

const OPEN = /no undefined behaviour|conversion of a float/

const verdictOf = async (file: string): Promise<Omit<Tried, 'name'>> => {
  const given = [file, '--error-function', 'abort', '--engine', engine, '--timeout', `${seconds}s`]
  const request = { ...requestFrom(parseArguments(given, VERIFY_OPTIONS), Date.now()), engine }
  const outcome = await outcomeOf(request, {
    env: { stopped: () => (Date.now() >= request.deadline ? { kind: 'timeout' } : undefined), progress: () => {} },
    load: loadProgram,
    onFacts: () => {},
  })
  if (outcome.kind === 'input-error') return { kind: 'not read', reason: outcome.diagnostics.join('; ') }
  if (outcome.kind === 'ended') return { kind: 'unknown', reason: reasonText(outcome.reason) }
  const { verdict, reason, assumptions } = outcome.report
  if (verdict === 'false') return { kind: 'WRONG' }
  if (verdict === 'unknown') return { kind: 'unknown', reason: reason ? reasonText(reason) : '' }
  const open = assumptions.find((entry) => entry.status === 'open' && OPEN.test(assumptionText(entry)))
  return open ? { kind: 'decided, with undefined behaviour', reason: assumptionText(open) } : { kind: 'decided' }
}

const known = new Map(linesOf(before).map((one) => [one.name, one.kind]))
/** Of several lines about a program the last one counts. */
const tried = new Map(linesOf(out).map((one) => [one.name, one]))
const record = (result: Tried): void => {
  tried.set(result.name, result)
  if (out) appendFileSync(out, `${JSON.stringify(result)}\n`)
}
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.c') && new RegExp(only).test(name))
  .filter((name, index) => index % parts === part - 1 && !tried.has(name))
  .map((name) => join(folder, name))
for (const file of files) {
  if (Date.now() > until) break
  const name = basename(file)
  const began = process.cpuUsage()
  const isHeld = known.has(name) ? known.get(name) !== 'gcc' : holds(file)
  // A program that takes all memory ends this process; the next run goes on behind it.
  record({ name, kind: 'unknown', reason: 'ended the process' })
  const verdict: Omit<Tried, 'name'> = isHeld
    ? await verdictOf(file).catch((error: Error) => ({ kind: 'not read' as const, reason: `crash: ${error.message}` }))
    : { kind: 'gcc' }
  const { user, system } = process.cpuUsage(began)
  record({ name, ...verdict, seconds: (user + system) / 1e6 })
  if (verdict.kind === 'WRONG') console.log(`WRONG: ${name}`)
}

const judged = [...tried.values()].filter(({ kind }) => kind !== 'gcc')
const count = (kind: Tried['kind']): number => judged.filter((one) => one.kind === kind).length
console.log(`${judged.length} programs hold by gcc -O0`)
for (const kind of ['decided', 'decided, with undefined behaviour', 'unknown', 'not read', 'WRONG'] as const)
  console.log(`${String(count(kind)).padStart(5)} ${kind} (${((100 * count(kind)) / judged.length).toFixed(1)} %)`)
const reasons = new Map<string, string[]>()
for (const { kind, reason = '', name } of judged) {
  if (kind === 'decided') continue
  const key = `${kind}: ${reason.replace(/\S*\/(?=[^/]*\.c:\d+)/g, '').replace(/ (?:at|@) .*/, '')}`
  reasons.set(key, [...(reasons.get(key) ?? []), name])
}
for (const [reason, names] of [...reasons].sort((a, b) => b[1].length - a[1].length))
  console.log(`${String(names.length).padStart(5)} ${reason}: ${names.slice(0, 4).join(' ')}`)
process.exit(count('WRONG') > 0 ? 1 : 0)
