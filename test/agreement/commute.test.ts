// The engine commute agrees with brute force on generated programs, in every order: what it decides is decided rightly.
// `npm run fuzz -- --engine commute` does many more.
import { expect, test } from 'vitest'
import { commuteEngine } from '../../src/engine/commute/index.js'
import { reasonText } from '../../src/output/reason.js'
import { oracle } from '../../src/semantics/index.js'
import { createSmt } from '../../src/smt/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram, judge } from '../generate/harness.js'
import { generate } from '../generate/index.js'
import { limitOf } from '../stopwatch.js'

const PROGRAMS = 24
const ORDERS = ['sequential', 'lockstep', 'random:7', 'learnt', '2|1']
const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const

const parser = await testParser()
const smt = await createSmt('auto')

test('verdicts are those of brute force', { timeout: 400_000 }, () => {
  const verdicts = { true: 0, false: 0, unknown: 0 }
  const undecided: string[] = []
  for (let seed = 9000; seed < 9000 + PROGRAMS; seed++) {
    const raw = compileProgram(parser, generate(seed, { statements: 2 }))
    const expected = oracle(raw, 'assert', { maxStates: 5000 })
    if (expected.verdict === 'unknown') continue
    const order = ORDERS[seed % ORDERS.length]!
    const env = { stopped: limitOf(3), progress: () => {} }
    const result = commuteEngine.verify({ raw, property: 'assert', settings, smt }, { order }, env)
    verdicts[expected.verdict]++
    if (result.verdict === 'unknown') undecided.push(`${seed}: ${reasonText(result.reason)}`)
    expect({ seed, order, wrong: judge(raw, 'assert', expected.verdict, result) }).toEqual({
      seed,
      order,
      wrong: undefined,
    })
  }
  // Otherwise this compares nothing. How many are decided in so short a time depends on the machine.
  expect(verdicts.true).toBeGreaterThanOrEqual(4)
  expect(verdicts.false).toBeGreaterThanOrEqual(3)
  expect(undecided.length).toBeLessThanOrEqual(0.5 * (verdicts.true + verdicts.false))
})
