// heddle verify with several properties: each is decided in turn, with the whole time limit for each; one answer with
// the worst status. What is violated is shown as for one property, everything else as one line.
import { assumptionText } from '../output/ledger.js'
import { proseWidth, renderReport, type TerminalStyle, verdictLine } from '../output/terminal.js'
import { paragraph } from '../output/text.js'
import type { Report } from '../verdict/index.js'

/** What `--property all` stands for. */
const ALL_PROPERTIES: readonly string[] = ['assert', 'no-data-race', 'no-deadlock', 'no-overflow', 'valid-memsafety']

/** `all` among the given names is every property, each once and in this order. */
export const expandProperties = (given: readonly string[]): readonly string[] => [
  ...new Set(given.flatMap((name) => (name === 'all' ? ALL_PROPERTIES : [name]))),
]

export const worstOf = (reports: readonly Report[]): Report['verdict'] =>
  (['false', 'unknown', 'true'] as const).find((verdict) => reports.some((report) => report.verdict === verdict)) ??
  'unknown'

export const renderReports = (reports: readonly Report[], style: TerminalStyle): string => {
  if (style.quiet) return `${verdictOfAll(reports)}\n`
  const found = reports.filter(({ verdict }) => verdict === 'false')
  const width = Math.max(...reports.map(({ property }) => property.length))
  const lines = reports.map((report) => {
    const verdict = verdictLine(report).replace('VERDICT: ', '')
    const where = report.trace ? `  ${report.trace.headline} (${report.trace.file}:${report.trace.line})` : ''
    return `${report.property.padEnd(width)}  ${verdict}${where}`
  })
  const notes = [...assumptionNotes(reports), ...hintNotes(reports)].flatMap((note) =>
    paragraph(note, proseWidth(style.width)),
  )
  const after = notes.length > 0 ? ['', ...notes] : []
  const parts = [
    ...found.map((report) => renderReport(report, style)),
    ...lines,
    ...after,
    '',
    verdictOfAll(reports),
    '',
  ]
  return parts.join('\n')
}

/** What the proofs assume; whose, where it is not all of them. */
const assumptionNotes = (reports: readonly Report[]): readonly string[] => {
  const proofs = reports.filter(({ verdict }) => verdict === 'true')
  const whose = new Map<string, string[]>()
  for (const { assumptions, property } of proofs)
    for (const each of assumptions)
      if (each.status !== 'discharged')
        whose.set(assumptionText(each), [...(whose.get(assumptionText(each)) ?? []), property])
  const texts = [...whose].map(([text, of]) => (of.length === proofs.length ? text : `${text} (${of.join(', ')})`))
  return texts.length > 0 ? [`TRUE assumes ${texts.join(', ')}.`] : []
}

const hintNotes = (reports: readonly Report[]): readonly string[] =>
  reports.flatMap(({ verdict, property, hint }) =>
    verdict === 'unknown' && hint ? [`Worth trying for ${property}: ${hint}`] : [],
  )

const verdictOfAll = (reports: readonly Report[]): string => {
  const names = (verdict: Report['verdict']): string =>
    reports
      .filter((report) => report.verdict === verdict)
      .map((report) => report.violated ?? report.property)
      .join(', ')
  switch (worstOf(reports)) {
    case 'false':
      return `VERDICT: FALSE(${names('false')})`
    case 'unknown':
      return `VERDICT: UNKNOWN(not decided: ${names('unknown')})`
    case 'true':
      return 'VERDICT: TRUE'
  }
}

/** `report.html` for the property p: `report.p.html`. */
export const outputNameFor = (file: string, property: string): string => {
  const dot = file.lastIndexOf('.')
  return dot > file.lastIndexOf('/') ? `${file.slice(0, dot)}.${property}${file.slice(dot)}` : `${file}.${property}`
}
