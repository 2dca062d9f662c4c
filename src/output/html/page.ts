// A report as one HTML file that opens offline: the source beside the interleaving, a step at a time, the values known at
// each step, statistics and assumptions. Everything is text in the page already; the script only moves a highlight.
import type { ExecutionView } from '../../memory-model/index.js'
import type { Report, StepReport, TraceReport } from '../../verdict/index.js'
import type { OutputContext } from '../context.js'
import { executionHeadline, executionStory, initialAccesses } from '../execution/index.js'
import { assumptionText } from '../ledger.js'
import { attemptName, outcomeText } from '../reason.js'
import { meaningOfTrue, meaningOfUnknown, programCounts, verdictLine } from '../terminal.js'
import { count } from '../text.js'
import { chart, chartThreads } from './chart.js'
import { EXECUTION_SCRIPT, executionPane } from './execution.js'
import { graphData, graphSection } from './graph.js'
import { GRAPH_SCRIPT } from './graph-script.js'
import { type Link, linksOf } from './links.js'
import { escapeHtml, tag } from './markup.js'
import { reasons } from './reasons.js'
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
    trace ? violation(trace, context) : report.execution ? executionSection(report.execution, context) : proof(context),
    facts(context),
    trace ? `<script type="application/json" id="steps">${stepData(trace)}</script><script>${SCRIPT}</script>` : '',
    trace ? '' : graphScripts(context),
    !trace && report.execution ? `<script>${EXECUTION_SCRIPT}</script>` : '',
    '</body></html>',
    '',
  ].join('\n')
}

const baseName = (file: string): string => file.slice(file.lastIndexOf('/') + 1)

const header = (report: Report): string => {
  const { trace } = report
  const headline = trace?.headline ?? meaning(report)
  return [
    `<header class="${report.verdict}">`,
    tag('p', [report.file, report.property, programCounts(report)].filter(Boolean).join(' · '), 'where'),
    `<h1><span class="mark" aria-hidden="true">${{ true: '✓', false: '✗', unknown: '?' }[report.verdict]}</span> ${escapeHtml(headline)}</h1>`,
    trace?.story ? tag('p', trace.story, 'story') : '',
    // What the ending's boxes show is not told twice; of a race in the real program they lack the calls.
    ...(trace?.ending && !(report.engine === 'native' && trace.ending.kind === 'race')
      ? []
      : (trace?.details ?? [])
    ).map((detail) => tag('p', detail, 'detail')),
    ...executionSentences(report).map((sentence) => tag('p', sentence, 'story')),
    tag('p', verdictLine(report), 'verdict'),
    '</header>',
  ].join('\n')
}

const meaning = (report: Report): string => {
  if (report.verdict === 'false') return executionHeadline(report)
  return report.verdict === 'unknown' ? meaningOfUnknown(report) : meaningOfTrue(report)
}

const executionSentences = ({ trace, execution }: Report): readonly string[] =>
  trace || !execution ? [] : [...executionStory(execution), ...(execution.notes ?? [])]

/** An execution of a memory model is a graph, not an interleaving to step through. */
const executionSection = (execution: ExecutionView, context: OutputContext): string =>
  [
    '<main class="panes with-execution">',
    `<section class="execution" aria-label="Execution" tabindex="0"><h2>Execution</h2>${initialValues(execution)}${executionPane(execution)}</section>`,
    `<section class="source" aria-label="Source" tabindex="0">${sourcePane(context)}</section>`,
    '</main>',
  ].join('\n')

const initialValues = (execution: ExecutionView): string => {
  const values = initialAccesses(execution)
  return values.length > 0 ? tag('p', `Initially ${values.join(', ')}.`) : ''
}

const violation = (trace: TraceReport, context: OutputContext): string =>
  [
    controls(trace),
    `<main class="panes${chartThreads(trace).length > MAX_BESIDE ? ' many' : ''}">`,
    `<section class="source" aria-label="Source" tabindex="0">${sourcePane(context)}</section>`,
    `<section class="interleaving" aria-label="Interleaving"><h2 class="unseen">Interleaving</h2>${chart(trace)}</section>`,
    '<section class="values" aria-label="Values" tabindex="0"><h2>Values</h2><table><tbody id="values"></tbody></table>',
    '<p class="hint">These are the values after the highlighted step; the ones that it changed are marked. Click a step to see where a value was written.</p></section>',
    '</main>',
  ].join('\n')

/** With more threads than this the chart takes the place beside the source that values have otherwise. */
const MAX_BESIDE = 4

