// The systematic search on executions that are too large for it: it looks at a part and says so.
import { expect, it } from 'vitest'
import { EventLog, Exploration, type RunAnswer } from '../../src/native/index.js'

const THREADS = 400

/** Thread `thread` writes four bytes, as the runtime's log has it (struct event in runtime/heddle.h). */
const WRITE = 1
const write = (thread: number, i: number): readonly number[] => {
  const [address, value, everybody] = [4096 + 8 * (i % 3), i, 0xffffffff]
  return [0, 0, address, 0, value, 0, everybody, everybody, 4, thread | (WRITE << 16)]
}
const logOf = (events: readonly (readonly number[])[]): EventLog => new EventLog(Uint32Array.from(events.flat()))

/** Every thread writes to the same three places, many times. */
const log = logOf(Array.from({ length: 12 * THREADS }, (_, i) => write(i % THREADS, i)))
const run: RunAnswer = {
  ...{ outcome: 'finished', thread: 0, signal: 0, pc: 0, address: 0, otherThread: 0, otherPc: 0, otherEvent: 0 },
  ...{ steps: log.length, sharedSteps: log.length, threads: THREADS, hash: 'a', text: '', file: '', line: 0 },
  ...{ segments: [], values: [], waiting: [], diverged: undefined, unjoined: 0, anchor: 0, log, events: [] },
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
    exploration.learn(exploration.take()!, { ...run, outcome, log: logOf([write(0, 0)]), steps: 1, threads: 1 })
    expect(exploration.isComplete).toBe(false)
  },
)
