// A report for a person at a terminal: a headline, the interleaving with one column per thread, what the verdict assumes.

import type { ExecutionView } from '../memory-model/index.js'
import type { Assumption, Attempt, Report, TraceReport } from '../verdict/index.js'
import { commutingFacts } from './commuting.js'
import { executionHeadline, executionLines, executionPlace, executionStory } from './execution/index.js'
import { assumptionText } from './ledger.js'
import { partialSentences } from './partial.js'
import { reachedText } from './progress.js'
import { attemptName, outcomeText, reasonText } from './reason.js'
import { count, type Painter, painter, paragraph, thousands } from './text.js'
import { baseName, traceTable } from './trace-table.js'

export interface TerminalStyle {
  /** Infinity where a pipe or a log reads. */
  readonly width: number
  readonly colour: boolean
  readonly stats: boolean
  /** Nothing but the verdict. */
  readonly quiet?: boolean
}

export const renderReport = (report: Report, style: TerminalStyle): string => {
  if (style.quiet) return `${verdictLine(report)}\n`
  const paint = painter(style.colour)
  const lines = [heading(report), '']
  switch (report.verdict) {
    case 'true':
      lines.push(paint.good(`✓ ${meaningOfTrue(report)}`), '', ...proofLines(report, style))
      break
    case 'false':
      // One by one: a trace may have more lines than a call may have arguments.
      if (report.trace) for (const line of traceLines(report.trace, style, paint)) lines.push(line)
      if (report.execution) lines.push(...executionReport(report, report.execution, style, paint), '')
      if (report.fix) lines.push(...fixLines(report.fix), '')
      lines.push(...ledgerLines(report, style))
      break
    case 'unknown':
      lines.push(paint.warn(`? ${meaningOfUnknown(report)}`), ...partialLines(report, style))
      lines.push(...attemptLines(report, style))
      if (report.hint) lines.push('', ...paragraph(hintText(report), proseWidth(style.width)))
      break
  }
  if (style.stats) lines.push('', ...statsLines(report))
  lines.push('', verdictLine(report))
  return `${lines.join('\n')}\n`
}

const fixLines = (fix: NonNullable<Report['fix']>): readonly string[] =>
  'reason' in fix
    ? [`  no fix: ${fix.reason}`]
    : ['  With this change it holds (proved):', ...fix.diff.split('\n').map((line) => `  ${line}`)]

export const verdictLine = (report: Report): string => {
  switch (report.verdict) {
    case 'true':
      return 'VERDICT: TRUE'
    case 'false':
      return `VERDICT: FALSE(${report.violated ?? report.property})`
    case 'unknown':
      return `VERDICT: UNKNOWN(${report.reason ? reasonText(report.reason) : 'no reason given'})`
  }
}

const heading = (report: Report): string => {
  const { headersOf } = report
  const headers = headersOf === undefined ? '' : `headers of ${headersOf}`
  return [report.file, report.property, programCounts(report), headers].filter(Boolean).join(' · ')
}

/** What the program consists of, if that is known; an execution says how many threads it has. */
export const programCounts = ({ program, trace }: Report): string => {
  if (!program) return ''
  const threads = trace?.threads.length ?? program.threads
  const more = program.perhapsMore && !trace ? ' or more' : ''
  return `${count(threads, 'thread')}${more}, ${count(program.sharedVariables, 'shared variable')}`
}

