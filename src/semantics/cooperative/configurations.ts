// The concrete semantics of threaded programs (esst.txt, section 3, Figure 4): a configuration is a state of the
// program and one of the scheduler; a step is an edge of the thread that runs, or a run of the scheduler. The
// brute-force explorer over it is the oracle of this engine's tests, and what counterexamples are checked with.

import type { Edge, Program, Variable } from '../../xcfa/index.js'
import { read, regionOf, written } from '../../xcfa/passes/index.js'
import type { Chooser, Interpreter, State, Step } from '../index.js'
import { interpreterOf, isErrorFor, lazyChoice, type Replay } from '../index.js'
import { Refused, type Scheduler, type SchedulerState } from './schedulers/index.js'

/** Definition 3.1. */
interface Configuration {
  readonly state: State
  readonly scheduler: SchedulerState
}

interface Move {
  /** Absent for a run of the scheduler. */
  readonly step?: Step
  readonly next: Configuration
}

interface Cooperative {
  readonly interpreter: Interpreter
  initial(): readonly Configuration[]
  moves(configuration: Configuration): readonly Move[]
  /** The edge of the running thread, with values from the chooser. */
  take(configuration: Configuration, edge: Edge, choose?: Chooser): readonly Move[]
  key(configuration: Configuration): string
}

/** Over a program whose primitives stand alone on their edges (frontend/cooperative/isolate.ts). */
const cooperativeOf = (program: Program, scheduler: Scheduler): Cooperative => {
  const interpreter = interpreterOf(program)
  const refuse = nativeAccesses(program)
  const take = ({ state, scheduler: before }: Configuration, edge: Edge, choose: Chooser = lazyChoice) => {
    const thread = before.running!
    if (scheduler.isNative?.(before)) refuse(edge)
    let after = before
    const chooser: Chooser = (kind, domain, point) => {
      if (kind !== 'primitive') return choose(kind, domain, point)
      const label = edge.labels[point.next - 1]!
      if (label.kind !== 'primitive') throw new Error('a primitive is expected')
      const executed = scheduler.execute(before, label.name, point.args!.map(Number))
      after = executed.state
      return [executed.value]
    }
    return interpreter.execute(state, thread, edge, chooser).map((successor): Move => {
      for (let t = state.threads.length; t < successor.state.threads.length; t++) after = scheduler.created(after, t)
      if (hasEnded(successor.state, thread, scheduler, after)) after = scheduler.ended(after)
      return { step: successor.step, next: { state: successor.state, scheduler: after } }
    })
  }
  return {
    interpreter,
    initial: () => interpreter.initial().map((state) => ({ state, scheduler: scheduler.initial() })),
    moves(configuration) {
      const { state, scheduler: now } = configuration
      if (now.running === null) return scheduler.schedule(now).map((next) => ({ next: { state, scheduler: next } }))
      return interpreter.edgesOf(state, now.running).flatMap((edge) => take(configuration, edge))
    },
    take,
    key: ({ state, scheduler: now }) => `${JSON.stringify(now)} ${interpreter.key(state)}`,
  }
}

/** At its final location; or where main returned from a program whose scheduler goes on beside it. */
const hasEnded = ({ threads }: State, thread: number, scheduler: Scheduler, after: SchedulerState): boolean => {
  const { location } = threads.at(thread)!
  if (location.kind === 'final') return true
  return mainMerelyEnds(scheduler, after, thread) && location.kind === 'halt' && location.reason?.kind === 'exit'
}

export const mainMerelyEnds = (scheduler: Scheduler, state: SchedulerState, thread: number): boolean =>
  thread === 0 && !scheduler.mainEndsAll && (scheduler.isNative?.(state) ?? false)

