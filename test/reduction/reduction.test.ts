// Facts about reductions that hold on every program: sleep sets alone visit every state (Godefroid), persistent sets
// keep errors, races and deadlocks. Random programs with loops, guards and joins, brute force as the judge.
import { describe, expect, it } from 'vitest'
import { deadlockCheck } from '../../src/engine/explicit/deadlocks.js'
import { raceCheck } from '../../src/engine/explicit/races.js'
import { closedSet, conflict, locationFootprints } from '../../src/reduction/index.js'
import { oracle } from '../../src/semantics/index.js'
import { countsOf, REDUCTIONS, randomProgram, run } from '../engine/explicit/support.js'
import { lostUpdate, philosophers } from '../semantics/programs.js'

// The last two: a join that comes next waits for ends that only lie in other threads' futures.
const SEEDS = [...Array.from({ length: 100 }, (_, i) => 1000 + i), 20514, 21226]

describe('random programs', () => {
  it('sleep sets visit every state', () => {
    let fewer = 0
    for (const seed of SEEDS) {
      const program = randomProgram(seed)
      const all = countsOf(program)
      const reduced = countsOf(program, { por: 'sleep' })
      expect({ seed, states: reduced.states }).toEqual({ seed, states: all.states })
      if (reduced.transitions < all.transitions) fewer++
    }
    expect(fewer).toBeGreaterThan(SEEDS.length / 2)
  })

  it.each(['no-deadlock', 'no-data-race'] as const)('%s: every reduction agrees with brute force', (property) => {
    const verdicts = { true: 0, false: 0, unknown: 0 }
    for (const seed of SEEDS) {
      const program = randomProgram(seed)
      const { verdict } = oracle(program, property, { join: false })
      verdicts[verdict]++
      const stateCheck = property === 'no-deadlock' ? deadlockCheck : raceCheck(program)
      for (const por of REDUCTIONS) {
        const endMatters = property === 'no-deadlock'
        const { outcome } = run(program, { por, forgetDead: true, isError: () => false, stateCheck, endMatters })
        expect({ seed, por, outcome: outcome.kind }).toEqual({
          seed,
          por,
          outcome: verdict === 'true' ? 'complete' : 'violation',
        })
      }
    }
    expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThanOrEqual(3)
  })
})

describe('footprints', () => {
  it('both threads of a lost update conflict, from their first step on', () => {
    const program = lostUpdate(2)
    const footprints = locationFootprints(program)
    const [a, b] = ['A', 'B'].map((name) => footprints.get(program.templates.get(name)!.initial)!)
    // Two reads come next: no conflict; but a write follows.
    expect(conflict(a!.next, b!.next)).toBe(false)
    expect(conflict(a!.next, b!.future)).toBe(true)
    expect(conflict(footprints.get(program.templates.get('A')!.final)!.next, b!.future)).toBe(false)
  })

  it('what a thread may do includes what the threads do that it may start', () => {
    const program = lostUpdate(2)
    const footprints = locationFootprints(program)
    const main = footprints.get(program.main.initial)!
    const a = footprints.get(program.templates.get('A')!.initial)!
    expect(conflict(a.next, main.future)).toBe(true)
  })

  it('philosophers that share no fork do not conflict', () => {
    const program = philosophers(4, false)
    const footprints = locationFootprints(program)
    const at = (i: number) => footprints.get(program.templates.get(`P${i}`)!.initial)!
    expect(conflict(at(0).next, at(2).future)).toBe(false)
    expect(conflict(at(0).next, at(3).future)).toBe(true)
  })
})

describe('closed sets', () => {
  it('are closed under conflicts, and the least that contain their seed', () => {
    // 0 conflicts with 1, 1 with 3, 2 with nobody.
    const conflicts = (inside: number, outside: number): boolean =>
      (inside === 0 && outside === 1) || (inside === 1 && outside === 3)
    expect(closedSet(0, 0b1111, conflicts)).toBe(0b1011)
    expect(closedSet(1, 0b1111, conflicts)).toBe(0b1010)
    expect(closedSet(2, 0b1111, conflicts)).toBe(0b0100)
    expect(closedSet(0, 0b0101, conflicts)).toBe(0b0001)
  })
})
