// SV-COMP witnesses, GraphML (format 1.0): a violation as an automaton without branches, one edge per statement, with the
// thread that executes it; a correctness witness as the automaton of one node with the invariants that need no ghosts.
import type { TraceReport } from '../../verdict/index.js'
import { architectureOf, type OutputContext, SCHEDULE_MARK, sourceLine, specificationOf } from '../context.js'
import { type Statement, statementsOf, targetsOf } from './waypoints.js'

type Data = readonly (readonly [key: string, value: string])[]

export const graphmlWitness = (context: OutputContext): string | undefined => {
  const { report } = context
  switch (report.verdict) {
    case 'true':
      return documentOf(context, 'correctness_witness', [node('N0', [['entry', 'true'], ...invariantOf(context)])])
    case 'false':
      return report.trace && documentOf(context, 'violation_witness', pathOf(report.trace, context), report.trace)
    case 'unknown':
      return undefined
  }
}

const invariantOf = ({ invariants }: OutputContext): Data => {
  const expressions = invariants?.expressions ?? []
  return expressions.length > 0 ? [['invariant', expressions.map((e) => `(${e})`).join(' && ')]] : []
}

/** Keys of the format that we use, and where they belong. */
const KEYS: readonly (readonly [id: string, of: 'graph' | 'node' | 'edge', type: string, standard?: string])[] = [
  ['witness-type', 'graph', 'string'],
  ['sourcecodelang', 'graph', 'string'],
  ['producer', 'graph', 'string'],
  ['specification', 'graph', 'string'],
  ['programfile', 'graph', 'string'],
  ['programhash', 'graph', 'string'],
  ['architecture', 'graph', 'string'],
  ['creationtime', 'graph', 'string'],
  ['entry', 'node', 'boolean', 'false'],
  ['violation', 'node', 'boolean', 'false'],
  ['invariant', 'node', 'string'],
  ['originfile', 'edge', 'string'],
  ['startline', 'edge', 'int'],
  ['endline', 'edge', 'int'],
  ['sourcecode', 'edge', 'string'],
  ['threadId', 'edge', 'string', '0'],
  ['createThread', 'edge', 'string'],
  ['enterFunction', 'edge', 'string'],
  ['assumption', 'edge', 'string'],
]

const documentOf = (context: OutputContext, type: string, body: readonly string[], trace?: TraceReport): string => {
  const { report, task, hashes, version, creationTime } = context
  const file = task.files[0] ?? report.file
  const facts: Data = [
    ['witness-type', type],
    ['sourcecodelang', 'C'],
    ['producer', `Heddle ${version}`],
    ['specification', specificationOf(report.property, task.entry)],
    ['programfile', file],
    ['programhash', hashes.get(file) ?? ''],
    ['architecture', architectureOf(task)],
    ['creationtime', creationTime],
  ]
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
    // Two hyphens end a comment of XML: in JSON they may be written as an escape.
    ...(trace?.schedule
      ? [`<!-- ${SCHEDULE_MARK} ${JSON.stringify(trace.schedule).replaceAll('--', '-\\u002d')} -->`]
      : []),
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    ...KEYS.map(keyElement),
    '  <graph edgedefault="directed">',
    ...facts.map(([key, value]) => `    ${data(key, value)}`),
    ...body.map((line) => `    ${line}`),
    '  </graph>',
    '</graphml>',
    '',
  ].join('\n')
}

const keyElement = ([id, of, type, standard]: (typeof KEYS)[number]): string => {
  const attributes = `id="${id}" for="${of}" attr.name="${id}" attr.type="${type}"`
  return standard === undefined ? `  <key ${attributes}/>` : `  <key ${attributes}><default>${standard}</default></key>`
}

const pathOf = (trace: TraceReport, context: OutputContext): readonly string[] => {
  const statements = statementsOf(trace, context).filter(({ step }) => !step.fails)
  const entered = new Set<number>()
  const edges: Data[] = statements.map((statement) => edgeData(statement, trace, context, entered))
  const target = targetsOf(trace)[0]!
  edges.push([
    ['originfile', target.file],
    ['startline', String(target.line)],
    ['endline', String(target.line)],
    ['sourcecode', sourceLine(context, target.file, target.line).trim() || target.text],
    ['threadId', String(target.thread)],
    ...entering(target.thread, trace, entered),
  ])
  return [
    node('N0', [['entry', 'true']]),
    ...edges.flatMap((facts, i) => [
      node(`N${i + 1}`, i === edges.length - 1 ? [['violation', 'true']] : []),
      `<edge source="N${i}" target="N${i + 1}">${facts.map(([key, value]) => data(key, value)).join('')}</edge>`,
    ]),
  ]
}

const edgeData = (
  { step, creates, inputs }: Statement,
  trace: TraceReport,
  context: OutputContext,
  entered: Set<number>,
): Data => {
  const assumption = inputs.map(({ value }) => `\\result == ${value};`).join(' ')
  return [
    ['originfile', step.file],
    ['startline', String(step.line)],
    ['endline', String(step.line)],
    ['sourcecode', sourceLine(context, step.file, step.line).trim() || step.text],
    ['threadId', String(step.thread)],
    ...(creates === undefined ? [] : [['createThread', String(creates)] as const]),
    ...entering(step.thread, trace, entered),
    ...(assumption ? [['assumption', assumption] as const] : []),
  ]
}

/** The first edge of a thread says which function it begins with. */
const entering = (thread: number, { threads }: TraceReport, entered: Set<number>): Data => {
  if (entered.has(thread)) return []
  entered.add(thread)
  const name = threads.find((t) => t.number === thread)?.name.replace(/^T\d+ /, '')
  return name ? [['enterFunction', name]] : []
}

const node = (id: string, facts: Data): string =>
  facts.length === 0
    ? `<node id="${id}"/>`
    : `<node id="${id}">${facts.map(([key, value]) => data(key, value)).join('')}</node>`

const data = (key: string, value: string): string => `<data key="${key}">${escapeXml(value)}</data>`

const escapeXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    // Characters that XML 1.0 cannot hold at all.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '?')