/** Main beside the scheduler may look at what nobody changes, and change nothing that others see. */
export const nativeAccesses = (program: Program): ((edge: Edge) => void) => {
  const changed = new Set<Variable>()
  for (const template of program.templates.values())
    if (template !== program.main)
      for (const edge of template.edges) for (const label of edge.labels) for (const v of written(label)) changed.add(v)
  return (edge) => {
    for (const label of edge.labels) {
      const isShared =
        regionOf(label) !== undefined ||
        written(label).some((v) => v.scope === 'global') ||
        [...read(label)].some((v) => v.scope === 'global' && changed.has(v))
      if (isShared) throw new Refused(`shared data in main beside the scheduler (line ${edge.position.line})`)
    }
  }
}

// ---- the oracle

export interface Outcome {
  readonly verdict: 'true' | 'false' | 'unknown'
  readonly reason?: string
  readonly configurations: number
  readonly trace?: readonly Step[]
}

interface Met {
  readonly configuration: Configuration
  readonly parent: Met | undefined
  readonly step: Step | undefined
}

/** All reachable configurations, breadth first. */
export const bruteForce = (program: Program, scheduler: Scheduler, property: string, most = 50_000): Outcome => {
  const cooperative = cooperativeOf(program, scheduler)
  const queue: Met[] = []
  const seen = new Set<string>()
  const enter = (configuration: Configuration, parent?: Met, step?: Step): void => {
    const key = cooperative.key(configuration)
    if (seen.has(key)) return
    seen.add(key)
    queue.push({ configuration, parent, step })
  }
  try {
    for (const configuration of cooperative.initial()) enter(configuration)
    for (let i = 0; i < queue.length; i++) {
      const met = queue[i]!
      if (failsIn(met.configuration.state, property))
        return { verdict: 'false', configurations: seen.size, trace: stepsTo(met) }
      if (seen.size > most) return { verdict: 'unknown', reason: 'too many configurations', configurations: seen.size }
      for (const { next, step } of cooperative.moves(met.configuration)) enter(next, met, step)
    }
    return { verdict: 'true', configurations: seen.size }
  } catch (problem) {
    if (problem instanceof Error && (problem instanceof Refused || problem.constructor.name !== 'Error'))
      return { verdict: 'unknown', reason: problem.message, configurations: seen.size }
    throw problem
  }
}

const failsIn = ({ threads }: State, property: string): boolean =>
  threads.some(({ location: { kind, violation } }) => kind === 'error' && violation && isErrorFor(property, violation))

const stepsTo = (end: Met): readonly Step[] => {
  const steps: Step[] = []
  for (let met: Met | undefined = end; met; met = met.parent) if (met.step) steps.push(met.step)
  return steps.reverse()
}

// ---- checking a counterexample

/** Whether the scheduler really admits an execution that was replayed as far as data goes. */
export const isScheduled = (program: Program, scheduler: Scheduler, replayed: Replay): boolean => {
  const cooperative = cooperativeOf(program, scheduler)
  let now: readonly SchedulerState[] = [scheduler.initial()]
  let state = replayed.initial
  for (const { step, state: after } of replayed.steps) {
    const running = now.flatMap((s) => (s.running === null ? scheduler.schedule(s) : [s]))
    const key = cooperative.interpreter.key(after)
    const next = running
      .filter((s) => s.running === step.thread)
      .flatMap((s) => cooperative.take({ state, scheduler: s }, step.edge, givenBy(step)))
      .filter((move) => cooperative.interpreter.key(move.next.state) === key)
    now = [...new Map(next.map((move) => [JSON.stringify(move.next.scheduler), move.next.scheduler])).values()]
    state = after
  }
  return now.length > 0
}

const givenBy = (step: Step): Chooser => {
  const values = { havoc: step.choices.values(), indeterminate: (step.indeterminate ?? []).values() }
  let havocs = 0
  return (kind) => {
    if (kind === 'primitive') return []
    if (kind === 'havoc' && step.open?.includes(havocs++)) {
      values.havoc.next()
      return 'open'
    }
    const next = values[kind].next()
    return [next.done ? 0 : next.value]
  }
}
