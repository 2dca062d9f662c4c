// The same programs in C and in Promela: the engines graphs and explicit beside SPIN, one after the other, by processor time.
//   node bench/graphs/spin.mjs [N of increments] [N of readers] [N of versions]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const MAIN = at('../../dist/cli/main.js')
const [increments = '6', readers = '9', versions = '5'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'heddle-spin-'))

/** Runs a command; its output, and the processor time that it and its children used. */
const timed = (command, args) => {
  const shell = `cd ${folder}; "$0" "$@"; times`
  const { stdout } = spawnSync('bash', ['-c', shell, command, ...args], { encoding: 'utf8' })
  const [minutes, seconds] = stdout.trim().split('\n').at(-1).split(' ')[0].replace('s', '').split('m').map(Number)
  return {
    text: stdout.slice(0, stdout.lastIndexOf('\n', stdout.trimEnd().lastIndexOf('\n') - 1)),
    seconds: 60 * minutes + seconds,
  }
}

const rate = (count, seconds) => `${Math.round(count / seconds).toLocaleString('en-US')} a second`

for (const [name, n] of [
  ['increments', increments],
  ['readers', readers],
  ['versions', versions],
]) {
  const model = at(`${name}.pml`)
  spawnSync('bash', ['-c', `cd ${folder} && spin -DN=${n} -a ${model} && gcc -O2 -DSAFETY -o pan pan.c`])
  const spin = timed('./pan', ['-m100000'])
  const states = Number(spin.text.match(/([\d.e+]+) states, stored/)?.[1])
  console.log(`${name} ${n}: SPIN ${states} states, ${spin.seconds} s, ${rate(states, spin.seconds)}`)
  for (const engine of ['graphs', 'explicit']) {
    const options = [
      '--engine',
      engine,
      '--json',
      '--timeout',
      '300s',
      ...(engine === 'graphs' ? ['--workers', '1'] : []),
    ]
    const { text, seconds } = timed(process.execPath, [MAIN, 'verify', at(`${name}.c`), '-D', `N=${n}`, ...options])
    const { verdict, stats } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
    const count = engine === 'graphs' ? stats.executions : stats.nodes
    const what = `${count} ${engine === 'graphs' ? 'executions' : 'states'}`
    const ratio = (seconds / spin.seconds).toFixed(2)
    console.log(
      `${name} ${n}: ${engine} ${verdict}, ${what}, ${seconds} s, ${rate(count, seconds)}, ${ratio} times SPIN`,
    )
  }
}
rmSync(folder, { recursive: true, force: true })
