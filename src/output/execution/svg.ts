// An execution as a picture: one column per thread, events from top to bottom in program order, edges coloured by
// relation. Edges of a violated axiom are thick. Everything is computed here: the SVG needs no script.
import type { EdgeView, EventView, ExecutionView } from '../../memory-model/index.js'
import { eventName } from './terminal.js'

const COLUMN = 250
const ROW = 64
const BOX_WIDTH = 170
const BOX_HEIGHT = 34
const MARGIN = 30

const COLOURS: Readonly<Record<string, string>> = {
  po: '#888888',
  rf: '#c0392b',
  co: '#2c5aa0',
  fr: '#d58512',
  rmw: '#7d3c98',
  addr: '#1e8449',
  data: '#1e8449',
  ctrl: '#117a65',
} // prettier-ignore

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

interface Place {
  readonly x: number
  readonly y: number
}

export const executionSvg = (view: ExecutionView): string => {
  const threads = Math.max(0, ...view.events.map((event) => event.thread)) + 1
  const initial = view.events.filter((event) => event.thread < 0)
  const places = new Map<number, Place>()
  const top = MARGIN + (initial.length > 0 ? ROW : 0) + 24
  initial.forEach((event, i) => {
    places.set(event.id, { x: MARGIN + 85 + i * (BOX_WIDTH + 20), y: MARGIN })
  })
  let rows = 0
  for (let thread = 0; thread < threads; thread++)
    view.events
      .filter((event) => event.thread === thread)
      .forEach((event, row) => {
        rows = Math.max(rows, row + 1)
        places.set(event.id, { x: MARGIN + 85 + thread * COLUMN, y: top + 24 + row * ROW })
      })
  const width = Math.max(threads * COLUMN, initial.length * (BOX_WIDTH + 20)) + 2 * MARGIN
  const height = top + rows * ROW + MARGIN + 24
  const blamed = new Set((view.violation?.steps ?? []).flatMap(({ because }) => because.map(edgeKey)))
  const edges = view.edges.map((edge, i) => edgeSvg(edge, places, i, blamed.has(edgeKey(edge))))
  const headings = Array.from(
    { length: threads },
    (_, t) => `<text x="${MARGIN + 85 + t * COLUMN}" y="${top}" class="heading">P${t}</text>`,
  )
  const legend = [...new Set(view.edges.map((edge) => edge.relation))].map(
    (relation, i) =>
      `<text x="${MARGIN + i * 60}" y="${height - 10}" fill="${colourOf(relation)}" class="legend">${relation}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="execution graph">
<style>text{font:13px ui-monospace,monospace;text-anchor:middle}.heading{font-weight:bold}.legend,.edge{text-anchor:start;font-size:11px}</style>
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

const colourOf = (relation: string): string => COLOURS[relation] ?? '#555555'

const edgeKey = ({ relation, from, to }: EdgeView): string => `${relation} ${from} ${to}`

const boxSvg = (event: EventView, { x, y }: Place): string => {
  const title =
    event.text === undefined ? '' : `<title>${escaped(event.text)}${event.line ? ` (line ${event.line})` : ''}</title>`
  return `<g>${title}<rect x="${x - BOX_WIDTH / 2}" y="${y - BOX_HEIGHT / 2}" width="${BOX_WIDTH}" height="${BOX_HEIGHT}" rx="6" fill="#ffffff" stroke="#444444"/><text x="${x}" y="${y + 5}" fill="#111111">${eventName(event.id)}: ${escaped(event.label)}</text></g>`
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
    ? { x: a.x + (relation === 'po' ? 0 : BOX_WIDTH / 2), y: a.y + (relation === 'po' ? (down * BOX_HEIGHT) / 2 : 0) }
    : { x: a.x + (right * BOX_WIDTH) / 2, y: a.y }
  const end = vertical
    ? { x: b.x + (relation === 'po' ? 0 : BOX_WIDTH / 2), y: b.y - (relation === 'po' ? (down * BOX_HEIGHT) / 2 : 0) }
    : { x: b.x - (right * BOX_WIDTH) / 2, y: b.y }
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
<style>body{font:15px system-ui,sans-serif;margin:2em;color:#111;background:#fff}h2{margin-top:1.6em}code{font:13px ui-monospace,monospace}svg{max-width:100%;height:auto;border:1px solid #ddd;border-radius:8px}</style></head>
<body><h1>${escaped(title)}</h1>
${parts
  .map(
    ({ heading, notes, view }) =>
      `<h2>${escaped(heading)}</h2>${notes.map((note) => `<p><code>${escaped(note)}</code></p>`).join('')}${view ? `${executionSvg(view)}${view.violation ? `<p>Violates <b>${escaped(view.violation.axiom)}</b>: the thick edges.</p>` : ''}` : ''}`,
  )
  .join('\n')}
</body></html>
`
