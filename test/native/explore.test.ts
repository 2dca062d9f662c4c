// The systematic search on executions that are too large for it: it looks at a part and says so.
import { expect, it } from 'vitest'
import { Exploration, type RunAnswer, type RunEvent } from '../../src/native/index.js'

const THREADS = 400

const event = (thread: number, i: number): RunEvent => ({
  ...{ thread, kind: 'write', pc: 1 + (i % 7), address: 4096 + 8 * (i % 3), size: 4, value: BigInt(i) },
  ...{
    enabledLow: 0xffffffff,
    enabledHigh: 0xffffffff,
    inBlock: false,
    isStep: true,
    timedOut: false,
    nothingDone: false,
  },
})

/** Every thread writes to the same three places, many times. */
const events = Array.from({ length: 12 * THREADS }, (_, i) => event(i % THREADS, i))
const run: RunAnswer = {
  ...{ outcome: 'finished', thread: 0, signal: 0, pc: 0, address: 0, otherThread: 0, otherPc: 0, otherEvent: 0 },
  ...{ steps: events.length, sharedSteps: events.length, threads: THREADS, hash: 'a', text: '', file: '', line: 0 },
  ...{ segments: [], values: [], waiting: [], diverged: undefined, unjoined: 0, anchor: 0, events },
}

it('bounds the work on one execution, and does not call the search complete then', { timeout: 30_000 }, () => {
  const exploration = new Exploration([])
  exploration.learn(exploration.take()!, run)
  let pending = 0
  while (exploration.take()) pending++
  expect(pending).toBeGreaterThan(0)
  expect(pending).toBeLessThan(5000)
  expect(exploration.isComplete).toBe(false)
})

it.each(['step-limit', 'hung', 'unsupported', 'killed'] as const)(
  'a run that ends by %s leaves the search incomplete',
  (outcome) => {
    const exploration = new Exploration([])
    exploration.learn(exploration.take()!, { ...run, outcome, events: [event(0, 0)], steps: 1, threads: 1 })
    expect(exploration.isComplete).toBe(false)
  },
)
