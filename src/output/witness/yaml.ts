// SV-COMP witnesses, YAML: a violation sequence of format 2.2 (2.0 with `thread_id` at its waypoints), or a correctness
// witness: invariants of format 2.0, or of 2.1 with ghost variables for the locks. The engines' proofs are certificates
// (`heddle check`); the invariants here are what src/semantics/exploration/invariants.ts could show, perhaps none.
import { stringify } from 'yaml'
import type { Invariants } from '../../semantics/index.js'
import type { TraceReport } from '../../verdict/index.js'
import type { Position } from '../../xcfa/index.js'
import { type OutputContext, SCHEDULE_MARK, sourceLine, specificationOf } from '../context.js'
import { type Input, type Statement, statementsOf, targetsOf } from './waypoints.js'

export const yamlWitness = (context: OutputContext): string | undefined => {
  const { report } = context
  switch (report.verdict) {
    case 'true':
      return stringify(correctness(context), { lineWidth: 0 })
    case 'false': {
      const { trace } = report
      if (!trace) return undefined
      const entry = {
        entry_type: 'violation_sequence',
        metadata: metadataOf(context, '2.2'),
        content: segments(context),
      }
      return scheduleComment(trace) + stringify([entry], { lineWidth: 0 })
    }
    case 'unknown':
      return undefined
  }
}

const correctness = (context: OutputContext): readonly object[] => {
  const { expressions, ghosts: possible, places } = context.invariants ?? NOTHING
  const begins = (place: Position): boolean => beginsStatement(context, place)
  const ghosts = possible.filter(({ updates }) => updates.every(({ place }) => begins(place)))
  const metadata = metadataOf(context, ghosts.length > 0 ? '2.1' : '2.0')
  const expression = (value: string | number): object => ({ value: String(value), format: 'c_expression' })
  const instrumentation = {
    ghost_variables: ghosts.map(({ name }) => ({ name, type: 'int', scope: 'global', initial: expression(0) })),
    ghost_updates: ghosts.flatMap(({ name, updates }) =>
      updates.map(({ place, value }) => ({
        location: locationOf(place),
        updates: [{ variable: name, ...expression(value) }],
      })),
    ),
  }
  const withGhosts = ghosts.map(({ name, whileFree }) => `${name} || (${whileFree.join(' && ')})`)
  const all = [...expressions, ...withGhosts].map((e) => `(${e})`).join(' && ')
  const invariants = (all ? places.filter(begins) : []).map((place) => ({
    invariant: { type: 'location_invariant', location: locationOf(place), ...expression(all) },
  }))
  return [
    ...(ghosts.length > 0 ? [{ entry_type: 'ghost_instrumentation', metadata, content: instrumentation }] : []),
    { entry_type: 'invariant_set', metadata, content: invariants },
  ]
}

const NOTHING: Invariants = { expressions: [], ghosts: [], places: [], lines: [] }

/** Invariants and updates belong to statements, not into the head of a loop or a condition. */
const beginsStatement = (context: OutputContext, { file, line, column }: Position): boolean =>
  /(^|[;{}])\s*$/.test(sourceLine(context, file, line).slice(0, column - 1))

const locationOf = ({ file, line, column }: Position): object => ({ file_name: file, line, column })

const scheduleComment = ({ schedule }: TraceReport): string =>
  schedule ? `# ${SCHEDULE_MARK} ${JSON.stringify(schedule)}\n` : ''

const metadataOf = ({ report, task, hashes, version, creationTime, uuid }: OutputContext, format: string): object => ({
  format_version: format,
  uuid,
  creation_time: creationTime,
  producer: { name: 'Heddle', version, configuration: `--engine ${report.engine}` },
  task: {
    input_files: task.files,
    input_file_hashes: Object.fromEntries(task.files.map((file) => [file, hashes.get(file) ?? ''])),
    specification: specificationOf(report.property, task.entry),
    data_model: task.dataModel.toUpperCase(),
    language: 'C',
  },
})

/** One segment a statement, in the order of the execution; the last one holds the target. */
const segments = (context: OutputContext): readonly object[] => {
  const trace = context.report.trace!
  const statements = statementsOf(trace, context).filter(({ step }) => !step.fails)
  return [
    ...statements.flatMap((statement) => [follow(statement), ...statement.inputs.map((i) => returns(statement, i))]),
    {
      segment: targetsOf(trace).map(({ thread, file, line, column }) => ({
        waypoint: {
          type: 'target',
          action: 'follow',
          location: { file_name: file, line, column },
          thread_id: thread,
        },
      })),
    },
  ]
}

/** That the statement comes next in its thread: an assumption that is always true, at its place. */
const follow = ({ step: { thread, file, line, column } }: Statement): object => ({
  segment: [
    {
      waypoint: {
        type: 'assumption',
        action: 'follow',
        location: { file_name: file, line, column },
        constraint: { value: '1', format: 'c_expression' },
        thread_id: thread,
      },
    },
  ],
})

const returns = ({ step: { thread, file } }: Statement, { value, line, column }: Input): object => ({
  segment: [
    {
      waypoint: {
        type: 'function_return',
        action: 'follow',
        location: { file_name: file, line, column },
        constraint: { value: `\\result == ${value}`, format: 'ext_c_expression' },
        thread_id: thread,
      },
    },
  ],
})
