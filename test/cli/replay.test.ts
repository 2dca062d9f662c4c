// heddle replay as a user runs it: what verify wrote in each form executes again; what it did not write is refused.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'heddle-replay-'))

const heddle = (...args: readonly string[]): { status: number | null; out: string; err: string } => {
  const { status, stdout, stderr } = spawnSync('node', ['dist/cli/main.js', ...args], { cwd: root, encoding: 'utf8' })
  return { status, out: stdout, err: stderr }
}

const written = (name: string, program: string, ...options: readonly string[]): string => {
  const path = join(folder, name)
  if (name.endsWith('.json')) writeFileSync(path, heddle('verify', program, '--json', ...options).out)
  else heddle('verify', program, '--witness', path, ...options)
  return path
}

const hasCompiler = spawnSync('cc', ['--version']).status === 0

describe.skipIf(!hasCompiler)('replay --native: the program itself fails on real threads', () => {
  test.each([
    ['examples/lost_update.c', 'assert', 'failed its assertion: balance == 200, examples/lost_update.c:24'],
    ['examples/struct_field_race.c', 'no-data-race', 'both threads stand before their accesses'],
    ['examples/dining_philosophers_deadlock.c', 'no-deadlock', 'every thread is blocked'],
  ])('%s, %s', (example, property, message) => {
    const { status, out } = heddle('replay', '--native', example, written('n.json', example, '--property', property))
    expect(out).toContain(message)
    expect([status, out.trimEnd().split('\n').at(-1)]).toEqual([1, 'REPLAYED NATIVELY'])
  })
})

describe('replay', () => {
  test.each(['a.json', 'a.yml', 'a.graphml'])('%s: every step with its values, status 1', (name) => {
    const { status, out } = heddle('replay', 'examples/lost_update.c', written(name, 'examples/lost_update.c'))
    expect(status).toBe(1)
    expect(out.trimEnd().split('\n').at(-1)).toBe('REPLAYED: assert is violated')
    // Both threads read 0 and write 100; main reads 100.
    expect(out.match(/int tmp = balance;\s+reads balance: 0/g)).toHaveLength(2)
    expect(out.match(/balance = tmp \+ 100;\s+balance = 100/g)).toHaveLength(2)
    expect(out).toMatch(/assert\(balance == 200\);\s+reads balance: 100/)
  })
  test('a deadlock, and the property comes from the witness', () => {
    const example = 'examples/dining_philosophers_deadlock.c'
    const { status, out } = heddle('replay', example, written('b.yml', example, '--property', 'no-deadlock'))
    expect([status, out.trimEnd().split('\n').at(-1)]).toEqual([1, 'REPLAYED: no-deadlock is violated'])
    expect(out).toContain('waits')
  })
  test('a schedule that another program has is not an execution of this one', () => {
    const path = written('c.json', 'examples/lost_update.c')
    const report = JSON.parse(readFileSync(path, 'utf8'))
    report.trace.schedule.steps = report.trace.schedule.steps.filter((s: { thread: number }) => s.thread !== 2)
    writeFileSync(path, JSON.stringify(report))
    const { status, out } = heddle('replay', 'examples/lost_update.c', path)
    expect(status).toBe(3)
    expect(out).toContain('NOT REPLAYED')
  })
  test.each([
    ['nothing', '', 'no schedule'],
    ['a proof', '{"verdict": "true"}', 'no execution to replay'],
  ])('%s is wrong input: status 2', (_, text, message) => {
    const path = join(folder, 'wrong.json')
    writeFileSync(path, text)
    const { status, err } = heddle('replay', 'examples/lost_update.c', path)
    expect(status).toBe(2)
    expect(err).toContain(message)
  })
})
