// A report as one HTML file that opens offline: the source beside the interleaving, a step at a time, the values known at
// each step, statistics and assumptions. Everything is text in the page already; the script only moves a highlight.
import type { Report, StepReport, TraceReport } from '../../verdict/index.js'
import type { OutputContext } from '../context.js'
import { programCounts, verdictLine } from '../terminal.js'
import { chart } from './chart.js'
import { graphData, graphSection } from './graph.js'
import { GRAPH_SCRIPT } from './graph-script.js'
import { escapeHtml, tag } from './markup.js'
import { SCRIPT } from './script.js'
import { sourcePane } from './source.js'
import { STYLE } from './style.js'

export const htmlReport = (context: OutputContext): string => {
  const { report } = context
  const { trace } = report
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    // Without an icon of its own a browser asks for one.
    '<link rel="icon" href="data:,">',
    tag('title', `${verdictLine(report).replace('VERDICT: ', '')} · ${baseName(report.file)}`),
    `<style>${STYLE}</style></head><body>`,
    header(report),
    trace ? violation(trace, context) : proof(context),
    facts(context),
    trace ? `<script type="application/json" id="steps">${stepData(trace)}</script><script>${SCRIPT}</script>` : '',
    trace ? '' : graphScripts(context),
    '</body></html>',
    '',
  ].join('\n')
}

const baseName = (file: string): string => file.slice(file.lastIndexOf('/') + 1)

const header = (report: Report): string => {
  const { program, trace } = report
  const counts = program ? programCounts(program) : ''
  const headline = trace?.headline ?? meaning(report)
  return [
    `<header class="${report.verdict}">`,
    tag('p', [report.file, report.property, counts].filter(Boolean).join(' · '), 'where'),
    `<h1><span class="mark" aria-hidden="true">${{ true: '✓', false: '✗', unknown: '?' }[report.verdict]}</span> ${escapeHtml(headline)}</h1>`,
    trace?.story ? tag('p', trace.story, 'story') : '',
    ...(trace?.details ?? []).map((detail) => tag('p', detail, 'detail')),
    tag('p', verdictLine(report), 'verdict'),
    '</header>',
  ].join('\n')
}

const meaning = (report: Report): string => {
  if (report.verdict === 'unknown') return `not decided: ${report.reason ?? 'no reason given'}`
  switch (report.property) {
    case 'no-data-race':
      return 'no data race in any interleaving'
    case 'no-deadlock':
      return 'no deadlock in any interleaving'
    case 'termination':
      return 'every execution ends'
    default:
      return 'holds for every interleaving and every input'
  }
}

const violation = (trace: TraceReport, context: OutputContext): string =>
  [
    '<nav class="controls" aria-label="Steps">',
    '<button type="button" data-go="first" aria-label="First step">|◀</button>',
    '<button type="button" data-go="back" aria-label="Step back">◀</button>',
    `<output id="position" aria-live="polite">step 1 of ${trace.steps.length}</output>`,
    '<button type="button" data-go="on" aria-label="Step on">▶</button>',
    '<button type="button" data-go="last" aria-label="Last step">▶|</button>',
    '<span class="keys">arrow keys step, Home and End jump</span>',
    '</nav>',
    '<main class="panes">',
    `<section class="source" aria-label="Source">${sourcePane(context)}</section>`,
    `<section class="interleaving" aria-label="Interleaving">${chart(trace)}</section>`,
    '<section class="values" aria-label="Values"><h2>Values</h2><table><tbody id="values"></tbody></table>',
    '<p class="hint">What is known after the highlighted step; what it set is marked.</p></section>',
    '</main>',
  ].join('\n')

const proof = (context: OutputContext): string => {
  const parts = context.graphLibrary ? graphSection(context.report) : ''
  const source = `<section class="source" aria-label="Source">${sourcePane(context)}</section>`
  return `<main class="panes ${parts.trim() ? 'proof' : 'single'}">${parts}${source}</main>`
}

/** The library as a whole, so that the page opens offline; only where there is a graph. */
const graphScripts = ({ report, graphLibrary }: OutputContext): string => {
  const data = graphData(report)
  if (!data || !graphLibrary) return ''
  const library = graphLibrary.replaceAll('</script', '<\\/script')
  return `<script>${library}</script><script type="application/json" id="graph-data">${data}</script><script>${GRAPH_SCRIPT}</script>`
}

const stepData = (trace: TraceReport): string =>
  JSON.stringify(
    trace.steps.map(({ thread, file, line, text, changed }: StepReport) => ({ thread, file, line, text, changed })),
  ).replaceAll('<', '\\u003c')

const facts = ({ report, version, creationTime, task }: OutputContext): string => {
  const rows = (entries: readonly (readonly [string, string])[]): string =>
    `<table>${entries.map(([name, value]) => `<tr>${tag('th', name)}${tag('td', value)}</tr>`).join('')}</table>`
  const stats = Object.entries(report.stats).map(([name, value]) => [name.replaceAll('_', ' '), shown(value)] as const)
  const attempts = (report.attempts ?? []).map(({ engine, outcome }) => [engine, outcome] as const)
  const section = (title: string, body: string): string => `<section><h2>${title}</h2>${body}</section>`
  return [
    '<footer class="facts">',
    section(
      'Run',
      rows([
        ['engine', report.engine],
        ...Object.entries(report.options).map(([name, value]) => [`--${name}`, value] as const),
        [
          'time',
          report.time_ms < 1000 ? `${Math.round(report.time_ms)} ms` : `${(report.time_ms / 1000).toFixed(1)} s`,
        ],
        ['memory', `${Math.round(report.memory_mb)} MB`],
        ['data model', task.dataModel],
        ...(report.trace ? [['replayed', report.trace.replayed ? 'yes' : 'no'] as const] : []),
        ...(report.trace ? [['context switches', String(report.trace.contextSwitches)] as const] : []),
        ...(report.certificate ? [['certificate', report.certificate.kind] as const] : []),
      ]),
    ),
    stats.length > 0 ? section('Statistics', rows(stats)) : '',
    section(
      'Assumptions',
      report.assumptions.length > 0
        ? rows(report.assumptions.map(({ what, status }) => [what, status] as const))
        : '<p>none</p>',
    ),
    attempts.length > 0 ? section('Engines', rows(attempts)) : '',
    tag('p', `Heddle ${version} · ${creationTime}`, 'made'),
    '</footer>',
  ].join('\n')
}

const shown = (value: number | string): string => (typeof value === 'number' ? value.toLocaleString('en-US') : value)