export const meaningOfTrue = (report: Report): string => {
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

export const meaningOfUnknown = (report: Report): string => {
  const { reason } = report
  if (reason?.kind === 'timeout' && reason.phase === undefined) return `not decided in ${seconds(report.time_ms)}`
  if (reason?.kind === 'memory') return 'not decided within the memory limit'
  return `not decided: ${reason ? reasonText(reason) : ''}`
}

const seconds = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

/** Of `heddle test` the hint tells what was tried, of `heddle verify` what to try. */
const hintText = ({ engine, hint = '' }: Report): string => (engine === 'native' ? hint : `Worth trying: ${hint}`)

/** What is certain all the same. */
const partialLines = (report: Report, { width }: TerminalStyle): readonly string[] => {
  const sentences = partialSentences(report)
  return sentences.length === 0 ? [] : ['', ...sentences.flatMap((each) => paragraph(each, proseWidth(width)))]
}

/** What all engines say is in the headline, and that others had to end after it is no news. */
const isSaidAlready = ({ outcome }: Attempt, { reason }: Report): boolean => {
  if (typeof outcome === 'string') return false
  if (outcome.kind === 'superseded') return !outcome.isSettled
  return outcome.kind === 'unsupported' && reason !== undefined && reasonText(reason) === reasonText(outcome)
}

/** What each engine reached before it ended. */
const attemptLines = (report: Report, { width }: TerminalStyle): readonly string[] => {
  const attempts = (report.attempts ?? []).filter((attempt) => !isSaidAlready(attempt, report))
  const alone = report.engine !== 'native' && attempts.length === 0 ? reachedText(report.engine, report.stats) : ''
  if (alone) return ['', ...paragraph(`${report.engine}: ${alone}`, proseWidth(width), '    ')]
  const widest = Math.max(0, ...attempts.map((attempt) => attemptName(attempt).length))
  const lines = attempts.flatMap((attempt) => {
    const { engine, outcome, stats } = attempt
    const reached = reachedText(engine, stats)
    const [first, ...rest] = paragraph(
      `${outcomeText(outcome)}${reached && `: ${reached}`}`,
      proseWidth(width),
      ' '.repeat(widest + 6),
    )
    return [`    ${attemptName(attempt).padEnd(widest)}  ${first!.trimStart()}`, ...rest]
  })
  return lines.length > 0 ? ['', ...lines] : []
}

const proofLines = (report: Report, style: TerminalStyle): readonly string[] => {
  const s = report.stats
  const facts = [
    ...(['state', 'refinement', 'predicate', 'clause'] as const).map((noun) => {
      const counted = s[noun === 'state' ? 'nodes' : `${noun}s`]
      return counted !== undefined && count(Number(counted), noun)
    }),
    s['depth'] !== undefined && `depth ${number(s['depth'])}`,
    leftOut(report),
  ].filter((fact): fact is string => typeof fact === 'string')
  const how = `Proved by ${report.engine} in ${seconds(report.time_ms)}${facts.length ? `: ${facts.join(', ')}` : ''}.`
  return [
    ...paragraph(how, proseWidth(style.width)),
    ...commutingLines(report, style),
    ...(report.kept ? ['  Kept from an earlier run: the program has not changed since.'] : []),
    ...(report.checked ? paragraph(`Checked without the engine: ${report.checked}.`, proseWidth(style.width)) : []),
    ...ledgerLines(report, style),
  ]
}

/** Pairs of statements that are named; the HTML report has all of them. */
const MAX_PAIRS = 3

const commutingLines = (report: Report, { width }: TerminalStyle): readonly string[] => {
  const facts = commutingFacts(report)
  if (!facts || facts.apart + facts.pairs.length === 0) return []
  const shown = facts.pairs.slice(0, MAX_PAIRS).map(({ statements: [a, b], why }) => `${a} and ${b} ${why}`)
  const rest = facts.pairs.length - shown.length
  const commute = [
    ...(facts.apart > 0 ? [`${facts.apart} pairs of statements access nothing in common`] : []),
    ...shown,
    ...(rest > 0 ? [`and ${rest} more pairs`] : []),
  ]
  return paragraph(
    `Steps that commute were explored in one order only (${facts.order}): ${commute.join('; ')}.`,
    proseWidth(width),
  )
}

const leftOut = (report: Report): string | undefined => {
  const explored = Number(report.stats['actions_explored'])
  const enabled = Number(report.stats['actions_enabled'])
  if (!(enabled > explored)) return undefined
  return `${Math.round(100 * (1 - explored / enabled))} % of the enabled steps left out as redundant`
}

/** Whether the ledger says of everything that a proof may rest on whether it was shown. */
const isWholeLedger = ({ verdict, assumptions }: Report): boolean =>
  verdict === 'true' &&
  (['valid-dereferences', 'defined-behaviour'] as const).every((part) => assumptions.some(({ kind }) => kind === part))

const CARRIED_OVER =
  'Proved under sequential consistency, which carries over to rc11: no data race, and no weaker atomic operation matters.'

/** `Assumes A, B and C`; of a whole ledger, that this is all. */
const assumesText = (open: readonly Assumption[], isWhole: boolean): string => {
  const texts = [...open.map(assumptionText), ...(isWhole ? ['nothing else'] : [])]
  const last = texts.at(-1)!
  const comma = texts.length > 2 ? ',' : ''
  return `Assumes ${texts.length === 1 ? last : `${texts.slice(0, -1).join(', ')}${comma} and ${last}`}.`
}

const ledgerLines = (report: Report, { width }: TerminalStyle): readonly string[] => {
  const open = report.assumptions.filter((a) => a.status !== 'discharged')
  if (open.length === 0) return []
  const lines = [...paragraph(assumesText(open, isWholeLedger(report)), proseWidth(width))]
  // An engine that names the place has been there.
  if (open.some((each) => each.kind === 'defined-behaviour' && each.met?.isAccess))
    lines.push('  Some execution does end there. Run with --property valid-memsafety to see how.')
  if (report.assumptions.some(({ kind }) => kind === 'race-free'))
    lines.push(...paragraph(CARRIED_OVER, proseWidth(width)))
  return lines
}

const number = (value: number | string): string => (typeof value === 'number' ? thousands(value) : value)

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
    ...(report.attempts ?? []).map((a) => `  ${attemptName(a)}: ${outcomeText(a.outcome)}${countsOf(a.stats)}`),
    ...report.assumptions.map((a) => `  assumption: ${assumptionText(a)} (${a.status})`),
    `  ${seconds(report.time_ms)}, ${report.memory_mb.toFixed(0)} MB`,
  ]
}

