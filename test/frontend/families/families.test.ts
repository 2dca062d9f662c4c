// Programs in the manner of the families that verifiers are compared on, with the constructs that those use: each is C
// for the machine's compiler, and explicit exploration gives the verdicts that it claims in its header.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { explicitEngine } from '../../../src/engine/explicit/index.js'
import { compile } from '../../../src/frontend/c/index.js'
import { reasonText } from '../../../src/output/reason.js'
import type { Property } from '../../../src/property/index.js'
import { replay } from '../../../src/semantics/index.js'
import { verdictsOf } from '../../examples/verdicts.js'
import { testParser } from '../parse/load.js'
import { hasCompiler } from '../preprocess/compiler.js'

const NAMES = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.c'))

const parser = await testParser()

const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
const env = { stopped: () => undefined, progress: () => {} }

describe.each(NAMES)('%s', (name) => {
  const path = join(import.meta.dirname, name)
  const text = readFileSync(path, 'utf8')

  it.skipIf(!hasCompiler)('is C', () => {
    expect(spawnSync('cc', ['-fsyntax-only', '-std=gnu11', '-pthread', '-w', path]).stderr.toString()).toBe('')
  })

  it('has the verdicts that it claims', () => {
    const { program: raw, cut } = compile([{ name, text }], { dataModel: 'lp64', cutUnsupported: true }, parser)
    const verdicts = [...verdictsOf(text)]
    expect(verdicts.length).toBeGreaterThan(0)
    for (const [property, holds] of verdicts) {
      const result = explicitEngine.verify({ raw, property: property as Property, settings }, { por: 'both' }, env)
      const reason =
        result.verdict === 'unknown' ? reasonText(result.reason) : result.verdict === 'true' ? cut?.message : undefined
      expect([property, result.verdict, reason]).toEqual([property, `${holds}`, undefined])
      if (result.verdict === 'false') expect(replay(raw, result.trace, property).reached).toBe(true)
    }
  })
})
