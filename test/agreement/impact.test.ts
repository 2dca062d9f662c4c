// The engine impact agrees with brute force on generated programs, in every configuration of the paper and with every
// kind of interpolation; proofs are checked (Proposition 4.6) and counterexamples replayed.
import { beforeAll, describe, expect, test } from 'vitest'
import { impactEngine } from '../../src/engine/impact/index.js'
import type { CParser } from '../../src/frontend/c/index.js'
import { oracle, replay } from '../../src/semantics/index.js'
import type { Smt } from '../../src/smt/index.js'
import { inconclusive } from '../../src/verdict/reason.js'
import type { Program } from '../../src/xcfa/index.js'
import { checkProof } from '../engine/impact/check-proof.js'
import { run, solver, unexcused } from '../engine/impact/support.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'
import { generate } from '../generate/index.js'

const CONFIGURATIONS: readonly Readonly<Record<string, string>>[] = [
  { por: 'none', 'force-cover': 'on' },
  { por: 'spor', 'force-cover': 'on' },
  { por: 'spor', 'force-cover': 'off' },
  { por: 'dpor', 'force-cover': 'off' },
  { por: 'dpor', 'force-cover': 'on' },
  { por: 'dpor', 'force-cover': 'on', conditional: 'off' },
  { por: 'dpor', 'force-cover': 'on', 'prune-edges': 'off' },
  { por: 'dpor', 'force-cover': 'on', interpolation: 'wp' },
  { por: 'dpor', 'force-cover': 'on', interpolation: 'farkas' },
]
const PROGRAMS = 32
/** Each program meets so many of the configurations, by turns. */
const TURNS = 2
/** Steps of the algorithm after which a run gives up: a count, so that the outcome does not depend on the machine. */
const MAX_STEPS = 600

let parser: CParser
let smt: Smt
const programs: { readonly seed: number; readonly raw: Program; readonly expected: 'true' | 'false' }[] = []

beforeAll(async () => {
  parser = await testParser()
  smt = await solver()
  for (let seed = 0; seed < PROGRAMS; seed++) {
    const raw = compileProgram(parser, generate(seed))
    const { verdict } = oracle(raw, 'assert', { maxStates: 5_000 })
    if (verdict !== 'unknown') programs.push({ seed, raw, expected: verdict })
  }
}, 120_000)

const verify = (raw: Program, options: Readonly<Record<string, string>>) => {
  let steps = 0
  const env = { stopped: () => (++steps > MAX_STEPS ? inconclusive('enough') : undefined), progress: () => {} }
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  return impactEngine.verify({ raw, property: 'assert', settings, smt }, options, env)
}

describe('generated programs', () => {
  test('every configuration agrees with brute force, and nine of ten runs with force cover are decided', () => {
    const undecided = { on: 0, off: 0 }
    const runs = { on: 0, off: 0 }
    for (const [i, { seed, raw, expected }] of programs.entries())
      for (let turn = 0; turn < TURNS; turn++) {
        const options = CONFIGURATIONS[(i * TURNS + turn) % CONFIGURATIONS.length]!
        const result = verify(raw, options)
        const forceCover = options['force-cover'] as 'on' | 'off'
        runs[forceCover]++
        if (result.verdict === 'unknown') undecided[forceCover]++
        else expect({ seed, options, verdict: result.verdict }).toEqual({ seed, options, verdict: expected })
        if (result.verdict === 'false') expect(replay(raw, result.trace, 'assert').reached).toBe(true)
      }
    expect(undecided.on).toBeLessThanOrEqual(0.1 * runs.on)
  })

  test('both verdicts occur', () => {
    for (const verdict of ['true', 'false'] as const)
      expect(programs.filter(({ expected }) => expected === verdict).length).toBeGreaterThanOrEqual(2)
  })

  test('trees of proofs are well-labelled, safe and complete, and their paths monotonic', () => {
    let proofs = 0
    for (const { seed, raw, expected } of programs.filter((program) => program.expected === 'true').slice(0, 4)) {
      const { impact, transitions, outcome } = run(raw, smt, {}, 'int')
      if (outcome.kind !== 'safe') continue
      proofs++
      expect({ seed, unexcused: unexcused(impact) }).toEqual({ seed, unexcused: [] })
      expect({ seed, expected, problem: checkProof(impact, transitions, smt) }).toEqual({
        seed,
        expected,
        problem: undefined,
      })
    }
    expect(proofs).toBeGreaterThanOrEqual(3)
  })
})
