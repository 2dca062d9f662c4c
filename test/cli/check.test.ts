// heddle check as a user runs it: proofs are accepted, what was changed is rejected with its place.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'heddle-check-'))
const example = 'examples/counter_mutex.c'

const heddle = (...args: readonly string[]): { status: number | null; out: string } => {
  const { status, stdout } = spawnSync('node', ['dist/cli/main.js', ...args], { cwd: root, encoding: 'utf8' })
  return { status, out: stdout }
}

const changed = (path: string, from: RegExp, to: string): string => {
  const text = readFileSync(path, 'utf8')
  expect(text).toMatch(from)
  const other = path.replace('.json', '-changed.json')
  writeFileSync(other, text.replace(from, to))
  return other
}

test.each(['explicit', 'bmc'])('a proof of %s is accepted, for its own text and verdict only', (engine) => {
  const path = join(folder, `${engine}.json`)
  heddle('verify', example, '--engine', engine, '--certificate', path)
  expect(heddle('check', example, path)).toMatchObject({ status: 0, out: expect.stringContaining('CHECK: ACCEPTED') })
  const other = heddle('check', 'examples/lost_update.c', path)
  expect([other.status, other.out]).toEqual([1, expect.stringContaining('task.hashes[0]')])
  const verdict = heddle('check', example, changed(path, /"verdict": "true"/, '"verdict": "false"'))
  expect([verdict.status, verdict.out]).toEqual([1, expect.stringContaining('verdict')])
})

test('what was proved is printed: property, entry, defines, assumptions, what was trusted', () => {
  const path = join(folder, 'printed.json')
  heddle('verify', example, '--engine', 'explicit', '-DUNUSED=1', '--certificate', path)
  const { status, out } = heddle('check', example, path, '-DUNUSED=1')
  expect(status).toBe(0)
  for (const line of [
    /^property +assert$/m,
    /^program +examples\/counter_mutex\.c \(lp64\), from main\(\)$/m,
    /^defines +-DUNUSED=1$/m,
    /^assumes +sequential consistency$/m,
    /^trusts +the front end/m,
  ])
    expect(out).toMatch(line)
})

test('a certificate decides nothing about how the program is read', () => {
  const path = join(folder, 'claims.json')
  heddle('verify', example, '--engine', 'explicit', '--certificate', path)
  const { status, out } = heddle('check', example, path, '--property', 'no-data-race')
  expect([status, out]).toEqual([1, expect.stringContaining('property: it is about "assert"')])
})

test('no command of a certificate is executed', () => {
  const [path, trace] = [join(folder, 'command.json'), join(folder, 'executed')]
  heddle('verify', example, '--engine', 'explicit', '--certificate', path)
  const armed = changed(path, /"entry": "main"/, `"entry": "main", "cpp": "touch ${trace}"`)
  const { status, out } = heddle('check', example, armed)
  expect([status, out]).toEqual([1, expect.stringContaining('task.cpp')])
  expect(existsSync(trace)).toBe(false)
})

test('race freedom behind a trylock that fails is accepted with its assumption', () => {
  const program = join(folder, 'trylock.c')
  writeFileSync(
    program,
    `#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *owner(void *p) { x = 1; pthread_mutex_lock(&m); return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, owner, 0); if (pthread_mutex_trylock(&m)) x = 3; return 0; }
`,
  )
  const path = join(folder, 'trylock.json')
  const asked = ['--property', 'no-data-race'] as const
  heddle('verify', program, ...asked, '--engine', 'explicit', '--certificate', path)
  expect(heddle('check', program, path, ...asked).out).toMatch(/^assumes +that a trylock that fails synchronises/m)
})
