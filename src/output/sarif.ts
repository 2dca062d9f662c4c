// SARIF 2.1.0 for code scanning: one result per violation, its execution as one code flow with one thread flow per
// thread, ordered by `executionOrder` across threads. A proof is a run without results. Addresses of files are relative to the
// root of the repository, as GitHub wants them; steps inside library models have no file of the user's, and no address.
import type { EventView, ExecutionView } from '../memory-model/index.js'
import type { Report, StepReport, TraceReport } from '../verdict/index.js'
import { type OutputContext, sourceLine, specificationOf } from './context.js'
import { reasonText } from './reason.js'
import { assumptionJson } from './report-json.js'
import { ruleOf } from './sarif-rules.js'

const ROOT = '%SRCROOT%'

export const sarif = (context: OutputContext): string => {
  const { report, task, version } = context
  const run = {
    tool: { driver: { name: 'Heddle', semanticVersion: version, rules: [descriptorOf(report.property, task.entry)] } },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { [ROOT]: { description: { text: 'The root of the repository.' } } },
    artifacts: task.files.map((file) => ({ location: addressOf(context, file), sourceLanguage: 'c' })),
    invocations: [{ executionSuccessful: report.verdict !== 'unknown', ...notifications(report) }],
    results: report.verdict === 'false' ? violationsOf(context) : [],
    properties: { verdict: report.verdict, engine: report.engine, assumptions: report.assumptions.map(assumptionJson) },
  }
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return `${JSON.stringify(log, null, 2)}\n`
}

const descriptorOf = (property: string, entry: string): object => {
  const { name, short, full, help, tags } = ruleOf(property)
  const specification = specificationOf(property, entry)
  return {
    id: property,
    name,
    shortDescription: { text: short },
    fullDescription: { text: full },
    help: { text: `${help}\n\n${specification}`, markdown: `${help}\n\n\`\`\`\n${specification}\n\`\`\`` },
    defaultConfiguration: { level: 'error' },
    properties: { tags, precision: 'very-high', 'problem.severity': 'error' },
  }
}

const notifications = (report: Report): object =>
  report.verdict === 'unknown'
    ? {
        toolExecutionNotifications: [
          { level: 'warning', message: { text: `not decided: ${report.reason ? reasonText(report.reason) : ''}` } },
        ],
      }
    : {}

const violationsOf = (context: OutputContext): readonly object[] => {
  const { trace, execution } = context.report
  if (trace) return [resultOf(context, trace)]
  return execution ? [resultOfExecution(context, execution)] : []
}

/** Under a memory model as axioms there is no order of all steps: each thread has a flow of its own. */
const resultOfExecution = (context: OutputContext, { events, targets = [], notes = [] }: ExecutionView): object => {
  const { report } = context
  const placed = (event: EventView): Place => ({ file: report.file, line: event.line!, column: 1, text: '' })
  const own = events.filter((event) => event.thread >= 0 && event.line !== undefined)
  const last = own.at(-1)
  const at = targets.at(-1) ?? (last ? placed(last) : { file: report.file, line: 1, column: 1, text: '' })
  const headline = 'an execution that the memory model allows violates the property'
  return {
    ...{ ruleId: report.property, ruleIndex: 0, level: 'error' },
    message: { text: [headline, ...notes].join('\n') },
    locations: [locationOf(context, at, headline)],
    partialFingerprints: { primaryLocationLineHash: fingerprintOf(context, at) },
    ...(targets.length > 1 && {
      relatedLocations: targets.map((t, i) => ({ id: i + 1, ...locationOf(context, t, `T${t.thread}: ${t.text}`) })),
    }),
    codeFlows: [
      {
        message: { text: 'the accesses of each thread in program order, with the values that they read and write' },
        threadFlows: [...new Set(own.map(({ thread }) => thread))].map((thread) => ({
          id: `T${thread}`,
          locations: own
            .filter((event) => event.thread === thread)
            .map((event) => ({ location: locationOf(context, placed(event), event.label), importance: 'important' })),
        })),
      },
    ],
  }
}

const resultOf = (context: OutputContext, trace: TraceReport): object => {
  const { report } = context
  const targets = trace.targets ?? []
  const last = targets.at(-1) ?? { file: trace.file, line: trace.line, column: 1, text: '' }
  return {
    ruleId: report.property,
    ruleIndex: 0,
    level: 'error',
    message: { text: [trace.headline, trace.story, ...(trace.details ?? [])].filter(Boolean).join('\n') },
    locations: [locationOf(context, last, trace.headline)],
    partialFingerprints: { primaryLocationLineHash: fingerprintOf(context, last) },
    ...(targets.length > 1 && {
      relatedLocations: targets.map((t, i) => ({
        id: i + 1,
        ...locationOf(context, t, `${nameOf(trace, t.thread)}: ${t.text}`),
      })),
    }),
    codeFlows: [
      {
        message: { text: `${trace.steps.length} steps, ${trace.contextSwitches} context switches` },
        threadFlows: trace.threads
          .map(({ number, name }) => ({ id: name, locations: flowOf(context, trace, number) }))
          .filter(({ locations }) => locations.length > 0),
      },
    ],
  }
}

const nameOf = ({ threads }: TraceReport, thread: number): string =>
  threads.find((t) => t.number === thread)?.name ?? `T${thread}`

const flowOf = (context: OutputContext, trace: TraceReport, thread: number): readonly object[] =>
  trace.steps.flatMap((step, i) =>
    step.thread !== thread
      ? []
      : [
          {
            location: locationOf(context, step, step.text),
            executionOrder: i + 1,
            importance: step.fails ? 'essential' : 'important',
            ...stateOf(step),
          },
        ],
  )

const stateOf = ({ changed }: StepReport): object =>
  changed.length === 0 ? {} : { state: Object.fromEntries(changed.map(({ name, value }) => [name, { text: value }])) }

interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly text: string
}

const locationOf = (context: OutputContext, at: Place, text: string): object => ({
  ...(context.sources.has(at.file) && {
    physicalLocation: { artifactLocation: addressOf(context, at.file), region: regionOf(context, at) },
  }),
  message: { text: text || 'here' },
})

/** To the end of the statement's text where the source has it there, otherwise to the end of the line. */
const regionOf = (context: OutputContext, at: Place): object => {
  const [startLine, startColumn] = [Math.max(1, at.line), Math.max(1, at.column)]
  const line = sourceLine(context, at.file, startLine).trimEnd()
  const follows = at.text !== '' && line.startsWith(at.text, startColumn - 1)
  const endColumn = follows ? startColumn + at.text.length : Math.max(line.length, startColumn) + 1
  return { startLine, startColumn, endLine: startLine, endColumn }
}

const addressOf = ({ fromRoot }: OutputContext, file: string): object => {
  const path = (fromRoot?.(file) ?? file).replace(/^(\.\/)+/, '')
  const uri = path.split('/').map(encodeURIComponent).join('/')
  // What lies outside of the repository has a whole address.
  return path.startsWith('/') ? { uri: `file://${uri}` } : { uri, uriBaseId: ROOT }
}

/** The same for the same statement on another line: a finding stays the same finding when lines above it change. */
const fingerprintOf = (context: OutputContext, at: Place): string => {
  const text = `${context.report.property}\n${sourceLine(context, at.file, at.line).trim()}`
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return `${hash.toString(16).padStart(16, '0')}:1`
}
