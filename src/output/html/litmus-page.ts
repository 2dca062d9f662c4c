// Litmus tests as one page that opens offline: what the model says of each, an execution as a picture, and the test.
import type { ExecutionView } from '../../memory-model/index.js'
import { EXECUTION_SCRIPT, executionPane } from './execution.js'
import { escapeHtml, tag } from './markup.js'
import { STYLE } from './style.js'

export interface LitmusPart {
  readonly verdict: 'true' | 'false' | 'unknown'
  readonly name: string
  /** Its file and the memory model. */
  readonly where: string
  /** In words: what the model says of the outcome. */
  readonly answer: string
  readonly verdictLine: string
  readonly notes: readonly string[]
  readonly view?: ExecutionView
  /** The text of the test. */
  readonly text?: string
}

const MARKS = { true: '✓', false: '✗', unknown: '?' } as const

export const litmusPage = (title: string, parts: readonly LitmusPart[]): string =>
  [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<link rel="icon" href="data:,">',
    tag('title', title),
    `<style>${STYLE}${PAGE_STYLE}</style></head><body>`,
    parts.length > 1 ? `<header>${tag('h1', title)}</header>` : '',
    `<main>${parts.map((part) => partHtml(part, parts.length > 1 ? 'h2' : 'h1')).join('\n')}</main>`,
    `<script>${EXECUTION_SCRIPT}</script></body></html>`,
    '',
  ].join('\n')

const partHtml = (part: LitmusPart, heading: 'h1' | 'h2'): string =>
  [
    `<article class="${part.verdict}">`,
    tag('p', part.where, 'where'),
    `<${heading} class="answer"><span class="mark" aria-hidden="true">${MARKS[part.verdict]}</span> ${escapeHtml(part.name)}: ${escapeHtml(part.answer)}</${heading}>`,
    ...part.notes.map((note) => tag('p', note)),
    tag('p', part.verdictLine, 'verdict'),
    '<div class="sides">',
    part.view
      ? `<section class="execution" aria-label="Execution of ${escapeHtml(part.name)}" tabindex="0">${executionPane(part.view)}</section>`
      : '',
    part.text === undefined
      ? ''
      : `<section class="test" aria-label="Text of ${escapeHtml(part.name)}" tabindex="0">${listing(part.text)}</section>`,
    '</div></article>',
  ].join('\n')

const listing = (text: string): string =>
  `<ol class="code">${text
    .replace(/\n$/, '')
    .split('\n')
    .map((line, i) => `<li data-line="${i + 1}">${escapeHtml(line) || ' '}</li>`)
    .join('')}</ol>`

const PAGE_STYLE = `
body { display: block; height: auto; overflow: visible; }
main { max-width: 1800px; margin: 0 auto; padding: 10px 16px 28px; }
article + article { margin-top: 28px; border-top: 1px solid var(--edge); padding-top: 14px; }
.answer { font-size: 1.3rem; line-height: 1.25; margin: 2px 0 4px; text-transform: none; letter-spacing: 0; color: var(--ink); overflow-wrap: anywhere; }
.sides { display: grid; gap: 12px; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); align-items: start; margin-top: 8px; }
.sides section { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; padding: 12px; overflow: auto; }
@media (max-width: 900px) { main { padding: 8px 10px 20px; } .sides { grid-template-columns: minmax(0, 1fr); } }
`
