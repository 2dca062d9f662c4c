// The engine with every reduction against brute force over the executed scheduler, on generated programs.
import { describe, expect, it } from 'vitest'
import type { ForestCertificate } from '../../src/engine/esst/certificate.js'
import type { Options } from '../../src/engine/index.js'
import { createSmt, type Smt } from '../../src/smt/index.js'
import type { Certificate } from '../../src/verdict/index.js'
import type { Program } from '../../src/xcfa/index.js'
import { checkForest } from '../engine/esst/check-forest.js'
import { generateFairThreads } from '../engine/esst/generate.js'
import { generateSystemC } from '../engine/esst/generate-systemc.js'
import { cxxParser, decided, expected, modelOf, programOf } from '../engine/esst/support.js'
import { testParser } from '../frontend/parse/load.js'

const parser = await testParser()
const cxx = await cxxParser()
const smt = await createSmt('auto')

/** Each of these for some of the programs; bench/esst/agreement.ts has more of both. */
const SETTINGS: readonly (readonly Options[])[] = [
  [{ por: 'none' }, { por: 'both', cycles: 'check' }],
  [{ por: 'persistent' }, { por: 'both', regions: 'impact' }],
  [{ por: 'sleep' }, { por: 'both', independence: 'guarded' }],
  [{ por: 'both' }, { por: 'persistent', precision: 'global', leak: 'on' }],
]

const compare = (kind: 'fairthreads' | 'systemc', from: number, count: number, options: Options): void => {
  let runs = 0
  let undecided = 0
  for (let seed = from; seed < from + count; seed++) {
    const raw =
      kind === 'systemc' ? modelOf(parser, cxx, generateSystemC(seed)) : programOf(parser, generateFairThreads(seed))
    const { verdict } = expected(raw, options)
    if (verdict === 'unknown') continue
    for (const setting of SETTINGS[seed % SETTINGS.length]!) {
      const result = decided(raw, smt, { ...options, ...setting }, 300)
      const name = `${seed} ${JSON.stringify(setting)}`
      runs++
      if (result.verdict === 'unknown') undecided++
      else expect(`${name} ${result.verdict}`).toBe(`${name} ${verdict}`)
      if (result.verdict === 'true') expect(`${name} ${problemOf(raw, result.certificate, smt)}`).toBe(`${name} none`)
    }
  }
  expect(runs).toBeGreaterThan(count)
  expect(undecided).toBeLessThanOrEqual(runs / 10)
}

/** The proof is checked with what brute force has nothing to do with: labels, covers, reduction. */
const problemOf = (raw: Program, { data }: Certificate, solver: Smt): string =>
  checkForest(raw, 'assert', data as ForestCertificate, solver)?.replace(/.*spurious: undecided/, 'none') ?? 'none'

describe('esst agrees with brute force', () => {
  it('FairThreads, in any order', () => compare('fairthreads', 1000, 20, {}), 120_000)
  it('FairThreads, in a fixed order', () => compare('fairthreads', 2000, 6, { order: 'fixed' }), 120_000)
  it('by priority', () => compare('fairthreads', 3000, 8, { scheduler: 'priority' }), 120_000)
  it('SystemC', () => compare('systemc', 4000, 20, {}), 120_000)
})
