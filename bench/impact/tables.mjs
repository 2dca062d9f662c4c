// Prints Table II of impact.txt (nodes, seconds, implication checks, cover expansions) with our figures beside the
// paper's, and Table III's programs under sc, tso and pso:
// node bench/impact/tables.mjs [--timeout SECONDS] [--only PROGRAM] [--table II|III] [--heddle dist/cli/main.js]
// Needs a build (npm run build).
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const argument = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : process.argv[at + 1]
}
const heddle = argument('heddle', fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url)))
const timeout = argument('timeout', '60')
const table = argument('table', undefined)
const only = argument('only', undefined)

/** Nodes in Table II: sPOR, sPOR+FC, dPOR, dPOR+FC; TO is undefined. */
const PAPER = {
  dekker: [7407, 504, 433, 331],
  lamport: [36624, 4740, 7418, 1700],
  peterson: [3155, 419, 1081, 199],
  szymanski: [13332, 1059, 1264, 673],
  read_write_u: [31786, 7628, 18261, 4899],
  read_write_s: [109096, 12932, 36777, 7065],
  time_var_mutex: [867, 867, 435, 252],
  stack_u: [undefined, undefined, 2589, 424],
  stack_s: [undefined, undefined, undefined, 2037],
}
const CONFIGURATIONS = [
  ['spor', 'off'],
  ['spor', 'on'],
  ['dpor', 'off'],
  ['dpor', 'on'],
]

const verify = (file, options) => {
  const { stdout } = spawnSync(
    process.execPath,
    [heddle, 'verify', here(file), '--engine', 'impact', '--timeout', `${timeout}s`, '--json', ...options],
    { encoding: 'utf8', maxBuffer: 2 ** 30 },
  )
  return JSON.parse(stdout)
}

const row = (cells) => console.log(`| ${cells.join(' | ')} |`)

const tableII = () => {
  row(['program', 'configuration', 'verdict', 'nodes', 'paper', 's', 'implications by solver', 'cover expansions'])
  row(Array(8).fill('---'))
  for (const [program, paper] of Object.entries(PAPER))
    if (!only || program.startsWith(only)) configurationsOf(program, paper)
}

const configurationsOf = (program, paper) =>
  CONFIGURATIONS.forEach(([por, forceCover], i) => {
    const { verdict, reason, stats, time_ms } = verify(`${program}.c`, ['--por', por, '--force-cover', forceCover])
    const name = `${por}${forceCover === 'on' ? '+fc' : ''}`
    const seconds = (time_ms / 1000).toFixed(1)
    const told = verdict === 'unknown' ? `unknown (${reason})` : verdict
    row([
      program,
      name,
      told,
      stats.nodes ?? '-',
      paper[i] ?? 'TO',
      seconds,
      stats.solved ?? '-',
      stats.cover_expansions ?? '-',
    ])
  })

const tableIII = () => {
  row(['program', 'sc', 'tso', 'pso'])
  row(Array(4).fill('---'))
  for (const program of ['sober', 'sql'])
    for (const fix of [[], ['-DFIX']]) {
      const verdicts = ['sc', 'tso', 'pso'].map((model) => verify(`${program}.c`, ['--memory-model', model, ...fix]))
      row([`${program}${fix.length > 0 ? ' fixed' : ''}`, ...verdicts.map(({ verdict, reason }) => reason ?? verdict)])
    }
}

if (table !== 'III') tableII()
if (table !== 'II') tableIII()
