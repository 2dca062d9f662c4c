// A search by several threads counts what one counts, finds what one finds, and leaves nothing behind.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

const threads = (body: string, count: number): string => `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int x; int y, z; pthread_mutex_t m;
void *t(void *p) { ${body} return 0; }
int main() { ${Array.from({ length: count }, (_, i) => `pthread_t p${i}; pthread_create(&p${i}, 0, t, 0);`).join(' ')} return 0; }
`

const programFile = (text: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'heddle-')), 'program.c')
  writeFileSync(file, text)
  return file
}

const verify = (text: string, ...words: readonly string[]) => {
  const file = programFile(text)
  const { stdout } = spawnSync(process.execPath, [MAIN, 'verify', file, '--engine', 'graphs', '--json', ...words], {
    encoding: 'utf8',
  })
  return JSON.parse(stdout)
}

describe('--workers', () => {
  it('three threads count what one counts', () => {
    const program = threads('atomic_fetch_add(&x, 1);', 5)
    const one = verify(program, '--workers', '1')
    const three = verify(program, '--workers', '3')
    // Each increment reads from another one or from the initial value.
    expect(one.stats).toMatchObject({ executions: 120, blocked: 0 })
    expect(three.certificate).toEqual(one.certificate)
  })

  it('a violation that another thread finds is shown', () => {
    const program = threads('atomic_fetch_add(&x, 1); int r = y; y = r + 1; assert(y != 3);', 3)
    expect(verify(program, '--workers', '3')).toMatchObject({ verdict: 'false', property: 'assert' })
  })

  it('ends with the process that leads', async () => {
    const file = programFile(threads('atomic_fetch_add(&x, 1); atomic_fetch_add(&x, 1);', 8))
    const child = spawn(process.execPath, [MAIN, 'verify', file, '--engine', 'graphs', '--workers', '2'])
    await new Promise((resolve) => setTimeout(resolve, 1500))
    child.kill('SIGKILL')
    await expect.poll(() => processesFor(child.pid!), { timeout: 5000 }).toEqual([])
  })
})

/** Engines' processes that this command line has started. */
const processesFor = (pid: number): readonly string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').includes(`HEDDLE_PARENT=${pid}\0`)
    } catch {
      return false
    }
  })
