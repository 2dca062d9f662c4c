// The picture of an execution graph: labels fit their boxes, threads without events take no room, both themes are readable.
import { expect, test } from 'vitest'
import { executionPage, executionSvg } from '../../src/output/execution/index.js'

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

test('texts and boxes take the colours of the page, which has a dark theme', () => {
  const page = executionPage('t', [{ heading: 'h', notes: [], view }])
  expect(page).toContain('prefers-color-scheme:dark')
  expect(page).toMatch(/\.event\{fill:var\(--ink/)
  expect(page).not.toMatch(/<(?:rect|text)[^>]* fill="#(?:fff|ffffff|111|111111)"/)
})
