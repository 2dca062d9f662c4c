// Every pass keeps what brute force finds on the raw program (soundness.md 19).
import { describe, expect, it } from 'vitest'
import { oracle } from '../../../src/semantics/exploration/oracle.js'
import { replay } from '../../../src/semantics/replay/replay.js'
import type { Program } from '../../../src/xcfa/index.js'
import { largeBlocks, prepare } from '../../../src/xcfa/passes/index.js'
import { difference, disagreements, outcomes } from './outcomes.js'
import { randomProgram } from './random.js'

const PROGRAMS = Number(process.env['HEDDLE_PROGRAMS'] ?? 40)
const FIRST = Number(process.env['HEDDLE_SEED'] ?? 1)

describe('random programs', () => {
  it('have the same outcomes after every pass', () => {
    let decided = 0
    const all = new Set<string>()
    for (let seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      const raw = randomProgram(seed)
      const expected = outcomes(raw)
      if (!expected) continue
      decided++
      expect(disagreements(raw, expected), `seed ${seed}`).toEqual([])
      for (const outcome of expected) all.add(outcome)
    }
    expect(decided).toBeGreaterThan((PROGRAMS * 9) / 10)
    expect(all).toContain('no-deadlock')
    expect(all).toContain('no-data-race')
  }, 120_000)

  it('have violations after the passes that replay on the raw program', () => {
    let violated = 0
    for (let seed = FIRST; seed < FIRST + PROGRAMS; seed++)
      for (const property of ['assert', 'no-deadlock', 'no-data-race']) {
        const raw = randomProgram(seed)
        const prepared = prepare(raw, { slice: property !== 'no-data-race', resetDead: true })
        const { trace } = oracle(prepared, property, { maxStates: 4_000 })
        if (!trace) continue
        violated++
        expect(replay(raw, trace, property).reason, `${property}, seed ${seed}`).toBeUndefined()
      }
    expect(violated).toBeGreaterThan(PROGRAMS / 2)
  }, 120_000)

  it('show what a wrong join of steps would do', () => {
    const wrong = (p: Program): Program => largeBlocks(p, () => false)
    const seeds = Array.from({ length: 40 }, (_, i) => FIRST + i)
    const differs = seeds.filter((seed) => {
      const [expected, actual] = [outcomes(randomProgram(seed)), outcomes(wrong(randomProgram(seed)))]
      return expected && actual && difference(expected, actual).length > 0
    })
    expect(differs.length).toBeGreaterThan(0)
  }, 120_000)
})
