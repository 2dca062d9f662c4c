// The proof as people can look at it: the graph of abstract states with their labels, the formulas it consists of, and how
// the abstraction was refined. Drawn by the script with a graph library that is put into the page as a whole.
import type { GraphCertificate, Report } from '../../verdict/index.js'
import { commutingFacts } from '../commuting.js'
import { formulaLines } from '../formula-text.js'
import { escapeHtml, tag } from './markup.js'

type GraphData = Pick<GraphCertificate, 'nodes' | 'formulas' | 'edges' | 'history'>

/** A page with more would be too large. */
const MAX_NODES = 20_000
const MAX_FORMULAS = 200

/** The graph of a proof, if there is one to show. */
export const graphOf = ({ certificate }: Report): GraphData | undefined => {
  if (certificate?.kind !== 'labelled-graph') return undefined
  const data = certificate.data as Partial<GraphData>
  return data.nodes && data.formulas && data.nodes.length <= MAX_NODES ? (data as GraphData) : undefined
}

export const graphSection = (report: Report): string => {
  const graph = graphOf(report)
  return [
    graph ? graphPane(graph) : '',
    graph ? formulaPane(graph) : '',
    historyPane(graph),
    solutionPane(report),
    commutingPane(report),
  ].join('\n')
}

const graphPane = ({ nodes }: GraphData): string => {
  const covered = nodes.filter((node) => node.coveredBy !== undefined).length
  return [
    '<section class="graph" aria-label="Graph of the proof"><h2>Graph of the proof</h2>',
    tag(
      'p',
      `${nodes.length} abstract states, coloured by thread. ${covered} of them ${covered === 1 ? 'is' : 'are'} covered: whatever can happen there can also happen in the state that the dashed arrow leads to.`,
      'hint',
    ),
    '<div class="graph-controls">',
    '<button type="button" data-graph="fit">Show all</button>',
    '<button type="button" data-graph="more">One level more</button>',
    '<button type="button" data-graph="less">One level less</button>',
    '<output id="graph-shown" aria-live="polite"></output></div>',
    '<div id="graph" tabindex="0" role="application" aria-label="Graph: arrow keys move, Enter folds or unfolds what is below"></div>',
    '<div id="graph-node" class="graph-node" aria-live="polite"></div>',
    '</section>',
  ].join('\n')
}

const formulaPane = ({ nodes, formulas }: GraphData): string => {
  const lines = formulas.map(formulaLines)
  const uses = new Map<string, number>()
  for (const { label } of nodes)
    for (const conjunct of new Set(label.flatMap((i) => lines[i]!))) uses.set(conjunct, (uses.get(conjunct) ?? 0) + 1)
  const sorted = [...uses]
    .filter(([conjunct]) => conjunct !== 'true')
    .sort((a, b) => Number(isInternal(a[0])) - Number(isInternal(b[0])) || b[1] - a[1])
  const rows = sorted
    .slice(0, MAX_FORMULAS)
    .map(([conjunct, count]) => `<tr>${tag('td', String(count))}<td><code>${escapeHtml(conjunct)}</code></td></tr>`)
  const rest = sorted.length > rows.length ? tag('p', `and ${sorted.length - rows.length} more`, 'hint') : ''
  const head = '<tr><th>states</th><th>what holds there</th></tr>'
  const hint = sorted.some(([conjunct]) => isInternal(conjunct))
    ? tag('p', 'A name such as t3 or self that is not in the program stands for an intermediate value.', 'hint')
    : ''
  return `<section class="formulas" aria-label="Facts"><h2>Facts that the proof uses</h2><table>${head}${rows.join('')}</table>${rest}${hint}</section>`
}

/** About an intermediate value, or about the number that a thread has. */
const isInternal = (conjunct: string): boolean => /\bt\d+\b|\.self\b/.test(conjunct)

const historyPane = (graph: GraphData | undefined): string => {
  if (!graph?.history || graph.history.length === 0) return ''
  const rows = graph.history.map(({ nodes, added }, i) => {
    const cells = added.map((formula) => `<code>${escapeHtml(addedText(formula))}</code>`).join('<br>')
    return `<tr>${tag('td', String(i + 1))}${tag('td', String(nodes))}<td>${cells || 'nothing new'}</td></tr>`
  })
  const head = '<tr><th>refinement</th><th>states so far</th><th>what it added</th></tr>'
  return `<section class="formulas" aria-label="Refinements"><h2>Refinements</h2><table>${head}${rows.join('')}</table></section>`
}

const addedText = (added: string): string => {
  const value = /^the value of (.*)$/.exec(added)
  return value ? `the value of ${formulaLines(`|${value[1]}|`)[0]}` : formulaLines(added).join(' and ')
}

/** The solution of a proof by Horn clauses. */
const solutionPane = ({ certificate }: Report): string => {
  const { solution } = (certificate?.data ?? {}) as { readonly solution?: unknown }
  if (certificate?.kind !== 'horn' || !Array.isArray(solution)) return ''
  const rows = solution.map((text) => `<tr><td><code>${escapeHtml(String(text))}</code></td></tr>`)
  return `<section class="formulas" aria-label="Solution"><h2>Invariants of the proof</h2><table>${rows.join('')}</table></section>`
}

/** Which statements commute, of a proof up to commutativity. */
const commutingPane = (report: Report): string => {
  const facts = commutingFacts(report)
  if (!facts) return ''
  const rows = facts.pairs.slice(0, MAX_FORMULAS).map(({ statements: [a, b], why }) => {
    const code = (text: string): string => `<td><code>${escapeHtml(text)}</code></td>`
    return `<tr>${code(a)}${code(b)}${tag('td', why)}</tr>`
  })
  const head = '<tr><th>statement</th><th>statement of another thread</th><th>why they commute</th></tr>'
  const hint = tag(
    'p',
    `Steps that commute were explored in one order only (${facts.order}). ${facts.apart} more pairs access nothing in common.`,
    'hint',
  )
  return `<section class="formulas" aria-label="Commuting steps"><h2>Steps that commute</h2>${hint}${rows.length > 0 ? `<table>${head}${rows.join('')}</table>` : ''}</section>`
}

/** What the script needs, safe inside a script element. */
export const graphData = (report: Report): string => {
  const graph = graphOf(report)
  if (!graph) return ''
  const { nodes, formulas, edges = [] } = graph
  return JSON.stringify({ nodes, formulas: formulas.map(formulaLines), edges }).replaceAll('<', '\\u003c')
}
