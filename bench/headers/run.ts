// Every header of the system that a C compiler accepts on its own must be read:
//   node scripts/run.mjs bench/headers/run.ts [--folder /usr/include] [--slice I/N] [--for SECONDS] [--out FILE]
// prints those that are not. With --out, a run goes on where the one before it ended.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArguments, VERIFY_OPTIONS } from '../../src/run/call/options.js'
import { requestFrom } from '../../src/run/call/request-from.js'
import { loadProgram } from '../../src/run/program/load.js'

interface Tried {
  readonly header: string
  /** Of the compiler. */
  readonly accepted: boolean
  readonly problem?: string
  readonly seconds?: number
}

const args = process.argv.slice(2)
const option = (name: string, standard: string): string => {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? standard : args[at + 1]!
}
const folder = option('folder', '/usr/include')
const out = option('out', '')
const [part, parts] = option('slice', '1/1').split('/').map(Number) as [number, number]
const until = Date.now() + 1000 * Number(option('for', '1e9'))

const scratch = mkdtempSync(join(tmpdir(), 'heddle-headers-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

const file = join(scratch, 'header.c')

const tryHeader = async (header: string): Promise<Tried> => {
  writeFileSync(file, `#include "${header}"\nint main(void) { return 0; }\n`)
  if (spawnSync('cc', ['-std=gnu17', '-w', '-fsyntax-only', file]).status !== 0) return { header, accepted: false }
  const began = process.cpuUsage()
  const request = requestFrom(parseArguments([file, '--headers', 'system'], VERIFY_OPTIONS), Date.now())
  const problem = await loadProgram(request).then(
    () => undefined,
    (error: Error) => error.message.split('\n')[0]!,
  )
  const { user, system } = process.cpuUsage(began)
  return { header, accepted: true, ...(problem !== undefined && { problem }), seconds: (user + system) / 1e6 }
}

const results: Tried[] = existsSync(out)
  ? readFileSync(out, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : []
const known = new Set(results.map(({ header }) => header))
const headers = spawnSync('find', [folder, '-name', '*.h', '-not', '-path', '*/c++/*'], { encoding: 'utf8' })
  .stdout.trim()
  .split('\n')
  .sort()
  .filter((header, index) => index % parts === part - 1 && !known.has(header))
for (const header of headers) {
  if (Date.now() > until) break
  const tried = await tryHeader(header)
  results.push(tried)
  if (out) appendFileSync(out, `${JSON.stringify(tried)}\n`)
}

const accepted = results.filter((one) => one.accepted)
const unread = accepted.filter(({ problem }) => problem !== undefined)
for (const { header, problem } of unread) console.log(`${header}: ${problem}`)
for (const { header, seconds = 0 } of accepted.filter(({ seconds = 0 }) => seconds > 2))
  console.log(`${header}: slow, ${seconds.toFixed(1)} s`)
console.log(`${results.length} headers, ${accepted.length} accepted by cc, ${unread.length} of them not read`)
process.exit(unread.length > 0 ? 1 : 0)
