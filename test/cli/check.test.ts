// heddle check as a user runs it: proofs are accepted, what was changed is rejected with its place.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
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

test('another bound than the proof needs is rejected', () => {
  const path = join(folder, 'bound.json')
  heddle('verify', example, '--engine', 'bmc', '--certificate', path)
  const { status, out } = heddle('check', example, changed(path, /"bound": \d+/, '"bound": 77'))
  expect([status, out]).toEqual([1, expect.stringContaining('certificate.data.bound')])
})
