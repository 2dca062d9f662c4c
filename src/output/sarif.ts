// SARIF 2.1.0 for code scanning: a result for a violation, its execution as one code flow with a thread flow a thread,
// ordered by `executionOrder` across threads. A proof is a run without results.
import type { Report, StepReport, TraceReport } from '../verdict/index.js'
import { type OutputContext, specificationOf } from './context.js'

export const sarif = (context: OutputContext): string => {
  const { report, task, version } = context
  const rule = ruleOf(report.property)
  const run = {
    tool: {
      driver: {
        name: 'Heddle',
        semanticVersion: version,
        rules: [
          {
            id: report.property,
            name: rule.name,
            shortDescription: { text: rule.text },
            help: { text: specificationOf(report.property, task.entry) },
            defaultConfiguration: { level: 'error' },
          },
        ],
      },
    },
    columnKind: 'utf16CodeUnits',
    artifacts: task.files.map((file) => ({ location: { uri: uriOf(file) }, sourceLanguage: 'c' })),
    invocations: [{ executionSuccessful: report.verdict !== 'unknown', ...notifications(report) }],
    results: report.verdict === 'false' && report.trace ? [resultOf(report, report.trace)] : [],
    properties: { verdict: report.verdict, engine: report.engine, assumptions: report.assumptions },
  }
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return `${JSON.stringify(log, null, 2)}\n`
}

const ruleOf = (property: string): { readonly name: string; readonly text: string } => {
  switch (property) {
    case 'no-data-race':
      return {
        name: 'DataRace',
        text: 'Two threads access the same memory without synchronisation, one of them writing.',
      }
    case 'no-deadlock':
      return { name: 'Deadlock', text: 'Live threads wait for each other for ever.' }
    case 'termination':
      return { name: 'NonTermination', text: 'Some execution does not end.' }
    case 'no-overflow':
      return { name: 'SignedOverflow', text: 'A signed operation overflows.' }
    case 'valid-memsafety':
      return { name: 'MemorySafety', text: 'An invalid access to memory.' }
    default:
      return { name: 'AssertionFailure', text: 'An assertion fails in some interleaving.' }
  }
}

const notifications = (report: Report): object =>
  report.verdict === 'unknown'
    ? { toolExecutionNotifications: [{ level: 'warning', message: { text: `not decided: ${report.reason ?? ''}` } }] }
    : {}

const resultOf = (report: Report, trace: TraceReport): object => {
  const targets = trace.targets ?? []
  const last = targets.at(-1) ?? { file: trace.file, line: trace.line, column: 1 }
  return {
    ruleId: report.property,
    ruleIndex: 0,
    level: 'error',
    message: { text: [trace.headline, trace.story, ...(trace.details ?? [])].filter(Boolean).join('\n') },
    locations: [locationOf(last, trace.headline)],
    ...(targets.length > 1 && {
      relatedLocations: targets.map((t, i) => ({
        id: i + 1,
        ...locationOf(t, `${nameOf(trace, t.thread)}: ${t.text}`),
      })),
    }),
    codeFlows: [
      {
        message: { text: `${trace.steps.length} steps, ${trace.contextSwitches} context switches` },
        threadFlows: trace.threads
          .map(({ number, name }) => ({ id: name, locations: flowOf(trace, number) }))
          .filter(({ locations }) => locations.length > 0),
      },
    ],
  }
}

const nameOf = ({ threads }: TraceReport, thread: number): string =>
  threads.find((t) => t.number === thread)?.name ?? `T${thread}`

const flowOf = (trace: TraceReport, thread: number): readonly object[] =>
  trace.steps.flatMap((step, i) =>
    step.thread !== thread
      ? []
      : [
          {
            location: locationOf(step, step.text),
            executionOrder: i + 1,
            importance: step.fails ? 'essential' : 'important',
            ...stateOf(step),
          },
        ],
  )

const stateOf = ({ changed }: StepReport): object =>
  changed.length === 0 ? {} : { state: Object.fromEntries(changed.map(({ name, value }) => [name, { text: value }])) }

const locationOf = (at: { readonly file: string; readonly line: number; readonly column: number }, text: string) => ({
  physicalLocation: {
    artifactLocation: { uri: uriOf(at.file) },
    region: { startLine: Math.max(1, at.line), startColumn: Math.max(1, at.column) },
  },
  message: { text: text || 'here' },
})

const uriOf = (file: string): string => file.split('/').map(encodeURIComponent).join('/')
