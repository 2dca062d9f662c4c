// What a person reads while engines run, and after they ran out of time.
import { expect, it } from 'vitest'
import { progressLine } from '../../src/cli/progress.js'
import { renderReport } from '../../src/output/terminal.js'
import type { Report } from '../../src/verdict/index.js'
import { TIMEOUT } from '../../src/verdict/reason.js'

it('begins with the time and tells engines in words', () => {
  const running = [
    { engine: 'explicit', progress: { phase: 'exploring', counts: { states: 1_234_567, transitions: 3 } } },
    { engine: 'bmc', progress: { phase: 'unrolled', counts: { bound: 4, steps: 100, events: 20 } } },
    { engine: 'other', progress: { phase: 'pondering', counts: { thoughts: 3 } } },
  ]
  expect(progressLine(running, 12_345, 60_000)).toBe(
    '12 s of 60 s · explicit: exploring states: 1.2 million · bmc: loops unrolled 4 times: no violation so far · other: pondering · 3 thoughts',
  )
})

const claim = (line: number) => ({ file: 'dir/a.c', line, text: 'z = 1' })

it('a time-out tells what was covered, and what to try', () => {
  const report: Report = {
    ...{ verdict: 'unknown', reason: TIMEOUT, property: 'assert', file: 'a.c', engine: 'auto', options: {} },
    ...{ time_ms: 60_100, memory_mb: 1, stats: {}, assumptions: [], hint: 'heddle test a.c' },
    attempts: [
      { engine: 'explicit', outcome: TIMEOUT, stats: { states: 2_000_000 } },
      { engine: 'bmc', outcome: TIMEOUT, stats: { bound: 3 } },
      { engine: 'redcomp', outcome: { kind: 'unsupported', what: 'x', at: { file: 'a.c', line: 3 } }, stats: {} },
    ],
    partial: [
      { kind: 'switches', switches: 1 },
      { kind: 'unrolled', times: 2, only: 'accesses and frees' },
      {
        kind: 'races',
        proved: ['x', 'y'],
        open: [
          { name: 'z', accesses: [claim(3), claim(9)] },
          { name: 'stop', accesses: [claim(4), claim(4)] },
        ],
      },
    ],
    obstacle: { kind: 'states', states: 2_000_000, open: 1_000_000 },
  }
  expect(renderReport(report, { width: 60, colour: false, stats: false })).toBe(`a.c · assert

? not decided in 60.1 s

  There is no violation in executions with at most 1 context
  switch away from a thread that could have continued.
  There is no invalid access or free in executions where
  each thread repeats its loops at most twice.
  2 of 4 shared variables proved race-free; not decided: z
  (a.c:3 and a.c:9), stop (a.c:4).
  What made it hard: there are many interleavings (2.0
  million states visited, 1.0 million of them still to be
  explored).

    explicit  timeout: 2.0 million states explored, no
              violation in them
    bmc       timeout: loops unrolled 3 times
    redcomp   unsupported: x at a.c:3

  Worth trying: heddle test a.c

VERDICT: UNKNOWN(timeout)
`)
  expect(renderReport(report, { width: 60, colour: false, stats: false, quiet: true })).toBe(
    'VERDICT: UNKNOWN(timeout)\n',
  )
})
