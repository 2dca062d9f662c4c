// Every pass keeps the verdict that brute force gives on the raw program (soundness.md 19).
import { describe, expect, it } from 'vitest'
import { interpreterOf } from '../../../src/semantics/interpreter.js'
import { violationAt } from '../../../src/semantics/violation.js'
import type { Program } from '../../../src/xcfa/index.js'
import {
  everyAccess,
  largeBlocks,
  prepare,
  propagate,
  resetDeadLocals,
  resolve,
  sharing,
  slice,
} from '../../../src/xcfa/passes/index.js'
import { randomProgram } from './random.js'

const PASSES: Readonly<Record<string, (program: Program) => Program>> = {
  propagate,
  resolve,
  slice,
  resetDead: (p) => resetDeadLocals(largeBlocks(p, () => true, { atomicOnly: true })),
  largeBlocks: (p) => largeBlocks(p, sharing(p).visible),
  prepare: (p) => prepare(p),
  'prepare for races': (p) => prepare(p, { slice: false }),
  'prepare without large blocks': (p) => prepare(p, { largeBlocks: false, resetDead: true }),
}
const PROGRAMS = Number(process.env['HEDDLE_PROGRAMS'] ?? 60)
const FIRST = Number(process.env['HEDDLE_SEED'] ?? 1)
const MOST_STATES = 4_000

/** The error locations that can be reached, and whether a race and a deadlock can; undefined beyond the limit. */
const outcomes = (program: Program): Set<string> | undefined => {
  const joined = largeBlocks(program, everyAccess)
  const interpreter = interpreterOf(joined)
  const found = new Set<string>()
  const seen = new Map(interpreter.initial().map((state) => [interpreter.key(state), state]))
  for (const state of seen.values()) {
    const successors = interpreter.successors(state)
    for (const { location } of state.threads) if (location.violation) found.add(location.violation.text)
    for (const property of ['no-deadlock', 'no-data-race'] as const)
      if (violationAt(interpreter, property, state, successors)) found.add(property)
    for (const successor of successors) seen.set(interpreter.key(successor.state), successor.state)
    if (seen.size > MOST_STATES) return undefined
  }
  return found
}

const difference = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] => [...a].filter((item) => !b.has(item))

describe('random programs', () => {
  it('have the same outcomes after every pass', () => {
    let decided = 0
    const all = new Set<string>()
    for (let seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      const raw = randomProgram(seed)
      const expected = outcomes(raw)
      if (!expected) continue
      decided++
      for (const [name, pass] of Object.entries(PASSES)) {
        const actual = outcomes(pass(raw))
        // What slicing drops may race no more.
        if (!name.includes('races') && actual && expected.has('no-data-race')) actual.add('no-data-race')
        const wrong = actual && [...difference(expected, actual), ...difference(actual, expected)]
        expect(wrong, `${name} of seed ${seed}`).toEqual([])
      }
      for (const outcome of expected) all.add(outcome)
    }
    expect(decided).toBeGreaterThan((PROGRAMS * 9) / 10)
    expect(all).toContain('no-deadlock')
    expect(all).toContain('no-data-race')
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
