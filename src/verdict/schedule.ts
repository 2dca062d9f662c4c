// An execution as plain data, and back: which thread took which raw edge, with which choices. Edges are numbers of the
// raw program, which the front end gives in the same way whenever it reads the same text with the same options.
import type { Layout, Replay, Step, Trace } from '../semantics/index.js'
import type { Edge, Program, Type, Value } from '../xcfa/index.js'
import type { Schedule, ScheduledStep } from './report.js'

export const scheduleOf = ({ initial, steps }: Replay, layout: Layout): Schedule => {
  const chosen = [...layout.globals].filter(([variable]) => variable.initial === 'any')
  const first = chosen.map(([{ name }, slot]) => ({ name, value: textOf(initial.globals[slot]!) }))
  return { ...(first.length > 0 && { initial: first }), steps: steps.map(({ step }) => scheduled(step)) }
}

const scheduled = ({ thread, edge, choices, open, indeterminate }: Step): ScheduledStep => ({
  ...{ thread, edge: edge.id },
  ...(choices.length > 0 && { choices: choices.map(textOf) }),
  ...(open && { open }),
  ...(indeterminate && { indeterminate: indeterminate.map(textOf) }),
})

const textOf = (value: Value): string => (Object.is(value, -0) ? '-0' : `${value}`)

/** The execution that a schedule names, or where it does not fit this program. */
export type ScheduleRead =
  | { readonly kind: 'trace'; readonly trace: Trace }
  | { readonly kind: 'wrong'; readonly problem: string }

export const traceOfSchedule = (raw: Program, schedule: Schedule): ScheduleRead => {
  const edges = new Map<number, Edge>()
  for (const template of raw.templates.values()) for (const edge of template.edges) edges.set(edge.id, edge)
  const steps: Step[] = []
  for (const { thread, edge: id, choices = [], open, indeterminate } of schedule.steps) {
    const edge = edges.get(id)
    if (!edge) return { kind: 'wrong', problem: `step ${steps.length + 1}: the program has no edge ${id}` }
    const havocs = edge.labels.flatMap((label) => (label.kind === 'havoc' ? [label.target.type] : []))
    const loads = edge.labels.flatMap((label) => (label.kind === 'load' ? [label.type] : []))
    steps.push({
      ...{ thread, edge },
      choices: choices.map((text, at) => valueFrom(havocs[at], text)),
      ...(open && { open }),
      ...(indeterminate && { indeterminate: indeterminate.map((text, at) => valueFrom(loads[at], text)) }),
    })
  }
  const initial = new Map(
    (schedule.initial ?? []).flatMap(({ name, value }) => {
      const variable = raw.globals.find((v) => v.name === name)
      return variable ? [[variable, valueFrom(variable.type, value)] as const] : []
    }),
  )
  return { kind: 'trace', trace: { steps, ...(initial.size > 0 && { initial }) } }
}

const valueFrom = (type: Type | undefined, text: string): Value => {
  if (type?.kind === 'float' || !/^-?\d+$/.test(text)) return Number(text)
  const exact = BigInt(text)
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
}
