// What a wrong call is told: each message says what to do instead.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { helpFor } from '../../src/cli/help.js'
import { parseArguments, suggest } from '../../src/run/call/options.js'
import { verifyTable } from '../../src/run/call/request-from.js'
import { findTasks, readTask } from '../../src/run/call/task-definition.js'

const root = new URL('../..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'heddle-messages-'))
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const heddle = (...args: readonly string[]): { status: number | null; out: string; err: string } => {
  const { status, stdout, stderr } = spawnSync('node', ['dist/cli/main.js', ...args], { cwd: root, encoding: 'utf8' })
  return { status, out: stdout, err: stderr }
}

describe('options', () => {
  const parse =
    (...args: readonly string[]) =>
    () =>
      parseArguments(args, verifyTable())
  test('a slip in a name, with one dash or two', () => {
    expect(parse('--proprety', 'assert')).toThrow('unknown option --proprety (did you mean --property?)')
    expect(parse('-property', 'assert')).toThrow('unknown option -property (did you mean --property?)')
  })
  test('what compilers take with one dash is not taken for a slip', () => {
    expect(parse('-Iinclude', '-Ddepth=3', '-pbuild')().options.get('p')).toEqual(['build'])
  })
  test('a slip in a value', () => {
    expect(parse('--engine', 'explict')).toThrow(
      '--engine explict (did you mean explicit?): not one of auto, explicit,',
    )
    expect(suggest('zzzzzzz', ['auto', 'explicit'])).toBe('')
  })
  test('help names every value of every option', () => {
    const help = helpFor('verify').replace(/\s+/g, ' ')
    for (const { values } of verifyTable()) for (const value of values ?? []) expect(help).toContain(value)
    expect(help).toContain('--headers auto|built-in|system')
  })
})

describe('bench', () => {
  test('a program is no task definition', () => {
    expect(() => readTask('examples/lost_update.c')).toThrow('heddle verify examples/lost_update.c decides one program')
  })
  test('a folder without task definitions', () => {
    expect(() => findTasks([join(root, 'examples')])).toThrow('no task definitions')
  })
  test('a table of somebody else is not appended to', () => {
    file('results.csv', 'day,temperature\n')
    file('task.yml', 'input_files: none.c\nproperties: []\n')
    const { status, err } = heddle('bench', folder, '--out', folder)
    expect([status, err]).toEqual([2, expect.stringContaining('not a table of heddle bench')])
  })
  test('tasks without anything to run', () => {
    const task = file('empty.yml', 'input_files: none.c\nproperties:\n  - property_file: gone.prp\n')
    const { status, err } = heddle('bench', task)
    expect([status, err]).toEqual([2, expect.stringContaining('gone.prp: no such property file')])
  })
})

test('a wrong call with --json is told as JSON, too', () => {
  const { status, out, err } = heddle('verify', 'no-such-file.c', '--json')
  expect(status).toBe(2)
  expect(JSON.parse(out)).toEqual({ version: 1, verdict: 'error', diagnostics: ['no-such-file.c: no such file'] })
  expect(err).toContain('no-such-file.c: no such file')
})

describe('files that are something else', () => {
  test('a compiled program', () => {
    const { status, err } = heddle('verify', file('program', new Uint8Array([0x7f, 69, 76, 70, 2, 1, 1, 0, 0])))
    expect([status, err]).toEqual([2, expect.stringContaining('a compiled program or library, not C source')])
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })
  test('a header that is not found', () => {
    const { err } = heddle('verify', file('h.c', '#include <none/of/these.h>\nint main(void) { return 0; }\n'))
    expect(err).toMatch(/h\.c:1:10: error: cannot find <none\/of\/these.h>: .*-I DIR.*--headers system.*--cpp/)
  })
  test('no certificate', () => {
    const { status, out } = heddle('check', 'examples/counter_mutex.c', 'README.md')
    expect([status, out]).toEqual([
      1,
      expect.stringContaining('heddle verify FILE --certificate PROOF.json writes one'),
    ])
  })
})

test('an execution of one program is not replayed with another, in any form', () => {
  const changed = file('changed.c', '')
  copyFileSync(join(root, 'examples/bank_account.c'), changed)
  const forms = ['a.yml', 'a.graphml', 'a.json'].map((name) => join(folder, name))
  const [yml, graphml, json] = forms as [string, string, string]
  file('a.json', heddle('verify', 'examples/lost_update.c', '--json', '--witness', yml).out)
  heddle('verify', 'examples/lost_update.c', '--witness', graphml)
  for (const witness of [yml, graphml, json]) {
    const { status, err } = heddle('replay', changed, witness)
    expect([status, err]).toEqual([2, expect.stringContaining('the SHA-256 differs')])
  }
})

test('--quiet prints the verdict, --color always colours a pipe, and a pipe has no colours by itself', () => {
  expect(heddle('verify', 'examples/lost_update.c', '--quiet').out).toBe('VERDICT: FALSE(assert)\n')
  const coloured = heddle('verify', 'examples/lost_update.c', '--color', 'always').out
  expect(coloured).toContain('\u001b[31m')
  expect(heddle('replay', 'examples/lost_update.c', join(folder, 'a.json')).out).not.toContain('\u001b[')
})

test('whoever reads the output may be gone', () => {
  const { stderr } = spawnSync('sh', ['-c', 'node dist/cli/main.js --help | true'], { cwd: root, encoding: 'utf8' })
  expect(stderr).toBe('')
})