const controls = (trace: TraceReport): string => {
  const button = (go: string, label: string, sign: string): string =>
    `<button type="button" data-go="${go}" aria-label="${label}" title="${label}">${sign}</button>`
  const kinds = new Set(linksOf(trace.steps).map(({ kind }) => kind))
  const links = (kind: Link['kind'], label: string): string =>
    !kinds.has(kind)
      ? ''
      : `<label class="link-${kind}"><input type="checkbox" data-links="${kind}"${isShownAtFirst(kind, trace) ? ' checked' : ''}>${label}</label>`
  return [
    '<nav class="controls" aria-label="Steps">',
    '<div class="moves">',
    button('first', 'First step (Home)', '|◀'),
    button('switch-back', 'Previous context switch (Page Up)', '⇤'),
    button('back', 'Step back (left arrow)', '◀'),
    `<output id="position" aria-live="polite">step 1 of ${trace.steps.length}</output>`,
    button('on', 'Step forward (right arrow)', '▶'),
    button('switch-on', 'Next context switch (Page Down)', '⇥'),
    button('last', 'Last step (End)', '▶|'),
    '</div>',
    '<fieldset class="links"><legend class="unseen">Links between threads</legend>',
    links('switch', 'switches') +
      links('thread', 'create, join') +
      links('lock', 'locks') +
      links('value', 'values read'),
    '</fieldset>',
    '<input type="search" id="find" placeholder="find a step: /" aria-label="Find a step">',
    '<span class="keys">Arrow keys step; Page Up and Page Down jump from one context switch to the next; j and k stay in the thread.</span>',
    '</nav>',
  ].join('\n')
}

/** A long execution would be covered with links. */
const isShownAtFirst = (kind: Link['kind'], { steps }: TraceReport): boolean => kind === 'switch' || steps.length <= 40

const proof = (context: OutputContext): string => {
  const parts = [reasons(context), context.graphLibrary ? graphSection(context.report) : ''].join('\n')
  const source = `<section class="source" aria-label="Source" tabindex="0">${sourcePane(context)}</section>`
  return `<main class="panes ${parts.trim() ? 'proof' : 'single'}">${parts}${source}</main>`
}

/** The library as a whole, so that the page opens offline; only where there is a graph. */
const graphScripts = ({ report, graphLibrary }: OutputContext): string => {
  const data = graphData(report)
  if (!data || !graphLibrary) return ''
  const library = graphLibrary.replaceAll('</script', '<\\/script')
  return `<script>${library}</script><script type="application/json" id="graph-data">${data}</script><script>${GRAPH_SCRIPT}</script>`
}

const stepData = ({ steps, threads, ending }: TraceReport): string =>
  JSON.stringify({
    steps: steps.map(({ thread, file, line, text, changed, event }: StepReport) => ({
      ...{ thread, file, line, text, changed, event },
    })),
    links: linksOf(steps),
    names: Object.fromEntries(threads.map(({ number, name }) => [number, name])),
    ends: ending?.kind === 'race' ? ending.accesses : (ending?.waiting ?? []),
  }).replaceAll('<', '\\u003c')

const facts = ({ report, version, creationTime, task }: OutputContext): string => {
  const rows = (entries: readonly (readonly [string, string])[]): string =>
    `<table>${entries.map(([name, value]) => `<tr>${tag('th', name)}${tag('td', value)}</tr>`).join('')}</table>`
  const stats = Object.entries(report.stats).map(([name, value]) => [name.replaceAll('_', ' '), shown(value)] as const)
  const attempts = (report.attempts ?? []).map((each) => [attemptName(each), outcomeText(each.outcome)] as const)
  const section = (title: string, body: string): string => `<section><h2>${title}</h2>${body}</section>`
  return [
    `<details class="about"><summary>About this run: ${escapeHtml(report.engine)}, ${durationOf(report)}, ${assumptionsText(report)}</summary>`,
    '<div class="facts">',
    section(
      'Run',
      rows([
        ['engine', report.engine],
        ...Object.entries(report.options).map(([name, value]) => [`--${name}`, value] as const),
        ['time', durationOf(report)],
        ['memory', `${Math.round(report.memory_mb)} MB`],
        ['data model', task.dataModel],
        ...(report.trace ? [['counterexample replayed', report.trace.replayed ? 'yes' : 'no'] as const] : []),
        ...(report.trace ? [['context switches', String(report.trace.contextSwitches)] as const] : []),
        ...(report.certificate ? [['certificate', report.certificate.kind] as const] : []),
      ]),
    ),
    stats.length > 0 ? section('Statistics', rows(stats)) : '',
    section(
      'Assumptions',
      report.assumptions.length > 0
        ? rows(report.assumptions.map((each) => [assumptionText(each), STATUS[each.status]] as const))
        : '<p>none</p>',
    ),
    attempts.length > 0 ? section('Engines', rows(attempts)) : '',
    tag('p', `Heddle ${version} · ${creationTime}`, 'made'),
    '</div></details>',
  ].join('\n')
}

const durationOf = ({ time_ms }: Report): string =>
  time_ms < 1000 ? `${Math.round(time_ms)} ms` : `${(time_ms / 1000).toFixed(1)} s`

const assumptionsText = ({ assumptions }: Report): string => {
  const proved = assumptions.filter(({ status }) => status === 'discharged').length
  const left = assumptions.length - proved
  const text = left === 0 ? 'no assumptions' : count(left, 'assumption')
  return proved === 0 ? text : `${text}, ${proved} more proved`
}

/** The words of the ledger for people. */
const STATUS = { open: 'assumed', discharged: 'proved', 'by option': 'assumed by your option' } as const

const shown = (value: number | string): string => (typeof value === 'number' ? value.toLocaleString('en-US') : value)
