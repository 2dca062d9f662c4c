// heddle ci on a small repository of its own: what changed, what is known, what fails the build.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { changedPrograms, programsBelow } from '../../src/cli/ci/programs.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const repository = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-ci-'))
  for (const name of ['counter_mutex', 'struct_field_race'])
    cpSync(`${root}examples/${name}.c`, join(folder, `${name}.c`))
  writeFileSync(join(folder, 'part.h'), 'extern int part;\n')
  writeFileSync(join(folder, 'library.c'), '#include "part.h"\nint part;\n')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
  return folder
}
const ci = (folder: string, ...args: string[]) =>
  spawnSync(process.execPath, [`${root}dist/cli/main.js`, 'ci', ...args], { cwd: folder, encoding: 'utf8' })

describe('heddle ci', { timeout: 60_000 }, () => {
  it('fails for a new finding, and not for one in the baseline, even if lines move', () => {
    const folder = repository()
    const races = ['--property', 'no-data-race', '--baseline', 'known.json']
    const first = ci(folder, ...races, '--sarif', 'log.sarif')
    expect(first.status).toBe(1)
    expect(first.stdout).toMatch(/^struct_field_race\.c:\d+: error: data race on cache\.total \[no-data-race\]$/m)
    expect(first.stdout).toMatch(/^counter_mutex\.c: no-data-race holds$/m)
    const log = JSON.parse(readFileSync(join(folder, 'log.sarif'), 'utf8'))
    expect(log.runs[0].results).toHaveLength(1)
    expect(log.runs[0].tool.driver.rules[log.runs[0].results[0].ruleIndex].id).toBe('no-data-race')
    expect(ci(folder, ...races, '--update-baseline').status).toBe(0)
    const file = join(folder, 'struct_field_race.c')
    writeFileSync(file, `\n\n${readFileSync(file, 'utf8')}`)
    expect(ci(folder, ...races).status).toBe(0)
  })

  it('verifies only what changed since a revision', () => {
    const folder = repository()
    const file = join(folder, 'counter_mutex.c')
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n`)
    const run = ci(folder, '--base', 'HEAD', '--property', 'assert')
    expect([run.status, run.stdout.split('\n')[0]]).toEqual([0, 'counter_mutex.c: assert holds'])
    expect(run.stdout).not.toContain('struct_field_race')
    expect(ci(folder, '--base', 'nowhere').status).toBe(2)
  })

  it('tells what the budget did not reach', () => {
    const run = ci(repository(), '--property', 'assert', '--budget', '1ms')
    expect(run.status).toBe(3)
    expect(run.stdout).toContain('the budget is used up')
  })

  it('counts a program as changed through what it includes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-ci-'))
    writeFileSync(join(folder, 'a.h'), '#include "b.h"\n')
    writeFileSync(join(folder, 'b.h'), '')
    writeFileSync(join(folder, 'main.c'), '#include "a.h"\nint main(void) { return 0; }\n')
    const programs = programsBelow([folder])
    expect(programs).toEqual([join(folder, 'main.c')])
    expect(changedPrograms(programs, [join(folder, 'b.h')])).toEqual(programs)
    expect(changedPrograms(programs, [join(folder, 'c.h')])).toEqual([])
  })
})
