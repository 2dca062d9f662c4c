// Searches whose first guess is bad on purpose: layouts prove too small again and again, and what was found before is
// carried over to the next one.
import { describe, expect, it } from 'vitest'
import { oracle } from '../../../src/semantics/index.js'
import {
  add,
  cast,
  constant,
  eq,
  type Label,
  mul,
  POINTER,
  type Program,
  type Variable,
  varExpr,
} from '../../../src/xcfa/index.js'
import { everyAccess, largeBlocks } from '../../../src/xcfa/passes/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { generate } from '../../generate/index.js'
import { assign, assume, load, num, start } from '../../semantics/programs.js'
import { handMade } from '../../xcfa/hand.js'
import { REDUCTIONS, run } from './support.js'

const PROGRAMS = Number(process.env['HEDDLE_PROGRAMS'] ?? 6)
const FIRST = Number(process.env['HEDDLE_FIRST'] ?? 7000)
const MAX_STATES = 3_000
/** All states without a guess, and guesses from very few. */
const WITHOUT = { states: Number.POSITIVE_INFINITY, walks: 0 }
const GUESSES = [4, 40].map((states) => ({ states, walks: 0 }))

const parser = await testParser()

/** One thread comes to the second element late; the other looks at it at once, and errs if it was written. */
const lateIndex = (): Program => {
  const p = handMade()
  const array = p.object('array', 8)
  const element = (index: Variable) =>
    add(constant(POINTER[64], array.base), mul(cast(POINTER[64], varExpr(index)), constant(POINTER[64], 4)))
  p.template('A', (t) => {
    const seen = t.local('seen')
    const after = t.location()
    t.edge(t.initial, after, [load(seen, p.memory, array.base + 4)])
    t.edge(after, t.error(), [assume(eq(varExpr(seen), num(1)))])
  })
  p.template('B', (t) => {
    const i = t.local('i')
    const write: Label = { kind: 'store', region: p.memory, address: element(i), value: num(1), type: i.type }
    const idle = Array.from({ length: 60 }, (): Label[] => [])
    t.path(t.initial, t.final, [write], ...idle, [assign(i, add(varExpr(i), num(1)))], ...idle, [write])
  })
  p.template('main', (t) => {
    const handle = t.local('h')
    t.edge(t.initial, t.final, [start(handle, 'A'), start(handle, 'B')])
  })
  return p.program()
}

describe('states that are carried over', () => {
  it('are those of a search without guesses, on generated programs', () => {
    let restarts = 0
    for (let seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      const program = largeBlocks(compileProgram(parser, generate(seed)), everyAccess)
      const all = run(program, { isError: () => false, forgetDead: true, scout: { ...WITHOUT, states: MAX_STATES } })
      if (all.outcome.kind !== 'complete' || all.partial) continue
      for (const scout of GUESSES) {
        const found = run(program, { isError: () => false, forgetDead: true, scout })
        const { states, transitions } = found
        expect({ seed, states }).toEqual({ seed, states: all.states })
        // Steps that were taken before a restart in the middle of a batch are counted again.
        expect(transitions).toBeGreaterThanOrEqual(all.transitions)
        restarts += found.restarts
      }
    }
    expect(restarts).toBeGreaterThan(PROGRAMS)
  })

  it('lead to the same verdicts, with every reduction', () => {
    for (let seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      const program = largeBlocks(compileProgram(parser, generate(seed)), everyAccess)
      const expected = oracle(program, 'assert', { maxStates: MAX_STATES })
      if (expected.verdict === 'unknown') continue
      for (const por of REDUCTIONS)
        for (const scout of GUESSES) {
          const { outcome, partial } = run(program, { por, forgetDead: true, scout })
          if (partial) continue
          expect({ seed, por, outcome: outcome.kind }).toEqual({
            seed,
            por,
            outcome: expected.verdict === 'true' ? 'complete' : 'violation',
          })
        }
    }
  })

  it('are expanded again where a thread was left out because of a range that was too small', () => {
    const program = lateIndex()
    expect(oracle(program, 'assert').verdict).toBe('false')
    for (const por of REDUCTIONS)
      for (const states of [5, 20, 60]) {
        const { outcome, restarts } = run(program, { por, forgetDead: true, scout: { states, walks: 0 } })
        expect({ por, states, outcome: outcome.kind }).toEqual({ por, states, outcome: 'violation' })
        expect(restarts).toBeGreaterThan(0)
      }
  })

  it('a search that is given the shape of an earlier one does not begin again', () => {
    const program = lateIndex()
    const options = { por: 'none', isError: () => false, forgetDead: true, scout: { states: 5, walks: 0 } } as const
    const first = run(program, options)
    expect(first.restarts).toBeGreaterThan(0)
    const again = run(program, { ...options, shape: first.shape! })
    expect(again).toMatchObject({ restarts: 0, states: first.states, outcome: { kind: 'complete' } })
  })
})
