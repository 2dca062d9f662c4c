// Generated concurrent programs: redcomp agrees with brute force on the raw program, with reduction and without, and its
// counterexamples replay there (soundness.md 19). A solver that takes too long on one of them leaves it undecided. Long
// runs: bench/redcomp/agreement.ts.
import { expect, test } from 'vitest'
import { testParser } from '../frontend/parse/load.js'
import { compare } from './redcomp-support.js'

const PROGRAMS = 5
const SECONDS = 12

test.each([
  ['assert', 'on'],
  ['assert', 'off'],
  ['termination', 'on'],
  ['termination', 'off'],
] as const)('%s, reduction %s', { timeout: 400_000 }, async (property, reduction) => {
  const parser = await testParser()
  const verdicts = { true: 0, false: 0, unknown: 0 }
  let undecided = 0
  for (let seed = 0; seed < PROGRAMS; seed++) {
    const { expected, found, problem } = await compare(parser, seed, property, reduction, SECONDS)
    verdicts[expected]++
    if (found === 'unknown' && expected !== 'unknown') undecided++
    else expect({ seed, found, problem }).toEqual({ seed, found: expected, problem: undefined })
  }
  // Otherwise this compares nothing.
  expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThanOrEqual(1)
  expect(undecided).toBeLessThanOrEqual(0.2 * PROGRAMS)
})
