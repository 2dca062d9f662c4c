// After a run without an answer, one thing to try.
import { expect, test } from 'vitest'
import { withAdvice } from '../../src/run/advice.js'
import type { Request } from '../../src/run/call/request.js'
import type { Attempt, Report } from '../../src/verdict/index.js'
import { type Reason, TIMEOUT } from '../../src/verdict/reason.js'

const request = {
  ...{ files: ['a.c'], property: 'assert', engine: 'auto', entry: 'main', memoryModel: 'sc', dataModel: 'lp64' },
  ...{ defines: [], includeDirs: [], memoryMb: 4096 },
} as unknown as Request

const unknown = (reason: Reason, attempts: readonly Attempt[] = []): Report => ({
  ...{ verdict: 'unknown', reason, property: 'assert', file: 'a.c', engine: 'auto', options: {}, attempts },
  ...{ time_ms: 1, memory_mb: 1, stats: {}, assumptions: [] },
})

const attempt = (outcome: Reason): Attempt => ({ engine: 'bmc', outcome, stats: {} })

test('one engine was asked: ask all', () => {
  expect(withAdvice(unknown(TIMEOUT), { ...request, engine: 'bmc' }).hint).toContain('--engine auto')
})
test('the program was not even read: more time', () => {
  const hint = withAdvice(unknown(TIMEOUT, [attempt({ kind: 'timeout', phase: 'front end' })]), request).hint
  expect(hint).toContain('--timeout')
})
test('out of memory: more memory', () => {
  expect(withAdvice(unknown({ kind: 'memory' }), request).hint).toContain('--memory 8G')
})
test('engines ran in vain: run the program', () => {
  expect(withAdvice(unknown(TIMEOUT, [attempt(TIMEOUT)]), request).hint).toContain('heddle test a.c --property assert')
})
test('what says already what to try is left alone, and so are answers', () => {
  const report = { ...unknown(TIMEOUT), hint: 'x' }
  expect(withAdvice(report, { ...request, engine: 'bmc' })).toBe(report)
  const decided: Report = { ...unknown(TIMEOUT), verdict: 'true' }
  expect(withAdvice(decided, request)).toBe(decided)
})
