// How fast heddle test runs schedules:
//   node bench/native/speed.mjs [--seconds 2] [--rounds 5] [--only 'job server pct']
// Two programs (ten lines; the job server of examples/), each strategy, one process and two in turns; then what one
// scheduling decision costs. Wall-clock figures hold on a quiet machine only, so the load is printed beside them, and
// the processor time of the program's processes and of heddle itself, which other work disturbs less.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const JOB_SERVER = fileURLToPath(new URL('../../examples/jobserver', import.meta.url))
const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}
/** Only programs and strategies whose names contain this. */
const ONLY = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : ''
const SECONDS = option('seconds', 2)
const ROUNDS = option('rounds', 5)

const TEN_LINES = `#include <pthread.h>
static int balance;
static void *deposit(void *unused) { int t = balance; balance = t + 100; return unused; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, deposit, 0);
  pthread_create(&b, 0, deposit, 0);
  pthread_join(a, 0), pthread_join(b, 0);
  return balance != 200;
}
`
/** Two threads with many atomic steps each: decisions, with or without a switch, outweigh everything else. */
const DECISIONS = `#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>
static atomic_int number;
static void *count(void *unused) { for (int i = 0; i < 20000; i++) STEP; return unused; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0), pthread_join(b, 0);
  return 0;
}
`

const TICKS = 100
/** Processor seconds of a process and, if asked, of those it has waited for. */
const cpuOf = (pid, withChildren) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    return (fields[11] + fields[12] + (withChildren ? fields[13] + fields[14] : 0)) / TICKS
  } catch {
    return undefined
  }
}
const childrenOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
const nameOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

/** One call; the processor time of its servers is read while it runs, twenty times a second. */
const measure = (args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, 'test', ...args, '--json'], { cwd: JOB_SERVER })
    const servers = new Map()
    let [output, errors, own, before] = ['', '', 0, undefined]
    const timer = setInterval(() => {
      own = cpuOf(child.pid, false) ?? own
      for (const pid of childrenOf(child.pid)) {
        // The server executes itself again, without address space randomisation; what it is called then depends on the kernel.
        if (!/^(exe|jobserver|program)$/.test(nameOf(pid))) continue
        before ??= own
        servers.set(pid, cpuOf(pid, true) ?? servers.get(pid) ?? 0)
      }
    }, 50)
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text
    })
    child.on('close', () => {
      clearInterval(timer)
      try {
        const { stats, time_ms: ms } = JSON.parse(output)
        const programs = [...servers.values()].reduce((sum, s) => sum + s, 0)
        resolve({ schedules: stats.schedules, steps: stats.steps, ms, programs, own: own - (before ?? 0) })
      } catch {
        reject(new Error(errors || output))
      }
    })
  })

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
const rate = ({ schedules, ms }) => schedules / (ms / 1000)
const show = (n) => Math.round(n).toLocaleString('en-US')

const folder = mkdtempSync(join(tmpdir(), 'heddle-speed-'))
const file = (name, text) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
try {
  const limits = ['--timeout', `${SECONDS}s`]
  const programs = {
    // The systematic search is through with the four executions of this one before there is a rate to measure.
    'ten lines': { strategies: ['random', 'pct'], args: [file('ten.c', TEN_LINES), '--property', 'no-deadlock'] },
    'job server': {
      strategies: ['random', 'pct', 'systematic', 'auto'],
      args: ['--build', 'make -s clean all CC=$HEDDLE_CC', '--run', './jobserver', '--property', 'no-deadlock'],
    },
  }
  console.log(`load ${loadavg()[0].toFixed(1)}; ${SECONDS} s, median of ${ROUNDS}, one and two processes in turns\n`)
  console.log(
    '| program | strategy | schedules/s by one | by two | ratio | µs of processor a schedule | of which heddle |',
  )
  console.log('|---|---|---|---|---|---|---|')
  for (const [name, { strategies, args }] of Object.entries(programs))
    for (const strategy of strategies.filter((s) => `${name} ${s}`.includes(ONLY))) {
      const [one, two] = [[], []]
      for (let i = 0; i < ROUNDS; i++)
        for (const [jobs, list] of [
          ['1', one],
          ['2', two],
        ])
          list.push(await measure([...args, ...limits, '--strategy', strategy, '--jobs', jobs]))
      const cost = median(one.map((r) => ((r.programs + r.own) * 1e6) / r.schedules))
      const own = median(one.map((r) => (r.own * 1e6) / r.schedules))
      const ratio = median(one.map((r, i) => rate(two[i]) / rate(r)))
      console.log(
        `| ${name} | ${strategy} | ${show(median(one.map(rate)))} | ${show(median(two.map(rate)))} | ${ratio.toFixed(2)} | ${show(cost)} | ${show(own)} |`,
      )
    }
  console.log('\n| step | ns of processor a step |\n|---|---|')
  const steps = {
    'atomic access, the running thread goes on (pct)': ['atomic_fetch_add(&number, 1)', 'pct'],
    'atomic access, random': ['atomic_fetch_add(&number, 1)', 'random'],
    'sched_yield, every step a switch': ['sched_yield()', 'pct'],
  }
  for (const [name, [code, strategy]] of Object.entries(steps)) {
    if (!name.includes(ONLY)) continue
    const source = file('steps.c', DECISIONS.replace('STEP', code))
    const runs = []
    for (let i = 0; i < ROUNDS; i++)
      runs.push(await measure([source, '--property', 'no-deadlock', ...limits, '--strategy', strategy, '--jobs', '1']))
    console.log(`| ${name} | ${show(median(runs.map((r) => (r.programs * 1e9) / r.steps)))} |`)
  }
  console.log(`\nload ${loadavg()[0].toFixed(1)}`)
} finally {
  rmSync(folder, { recursive: true })
}
