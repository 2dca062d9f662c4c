// The compiled explorer against counts that can be derived by hand, and against the interpreter.
import { describe, expect, it } from 'vitest'
import { type ExploreOptions, explore } from '../../../src/engine/explicit/explore.js'
import { oracle } from '../../../src/semantics/index.js'
import {
  add,
  constant,
  type Expr,
  eq,
  INT,
  intType,
  ne,
  not,
  POINTER,
  type Program,
  varExpr,
} from '../../../src/xcfa/index.js'
import { assign, assume, load, lostUpdate, num, philosophers, start, store } from '../../semantics/programs.js'
import { handMade } from '../../xcfa/hand.js'

const env = { stopped: () => undefined, progress: () => {} }

const run = (program: Program, options: Partial<ExploreOptions> = {}) =>
  explore(
    program,
    {
      por: 'none',
      isError: (edge) => edge.target.kind === 'error',
      forgetDead: false,
      maximalBytes: 2 ** 30,
      ...options,
    },
    env,
  )

/** Never stops at an error, as the counts of both are of all states. */
const countsOf = (program: Program) => {
  const { states, transitions, outcome } = run(program, { isError: () => false })
  expect(outcome.kind).toBe('complete')
  return { states, transitions }
}

const expectAgreement = (program: Program) => {
  const expected = oracle(program, 'assert', { join: false, complete: true })
  expect(countsOf(program)).toEqual({ states: expected.states, transitions: expected.transitions })
  for (const por of ['none', 'persistent', 'sleep', 'both'] as const)
    for (const forgetDead of [false, true])
      expect(run(program, { por, forgetDead }).outcome.kind, `${por}, forget dead: ${forgetDead}`).toBe(
        expected.verdict === 'true' ? 'complete' : 'violation',
      )
  return expected
}

const grid = (n: number, m: number): Program => {
  const p = handMade()
  ;[n, m].forEach((steps, i) => {
    const counter = p.global(`x${i}`)
    p.template(`T${i}`, (t) => {
      const increment = [assign(counter, add(varExpr(counter), num(1)))]
      if (steps > 0) t.path(t.initial, t.final, ...new Array(steps).fill(increment))
    })
  })
  p.template('main', (t) => {
    const handle = t.local('h')
    t.edge(t.initial, t.final, [start(handle, 'T0'), start(handle, 'T1')])
  })
  return p.program()
}

describe('counts', () => {
  it.each([
    [2, 3],
    [7, 9],
    [150, 299],
  ])('two threads of %i and %i independent steps have (n+1)(m+1) states', (n, m) => {
    const { states, transitions } = countsOf(grid(n, m))
    expect(states).toBe(1 + (n + 1) * (m + 1))
    expect(transitions).toBe(1 + n * (m + 1) + m * (n + 1))
  })

  it('and with persistent sets one path', () => {
    expect(run(grid(7, 9), { por: 'persistent' }).states).toBe(1 + 7 + 9 + 1)
    expect(run(grid(7, 9), { por: 'both' }).states).toBe(1 + 7 + 9 + 1)
  })

  it('sleep sets keep the states and leave out transitions', () => {
    const { states, transitions } = run(grid(7, 9), { por: 'sleep' })
    expect(states).toBe(1 + 8 * 10)
    // A spanning tree: the start, and one way into each other state.
    expect(transitions).toBe(8 * 10)
  })
})

describe('agreement with the interpreter', () => {
  it('lost update', () => {
    expect(expectAgreement(lostUpdate(2)).verdict).toBe('false')
    expectAgreement(lostUpdate(1))
  })

  it('philosophers', () => {
    expectAgreement(philosophers(2, false))
  })
})
