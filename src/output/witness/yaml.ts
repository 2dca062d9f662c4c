// SV-COMP witnesses, YAML: a violation sequence of format 2.2 (2.0 with `thread_id` at its waypoints), or a correctness
// witness of format 2.0. The engines' proofs are certificates (`heddle check`); their labels are not C expressions at
// C locations, so the set of invariants is empty: valid, and it claims nothing that was not shown.
import { stringify } from 'yaml'
import type { TraceReport } from '../../verdict/index.js'
import { type OutputContext, SCHEDULE_MARK, specificationOf } from '../context.js'
import { type Input, type Statement, statementsOf, targetsOf } from './waypoints.js'

export const yamlWitness = (context: OutputContext): string | undefined => {
  const { report } = context
  switch (report.verdict) {
    case 'true':
      return stringify([{ entry_type: 'invariant_set', metadata: metadataOf(context, '2.0'), content: [] }])
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
