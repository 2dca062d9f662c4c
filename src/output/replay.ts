// A replay for a person at a terminal: every step of the raw program, who took it, where, what it read, what changed.
import type { ConcreteAccess, Layout, Replay, ReplayedStep, State } from '../semantics/index.js'
import { addressName, cellValue, valueText } from '../semantics/index.js'
import type { TraceReport } from '../verdict/index.js'
import { thousands } from './text.js'

export interface ReplayStyle {
  readonly colour: boolean
}

export interface ReplayFacts {
  readonly property: string
  /** How many steps the witness has. */
  readonly given: number
  /** Absent if the violation was not reached. */
  readonly told?: TraceReport | undefined
}

export const renderReplay = (replay: Replay, layout: Layout, facts: ReplayFacts, style: ReplayStyle): string => {
  const bad = (text: string): string => (style.colour ? `\u001b[31m${text}\u001b[0m` : text)
  const faint = (text: string): string => (style.colour ? `\u001b[2m${text}\u001b[0m` : text)
  const rows = replay.steps.map((step, i) => rowOf(step, replay.steps[i - 1]?.state ?? replay.initial, replay, layout))
  const widths = [0, 1, 2].map((i) => Math.max(4, ...rows.map((row) => row[i]!.length)))
  const line = (number: string, cells: readonly string[]): string =>
    `  ${number.padStart(4)}  ${cells.map((cell, i) => (i < 3 ? cell.padEnd(widths[i]!) : cell)).join('  ')}`.trimEnd()
  return [
    faint(line('step', ['who', 'where', 'statement', 'values'])),
    ...rows.map((row, i) => line(String(i + 1), row)),
    '',
    ...(facts.told ? endOf(facts.told).map((text, i) => (i === 0 ? bad(text) : text)) : [failure(replay)]),
    '',
    facts.told ? `REPLAYED: ${facts.property} is violated` : 'NOT REPLAYED',
    '',
  ].join('\n')
}

const endOf = (told: TraceReport): readonly string[] => [
  `✗ ${told.headline}  ${told.file}:${told.line}`,
  ...(told.details ?? []).map((detail) => `  ${detail}`),
]

const failure = ({ steps, reason }: Replay): string =>
  `? after ${steps.length} steps: ${reason ?? 'the violation was not reached'}`

const rowOf = (step: ReplayedStep, before: State, replay: Replay, layout: Layout): readonly string[] => {
  const { thread, edge, choices } = step.step
  const { file, line, column } = edge.position
  const chosen = choices.length > 0 ? [`chosen ${choices.join(', ')}`] : []
  const added = step.from === undefined ? ['(not in the witness)'] : []
  return [
    threadName(replay, thread),
    `${file.slice(file.lastIndexOf('/') + 1)}:${line}:${column}`,
    edge.text.replace(/\s+/g, ' '),
    shortened([...chosen, ...valuesOf(before, step, layout), ...added]),
  ]
}

/** A block that is set at once has thousands of cells. */
const MAX_VALUES = 12

const shortened = (values: readonly string[]): string =>
  values.length <= MAX_VALUES
    ? values.join(', ')
    : `${values.slice(0, MAX_VALUES - 1).join(', ')}, and ${thousands(values.length - MAX_VALUES + 1)} more`

const threadName = ({ steps, initial }: Replay, thread: number): string => {
  const state = steps.at(-1)?.state ?? initial
  const name = state.threads.at(thread)?.template.procedure.name.replace(/^thread:|^thread /, '')
  return thread === 0 ? 'main' : `T${thread} ${name}`
}

/** What the step read, wrote and otherwise changed; cells of the library's models are left out. */
const valuesOf = (before: State, { accesses, changes, state }: ReplayedStep, layout: Layout): readonly string[] => {
  const told = new Map<string, string>()
  for (const access of accesses) {
    const { name, value } = accessed(access, access.write ? state : before, layout)
    if (!told.has(name) || access.write) told.set(name, access.write ? `${name} = ${value}` : `reads ${name}: ${value}`)
  }
  for (const { name, thread, text } of changes)
    if (!told.has(name)) told.set(name, `${thread ? `T${thread}.` : ''}${name} = ${text}`)
  return [...told].filter(([name]) => !/(^|\.)__/.test(name)).map(([, text]) => text)
}

const accessed = (access: ConcreteAccess, state: State, layout: Layout): { name: string; value: string } => {
  if (access.kind === 'variable') {
    const { variable } = access
    const value = state.globals[layout.globals.get(variable)!]!
    return { name: variable.source ?? variable.name, value: valueText(layout, variable.type, value) }
  }
  const value = cellValue(layout, state, access.address, access.type)
  const text = value === undefined ? 'any value' : valueText(layout, access.type, value)
  return { name: addressName(layout, access.address), value: text }
}
