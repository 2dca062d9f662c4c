// Whatever ends a run (a signal, the time, the memory), it says UNKNOWN with the reason, and no process stays.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
/** Three counters that run freely: more states than fit any limit, and nothing to prove them away with. */
const ENDLESS = join(mkdtempSync(join(tmpdir(), 'heddle-limits-')), 'endless.c')
writeFileSync(
  ENDLESS,
  `#include <assert.h>
#include <pthread.h>
unsigned a, b, c;
void *count(void *which) { while (1) { unsigned *n = which; *n = *n * 5 + c + 1; } }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, count, &a);
  pthread_create(&u, 0, count, &b);
  while (1) { c = a ^ b; assert(c != 77777777u || a != 12345u); }
}
`,
)

/** Engine processes of this command line that live. */
const enginesOf = (pid: number): readonly string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').includes(`HEDDLE_PARENT=${pid}\0`)
    } catch {
      return false
    }
  })

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const run = async (args: readonly string[], during?: (pid: number) => Promise<void>) => {
  const child = spawn('node', ['dist/cli/main.js', 'verify', ENDLESS, ...args], { cwd: root })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += String(chunk)
  })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += String(chunk)
  })
  const closed = new Promise<number | null>((resolve) => {
    child.on('close', resolve)
  })
  await during?.(child.pid!)
  const status = await closed
  return { status, last: out.trimEnd().split('\n').at(-1), errors, left: enginesOf(child.pid!) }
}

/** Once its engines run. */
const kill = (signal: NodeJS.Signals) => async (pid: number) => {
  while (enginesOf(pid).length < 2) await sleep(50)
  process.kill(pid, signal)
}

const onLinux = test.skipIf(process.platform !== 'linux')

onLinux.each(['SIGINT', 'SIGTERM'] as const)('%s', { timeout: 30_000 }, async (signal) => {
  const { status, last, errors, left } = await run(['--timeout', '60s'], kill(signal))
  expect({ status, last, errors, left }).toMatchObject({ status: 3, errors: '', left: [] })
  expect(last).toMatch(/^VERDICT: UNKNOWN\(.+\)$/)
})

onLinux('the time', { timeout: 30_000 }, async () => {
  const found = await run(['--timeout', '1s'])
  expect(found).toEqual({ status: 3, last: 'VERDICT: UNKNOWN(timeout)', errors: '', left: [] })
})

onLinux('the memory of an engine', { timeout: 60_000 }, async () => {
  const found = await run(['--engine', 'explicit', '--memory', '150M', '--timeout', '50s'])
  expect(found).toEqual({ status: 3, last: 'VERDICT: UNKNOWN(memory)', errors: '', left: [] })
})

const isPaused = (pid: string): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\)/, '').trim().startsWith('T')
  } catch {
    return false
  }
}

/** Once one of its engines waits for its next turn. */
const killAfterPause = (signal: NodeJS.Signals) => async (pid: number) => {
  while (!enginesOf(pid).some(isPaused)) await sleep(50)
  process.kill(pid, signal)
}

onLinux('engines that are paused end with the others', { timeout: 60_000 }, async () => {
  const { status, last, left } = await run(['--timeout', '60s'], killAfterPause('SIGTERM'))
  expect({ status, left }).toEqual({ status: 3, left: [] })
  expect(last).toMatch(/^VERDICT: UNKNOWN\(.+\)$/)
})

onLinux.each([
  ['that run', kill('SIGKILL')],
  ['of which one is paused', killAfterPause('SIGKILL')],
])('engines %s do not outlive a command line that is killed', { timeout: 60_000 }, async (_, during) => {
  let killed = 0
  await run(['--timeout', '60s'], async (pid) => {
    killed = pid
    await during(pid)
  })
  for (let tries = 0; tries < 100 && enginesOf(killed).length > 0; tries++) await sleep(100)
  expect(enginesOf(killed)).toEqual([])
})
