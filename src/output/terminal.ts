// A report for a person at a terminal: a headline, the interleaving with one column per thread, what the verdict assumes.

import type { Attempt, ProgramReport, Report, TraceReport } from '../verdict/index.js'
import { commutingFacts } from './commuting.js'
import { executionLines } from './execution/terminal.js'
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
      if (report.execution) lines.push(...executionLines(report.execution), '')
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
  const { program, headersOf } = report
  const headers = headersOf === undefined ? '' : ` · headers of ${headersOf}`
  return `${report.file} · ${report.property}${program ? ` · ${programCounts(program)}` : ''}${headers}`
}

/** What the program consists of. */
export const programCounts = ({ threads, perhapsMore, sharedVariables }: ProgramReport): string =>
  `${count(threads, 'thread')}${perhapsMore ? ' or more' : ''}, ${count(sharedVariables, 'shared variable')}`

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

const meaningOfUnknown = (report: Report): string => {
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
    ...(facts.apart > 0 ? [`${facts.apart} pairs of statements touch nothing in common`] : []),
    ...shown,
    ...(rest > 0 ? [`and ${rest} more pairs`] : []),
  ]
  return paragraph(
    `Steps that commute are looked at in one order (${facts.order}): ${commute.join('; ')}.`,
    proseWidth(width),
  )
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
  (['valid-dereferences', 'defined-behaviour'] as const).every((part) => assumptions.some(({ kind }) => kind === part))

const CARRIED_OVER =
  'Proved under sequential consistency, which carries over to rc11: no data race, and all atomic operations are seq_cst.'

const ledgerLines = (report: Report, { width }: TerminalStyle): readonly string[] => {
  const open = report.assumptions.filter((a) => a.status !== 'discharged')
  if (open.length === 0) return []
  const rest = isWholeLedger(report) ? ' Nothing else is open.' : ''
  const lines = [...paragraph(`Assumes ${open.map(assumptionText).join(', ')}.${rest}`, proseWidth(width))]
  // An engine that names the place has been there.
  if (open.some((each) => each.kind === 'defined-behaviour' && each.met?.isAccess))
    lines.push('  Some execution does end there: --property valid-memsafety shows how.')
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

const traceLines = (trace: TraceReport, { width }: TerminalStyle, paint: Painter): readonly string[] => {
  const place = `${baseName(trace.file)}:${trace.line}`
  const headline = `✗ ${trace.headline}`
  const gap = Math.max(2, Math.min(width, MAX_PROSE) - headline.length - place.length)
  const prose = (text: string): readonly string[] => paragraph(text, proseWidth(width))
  const switches = count(trace.contextSwitches, 'context switch')
  return [
    paint.bad(headline) + ' '.repeat(gap) + place,
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
