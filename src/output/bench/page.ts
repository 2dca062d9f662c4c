// The results of heddle bench as one page that opens offline: totals, a quantile plot (the n-th fastest task and its
// time), a cactus plot (how many tasks are decided within a time), a scatter plot of two configurations, and every run.
// Curves are drawn by uPlot, whose text is passed in because only the command line reads files.
import { escapeHtml, tag } from '../html/markup.js'
import { STYLE } from '../html/style.js'
import { PLOTS } from './plots.js'
import { type BenchRow, groups, TALLY_COLUMNS, tally } from './table.js'

export interface ChartLibrary {
  readonly script: string
  readonly style: string
}

export const benchPage = (rows: readonly BenchRow[], library: ChartLibrary): string => {
  const data = [...groups(rows)].map(([name, runs]) => ({
    name,
    runs: runs.map(({ task, repetition, status, wallMs }) => ({
      task: `${shortName(task)} ${repetition}`,
      status,
      wallMs,
    })),
  }))
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>heddle bench: ${rows.length} runs</title>
<style>${library.style}${STYLE}${PAGE_STYLE}</style></head>
<body><header><h1>${rows.length} runs</h1></header>
<main>
<section>${totals(rows)}</section>
<div class="plots">
<section><h2>Quantiles: time of the n-th fastest correct answer</h2><div class="plot" id="quantile"></div></section>
<section><h2>Cactus: correct answers within a time</h2><div class="plot" id="cactus"></div></section>
<section><h2>Scatter: two configurations, task by task</h2>
<p class="choice"><label>across <select id="across"></select></label> <label>up <select id="up"></select></label></p>
<div class="plot" id="scatter"></div><p class="hint" id="pointed">A task that is not decided lies on the edge. Point at one to see its name.</p></section>
</div>
<section><h2>Runs</h2><p><label>Only those with <input id="filter" type="search" placeholder="timeout, wrong, part of a name"></label></p>${runs(rows)}</section>
</main>
<script>${library.script}</script>
<script>const DATA = ${JSON.stringify(data).replaceAll('<', '\\u003c')};${PLOTS}</script>
</body></html>
`
}

const shortName = (task: string): string =>
  task
    .split('/')
    .slice(-2)
    .join('/')
    .replace(/\.yml$/, '')

const row = (cells: readonly string[], name: 'td' | 'th', className?: string): string =>
  `<tr${className ? ` class="${className}"` : ''}>${cells.map((cell) => tag(name, cell)).join('')}</tr>`

const totals = (rows: readonly BenchRow[]): string =>
  `<div class="wide"><table>${row(['configuration', ...TALLY_COLUMNS], 'th')}${[...groups(rows)]
    .map(([name, group]) => row([name, ...tally(group)], 'td'))
    .join('')}</table></div>`

const runs = (rows: readonly BenchRow[]): string =>
  `<div class="wide"><table id="runs">${row(['task', 'property', 'configuration', 'expected', 'verdict', 'status', 's', 'MB', 'engine', 'reason'], 'th')}${rows
    .map((r) =>
      row(
        [
          shortName(r.task),
          r.property,
          r.configuration,
          r.expected,
          r.verdict,
          r.status,
          (r.wallMs / 1000).toFixed(2),
          String(r.memoryMb),
          r.engine,
          r.reason,
        ],
        'td',
        escapeHtml(r.status),
      ),
    )
    .join('')}</table></div>`

const PAGE_STYLE = `
body { display: block; height: auto; overflow: visible; }
header { padding-left: 20px; }
main { max-width: 1600px; margin: 0 auto; padding: 4px 20px 28px; display: grid; gap: 14px; }
main section { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; padding: 12px; min-width: 0; }
.plots { display: grid; gap: 14px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); }
header { max-width: 1600px; } .wide { overflow-x: auto; } .wide table { min-width: 640px; } .wide th { color: var(--soft); }
tr.correct td:nth-child(6) { color: var(--good); } tr.wrong td { color: var(--bad); font-weight: 700; }
tr.timeout td:nth-child(6), tr.unknown td:nth-child(6), tr.error td:nth-child(6) { color: var(--warn); }
select, input { font: inherit; max-width: 100%; background: var(--card); color: var(--ink); border: 1px solid var(--edge); border-radius: 6px; padding: 3px 6px; }
.u-legend { font-size: .8rem; }
@media (max-width: 900px) { header { padding-left: 12px; } main { padding-left: 12px; padding-right: 12px; } }
`
