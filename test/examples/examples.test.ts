// The programs in examples/ compile with any compiler, with its headers and with ours, and say their verdicts.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { header, headerNames } from '../../src/frontend/c/library/index.js'
import { EXAMPLES } from './verdicts.js'

const hasCompiler = spawnSync('cc', ['--version']).status === 0

describe('examples', () => {
  it('there are some, each with verdicts', () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(16)
    for (const { name, verdicts } of EXAMPLES) expect([name, verdicts.get('assert')]).not.toEqual([name, undefined])
  })
})

describe.skipIf(!hasCompiler)('examples as C', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-examples-'))
    for (const name of headerNames()) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), header(name)!)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  for (const { name, path } of EXAMPLES)
    it(`${name} compiles without a warning`, () => {
      const options = ['-std=c11', '-pthread', '-Wall', '-Werror', '-D_GNU_SOURCE', '-fsyntax-only', path]
      expect(spawnSync('cc', options).stderr.toString()).toBe('')
      expect(spawnSync('cc', ['-nostdinc', `-I${folder}`, ...options]).stderr.toString()).toBe('')
    })
})
