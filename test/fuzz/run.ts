// npm run fuzz:inputs -- [--count 20000] [--from 0] [--folder DIR] [--verify SECONDS] [--cli N] [--keep DIR]: mutated C files
// through the front end and for a moment one of the engines, in processes that are watched; and N of them through the command line with --timeout 2s, where the status must be
// 0 to 3. What crashes or hangs is written to DIR.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { corpusOf } from './corpus.js'
import { inputOf } from './inputs.js'

/** A front end that takes longer hangs. */
const MAX_MS = 30_000

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    from: { type: 'string', default: '0' },
    folder: { type: 'string', default: '' },
    verify: { type: 'string', default: '0.2' },
    cli: { type: 'string', default: '0' },
    keep: { type: 'string', default: 'fuzz-findings' },
    root: { type: 'string', default: process.cwd() },
    worker: { type: 'string' },
  },
})
const examples = join(values.root, 'examples')
const corpus = corpusOf(examples, values.folder || undefined)
const counts = new Map<string, number>()
const kinds = new Map<string, number>()

const found = (number: number, what: string): void => {
  const kind = what.replace(/\d+/g, 'N').slice(0, 120)
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  if (kinds.get(kind)! > 3) return
  mkdirSync(values.keep, { recursive: true })
  writeFileSync(join(values.keep, `${number}.c`), inputOf(number, corpus), 'latin1')
  console.log(`${number}: ${what}`)
}

/** Inputs from one number on, until one does not come back or all are done; returns where to go on. */
const batch = (from: number, to: number): Promise<number> =>
  new Promise((resolve) => {
    const args = ['--stack-size=3900', values.worker!, examples, values.folder, String(from), String(to), values.verify]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let [current, done] = [from, from]
    let timer = setTimeout(() => {}, 0)
    const watch = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => child.kill('SIGKILL'), MAX_MS)
    }
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [word, number, ...rest] = line.split(' ')
      watch()
      if (word === 'begin') current = Number(number)
      else {
        done = Number(number) + 1
        const outcome = rest.join(' ')
        if (outcome.startsWith('CRASH')) found(Number(number), outcome)
        const name = outcome.startsWith('CRASH') ? 'crash' : outcome
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    })
    watch()
    child.on('close', (_code, signal) => {
      clearTimeout(timer)
      if (done >= to) return resolve(to)
      const what = signal === 'SIGKILL' ? 'hang' : 'process ended'
      found(current, what)
      counts.set(what, (counts.get(what) ?? 0) + 1)
      resolve(current + 1)
    })
  })

const throughCommandLine = (number: number): void => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-fuzz-'))
  try {
    const file = join(folder, 'fuzz.c')
    writeFileSync(file, inputOf(number, corpus), 'latin1')
    const command = join(values.root, 'dist/cli/main.js')
    const run = spawnSync(process.execPath, [command, 'verify', file, '--timeout', '2s'], {
      encoding: 'utf8',
      timeout: 30_000,
      killSignal: 'SIGKILL',
    })
    const last = run.stdout?.trim().split('\n').at(-1) ?? ''
    const isRight =
      run.status !== null && run.status >= 0 && run.status <= 3 && (run.status === 2 || last.startsWith('VERDICT: '))
    const name = isRight ? `status ${run.status}` : 'command line failed'
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (!isRight) found(number, `status ${run.status} ${run.signal ?? ''} ${last} ${run.stderr.split('\n')[0]}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const [from, to] = [Number(values.from), Number(values.from) + Number(values.count)]
if (Number(values.cli) === 0) for (let next = from; next < to; ) next = await batch(next, to)
else for (let n = from; n < from + Number(values.cli); n++) throughCommandLine(n)
console.log(
  [...counts]
    .sort()
    .map(([name, n]) => `${name}: ${n}`)
    .join(', '),
)
if (kinds.size > 0) {
  for (const [kind, n] of [...kinds].sort((a, b) => b[1] - a[1])) console.log(`${n} x ${kind}`)
  process.exitCode = 1
}
