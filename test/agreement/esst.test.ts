// The engine with every reduction against brute force over the executed scheduler, on generated programs.
import { beforeAll, describe, expect, it } from 'vitest'
import type { CParser } from '../../src/frontend/c/index.js'
import { createSmt, type Smt } from '../../src/smt/index.js'
import { generateFairThreads } from '../engine/esst/generate.js'
import { decided, expected, programOf, SETTINGS } from '../engine/esst/support.js'
import { testParser } from '../frontend/parse/load.js'

let parser: CParser
let smt: Smt
beforeAll(async () => {
  parser = await testParser()
  smt = await createSmt('auto')
})

const compare = (from: number, count: number, options: Record<string, string>): void => {
  let runs = 0
  let undecided = 0
  for (let seed = from; seed < from + count; seed++) {
    const raw = programOf(parser, generateFairThreads(seed))
    const { verdict } = expected(raw, options)
    if (verdict === 'unknown') continue
    for (const setting of SETTINGS) {
      const result = decided(raw, smt, { ...options, ...setting }, 300)
      runs++
      if (result.verdict === 'unknown') undecided++
      else expect(`${seed} ${setting['por']} ${result.verdict}`).toBe(`${seed} ${setting['por']} ${verdict}`)
    }
  }
  expect(runs).toBeGreaterThan(count)
  expect(undecided).toBeLessThanOrEqual(runs / 10)
}

describe('esst agrees with brute force', () => {
  it('in any order', () => compare(1000, 25, {}), 120_000)
  it('in a fixed order', () => compare(2000, 10, { order: 'fixed' }), 120_000)
  it('by priority', () => compare(3000, 10, { scheduler: 'priority' }), 120_000)
})
