// Every verdict once more: a FALSE is replayed in the concrete semantics and on real threads, a TRUE is checked with each
// solver. node bench/trust/run.mjs [--timeout 20s] [--engine NAME] [--solvers auto,smtlib:COMMAND] [--from N] [--to N] FILES...
// Prints one line a program and the sums as Markdown. FILES are C programs or task definitions.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    timeout: { type: 'string', default: '20s' },
    engine: { type: 'string', default: 'auto' },
    solvers: { type: 'string', default: 'auto' },
    cli: { type: 'string', default: fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url)) },
    from: { type: 'string', default: '0' },
    to: { type: 'string', default: '100000' },
  },
})
const heddle = (...args) =>
  spawnSync(process.execPath, [values.cli, ...args], { encoding: 'utf8', timeout: 120_000, maxBuffer: 1 << 28 })
const last = ({ stdout }) => stdout.trim().split('\n').at(-1) ?? ''
const folder = mkdtempSync(join(tmpdir(), 'heddle-trust-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const sums = new Map()
const count = (what) => sums.set(what, (sums.get(what) ?? 0) + 1)

const replayed = (files, witness) => {
  const concrete = heddle('replay', ...files, witness)
  const native = heddle('replay', '--native', ...files, witness)
  const outcome = native.status === 1 ? 'reproduced' : native.status === 2 ? 'does not compile' : 'not reproduced'
  count(concrete.status === 1 ? 'false, replayed' : 'false, NOT replayed')
  count(`false, native: ${outcome}`)
  return `replay ${concrete.status === 1 ? 'yes' : 'NO'}, native ${outcome}${native.status === 1 ? '' : ` (${last(native)} ${native.stderr.trim().split('\n').at(-1)})`}`
}

const checked = (files, certificate, kind) =>
  values.solvers
    .split(',')
    .filter((solver) => solver === 'auto' || kind !== 'exploration')
    .map((solver) => {
      const began = Date.now()
      const check = heddle('check', ...files, certificate, '--solver', solver, '--timeout', '60s')
      const answer = ['accepted', 'REJECTED', 'no program', 'undecided'][check.status] ?? 'crashed'
      count(`true, ${kind}, ${solver}: ${answer}`)
      const why =
        answer === 'accepted' ? '' : ` (${check.stdout.trim().split('\n')[0]} ${check.stderr.trim().split('\n')[0]})`
      return `${solver} ${answer} ${((Date.now() - began) / 1000).toFixed(1)} s${why}`
    })
    .join(', ')

console.log('| program | verdict | engine | s | replay or check |\n|---|---|---|---|---|')
for (const file of positionals.slice(Number(values.from), Number(values.to))) {
  const [witness, certificate] = [join(folder, 'witness.yml'), join(folder, 'certificate.json')]
  for (const old of [witness, certificate]) rmSync(old, { force: true })
  const engine = values.engine === 'auto' ? [] : ['--engine', values.engine]
  const run = heddle('verify', file, ...engine, '--timeout', values.timeout, '--json', '--certificate', certificate)
  let report
  try {
    report = JSON.parse(run.stdout)
  } catch {
    console.log(`| ${basename(file)} | crashed: ${run.stderr.split('\n')[0]} | | | |`)
    count('crashed')
    continue
  }
  const { verdict, task } = report
  let outcome = report.reason ?? ''
  if (verdict === 'false') {
    writeFileSync(witness.replace('.yml', '.json'), run.stdout)
    outcome = replayed(task.files, witness.replace('.yml', '.json'))
  } else if (verdict === 'true')
    outcome = existsSync(certificate)
      ? checked([file], certificate, JSON.parse(readFileSync(certificate, 'utf8')).certificate.kind)
      : 'no certificate'
  count(verdict)
  const seconds = (report.time_ms / 1000).toFixed(1)
  const shown = outcome.replaceAll('|', '/').slice(0, 200)
  console.log(`| ${basename(file)} | ${verdict} | ${report.engine} | ${seconds} | ${shown} |`)
}
console.log(
  `\n${[...sums]
    .sort()
    .map(([what, n]) => `- ${what}: ${n}`)
    .join('\n')}`,
)
