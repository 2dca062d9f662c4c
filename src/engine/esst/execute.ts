// What an edge of the running thread does to everything but data: to the scheduler (SEXEC, esst.txt, 4.2), to handles, and
// to the set of threads. Rule E1 without its regions.

import { mainMerelyEnds } from '../../semantics/cooperative/configurations.js'
import { Refused, type Scheduler, type SchedulerState } from '../../semantics/cooperative/schedulers/index.js'
import { type Edge, type Expr, type Location, Unsupported } from '../../xcfa/index.js'
import type { Arguments } from './arguments.js'
import type { Executed, Ground } from './ground.js'
import type { Configured, ThreadRegion } from './node.js'
import { type Operation, schedulingLabel } from './operations.js'
import { TOP } from './regions.js'

/** One for each combination of values that a primitive's arguments may have. */
export const executionsOf = (
  ground: Ground,
  { threads, scheduler: before, handles }: Configured,
  edge: Edge,
  argumentsOf: (args: readonly Expr[]) => readonly Arguments[],
): readonly Executed[] => {
  const { operations, scheduler, program } = ground
  const thread = before.running!
  const label = schedulingLabel(edge)
  const ended = (state: SchedulerState): SchedulerState =>
    hasEnded(edge.target, scheduler, state, thread) ? scheduler.ended(state) : state
  const done = (operation: Operation, state: SchedulerState, rest: Partial<Executed> = {}): Executed => ({
    operation,
    scheduler: ended(state),
    handles: ground.handlesAfter(handles, operation),
    ...rest,
  })
  if (!label) return [done([{ thread, labels: edge.labels }], before)]
  if (label.kind === 'start') {
    const number = threads.length
    const template = program.templates.get(label.procedure)!
    const operation = operations.start(thread, label, number)
    const started = { template, location: template.initial, data: TOP }
    return [done(operation, scheduler.created(before, number), { started })]
  }
  return argumentsOf(label.args).map(({ values, conditions }) => {
    const { value, state } = executeAt(edge, () => scheduler.execute(before, label.name, values))
    const operation = operations.primitive(thread, label, value, conditions)
    return done(operation, state, conditions.length > 0 ? { value, args: values } : { value })
  })
}

/** Threads after the step, with whatever regions they had before. */
export const threadsAfter = (
  { threads, scheduler }: Configured,
  edge: Edge,
  { started }: Executed,
): readonly ThreadRegion[] => {
  const moved = threads.map((t, i) => (i === scheduler.running ? { ...t, location: edge.target } : t))
  return started ? [...moved, started] : moved
}

const hasEnded = (target: Location, scheduler: Scheduler, state: SchedulerState, thread: number): boolean =>
  target.kind === 'final' ||
  (target.kind === 'halt' && target.reason?.kind === 'exit' && mainMerelyEnds(scheduler, state, thread))

const executeAt = <T>(edge: Edge, execute: () => T): T => {
  try {
    return execute()
  } catch (problem) {
    if (problem instanceof Refused) throw new Unsupported(problem.message, edge.position)
    throw problem
  }
}
