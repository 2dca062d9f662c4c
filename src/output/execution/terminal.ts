// An execution in a terminal: one column per thread, then the edges between events by their letters.
import type { EdgeView, EventView, ExecutionView } from '../../memory-model/index.js'
import { paragraph } from '../text.js'
import { eventName, eventText, initialAccesses, isOfProgram, threadName, writeOrders } from './words.js'

const SHOWN = ['rf', 'co', 'fr'] as const

/** `width` of the terminal, Infinity for a pipe. */
export const executionLines = (view: ExecutionView, width = Number.POSITIVE_INFINITY): readonly string[] =>
  isOfProgram(view) ? programLines(view, width) : litmusLines(view)

// ---- litmus tests

const litmusLines = (view: ExecutionView): readonly string[] => {
  const lines: string[] = []
  const cell = (event: EventView): string => eventText(view, event)
  const initial = initialOf(view)
  if (initial.length > 0) lines.push(`  initially: ${initial.map(cell).join(', ')}`)
  const threads = Math.max(-1, ...view.events.map((event) => event.thread)) + 1
  const columns = Array.from({ length: threads }, (_, thread) => [
    `P${thread}`,
    ...view.events.filter((event) => event.thread === thread).map(cell),
  ])
  lines.push(...sideBySide(columns))
  for (const relation of SHOWN) {
    const edges = view.edges.filter((edge) => edge.relation === relation)
    if (edges.length > 0) lines.push(`  ${relation}: ${edges.map(edgeText).join(', ')}`)
  }
  for (const note of view.notes ?? []) lines.push(`  ${note}`)
  if (view.violation) lines.push(...violationLines(view.violation))
  return lines
}

const initialOf = ({ events }: ExecutionView): readonly EventView[] => events.filter(({ thread }) => thread < 0)

const edgeText = ({ from, to }: EdgeView): string => `${eventName(from)} → ${eventName(to)}`

const violationLines = ({ axiom, steps }: NonNullable<ExecutionView['violation']>): readonly string[] => [
  `  violates ${axiom}:`,
  ...steps.map(({ from, to, because }) => {
    const reasons = because.map((edge) => `${edge.relation} ${edgeText(edge)}`).join(', ')
    return `    ${edgeText({ relation: '', from, to })}${reasons === '' ? '' : ` by ${reasons}`}`
  }),
]

const sideBySide = (columns: readonly (readonly string[])[]): readonly string[] => {
  const widths = columns.map((column) => Math.max(...column.map((text) => text.length)))
  const rows = Math.max(0, ...columns.map((column) => column.length))
  return Array.from({ length: rows }, (_, row) =>
    `  ${columns.map((column, i) => (column[row] ?? '').padEnd(widths[i]!)).join(' │ ')}`.trimEnd(),
  )
}

// ---- programs

const programLines = (view: ExecutionView, width: number): readonly string[] => {
  const prose = (text: string): readonly string[] => paragraph(text, width)
  const numbers = [...new Set(view.events.map(({ thread }) => thread))].filter((n) => n >= 0).sort((a, b) => a - b)
  const columns = numbers.map((thread) => [
    threadName(view, thread),
    ...view.events.filter((event) => event.thread === thread).map((event) => eventText(view, event)),
  ])
  const table = sideBySide(columns)
  const fits = table.every((line) => line.length <= width)
  const orders = writeOrders(view).map((writes) => writes.map(({ id }) => eventName(id)).join(' before '))
  return [
    ...initialLines(view).flatMap(prose),
    '',
    ...(fits ? table : columns.flatMap(([name, ...rows]) => [`  ${name}`, ...rows.map((row) => `    ${row}`)])),
    ...(orders.length > 0 ? ['', ...prose(`The writes take effect in this order: ${orders.join('; ')}.`)] : []),
  ]
}

const initialLines = (view: ExecutionView): readonly string[] => {
  const values = initialAccesses(view)
  const arrow = 'An arrow (←) names the write that a read takes its value from.'
  return [values.length > 0 ? `Initially ${values.join(', ')}. ${arrow}` : arrow]
}
