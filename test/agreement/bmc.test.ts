// Both encodings of bmc agree with brute force on generated programs whose executions are bounded, and their
// counterexamples replay; the reductions and their encodings take turns. `bench/peephole/agreement.ts` does many more.
import { expect, test } from 'vitest'
import { createSmt } from '../../src/smt/index.js'
import { agreement, BOUNDED, MORE_VARIANTS, VARIANTS } from '../engine/bmc/support.js'
import { testParser } from '../frontend/parse/load.js'
import { generate } from '../generate/index.js'

const PROGRAMS = 60

const parser = await testParser()
const smt = await createSmt('auto')

test('verdicts are those of brute force', { timeout: 400_000 }, () => {
  const verdicts = { true: 0, false: 0, unknown: 0 }
  const undecided: string[] = []
  const reductions = [...VARIANTS.slice(2), ...MORE_VARIANTS]
  for (let seed = 5000; seed < 5000 + PROGRAMS; seed++) {
    const variants = [VARIANTS[0]!, reductions[seed % reductions.length]!]
    const found = agreement(parser, smt, generate(seed, { ...BOUNDED, statements: 2 }), variants)
    expect({ seed, wrong: found.wrong }).toEqual({ seed, wrong: [] })
    verdicts[found.expected]++
    undecided.push(...found.undecided)
  }
  // Otherwise this compares nothing.
  expect(verdicts.true).toBeGreaterThanOrEqual(10)
  expect(verdicts.false).toBeGreaterThanOrEqual(10)
  expect(undecided.length).toBeLessThanOrEqual(0.1 * (verdicts.true + verdicts.false) * 2)
})