// ---- the interleaving

/** The headline, and at the end of the line where it is. */
const headlineOf = (
  text: string,
  at: { readonly file: string; readonly line: number } | undefined,
  width: number,
  paint: Painter,
): string => {
  const headline = `✗ ${text}`
  if (!at) return paint.bad(headline)
  const place = `${baseName(at.file)}:${at.line}`
  const room = Math.min(width, MAX_PROSE) - headline.length - place.length
  // In a narrow terminal the place has a line of its own; a pipe gets one line, however long it is.
  if (room < 2 && Number.isFinite(width)) return `${paint.bad(headline)}\n  ${place}`
  return paint.bad(headline) + ' '.repeat(Math.max(2, room)) + place
}

/** Under a memory model: an execution graph instead of an interleaving. */
const executionReport = (
  report: Report,
  view: ExecutionView,
  { width }: TerminalStyle,
  paint: Painter,
): readonly string[] => {
  const prose = (text: string): readonly string[] => paragraph(text, proseWidth(width))
  const told = [...executionStory(view), ...(view.notes ?? [])].flatMap(prose)
  return [
    headlineOf(executionHeadline(report), executionPlace(report), width, paint),
    '',
    ...(told.length > 0 ? [...told, ''] : []),
    ...executionLines(view, width),
  ]
}

const traceLines = (trace: TraceReport, { width }: TerminalStyle, paint: Painter): readonly string[] => {
  const prose = (text: string): readonly string[] => paragraph(text, proseWidth(width))
  const switches = count(trace.contextSwitches, 'context switch')
  return [
    headlineOf(trace.headline, trace, width, paint),
    '',
    ...(trace.story ? [...prose(trace.story), ''] : []),
    ...traceTable(trace, width, paint),
    ...(trace.details ? ['', ...trace.details.flatMap(prose)] : []),
    '',
    `  ${switches}. Replayed: ${trace.replayed ? 'yes' : 'no'}.`,
  ]
}

/** Longer lines are hard to read, however wide the terminal is; a pipe or a log gets whole paragraphs. */
const MAX_PROSE = 100

export const proseWidth = (width: number): number => (Number.isFinite(width) ? Math.min(width, MAX_PROSE) : width)
