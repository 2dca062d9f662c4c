// The four figures of docs/architecture beside their targets: start-up to verdict, front end, compiled exploration,
// trivial solver checks. Times of whole calls are followed by their ratio to `node -e 0`, measured by turns.
// Run: npm run bench:core (a further preprocessed file may be given: -- FILE.i)
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { preprocessedFile } from './preprocessed.js'

const RUNS = 7

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

/** Processor time of all ended children, in seconds: user and system, from the shell that ran them. */
const processorSeconds = (command: readonly string[]): number => {
  const { stderr } = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1', '-', ...command], {
    encoding: 'utf8',
  })
  return stderr
    .trim()
    .split(' ')
    .map(Number)
    .reduce((a, b) => a + b, 0)
}

const wallSeconds = (command: readonly string[]): number => {
  const begin = process.hrtime.bigint()
  spawnSync(command[0]!, command.slice(1), { stdio: 'ignore' })
  return Number(process.hrtime.bigint() - begin) / 1e9
}

const line = (what: string, measured: string, target: string): void =>
  console.log(`${what.padEnd(54)}${measured.padStart(44)}   target ${target}`)

/** Whatever runs in Node takes at least this. */
const NOTHING = [process.execPath, '-e', '0']

/** Both commands by turns, so that what else the machine does slows down both: medians, the ratio of each pair first. */
const byTurns = (measure: (command: readonly string[]) => number, command: readonly string[]) => {
  const pairs = Array.from({ length: RUNS }, () => ({ nothing: measure(NOTHING), measured: measure(command) }))
  return {
    seconds: median(pairs.map(({ measured }) => measured)),
    ratio: median(pairs.map(({ measured, nothing }) => measured / nothing)),
  }
}

const startUp = (what: string, options: readonly string[], target: string): void => {
  const command = [process.execPath, 'dist/cli/main.js', 'verify', 'examples/lost_update.c', ...options]
  const [wall, cpu] = [byTurns(wallSeconds, command), byTurns(processorSeconds, command)]
  const text = ({ seconds, ratio }: ReturnType<typeof byTurns>): string =>
    `${seconds.toFixed(2)} s (${ratio.toFixed(1)} ×)`
  line(`start-up to verdict, ${what}`, `${text(wall)}, cpu ${text(cpu)}`, target)
}

const frontEnd = (file: string): void => {
  const times = Array.from({ length: RUNS }, () =>
    Number(spawnSync(process.execPath, ['bench/out/front-end.mjs', file], { encoding: 'utf8' }).stdout),
  )
  const size = Math.round(readFileSync(file).length / 1000)
  const name = file.split('/').at(-1)
  line(`front end, ${name}, ${size} KB to XCFA`, `cpu ${(median(times) / 1000).toFixed(2)} s`, '0.4 s for 300 KB')
}

const load = loadavg()[0]!.toFixed(1)
console.log(`${cpus().length} cores, load ${load}, node ${process.version}; median of ${RUNS} runs\n`)
startUp('--engine explicit (no solver)', ['--engine', 'explicit'], '0.25 s')
startUp('--engine cegar --solver native', ['--engine', 'cegar', '--solver', 'native'], '0.25 s')
startUp('--engine cegar --solver wasm', ['--engine', 'cegar', '--solver', 'wasm'], '0.9 s')
writeFileSync('bench/out/preprocessed.i', preprocessedFile())
for (const file of ['bench/out/preprocessed.i', ...process.argv.slice(2)]) frontEnd(file)
for (const part of ['explore', 'solver']) {
  console.log(`\n${part}`)
  spawnSync(process.execPath, [`bench/out/${part}.mjs`], { stdio: 'inherit' })
}
