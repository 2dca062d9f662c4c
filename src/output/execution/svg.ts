// An execution as a picture: one column per thread, events from top to bottom in program order, edges coloured by
// relation. Edges of a violated axiom are thick. Everything is computed here: the SVG needs no script.
import type { EdgeView, EventView, ExecutionView } from '../../memory-model/index.js'
import { escapeHtml } from '../html/markup.js'
import { eventText, isOfProgram, threadName } from './words.js'

const ROW = 64
const BOX_HEIGHT = 34
/** Of a box: its text may need more. */
const MIN_WIDTH = 130
const CHARACTER = 8
/** Between the columns, for edges. */
const GAP = 80
const MARGIN = 30

/** What a relation is called and means, and its colour in the pages (html/style.ts), which has one for each theme. */
export const RELATIONS: Readonly<Record<string, { readonly meaning: string; readonly colour: string }>> = {
  po: { meaning: 'order in the thread', colour: 'var(--soft, #5b6675)' },
  rf: { meaning: 'the write that a read takes its value from', colour: 'var(--bad, #b3261e)' },
  co: { meaning: 'the order in which writes take effect', colour: 'var(--t0, #2457c5)' },
  fr: { meaning: 'a read, and the write that comes after what it read', colour: 'var(--warn, #8a5a00)' },
  rmw: { meaning: 'the two halves of an atomic update', colour: 'var(--key, #6d28d9)' },
  addr: { meaning: 'the address depends on the read', colour: 'var(--good, #1b6e3c)' },
  data: { meaning: 'the value depends on the read', colour: 'var(--good, #1b6e3c)' },
  ctrl: { meaning: 'a branch depends on the read', colour: 'var(--quote, #0f6b6b)' },
}

/** The relations that a picture has, in the order of the table. */
export const relationsOf = (view: ExecutionView): readonly string[] => {
  const drawn = drawnEdges(view)
  const known = Object.keys(RELATIONS).filter((name) => drawn.some(({ relation }) => relation === name))
  return [...new Set([...known, ...drawn.map(({ relation }) => relation)])]
}

interface Place {
  readonly x: number
  readonly y: number
  /** Half of its box's width. */
  readonly half: number
}

/** Initial values of a program stand above the picture: most reads would have an edge from them. */
const drawnEvents = (view: ExecutionView): readonly EventView[] =>
  isOfProgram(view) ? view.events.filter(({ thread }) => thread >= 0) : view.events

const drawnEdges = (view: ExecutionView): readonly EdgeView[] => {
  const drawn = new Set(drawnEvents(view).map(({ id }) => id))
  return view.edges.filter(({ from, to }) => drawn.has(from) && drawn.has(to))
}

export const executionSvg = (view: ExecutionView): string => {
  const events = drawnEvents(view)
  const initial = events.filter((event) => event.thread < 0)
  // A thread without events, like a main that only starts others, needs no column.
  const threads = [...new Set(events.map((event) => event.thread))].filter((t) => t >= 0).sort((a, b) => a - b)
  const half = Math.max(MIN_WIDTH, ...events.map((event) => eventText(view, event).length * CHARACTER + 16)) / 2
  const column = 2 * half + GAP
  const places = new Map<number, Place>()
  const top = MARGIN + (initial.length > 0 ? ROW : 0)
  initial.forEach((event, i) => {
    places.set(event.id, { x: MARGIN + half + i * (2 * half + 20), y: MARGIN, half })
  })
  let rows = 0
  threads.forEach((thread, i) => {
    events
      .filter((event) => event.thread === thread)
      .forEach((event, row) => {
        rows = Math.max(rows, row + 1)
        places.set(event.id, { x: MARGIN + half + i * column, y: top + 34 + row * ROW, half })
      })
  })
  const width = Math.max(threads.length * column, initial.length * (2 * half + 20)) + 2 * MARGIN
  const height = top + rows * ROW + 20
  const blamed = new Set((view.violation?.steps ?? []).flatMap(({ because }) => because.map(edgeKey)))
  const edges = drawnEdges(view).map((edge, i) => edgeSvg(edge, places, i, blamed.has(edgeKey(edge))))
  const headings = threads.map(
    (thread, i) =>
      `<text x="${MARGIN + half + i * column}" y="${top}" class="heading">${escapeHtml(threadName(view, thread))}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="execution graph">
<style>text{font:13px ui-monospace,monospace;text-anchor:middle}.heading{font-weight:bold}.heading,.event{fill:var(--ink,#111)}.box{fill:var(--card,#fff);stroke:var(--soft,#444)}.edge text{text-anchor:start;font-size:11px}.edge path{fill:none;stroke-width:1.3}.edge .blamed{stroke-width:3}</style>
<defs>${relationsOf(view)
    .map(
      (relation) =>
        `<marker id="arrow-${relation}" viewBox="0 0 10 10" refX="9" refY="5" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" style="fill:${colourOf(relation)}"/></marker>`,
    )
    .join('')}</defs>
${edges.join('\n')}
${headings.join('')}
${events.map((event) => boxSvg(view, event, places.get(event.id)!)).join('\n')}
</svg>`
}

const colourOf = (relation: string): string => RELATIONS[relation]?.colour ?? 'var(--soft, #5b6675)'

const edgeKey = ({ relation, from, to }: EdgeView): string => `${relation} ${from} ${to}`

const boxSvg = (view: ExecutionView, event: EventView, { x, y, half }: Place): string => {
  const at = event.line === undefined ? '' : ` data-line="${event.line}"`
  const title =
    event.text === undefined
      ? ''
      : `<title>${escapeHtml(event.text)}${event.line ? ` (line ${event.line})` : ''}</title>`
  return `<g class="node"${at}>${title}<rect x="${x - half}" y="${y - BOX_HEIGHT / 2}" width="${2 * half}" height="${BOX_HEIGHT}" rx="6" class="box"/><text x="${x}" y="${y + 5}" class="event">${escapeHtml(eventText(view, event))}</text></g>`
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
  const dashes = /addr|data|ctrl/.test(relation) ? ' stroke-dasharray="5 3"' : ''
  const label =
    relation === 'po'
      ? ''
      : `<text x="${(start.x + 2 * middle.x + end.x) / 4}" y="${(start.y + 2 * middle.y + end.y) / 4 - 3}" style="fill:${colour}">${escapeHtml(relation)}</text>`
  return `<g class="edge" data-relation="${escapeHtml(relation)}"><path d="M${start.x} ${start.y}Q${middle.x} ${middle.y} ${end.x} ${end.y}" style="stroke:${colour}"${dashes}${isBlamed ? ' class="blamed"' : ''} marker-end="url(#arrow-${relation})"/>${label}</g>`
}
