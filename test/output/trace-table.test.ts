// The table of an execution: nothing is cut, loops are folded, blocks of memory are told together.
import { describe, expect, test } from 'vitest'
import { changesText } from '../../src/output/changes.js'
import { painter, wrapWords } from '../../src/output/text.js'
import { traceTable } from '../../src/output/trace-table.js'
import type { StepReport, TraceReport } from '../../src/verdict/index.js'

const step = (thread: number, text: string, more: Partial<StepReport> = {}): StepReport => ({
  ...{ thread, text, file: 'a.c', line: 7, column: 1, changed: [], edges: [], choices: [] },
  ...more,
})

const traceOf = (steps: readonly StepReport[], threads: number): TraceReport => ({
  ...{ headline: 'x', file: 'a.c', line: 1, steps, contextSwitches: 0, replayed: true },
  threads: Array.from({ length: threads }, (_, number) => ({ number, name: number === 0 ? 'main' : `T${number} run` })),
})

const lines = (trace: TraceReport, width: number): readonly string[] => traceTable(trace, width, painter(false))

const LONG = 'shared_counter = compute_the_next_value(shared_counter, other_counter, third_counter)'

describe('a table of steps', () => {
  test('one column per thread where they fit', () => {
    expect(lines(traceOf([step(0, 'a = 1'), step(1, 'b = 2')], 2), 80)).toEqual([
      '  step   main     T1 run',
      '     1   7 a = 1',
      '     2            7 b = 2',
    ])
  })

  test('ten thousand threads and more lines than a call has arguments', () => {
    const trace = traceOf(
      Array.from({ length: 200_000 }, (_, i) => step((i * 7) % 10_000, `x${i % 13} = ${i}`)),
      10_000,
    )
    expect(lines(trace, Number.POSITIVE_INFINITY)).toHaveLength(200_001)
  })

  test('a pipe gets each statement whole and on one line, however many threads there are', () => {
    const trace = traceOf(
      Array.from({ length: 6 }, (_, i) => step(i, `${LONG} + ${i}`)),
      6,
    )
    const table = lines(trace, Number.POSITIVE_INFINITY)
    for (let i = 0; i < 6; i++) expect(table.some((line) => line.includes(`${LONG} + ${i}`))).toBe(true)
    expect(Math.max(...table.map((line) => line.length))).toBeLessThan(160)
  })

  test.each([60, 80, 120])('a terminal of %i columns wraps at words and loses none of them', (width) => {
    for (const threads of [2, 6]) {
      const steps = Array.from({ length: threads }, (_, i) => step(i, LONG, { changed: [{ name: 'x', value: '1' }] }))
      const table = lines(traceOf(steps, threads), width)
      expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(width)
      const words = table.join(' ').split(/\s+/)
      for (const word of ['shared_counter', 'third_counter)'])
        expect(words.filter((w) => w === word)).toHaveLength(threads)
    }
  })

  test('iterations between the first and the last are folded', () => {
    const steps = Array.from({ length: 40 }, () => [step(0, 'a()'), step(1, 'b()')]).flat()
    expect(lines(traceOf([...steps, step(0, 'c()', { fails: true })], 2), 80)).toEqual([
      '  step   main      T1 run',
      '     1   7 a()',
      '     2             7 b()',
      '     ⋮   these 2 steps again, 38 times (steps 3 to 78)',
      '    79   7 a()',
      '    80             7 b()',
      '    81   7 c()  ✗',
    ])
  })
})

describe('changed values', () => {
  const cells = (values: readonly (number | string)[], from = 0) =>
    values.map((value, i) => ({ name: `buffer[${from + i}]`, value: String(value) }))
  test('neighbours with one value are one range', () => {
    expect(changesText([...cells(Array(4096).fill(7)), { name: 'n', value: '1' }])).toBe('buffer[0..4095] = 7, n = 1')
  })
  test('neighbours with different values show the first and the last', () => {
    expect(changesText(cells([5, 6, 7, 8, 9], 3))).toBe('buffer[3..7] = 5, 6, 7, …, 9')
  })
  test('few cells are told one by one, also of records', () => {
    expect(changesText([{ name: 'p[1].x', value: '2' }, ...cells([1, 2])])).toBe(
      'p[1].x = 2, buffer[0] = 1, buffer[1] = 2',
    )
  })
  test('what remains too long is counted', () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ name: `v${String.fromCharCode(97 + i)}`, value: '0' }))
    expect(changesText(many)).toMatch(/^va = 0, vb = 0, vc = 0, vd = 0, ve = 0, and 25 more$/)
  })
})

test('words are broken only where they are longer than a line', () => {
  expect(wrapWords('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrapWords('extraordinary one', 6)).toEqual(['extrao', 'rdinar', 'y one'])
  // A long call breaks between its names, and not within one.
  expect(wrapWords('20 pthread_mutex_init(&forks[i], 0)', 23)).toEqual(['20 pthread_mutex_init(&', 'forks[i], 0)'])
})
