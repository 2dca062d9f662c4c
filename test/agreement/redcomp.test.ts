// Generated concurrent programs: redcomp agrees with brute force on the raw program, with reduction and without, and its
// counterexamples replay there (soundness.md 19). A solver that takes too long on one of them leaves it undecided.
import { expect, test } from 'vitest'
import { redcompEngine } from '../../src/engine/redcomp/index.js'
import { oracle, replay } from '../../src/semantics/index.js'
import { createSmt } from '../../src/smt/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'
import { generate } from '../generate/index.js'

const PROGRAMS = 16

test.each(['on', 'off'])('reduction %s', { timeout: 400_000 }, async (reduction) => {
  const parser = await testParser()
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const env = { stopped: () => undefined, progress: () => {} }
  const verdicts = { true: 0, false: 0, unknown: 0 }
  let undecided = 0
  for (let seed = 0; seed < PROGRAMS; seed++) {
    const raw = compileProgram(parser, generate(seed))
    const expected = oracle(raw, 'assert', { maxStates: 20_000 }).verdict
    if (expected === 'unknown') continue
    verdicts[expected]++
    const smt = await createSmt('auto')
    const result = redcompEngine.verify(
      { raw, property: 'assert', settings, smt },
      { reduction, 'horn-limit': '8000' },
      env,
    )
    if (result.verdict === 'unknown') undecided++
    else expect({ seed, verdict: result.verdict }).toEqual({ seed, verdict: expected })
    if (result.verdict === 'false') expect(replay(raw, result.trace, 'assert').reached).toBe(true)
    smt.dispose()
  }
  // Otherwise this compares nothing.
  expect(verdicts.true).toBeGreaterThanOrEqual(2)
  expect(verdicts.false).toBeGreaterThanOrEqual(2)
  expect(undecided).toBeLessThanOrEqual(0.2 * PROGRAMS)
})
