// Generated concurrent programs: the engines that need no solver agree with brute force on the raw program, whatever
// their options, and their counterexamples replay there (soundness.md 19).
import { describe, expect, test } from 'vitest'
import { testParser } from '../frontend/parse/load.js'
import { solverlessContenders } from '../generate/contenders.js'
import { compareEngines, compileProgram, countDisagreement } from '../generate/harness.js'
import { generate, generateLibrary } from '../generate/index.js'

const PROGRAMS = 30

const parser = await testParser()

test('the compiled explorer counts the states and transitions that the interpreter counts', () => {
  for (let seed = 0; seed < 12; seed++)
    expect({ seed, wrong: countDisagreement(compileProgram(parser, generate(seed)), 1_500) }).toEqual({ seed })
})

describe.each(['assert', 'no-data-race', 'no-deadlock'] as const)('%s', (property) => {
  test('engines agree with brute force', async () => {
    const contenders = await solverlessContenders(property)
    const verdicts = { true: 0, false: 0, unknown: 0 }
    const undecided: string[] = []
    for (let seed = 0; seed < PROGRAMS; seed++) {
      const text = seed % 3 === 2 ? generateLibrary(seed) : generate(seed)
      const found = compareEngines(compileProgram(parser, text), property, contenders, 5_000)
      expect({ seed, wrong: found.wrong }).toEqual({ seed, wrong: [] })
      verdicts[found.expected]++
      undecided.push(...found.undecided)
    }
    // Otherwise this compares nothing.
    expect(verdicts.true).toBeGreaterThanOrEqual(2)
    expect(verdicts.false).toBeGreaterThanOrEqual(2)
    expect(undecided.length).toBeLessThanOrEqual(0.1 * (verdicts.true + verdicts.false) * contenders.length)
  })
})
