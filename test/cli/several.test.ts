// Several properties in one call, and outputs that cannot be written.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { expandProperties } from '../../src/cli/several.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const heddle = (...args: string[]) =>
  spawnSync(process.execPath, ['dist/cli/main.js', 'verify', ...args], { cwd: root, encoding: 'utf8' })

describe('several properties', () => {
  it('are each decided, and the worst verdict is the last line and the status', { timeout: 60_000 }, () => {
    const run = heddle('examples/struct_field_race.c', '--property', 'no-deadlock', '--property', 'no-data-race')
    expect(run.status).toBe(1)
    expect(run.stdout).toMatch(/^no-deadlock {3}TRUE$/m)
    expect(run.stdout).toMatch(/^no-data-race {2}FALSE\(no-data-race\) {2}data race on cache\.total/m)
    expect(run.stdout).toMatch(/^ {2}TRUE assumes sequential consistency/m)
    expect(run.stdout.trimEnd().split('\n').at(-1)).toBe('VERDICT: FALSE(no-data-race)')
  })

  it('are one JSON object, and one output file each', { timeout: 60_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-several-'))
    const sarif = join(folder, 'log.sarif')
    const properties = ['--property', 'assert', '--property', 'no-deadlock']
    const run = heddle('examples/counter_mutex.c', ...properties, '--json', '--sarif', sarif)
    const result = JSON.parse(run.stdout)
    expect(run.status).toBe(0)
    expect(result).toMatchObject({ version: 1, verdict: 'true' })
    expect(result.results.map((r: { property: string }) => r.property)).toEqual(['assert', 'no-deadlock'])
    for (const property of ['assert', 'no-deadlock'])
      expect(JSON.parse(readFileSync(join(folder, `log.${property}.sarif`), 'utf8')).version).toBe('2.1.0')
    expect(existsSync(sarif)).toBe(false)
  })

  it('all stands for each once', () => {
    expect(expandProperties(['no-deadlock', 'all', 'assert'])).toEqual([
      ...['no-deadlock', 'assert', 'no-data-race', 'no-overflow', 'valid-memsafety'],
    ])
  })
})

describe('an output that cannot be written', () => {
  it('is told before the run, with status 2', () => {
    const missing = heddle('examples/lost_update.c', '--html', 'no/such/folder/report.html')
    expect([missing.status, missing.stdout]).toEqual([2, ''])
    expect(missing.stderr).toContain('no folder no/such/folder')
    expect(heddle('examples/lost_update.c', '--sarif', 'examples').stderr).toContain('this is a folder')
  })
})
