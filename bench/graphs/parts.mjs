// node bench/graphs/parts.mjs FILE N [OPTIONS...]: the search of the engine graphs in N parts, a process each, at most one
// per core at a time; adds up what they count. Exits 1 if a part finds a violation.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const [file, count, ...options] = process.argv.slice(2)
const parts = Number(count)
if (!file || !(parts >= 1)) {
  console.error('node bench/graphs/parts.mjs FILE N [OPTIONS...]')
  process.exit(2)
}
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

const run = (part) =>
  new Promise((resolve) => {
    const words = [
      'verify',
      file,
      '--engine',
      'graphs',
      '--parts',
      String(parts),
      '--part',
      String(part),
      '--json',
      ...options,
    ]
    const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk) => (text += chunk))
    child.on('close', () => resolve(JSON.parse(text)))
  })

const began = Date.now()
const results = []
let next = 1
const lane = async () => {
  while (next <= parts) results.push(await run(next++))
}
await Promise.all(Array.from({ length: Math.min(parts, availableParallelism()) }, lane))
const sum = (name) => results.reduce((total, { stats }) => total + (stats[name] ?? 0), 0)
const digest = results.reduce((total, { stats }) => BigInt.asUintN(64, total + BigInt(`0x${stats.digest ?? 0}`)), 0n)
const violated = results.find(({ verdict }) => verdict === 'false')
const incomplete = results.find(
  ({ verdict, reason }) => verdict === 'unknown' && !/^no violation in \d+ executions: part/.test(reason),
)
console.log(
  `${sum('executions')} executions, ${sum('blocked')} blocked, digest ${digest.toString(16).padStart(16, '0')}, ${Date.now() - began} ms`,
)
console.log(
  violated
    ? 'a part found a violation'
    : incomplete
      ? `not complete: ${incomplete.reason}`
      : 'no violation in any part',
)
process.exit(violated ? 1 : 0)
