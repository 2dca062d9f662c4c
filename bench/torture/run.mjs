// GCC's execution tests (gcc.c-torture/execute), with `abort` as the error: see README.md.
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HEDDLE = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const args = process.argv.slice(2)
const option = (name, standard) => {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? standard : args.splice(at, 2)[1]
}
const engine = option('engine', 'auto')
const timeout = option('timeout', '10s')
const jobs = Number(option('jobs', '2'))
const every = Number(option('every', '1'))
/** One of N parts of the programs: I/N. */
const [part, parts] = option('slice', '1/1').split('/').map(Number)
const out = option('out', undefined)
const [folder] = args
if (!folder) {
  console.error(
    'usage: node bench/torture/run.mjs FOLDER [--engine NAME] [--timeout 10s] [--jobs N] [--every N] [--slice I/N] [--out FILE]',
  )
  process.exit(2)
}
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.c'))
  .filter((_, index) => index % every === 0)
  .filter((_, index) => index % parts === part - 1)
  .map((name) => join(folder, name))
const scratch = mkdtempSync(join(tmpdir(), 'heddle-torture-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

const run = (command, given, milliseconds) =>
  new Promise((resolve) => {
    execFile(command, given, { timeout: milliseconds, maxBuffer: 1 << 26, encoding: 'utf8' }, (error, stdout) =>
      resolve({ ok: !error, stdout }),
    )
  })

/** Whether gcc compiles the program and it ends well. */
const holds = async (file) => {
  const binary = join(scratch, basename(file, '.c'))
  const compiled = await run('gcc', ['-w', '-O0', file, '-o', binary, '-lm'], 60_000)
  const result = compiled.ok && (await run(binary, [], 20_000)).ok
  rmSync(binary, { force: true })
  return result
}

const OPEN = /no undefined behaviour|conversion of a float/

const verdict = async (file) => {
  const given = ['verify', file, '--error-function', 'abort', '--engine', engine, '--timeout', timeout, '--json']
  const { stdout } = await run('node', [HEDDLE, ...given], 120_000)
  try {
    const report = JSON.parse(stdout)
    if (report.verdict === 'false') return { kind: 'WRONG' }
    if (report.verdict === 'unknown') return { kind: 'unknown', reason: report.reason }
    const open = report.assumptions.find(({ what, status }) => status === 'open' && OPEN.test(what))
    return open ? { kind: 'decided, with undefined behaviour', reason: open.what } : { kind: 'decided' }
  } catch {
    return { kind: 'not read' }
  }
}

const results = []
const work = async () => {
  for (let file = files.pop(); file; file = files.pop())
    results.push({ name: basename(file), ...((await holds(file)) ? await verdict(file) : { kind: 'gcc' }) })
}
await Promise.all(Array.from({ length: jobs }, work))

const judged = results.filter(({ kind }) => kind !== 'gcc')
const count = (kind) => judged.filter((one) => one.kind === kind).length
console.log(`${judged.length} programs hold by gcc -O0`)
for (const kind of ['decided', 'decided, with undefined behaviour', 'unknown', 'not read', 'WRONG'])
  console.log(`${String(count(kind)).padStart(5)} ${kind} (${((100 * count(kind)) / judged.length).toFixed(1)} %)`)
const reasons = new Map()
for (const { kind, reason = '', name } of judged) {
  if (kind === 'decided') continue
  const key = `${kind}: ${reason.replace(/ (?:at|@) .*/, '').replace(/'[^']*'/g, '...')}`
  reasons.set(key, [...(reasons.get(key) ?? []), name])
}
for (const [reason, names] of [...reasons].sort((a, b) => b[1].length - a[1].length))
  console.log(`${String(names.length).padStart(5)} ${reason}: ${names.slice(0, 4).join(' ')}`)
if (out) writeFileSync(out, JSON.stringify(results, null, 1))
process.exit(count('WRONG') > 0 ? 1 : 0)
