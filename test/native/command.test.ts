import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasCompiler, SKIPPED } from './harness.js'

const MAIN = join(process.cwd(), 'dist/cli/main.js')
const hasMake = spawnSync('make', ['--version']).status === 0

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

interface Ran {
  readonly status: number | null
  readonly last: string
  readonly stdout: string
  readonly stderr: string
}

describe.skipIf(!hasCompiler)(`heddle test${hasCompiler ? '' : ` (${SKIPPED})`}`, () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-command-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const heddle = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Ran => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'test', ...args], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    })
    return { status, stdout, stderr, last: stdout.trimEnd().split('\n').at(-1) ?? '' }
  }

  it('tells what it found, and runs it again', () => {
    const schedule = join(folder, 'schedule.json')
    const found = heddle(['examples/lost_update.c', '--timeout', '10s', '--schedule', schedule])
    expect([found.status, found.last]).toEqual([1, 'VERDICT: FALSE(assert)'])
    expect(found.stdout).toContain('update of balance (read at line 12 before the write at line 13)')
    const again = heddle(['examples/lost_update.c', '--replay', schedule])
    expect([again.status, again.last]).toEqual([1, 'VERDICT: FALSE(assert)'])
  })

  it('reads a compilation database and stdin, survives a closed stdout, and writes pages for people and machines', () => {
    const text = `#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
int x;
void *f(void *p) { sleep(5); x += N; return p; }
int main(void) {
  pthread_t t, u;
  getchar();
  close(1);
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  sleep(100);
  return 0;
}
`
    const [file, database] = [join(folder, 'odd.c'), join(folder, 'compile_commands.json')]
    writeFileSync(file, text)
    writeFileSync(database, JSON.stringify([{ directory: folder, file, arguments: ['cc', '-DN=1', '-c', file] }]))
    const [html, sarif] = [join(folder, 'o.html'), join(folder, 'o.sarif')]
    const outputs = ['--html', html, '--sarif', sarif]
    const { status, last } = heddle(['--compile-commands', database, '--timeout', '10s', ...outputs])
    expect([status, last]).toEqual([1, 'VERDICT: FALSE(no-data-race)'])
    const [run] = JSON.parse(readFileSync(sarif, 'utf8')).runs
    expect(run.results.map((result: { ruleId: string }) => result.ruleId)).toEqual(['no-data-race'])
    expect(readFileSync(html, 'utf8')).toContain('data race on x')
  })

  it('finding nothing is no proof', () => {
    const { status, last, stdout } = heddle(['examples/counter_mutex.c', '--timeout', '5s', '--json'])
    const report = JSON.parse(stdout)
    expect(status).toBe(3)
    expect(report.verdict).toBe('unknown')
    expect(report.reason).toBe(`nothing found in ${report.stats.schedules} schedules`)
    expect(last).toBe('}')
  })

  it('the same seed tries the same schedules', () => {
    const stats = () => {
      const args = [
        'examples/bounded_buffer.c',
        '--jobs',
        '1',
        '--runs',
        '90',
        '--strategy',
        'random',
        '--seed',
        '7',
        '--json',
      ]
      const { distinct, steps } = JSON.parse(heddle(args).stdout).stats
      return { distinct, steps }
    }
    expect(stats()).toEqual(stats())
  })

  it('wrong calls have status 2, a missing compiler is named', () => {
    writeFileSync(join(folder, 'wrong.c'), 'int main(void) { return x; }\n')
    expect(heddle([join(folder, 'wrong.c')]).status).toBe(2)
    expect(heddle(['--property', 'nonsense', 'examples/lost_update.c']).status).toBe(2)
    const none = heddle(['examples/lost_update.c'], { CC: '/no/such/compiler' })
    expect([none.status, none.last]).toEqual([3, 'VERDICT: UNKNOWN(no C compiler)'])
    expect(none.stderr).toContain('needs a C compiler')
  })

  it.skipIf(!hasMake)('a project with a Makefile', () => {
    const project = join(folder, 'jobserver')
    cpSync('examples/jobserver', project, { recursive: true })
    const build = `make -s -C ${project} clean all BUG=LOCK_ORDER CC=$HEDDLE_CC`
    const { status, last } = heddle(['--build', build, '--run', join(project, 'jobserver'), '--timeout', '30s'])
    expect([status, last]).toEqual([1, 'VERDICT: FALSE(no-deadlock)'])
  })

  it('killed, it leaves no process', async () => {
    writeFileSync(
      join(folder, 'spin.c'),
      'volatile int x; int main(void) { while (1) { for (int i = 0; i < 1000; i++); x++; } }\n',
    )
    const keep = join(folder, 'kept')
    const child = spawn(
      process.execPath,
      [MAIN, 'test', join(folder, 'spin.c'), '--keep', keep, '--steps', '100000000'],
      { stdio: 'ignore' },
    )
    const running = (): number =>
      readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).startsWith(join(keep, 'program'))).length
    const until = Date.now() + 60_000
    while (running() === 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 100))
    expect(running()).toBeGreaterThan(0)
    // Nothing has been answered yet, and still the control file has no name that could stay.
    expect(readdirSync('/dev/shm').filter((name) => name.startsWith(`heddle-${child.pid}-`))).toEqual([])
    child.kill('SIGKILL')
    const gone = Date.now() + 10_000
    while (running() !== 0 && Date.now() < gone) await new Promise((resolve) => setTimeout(resolve, 100))
    expect(running()).toBe(0)
  })
})
