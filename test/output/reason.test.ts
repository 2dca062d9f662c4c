// Reasons of UNKNOWN in words: as docs/cli.md and the verdict line have them, with their kind beside them in the JSON.
import { expect, test } from 'vitest'
import { reasonText } from '../../src/output/reason.js'
import { reportJson } from '../../src/output/report-json.js'
import type { Report } from '../../src/verdict/index.js'
import { gapOf, inconclusive, isOurLimit, isOutOfTime, type Reason, TIMEOUT } from '../../src/verdict/reason.js'

const gap: Reason = { kind: 'unsupported', what: 'inline assembly', at: { file: 'a.c', line: 7 } }

test.each([
  [TIMEOUT, 'timeout'],
  [{ kind: 'timeout', phase: 'front end' }, 'timeout in the front end'],
  [gap, 'unsupported: inline assembly at a.c:7'],
  [
    { kind: 'store-buffers', length: 4, because: gap },
    'store buffers of length 4: unsupported: inline assembly at a.c:7',
  ],
  [{ kind: 'superseded', isSettled: false }, 'stopped: no engine can decide this'],
  [{ kind: 'sampled', variable: 'x' }, 'unbounded nondeterminism: x'],
  [{ kind: 'sampled', at: { file: 'a.c', line: 7 } }, 'unbounded nondeterminism at a.c:7'],
  [{ kind: 'no-replay' }, 'a counterexample does not replay'],
] satisfies readonly (readonly [Reason, string])[])('%o', (reason, text) => {
  expect(reasonText(reason)).toBe(text)
})

test('the JSON has the words and the kind, of the engines the words', () => {
  const report = {
    ...{ verdict: 'unknown', reason: gap },
    assumptions: [{ kind: 'memory-model', model: 'tso', status: 'by option' }],
    attempts: [
      { engine: 'bmc', outcome: TIMEOUT, stats: {} },
      { engine: 'cegar', outcome: 'true', stats: {} },
    ],
  } as unknown as Report
  expect(reportJson(report)).toEqual({
    ...{ verdict: 'unknown', reason: 'unsupported: inline assembly at a.c:7', reason_kind: 'unsupported' },
    assumptions: [{ what: 'the memory model tso', status: 'by option', kind: 'memory-model', model: 'tso' }],
    attempts: [
      { engine: 'bmc', outcome: 'timeout', stats: {} },
      { engine: 'cegar', outcome: 'true', stats: {} },
    ],
  })
})

test('what a search saw before its time was up does not change what it lacked', () => {
  const partial: Reason = { kind: 'partial', because: TIMEOUT, covered: 'no violation in 3 executions' }
  expect(isOutOfTime(partial)).toBe(true)
  expect(isOurLimit(partial)).toBe(true)
  expect(isOurLimit(inconclusive('timeout'))).toBe(false)
  expect(gapOf({ kind: 'store-buffers', length: 2, because: gap })).toBe(gap)
})
