// The picture of an execution graph: labels fit their boxes, threads without events take no room, both themes are readable.
import { expect, test } from 'vitest'
import { executionHeadline, executionLines, executionStory, executionSvg } from '../../src/output/execution/index.js'
import { litmusPage } from '../../src/output/html/litmus-page.js'

const long = 'R[A,ACQ] some_structure.some_member=1234567'
const view = {
  events: [
    { id: 0, thread: -1, label: 'W x=0' },
    { id: 1, thread: 1, label: 'W[REL] x=1', text: 'store(&x, 1)', line: 3 },
    { id: 2, thread: 2, label: long },
  ],
  edges: [{ relation: 'rf', from: 1, to: 2 }],
}

test('a box is as wide as the longest text needs', () => {
  const widths = [...executionSvg(view).matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width))
  expect(widths).toHaveLength(3)
  // A monospaced character of 13 pixels is 7.8 wide.
  for (const width of widths) expect(width).toBeGreaterThan(`c: ${long}`.length * 7.8)
})

test('only threads with events have a column', () => {
  const headings = [...executionSvg(view).matchAll(/class="heading">(P\d)</g)].map(([, name]) => name)
  expect(headings).toEqual(['P1', 'P2'])
})

test('texts, boxes and edges take the colours of the page, which has a dark theme', () => {
  const part = { verdict: 'true', name: 'n', where: 'f', answer: 'Allowed', verdictLine: 'v', notes: [], view } as const
  const page = litmusPage('t', [part])
  expect(page).toContain('prefers-color-scheme: dark')
  expect(page).toMatch(/\.event\{fill:var\(--ink/)
  expect(page).not.toMatch(/<(?:rect|text|path)[^>]* (?:fill|stroke)="#/)
})

/** Message passing: the flag is seen, the data are not. T1 writes x, then f; T2 reads f, then the old x. */
const stale = {
  threads: [
    { number: 0, name: 'main' },
    { number: 1, name: 'T1 put' },
    { number: 2, name: 'T2 get' },
  ],
  events: [
    { id: 0, thread: 1, label: 'W[NA] x=1', kind: 'W', tags: ['NA'], access: 'x=1', line: 5 },
    { id: 1, thread: 1, label: 'W[A,RLX] f=1', kind: 'W', tags: ['A', 'RLX'], access: 'f=1', line: 6 },
    { id: 2, thread: 2, label: 'R[A,ACQ] f=1', kind: 'R', tags: ['A', 'ACQ'], access: 'f=1', line: 9 },
    { id: 3, thread: 2, label: 'R[NA] x=0', kind: 'R', tags: ['NA'], access: 'x=0', line: 10 },
    { id: 4, thread: -1, label: 'W x=0', kind: 'W', tags: [], access: 'x=0' },
  ],
  edges: [
    { relation: 'rf', from: 1, to: 2 },
    { relation: 'rf', from: 4, to: 3 },
    { relation: 'fr', from: 3, to: 0 },
  ],
  targets: [{ thread: 2, file: 'f.c', line: 11, column: 1, text: 'assert(x == 1);' }],
}

test('a program is told in words: the assertion, the stale read, and what would forbid it', () => {
  const report = { property: 'assert', execution: stale, assumptions: [{ kind: 'memory-model', model: 'rc11' }] }
  expect(executionHeadline(report as never)).toBe('assertion can fail under rc11: x == 1')
  expect(executionStory(stale)).toEqual([
    'T2 get sees f = 1 (line 9), but not x = 1, which T1 put wrote before it (line 5, then line 6): at line 10 it still reads x = 0.',
    'Making the write at line 6 a release would forbid this.',
  ])
  const lines = executionLines(stale)
  expect(lines).toContain('  T1 put                     │ T2 get')
  expect(lines).toContain('  b: 6 write f = 1 (relaxed) │ d: 10 read x = 0 ← initial')
})

test('a plain write has to become an atomic one to order anything', () => {
  const [put, flag, ...reads] = stale.events
  const relaxed = reads.map((event) => (event.id === 2 ? { ...event, tags: ['A', 'RLX'] } : event))
  const view = { ...stale, events: [put!, { ...flag!, tags: ['NA'] }, ...relaxed] }
  expect(executionStory(view)[1]).toBe(
    'Making the plain write at line 6 an atomic release and the read at line 9 an acquire would forbid this.',
  )
})

test('columns that do not fit the terminal stand one below the other', () => {
  const lines = executionLines(stale, 50)
  expect(lines).toContain('  T2 get')
  expect(lines).toContain('    c: 9 read f = 1 (acquire) ← b')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50)
})
