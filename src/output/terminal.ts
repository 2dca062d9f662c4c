// A report for a person at a terminal: a headline, the interleaving with a column a thread, what the verdict assumes.
import type { ProgramReport, Report, StepReport, TraceReport } from '../verdict/index.js'
import { executionLines } from './execution/terminal.js'

export interface TerminalStyle {
  readonly width: number
  readonly colour: boolean
  readonly stats: boolean
}

type Paint = (text: string) => string

export const renderReport = (report: Report, style: TerminalStyle): string => {
  const paint = painter(style.colour)
  const lines = [heading(report), '']
  switch (report.verdict) {
    case 'true':
      lines.push(paint.good(`✓ ${meaningOfTrue(report)}`), '', ...proofLines(report))
      break
    case 'false':
      if (report.trace) lines.push(...traceLines(report.trace, style, paint))
      if (report.execution) lines.push(...executionLines(report.execution), '')
      if (report.fix) lines.push(...fixLines(report.fix), '')
      lines.push(...ledgerLines(report))
      break
    case 'unknown':
      lines.push(paint.warn(`? ${meaningOfUnknown(report)}`))
      for (const attempt of report.attempts ?? [])
        lines.push(`    ${attempt.engine}: ${attempt.outcome}${countsOf(attempt.stats)}`)
      if (report.hint) lines.push(`    Worth trying: ${report.hint}`)
      break
  }
  if (style.stats) lines.push('', ...statsLines(report))
  lines.push('', verdictLine(report))
  return `${lines.join('\n')}\n`
}

const fixLines = (fix: NonNullable<Report['fix']>): readonly string[] =>
  'reason' in fix
    ? [`  no fix: ${fix.reason}`]
    : ['  With these memory orders it holds (proved):', ...fix.diff.split('\n').map((line) => `  ${line}`)]

export const verdictLine = (report: Report): string => {
  switch (report.verdict) {
    case 'true':
      return 'VERDICT: TRUE'
    case 'false':
      return `VERDICT: FALSE(${report.violated ?? report.property})`
    case 'unknown':
      return `VERDICT: UNKNOWN(${report.reason ?? 'no reason given'})`
  }
}

const heading = (report: Report): string => {
  const { program, headersOf } = report
  const headers = headersOf === undefined ? '' : ` · headers of ${headersOf}`
  return `${report.file} · ${report.property}${program ? ` · ${programCounts(program)}` : ''}${headers}`
}

/** What the program consists of. */
export const programCounts = ({ threads, perhapsMore, sharedVariables }: ProgramReport): string =>
  `${count(threads, 'thread')}${perhapsMore ? ' or more' : ''}, ${count(sharedVariables, 'shared variable')}`

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

const meaningOfTrue = (report: Report): string => {
  switch (report.property) {
    case 'no-data-race':
      return 'no data race in any interleaving'
    case 'no-deadlock':
      return 'no deadlock in any interleaving'
    case 'no-overflow':
      return 'no signed overflow in any interleaving, for any input'
    case 'valid-memsafety':
      return 'every access and every free is valid, and no memory is lost'
    case 'termination':
      return 'every execution ends'
    default:
      return 'holds for every interleaving and every input'
  }
}

const meaningOfUnknown = (report: Report): string => {
  const reason = report.reason ?? ''
  if (reason === 'timeout') return `not decided in ${seconds(report.time_ms)}`
  if (reason === 'memory') return 'not decided within the memory limit'
  return `not decided: ${reason}`
}

const seconds = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

const proofLines = (report: Report): string[] => {
  const s = report.stats
  const facts = [
    s['nodes'] !== undefined && `${number(s['nodes'])} states`,
    s['refinements'] !== undefined && `${number(s['refinements'])} refinements`,
    s['predicates'] !== undefined && `${number(s['predicates'])} predicates`,
    s['clauses'] !== undefined && `${number(s['clauses'])} clauses`,
    s['depth'] !== undefined && `depth ${number(s['depth'])}`,
    leftOut(report),
  ].filter((fact): fact is string => typeof fact === 'string')
  return [
    `  Proved by ${report.engine} in ${seconds(report.time_ms)}${facts.length ? `: ${facts.join(', ')}` : ''}.`,
    ...(report.checked ? [`  Checked without the engine: ${report.checked}.`] : []),
    ...ledgerLines(report),
  ]
}

const leftOut = (report: Report): string | undefined => {
  const explored = Number(report.stats['actions_explored'])
  const enabled = Number(report.stats['actions_enabled'])
  if (!(enabled > explored)) return undefined
  return `${Math.round(100 * (1 - explored / enabled))} % of the enabled steps left out`
}

/** Whether the ledger says of everything that a proof may rest on whether it was shown. */
const isWholeLedger = ({ verdict, assumptions }: Report): boolean =>
  verdict === 'true' &&
  ['valid dereferences', 'no undefined behaviour'].every((part) =>
    assumptions.some(({ what }) => what.startsWith(part)),
  )

