// Generated C programs: without reduction the compiled explorer visits exactly the states and transitions of the
// brute-force interpreter, on the same program (all memory as bytes, nothing sliced).
import { expect, test } from 'vitest'
import { oracle } from '../../../src/semantics/index.js'
import { everyAccess, largeBlocks } from '../../../src/xcfa/passes/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { generate } from '../../generate/index.js'
import { run } from './support.js'

const PROGRAMS = Number(process.env['HEDDLE_PROGRAMS'] ?? 25)
const FIRST = Number(process.env['HEDDLE_FIRST'] ?? 5000)
const MAX_STATES = 4_000

const parser = await testParser()

test('the same states and transitions as the interpreter', () => {
  let compared = 0
  let skipped = 0
  for (let seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
    const program = largeBlocks(compileProgram(parser, generate(seed)), everyAccess)
    const expected = oracle(program, 'assert', { join: false, complete: true, maxStates: MAX_STATES })
    // Cut off, or a choice with too many values.
    if (expected.states > MAX_STATES || expected.reason !== undefined) {
      skipped++
      continue
    }
    const { outcome, partial, states, transitions } = run(program, { isError: () => false })
    expect({ seed, outcome: outcome.kind, partial, states, transitions }).toEqual({
      seed,
      outcome: 'complete',
      partial: undefined,
      states: expected.states,
      transitions: expected.transitions,
    })
    compared++
  }
  expect(compared).toBeGreaterThanOrEqual(PROGRAMS / 3)
  expect(compared + skipped).toBe(PROGRAMS)
})
