// An execution in a terminal: one column per thread, then the edges between events by their letters.
import type { EdgeView, EventView, ExecutionView } from '../../memory-model/index.js'

const SHOWN = ['rf', 'co', 'fr'] as const

/** a, b, …, z, aa, ab, … */
export const eventName = (id: number): string =>
  id < 26 ? String.fromCharCode(97 + id) : `${eventName(Math.floor(id / 26) - 1)}${eventName(id % 26)}`

export const executionLines = (view: ExecutionView): readonly string[] => {
  const lines: string[] = []
  const cell = (event: EventView): string => `${eventName(event.id)}: ${event.label}`
  const initial = view.events.filter((event) => event.thread < 0)
  if (initial.length > 0) lines.push(`  initially: ${initial.map(cell).join(', ')}`)
  const threads = Math.max(-1, ...view.events.map((event) => event.thread)) + 1
  const columns = Array.from({ length: threads }, (_, thread) =>
    view.events.filter((event) => event.thread === thread).map(cell),
  )
  const widths = columns.map((column, thread) => Math.max(`P${thread}`.length, ...column.map((text) => text.length)))
  const row = (texts: readonly string[]): string =>
    `  ${texts.map((text, i) => text.padEnd(widths[i]!)).join(' │ ')}`.trimEnd()
  lines.push(row(columns.map((_, thread) => `P${thread}`)))
  for (let i = 0; i < Math.max(0, ...columns.map((column) => column.length)); i++)
    lines.push(row(columns.map((column) => column[i] ?? '')))
  for (const relation of SHOWN) {
    const edges = view.edges.filter((edge) => edge.relation === relation)
    if (edges.length > 0) lines.push(`  ${relation}: ${edges.map(edgeText).join(', ')}`)
  }
  for (const note of view.notes ?? []) lines.push(`  ${note}`)
  if (view.violation) lines.push(...violationLines(view.violation))
  return lines
}

const edgeText = ({ from, to }: EdgeView): string => `${eventName(from)} → ${eventName(to)}`

const violationLines = ({ axiom, steps }: NonNullable<ExecutionView['violation']>): readonly string[] => [
  `  violates ${axiom}:`,
  ...steps.map(({ from, to, because }) => {
    const reasons = because.map((edge) => `${edge.relation} ${edgeText(edge)}`).join(', ')
    return `    ${edgeText({ relation: '', from, to })}${reasons === '' ? '' : ` by ${reasons}`}`
  }),
]
