// The results of many runs as one SARIF log, and as findings with fingerprints for a baseline.
import { sarif } from '../../output/index.js'
import type { Report } from '../../verdict/index.js'
import { contextOf } from '../outputs.js'
import type { Finding } from './ci.js'

interface Log {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } }
    readonly results: readonly {
      readonly message: { readonly text: string }
      readonly partialFingerprints: { readonly primaryLocationLineHash: string }
    }[]
  }[]
}

const logOf = (report: Report): Log => JSON.parse(sarif(contextOf(report, report.task!))) as Log

export const findingsOf = (reports: readonly Report[]): readonly Finding[] =>
  reports.flatMap((report) =>
    logOf(report).runs[0]!.results.map((result) => ({
      ...{ program: report.file, property: report.property, text: result.message.text.split('\n')[0]! },
      fingerprint: result.partialFingerprints.primaryLocationLineHash,
    })),
  )

/** One run, as code scanning wants it: all rules, and every result with the index of its own. */
export const combinedSarif = (reports: readonly Report[]): string => {
  const logs = reports.map(logOf)
  const rules = [
    ...new Map(logs.flatMap(({ runs }) => runs[0]!.tool.driver.rules.map((rule) => [rule.id, rule] as const))).values(),
  ]
  const results = logs.flatMap(({ runs }, i) =>
    runs[0]!.results.map((result) => ({
      ...result,
      ruleIndex: rules.findIndex(({ id }) => id === reports[i]!.property),
    })),
  )
  const [first] = logs
  const driver = { ...(first?.runs[0]?.tool.driver ?? { name: 'Heddle' }), rules }
  const log = {
    ...(first ?? { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0' }),
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}
