// A search and a bench over the queue: workers may die, and nothing is lost or counted twice. Needs redis-server, which CI
// installs (scripts/ci-tools.sh); bench/queue/chaos.mjs is the long form.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const hasRedis = spawnSync('redis-server', ['--version']).status === 0
it.runIf(process.env['CI'])('redis-server is installed in CI', () => expect(hasRedis).toBe(true))

const PROGRAM = `#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *t(void *p) { atomic_fetch_add(&x, 1); return 0; }
int main() { ${Array.from({ length: 6 }, (_, i) => `pthread_t p${i}; pthread_create(&p${i}, 0, t, 0);`).join(' ')} return 0; }
`

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

const heddle = (...words: readonly string[]): ChildProcess =>
  spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })

const outputOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    child.stdout!.on('data', (chunk) => (text += chunk))
    child.on('close', () => resolve(text))
  })

describe.runIf(hasRedis)('over the queue', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-queue-'))
  const file = join(folder, 'program.c')
  let redis: ChildProcess
  let url: string
  const workers: ChildProcess[] = []
  const work = (): ChildProcess => {
    const worker = heddle('work', '--queue', url)
    workers.push(worker)
    return worker
  }

  beforeAll(async () => {
    writeFileSync(file, PROGRAM)
    const port = String(await freePort())
    url = `redis://127.0.0.1:${port}`
    const options = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--save', '']
    redis = spawn('redis-server', options, { stdio: 'ignore' })
  })

  afterAll(() => {
    for (const worker of workers) worker.kill('SIGKILL')
    redis.kill('SIGKILL')
  })

  it('counts every execution once, though workers and the coordinator are killed', { timeout: 60_000 }, async () => {
    const search = ['verify', file, '--engine', 'graphs', '--json', '--queue', url]
    const first = work()
    const given = heddle(...search)
    await new Promise((resolve) => setTimeout(resolve, 900))
    first.kill('SIGKILL')
    given.kill('SIGKILL')
    work()
    work()
    const report = JSON.parse(await outputOf(heddle(...search)))
    const alone = JSON.parse(await outputOf(heddle('verify', file, '--engine', 'graphs', '--json')))
    expect(report).toMatchObject({ verdict: 'true', stats: { executions: 720, blocked: 0 } })
    expect(report.certificate).toEqual(alone.certificate)
  })

  it('runs the tasks of a bench, and shows who works', { timeout: 60_000 }, async () => {
    if (workers.every(({ killed }) => killed)) work()
    const tasks = join(folder, 'tasks')
    mkdirSync(tasks)
    writeFileSync(join(tasks, 'p.prp'), 'CHECK( init(main()), LTL(G ! call(reach_error())) )\n')
    for (const [name, value, verdict] of [
      ['good', 0, true],
      ['bad', 1, false],
    ] as const) {
      writeFileSync(
        join(tasks, `${name}.c`),
        `extern void reach_error(void); int main() { if (${value}) reach_error(); return 0; }\n`,
      )
      writeFileSync(
        join(tasks, `${name}.yml`),
        `format_version: '2.0'\ninput_files: ${name}.c\nproperties:\n  - property_file: p.prp\n    expected_verdict: ${verdict}\noptions:\n  language: C\n  data_model: ILP32\n`,
      )
    }
    const out = join(folder, 'out')
    await outputOf(heddle('bench', tasks, '--queue', url, '--out', out, '--timeout', '20s'))
    const rows = readFileSync(join(out, 'results.csv'), 'utf8')
    expect(rows).toMatch(/good.*true,correct/)
    expect(rows).toMatch(/bad.*false,correct/)
    const status = JSON.parse(await outputOf(heddle('queue', 'status', '--queue', url, '--json')))
    expect(status).toMatchObject({ waiting: 0, active: 0, runs: [] })
    expect(status.workers.length).toBeGreaterThan(0)
  })
})