const ledgerLines = (report: Report): string[] => {
  const open = report.assumptions.filter((a) => a.status !== 'discharged').map((a) => a.what)
  if (open.length === 0) return []
  const lines = [`  Assumes ${open.join(', ')}.${isWholeLedger(report) ? ' Nothing else is open.' : ''}`]
  // An engine that names the place has been there.
  if (open.some((what) => what.startsWith('no undefined behaviour (invalid access')))
    lines.push('  Some execution does end there: --property valid-memsafety shows how.')
  return lines
}

const number = (value: number | string): string => (typeof value === 'number' ? value.toLocaleString('en-US') : value)

const countsOf = (stats: Report['stats']): string => {
  const counts = Object.entries(stats).slice(0, 4)
  return counts.length
    ? ` (${counts.map(([name, value]) => `${number(value)} ${name.replaceAll('_', ' ')}`).join(', ')})`
    : ''
}

const statsLines = (report: Report): string[] => {
  const rows = Object.entries(report.stats)
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return [
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${number(value)}`),
    ...(report.attempts ?? []).map((a) => `  ${a.engine}: ${a.outcome}${countsOf(a.stats)}`),
    ...report.assumptions.map((a) => `  assumption: ${a.what} (${a.status})`),
    `  ${seconds(report.time_ms)}, ${report.memory_mb.toFixed(0)} MB`,
  ]
}

// ---- the interleaving

const traceLines = (trace: TraceReport, style: TerminalStyle, paint: ReturnType<typeof painter>): string[] => {
  const place = `${baseName(trace.file)}:${trace.line}`
  const headline = `✗ ${trace.headline}`
  const gap = Math.max(2, Math.min(style.width, 100) - headline.length - place.length)
  return [
    paint.bad(headline) + ' '.repeat(gap) + place,
    '',
    ...(trace.story ? [`  ${trace.story}`, ''] : []),
    ...table(trace, style, paint),
    ...(trace.details ? ['', ...trace.details.map((detail) => `  ${detail}`)] : []),
    '',
    `  ${count(trace.contextSwitches, 'context switch').replace('switchs', 'switches')}. Replayed: ${trace.replayed ? 'yes' : 'no'}.`,
  ]
}

/** The threads that take part, a column each; the changed values last. */
const table = (trace: TraceReport, style: TerminalStyle, paint: ReturnType<typeof painter>): string[] => {
  const threads = trace.threads.filter((t) => trace.steps.some((s) => s.thread === t.number))
  const cells = trace.steps.map((s) => cellText(s, trace))
  const changes = trace.steps.map((s) => s.changed.map((c) => `${c.name} = ${c.value}`).join(', '))
  const widest = (thread: number): number =>
    Math.max(6, ...trace.steps.map((s, i) => (s.thread === thread ? cells[i]!.length : 0)))
  const room = Math.max(style.width, 80) - 9 - Math.min(30, Math.max(7, ...changes.map((c) => c.length)))
  const wanted = threads.map((t) => Math.max(widest(t.number), t.name.length))
  const widths = shareRoom(wanted, room - 2 * threads.length)
  const column = new Map(threads.map((t, i) => [t.number, i]))
  const row = (step: string, texts: readonly string[], changed: string): string =>
    `  ${step.padStart(4)}   ${texts.map((text, i) => clip(text, widths[i]!).padEnd(widths[i]!)).join('  ')}  ${changed}`.trimEnd()
  return [
    paint.faint(
      row(
        'step',
        threads.map((t) => t.name),
        'changed',
      ),
    ),
    ...trace.steps.map((s, i) => {
      const texts = threads.map(() => '')
      texts[column.get(s.thread)!] = cells[i]!
      const line = row(String(i + 1), texts, changes[i]!)
      return s.fails ? paint.bad(line) : line
    }),
  ]
}

/** Columns get what they want; where that is too much, the widest give way first. */
const shareRoom = (wanted: readonly number[], room: number): readonly number[] => {
  let limit = Math.max(...wanted, 0)
  const total = (): number => wanted.reduce((sum, w) => sum + Math.min(w, limit), 0)
  while (total() > room && limit > 12) limit--
  return wanted.map((w) => Math.min(w, limit))
}

const cellText = (step: StepReport, trace: TraceReport): string => {
  const file = step.file === trace.file ? '' : `${baseName(step.file)}:`
  return `${file}${step.line} ${step.text}${step.fails ? FAILS : ''}`
}

const FAILS = '  ✗'

/** What fails is marked also where its text is cut off. */
const clip = (text: string, width: number): string => {
  if (text.length <= width) return text
  const mark = text.endsWith(FAILS) ? FAILS : ''
  return `${text.slice(0, width - 1 - mark.length)}…${mark}`
}

const baseName = (file: string): string => file.slice(file.lastIndexOf('/') + 1)

const painter = (colour: boolean): { good: Paint; bad: Paint; warn: Paint; faint: Paint } => {
  const wrap = (code: number): Paint => (colour ? (text) => `\u001b[${code}m${text}\u001b[0m` : (text) => text)
  return { good: wrap(32), bad: wrap(31), warn: wrap(33), faint: wrap(2) }
}
