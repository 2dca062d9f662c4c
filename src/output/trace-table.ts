// An execution as a table: one column per thread and what each step changed. Repeated iterations are folded. Where the
// columns do not fit, their texts wrap; where there are too many threads for that, each row names its thread instead.
// No statement is ever cut off.
import type { StepReport, TraceReport } from '../verdict/index.js'
import { changesText } from './changes.js'
import { foldsOf } from './folds.js'
import { type Painter, thousands, wrapWords } from './text.js'

/** A pipe or a log has no width, but columns further apart than this cannot be read across. */
const MAX_UNWRAPPED = 160
/** Columns narrower than this wrap so often that a list is easier to read. */
const MIN_COLUMN = 20
const MIN_CHANGED = 16
/** The number of a step, with the space before and after it. */
const MARGIN = 9
const GAP = 2

interface Row {
  /** What stands in the column of step numbers. */
  readonly number: string
  readonly thread: number
  readonly text: string
  readonly changed: string
  readonly fails?: boolean
}

type Line = Row | { readonly folded: string }

export const traceTable = (trace: TraceReport, width: number, paint: Painter): readonly string[] => {
  const lines = linesOf(trace)
  const rows = lines.filter((line): line is Row => 'thread' in line)
  const longestText = new Map<number, number>()
  let longest = 0
  for (const { thread, text, changed } of rows) {
    longestText.set(thread, Math.max(longestText.get(thread) ?? 0, text.length))
    longest = Math.max(longest, changed.length)
  }
  const threads = trace.threads.filter(({ number }) => longestText.has(number))
  const wanted = threads.map(({ number, name }) => Math.max(6, name.length, longestText.get(number)!))
  const changed = longest === 0 ? 0 : Math.max('changed'.length, longest)
  const isTerminal = Number.isFinite(width)
  const room = (isTerminal ? width : MAX_UNWRAPPED + changed) - MARGIN - GAP * threads.length
  const natural = sum(wanted) + changed
  if (natural <= room) return columns(lines, threads, wanted, changed, paint)
  const forChanged = Math.min(changed, Math.max(MIN_CHANGED, Math.floor(room / 3)))
  const widths = shareRoom(wanted, room - forChanged)
  const fits = widths.every((got, i) => got >= Math.min(wanted[i]!, MIN_COLUMN))
  return isTerminal && fits
    ? columns(lines, threads, widths, forChanged, paint)
    : list(lines, threads, width, changed, paint)
}

const linesOf = (trace: TraceReport): readonly Line[] => {
  const { steps } = trace
  const folds = new Map(foldsOf(steps).map((fold) => [fold.from, fold]))
  const lines: Line[] = []
  for (let i = 0; i < steps.length; i++) {
    const fold = folds.get(i)
    if (fold) {
      const { from, to, times, period, isNextThread } = fold
      const what = period === 1 ? 'this step' : `these ${period} steps`
      const whose = isNextThread ? ', each time with the next thread' : ''
      lines.push({ folded: `${what} again, ${thousands(times)} times${whose} (steps ${from + 1} to ${to})` })
      i = to
    }
    const step = steps[i]!
    lines.push({
      number: String(i + 1),
      thread: step.thread,
      text: cellText(step, trace),
      changed: changesText(step.changed),
      ...(step.fails && { fails: true }),
    })
  }
  return lines
}

const columns = (
  lines: readonly Line[],
  threads: TraceReport['threads'],
  widths: readonly number[],
  changedWidth: number,
  paint: Painter,
): readonly string[] => {
  const line = (number: string, cells: readonly string[], changed: string): string =>
    `  ${number.padStart(4)}   ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join('  ')}  ${changed}`.trimEnd()
  const column = new Map(threads.map(({ number }, i) => [number, i]))
  const body = lines.flatMap((row) => {
    if (!('thread' in row)) return [paint.faint(foldLine(row.folded))]
    const at = column.get(row.thread)!
    const text = wrapCell(row.text, widths[at]!)
    const changed = wrapWords(row.changed, changedWidth)
    return Array.from({ length: Math.max(text.length, changed.length) }, (_, i) => {
      const cells = threads.map((_, c) => (c === at ? (text[i] ?? '') : ''))
      return painted(row, line(i === 0 ? row.number : '', cells, changed[i] ?? ''), paint)
    })
  })
  const names = threads.map(({ name }, i) => (name.length <= widths[i]! ? name : `${name.slice(0, widths[i]! - 1)}…`))
  return [paint.faint(line('step', names, changedWidth === 0 ? '' : 'changed')), ...body]
}

/** One row after the other, each with the name of its thread. */
const list = (
  lines: readonly Line[],
  threads: TraceReport['threads'],
  width: number,
  changed: number,
  paint: Painter,
): readonly string[] => {
  const name = new Map(threads.map((thread) => [thread.number, thread.name]))
  const nameWidth = Math.max('thread'.length, ...threads.map((thread) => thread.name.length))
  const rows = lines.filter((line): line is Row => 'thread' in line)
  const longest = rows.reduce((most, { text }) => Math.max(most, text.length), 'statement'.length)
  const room = width - MARGIN - nameWidth - 2 * GAP
  const changedWidth = Math.min(changed, Math.max(MIN_CHANGED, Math.floor(room / 3)))
  const textWidth = Math.max(MIN_COLUMN, Math.min(longest, room - changedWidth))
  const line = (number: string, who: string, text: string, change: string): string =>
    `  ${number.padStart(4)}   ${who.padEnd(nameWidth)}  ${text.padEnd(textWidth)}  ${change}`.trimEnd()
  const body = lines.flatMap((row) => {
    if (!('thread' in row)) return [paint.faint(foldLine(row.folded))]
    const text = wrapCell(row.text, textWidth)
    const change = wrapWords(row.changed, Number.isFinite(width) ? changedWidth : Number.POSITIVE_INFINITY)
    return Array.from({ length: Math.max(text.length, change.length) }, (_, i) => {
      const [number, who] = i === 0 ? [row.number, name.get(row.thread)!] : ['', '']
      return painted(row, line(number, who, text[i] ?? '', change[i] ?? ''), paint)
    })
  })
  return [paint.faint(line('step', 'thread', 'statement', changed === 0 ? '' : 'changed')), ...body]
}

const foldLine = (text: string): string => `     ⋮   ${text}`

const painted = ({ fails }: Row, line: string, paint: Painter): string => (fails ? paint.bad(line) : line)

/** Lines after the first are indented below the statement, not below its line number. */
const wrapCell = (text: string, width: number): readonly string[] => {
  if (text.length <= width) return [text]
  const indent = ' '.repeat(Math.min(text.indexOf(' ') + 1, Math.floor(width / 4)))
  const whole = text.replace(/ +/g, ' ')
  const first = wrapWords(whole, width)[0]!
  const rest = whole.slice(first.length).trimStart()
  return [first, ...wrapWords(rest, width - indent.length).map((line) => indent + line)]
}

/** Columns get what they want; where that is too much, the widest give way first. */
const shareRoom = (wanted: readonly number[], room: number): readonly number[] => {
  let limit = Math.max(...wanted, 0)
  while (limit > 1 && sum(wanted.map((w) => Math.min(w, limit))) > room) limit--
  return wanted.map((w) => Math.min(w, limit))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

const cellText = (step: StepReport, trace: TraceReport): string => {
  const file = step.file === trace.file ? '' : `${baseName(step.file)}:`
  return `${file}${step.line} ${step.text.replace(/\s+/g, ' ')}${step.fails ? '  ✗' : ''}`
}

export const baseName = (file: string): string => file.slice(file.lastIndexOf('/') + 1)
