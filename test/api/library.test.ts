// The library as its users call it: the built door, plain data in and out, the JSON of the command line.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, it } from 'vitest'

const library = new URL('../../dist/cli/library.mjs', import.meta.url).href
const main = new URL('../../dist/cli/main.js', import.meta.url).pathname
const schema = JSON.parse(readFileSync(new URL('../../schema/report.schema.json', import.meta.url), 'utf8')) as object
const isReport = new Ajv({ strict: false }).compile(schema)

const SAFE = '#include <assert.h>\nint main(void) { int x = 3; assert(x == 3); return 0; }\n'
const RACE = `#include <pthread.h>
int x;
void *run(void *a) { x = 1; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); x = 2; pthread_join(t, 0); return 0; }
`
const ENDLESS = `#include <assert.h>
#include <pthread.h>
unsigned long x, y;
void *run(void *a) { for (;;) x++; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); for (;;) { y += 3; assert(x * y != 77777); } }
`

describe('the library', () => {
  let api: typeof import('../../src/api/index.js')
  beforeAll(async () => {
    api = (await import(library)) as typeof api
  })

  it('proves, refutes and returns the JSON of the command line', async () => {
    const proved = await api.verify({ text: SAFE })
    expect(proved).toMatchObject({ version: 1, verdict: 'true', property: 'assert' })
    expect(isReport(proved), JSON.stringify(isReport.errors)).toBe(true)
    const refuted = await api.verify({ name: 'race.c', text: RACE }, { property: 'no-data-race' })
    expect(refuted).toMatchObject({ verdict: 'false', file: 'race.c' })
    expect(isReport(refuted), JSON.stringify(isReport.errors)).toBe(true)
    expect(isReport({ ...refuted, trace: undefined })).toBe(false)
  })

  it('tells wrong programs and wrong calls as values', async () => {
    const wrong = await api.verify({ text: 'int main(void) { return y; }' })
    expect(wrong).toMatchObject({ verdict: 'error', diagnostics: ["program.c:1:25: error: 'y' undeclared"] })
    expect(isReport(wrong)).toBe(true)
    expect(await api.verify('no-such-file.c')).toMatchObject({ verdict: 'error' })
    expect(await api.verify({ text: SAFE }, { options: { enginee: 'bmc' } })).toMatchObject({ verdict: 'error' })
  })

  it('ends a run by its signal, and tells progress before', async () => {
    const controller = new AbortController()
    let told = 0
    const run = api.verify(
      { text: ENDLESS },
      {
        engine: 'explicit',
        signal: controller.signal,
        onProgress: (running) => {
          told += running.length
          if (told > 2) controller.abort()
        },
      },
    )
    expect(await run).toMatchObject({ verdict: 'unknown', reason: 'aborted' })
  })

  it('checks a proof, and rejects it for another program', async () => {
    const proved = (await api.verify({ text: SAFE })) as import('../../src/api/index.js').VerifyReport
    const hashes = [createHash('sha256').update(SAFE).digest('hex')]
    const certificate = JSON.stringify({ ...proved, task: { ...proved.task, hashes } })
    expect(await api.check({ text: SAFE }, certificate)).toMatchObject({ kind: 'accepted' })
    expect(await api.check({ text: `${SAFE} ` }, certificate)).toMatchObject({ kind: 'rejected' })
  })

  it('replays a counterexample, and never executes a command of a witness', async () => {
    const found = await api.verify({ text: RACE }, { property: 'no-data-race' })
    const replayed = await api.replay({ text: RACE }, JSON.stringify(found), { property: 'no-data-race' })
    expect(replayed).toMatchObject({ reached: true, trace: { headline: 'data race on x' } })
    const task = { ...(found as { task: object }).task, cpp: 'touch executed' }
    const hostile = await api.replay({ text: RACE }, JSON.stringify({ ...found, task }))
    expect(hostile).toMatchObject({ verdict: 'error', diagnostics: [expect.stringContaining('--cpp')] })
  })

  it.skipIf(spawnSync('cc', ['--version']).status !== 0)('tests the real program', { timeout: 60_000 }, async () => {
    const lost = readFileSync(new URL('../../examples/lost_update.c', import.meta.url), 'utf8')
    expect(await api.test({ text: lost }, { timeout: 20_000, seed: 1 })).toMatchObject({ verdict: 'false' })
  })

  it('shows what the front end understood', async () => {
    expect(await api.show({ text: SAFE }, { stage: 'raw' })).toMatchObject({
      text: expect.stringContaining('thread main'),
    })
    expect(await api.show({ text: 'int main(' })).toMatchObject({ verdict: 'error' })
  })

  it('prints JSON for wrong input on the command line, too', () => {
    const run = spawnSync(process.execPath, [main, 'verify', '--json', 'package.json'], { encoding: 'utf8' })
    expect(run.status).toBe(2)
    expect(isReport(JSON.parse(run.stdout))).toBe(true)
  })
})
