// An execution as a picture: one column per thread, events from top to bottom in program order, edges coloured by
// relation. Edges of a violated axiom are thick. Everything is computed here: the SVG needs no script.
import type { EdgeView, EventView, ExecutionView } from '../../memory-model/index.js'
import { eventName } from './terminal.js'

const ROW = 64
const BOX_HEIGHT = 34
/** Of a box: its text may need more. */
const MIN_WIDTH = 130
const CHARACTER = 8
/** Between the columns, for edges. */
const GAP = 80
const MARGIN = 30

const COLOURS: Readonly<Record<string, string>> = {
  po: '#8a8f98',
  rf: '#d9534f',
  co: '#4a86d8',
  fr: '#d58512',
  rmw: '#a06cc0',
  addr: '#2e9e5b',
  data: '#2e9e5b',
  ctrl: '#1f9e86',
} // prettier-ignore

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

interface Place {
  readonly x: number
  readonly y: number
  /** Half of its box's width. */
  readonly half: number
}

const textOf = (event: EventView): string => `${eventName(event.id)}: ${event.label}`

export const executionSvg = (view: ExecutionView): string => {
  const initial = view.events.filter((event) => event.thread < 0)
  // A thread without events, like a main that only starts others, needs no column.
  const threads = [...new Set(view.events.map((event) => event.thread))].filter((t) => t >= 0).sort((a, b) => a - b)
  const half = Math.max(MIN_WIDTH, ...view.events.map((event) => textOf(event).length * CHARACTER + 16)) / 2
  const column = 2 * half + GAP
  const places = new Map<number, Place>()
  const top = MARGIN + (initial.length > 0 ? ROW : 0) + 24
  initial.forEach((event, i) => {
    places.set(event.id, { x: MARGIN + half + i * (2 * half + 20), y: MARGIN, half })
  })
  let rows = 0
  threads.forEach((thread, i) => {
    view.events
      .filter((event) => event.thread === thread)
      .forEach((event, row) => {
        rows = Math.max(rows, row + 1)
        places.set(event.id, { x: MARGIN + half + i * column, y: top + 24 + row * ROW, half })
      })
  })
  const width = Math.max(threads.length * column, initial.length * (2 * half + 20)) + 2 * MARGIN
  const height = top + rows * ROW + MARGIN + 24
  const blamed = new Set((view.violation?.steps ?? []).flatMap(({ because }) => because.map(edgeKey)))
  const edges = view.edges.map((edge, i) => edgeSvg(edge, places, i, blamed.has(edgeKey(edge))))
  const headings = threads.map(
    (thread, i) => `<text x="${MARGIN + half + i * column}" y="${top}" class="heading">P${thread}</text>`,
  )
  const legend = [...new Set(view.edges.map((edge) => edge.relation))].map(
    (relation, i) =>
      `<text x="${MARGIN + i * 60}" y="${height - 10}" fill="${colourOf(relation)}" class="legend">${relation}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="execution graph">
<style>text{font:13px ui-monospace,monospace;text-anchor:middle}.heading{font-weight:bold}.heading,.event{fill:var(--ink,#111)}.box{fill:var(--card,#fff);stroke:var(--soft,#444)}.legend,.edge{text-anchor:start;font-size:11px}</style>
<defs>${Object.entries(COLOURS)
    .map(
      ([relation, colour]) =>
        `<marker id="arrow-${relation}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="${colour}"/></marker>`,
    )
    .join('')}</defs>
${edges.join('\n')}
${headings.join('')}
${view.events.map((event) => boxSvg(event, places.get(event.id)!)).join('\n')}
${legend.join('')}
</svg>`
}

const colourOf = (relation: string): string => COLOURS[relation] ?? '#808890'

const edgeKey = ({ relation, from, to }: EdgeView): string => `${relation} ${from} ${to}`

const boxSvg = (event: EventView, { x, y, half }: Place): string => {
  const title =
    event.text === undefined ? '' : `<title>${escaped(event.text)}${event.line ? ` (line ${event.line})` : ''}</title>`
  return `<g>${title}<rect x="${x - half}" y="${y - BOX_HEIGHT / 2}" width="${2 * half}" height="${BOX_HEIGHT}" rx="6" class="box"/><text x="${x}" y="${y + 5}" class="event">${escaped(textOf(event))}</text></g>`
}

/** A curve from border to border; edges between the same boxes bend differently, so that both can be seen. */
const edgeSvg = (
  { relation, from, to }: EdgeView,
  places: ReadonlyMap<number, Place>,
  index: number,
  isBlamed: boolean,
): string => {
  const [a, b] = [places.get(from)!, places.get(to)!]
  const vertical = a.x === b.x
  const down = b.y >= a.y ? 1 : -1
  const right = b.x >= a.x ? 1 : -1
  const bend = relation === 'po' ? 0 : 24 + (index % 4) * 12
  const start = vertical
    ? { x: a.x + (relation === 'po' ? 0 : a.half), y: a.y + (relation === 'po' ? (down * BOX_HEIGHT) / 2 : 0) }
    : { x: a.x + right * a.half, y: a.y }
  const end = vertical
    ? { x: b.x + (relation === 'po' ? 0 : b.half), y: b.y - (relation === 'po' ? (down * BOX_HEIGHT) / 2 : 0) }
    : { x: b.x - right * b.half, y: b.y }
  const middle = vertical
    ? { x: Math.max(start.x, end.x) + bend, y: (start.y + end.y) / 2 }
    : { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 - bend / 2 }
  const colour = colourOf(relation)
  const stroke = `stroke="${colour}" stroke-width="${isBlamed ? 3 : 1.3}"${/addr|data|ctrl/.test(relation) ? ' stroke-dasharray="5 3"' : ''}`
  const label =
    relation === 'po'
      ? ''
      : `<text class="edge" x="${(start.x + 2 * middle.x + end.x) / 4}" y="${(start.y + 2 * middle.y + end.y) / 4 - 3}" fill="${colour}">${relation}</text>`
  return `<path d="M${start.x} ${start.y}Q${middle.x} ${middle.y} ${end.x} ${end.y}" fill="none" ${stroke} marker-end="url(#arrow-${relation})"/>${label}`
}

/** A page of its own for one or more executions. */
export const executionPage = (
  title: string,
  parts: readonly { readonly heading: string; readonly notes: readonly string[]; readonly view?: ExecutionView }[],
): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<style>:root{color-scheme:light dark;--ink:#111;--page:#fff;--card:#fff;--soft:#555;--edge:#ddd}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaf0;--page:#14181e;--card:#1c222b;--soft:#9aa6b5;--edge:#333c48}}
body{font:15px system-ui,sans-serif;margin:2em;color:var(--ink);background:var(--page)}h2{margin-top:1.6em}code{font:13px ui-monospace,monospace}svg{max-width:100%;height:auto;border:1px solid var(--edge);border-radius:8px}</style></head>
<body><h1>${escaped(title)}</h1>
${parts
  .map(
    ({ heading, notes, view }) =>
      `<h2>${escaped(heading)}</h2>${notes.map((note) => `<p><code>${escaped(note)}</code></p>`).join('')}${view ? `${executionSvg(view)}${view.violation ? `<p>Violates <b>${escaped(view.violation.axiom)}</b>: the thick edges.</p>` : ''}` : ''}`,
  )
  .join('\n')}
</body></html>
`
