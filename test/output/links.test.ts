import { describe, expect, test } from 'vitest'
import { foldsOf } from '../../src/output/folds.js'
import { linksOf } from '../../src/output/html/links.js'
import type { StepReport } from '../../src/verdict/index.js'

const step = (thread: number, text: string, more: Partial<StepReport> = {}): StepReport => ({
  ...{ thread, text, file: 'a.c', line: 1, column: 1, changed: [], edges: [], choices: [] },
  ...more,
})

describe('links between steps', () => {
  test('a thread hangs on its create, a join on its last step, a lock on who released it, a read on its write', () => {
    const steps = [
      step(0, 'create T1', { event: { kind: 'create', thread: 1 } }),
      step(0, 'x = 1', { writes: ['x'] }),
      step(0, 'unlock m', { event: { kind: 'release', object: 'm', lock: true } }),
      step(1, 'lock m', { event: { kind: 'take', object: 'm', lock: true } }),
      step(1, 'y = x', { reads: ['x'] }),
      step(0, 'join T1', { event: { kind: 'join', thread: 1 } }),
    ]
    expect(linksOf(steps)).toEqual([
      { kind: 'switch', from: 2, to: 3 },
      { kind: 'thread', from: 0, to: 3 },
      { kind: 'lock', from: 2, to: 3 },
      { kind: 'value', from: 1, to: 4 },
      { kind: 'switch', from: 4, to: 5 },
      { kind: 'thread', from: 4, to: 5 },
    ])
  })
  test('a read of the own write and a lock that nobody released before have no link', () => {
    const steps = [step(0, 'x = 1', { writes: ['x'] }), step(0, 'y = x', { reads: ['x'] })]
    expect(linksOf(steps)).toEqual([])
  })
})

describe('folds', () => {
  const rounds = (n: number): StepReport[] => Array.from({ length: n }, () => [step(0, 'a'), step(0, 'b')]).flat()
  test('equal rounds are folded, all but the first and the last', () => {
    expect(foldsOf([step(0, 'begin'), ...rounds(5), step(0, 'end')])).toEqual([
      { from: 3, to: 9, times: 3, period: 2, isNextThread: false },
    ])
  })
  test('what the next thread does each time is folded, if they are many', () => {
    const each = (n: number): StepReport[] =>
      Array.from({ length: n }, (_, i) => [step(0, `create T${i + 1}`), step(i + 1, 'x++')]).flat()
    const fold = { from: 2, to: 38, times: 18, period: 2, isNextThread: true }
    expect(foldsOf(each(20))).toEqual([fold])
    expect(foldsOf(each(5))).toEqual([])
    // Another thread than the next one is no repetition.
    expect(foldsOf(each(20).map((row, i) => (i === 21 ? step(3, 'x++') : row)))).toEqual([
      { ...fold, to: 18, times: 8 },
    ])
  })
  test('three rounds are not worth a fold', () => {
    expect(foldsOf(rounds(3))).toEqual([])
  })
})
