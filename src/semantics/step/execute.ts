// One edge, executed: its labels in order, as one step of its thread, once for each way its choices may go.
import type { Edge, Expr, Halt, Label, Value } from '../../xcfa/index.js'
import { Unsupported, wrap } from '../../xcfa/index.js'
import { BeyondBounds, type Layout, type TemplateLayout } from '../layout.js'
import { hasEnded, type State, type ThreadState } from '../state.js'
import { withThread } from '../threads.js'
import type { Step } from '../trace.js'
import type { Chooser, Domain } from './choices.js'
import { runAllocate, runFree, runLoad, runStore } from './memory-labels.js'
import {
  assign,
  branchOn,
  type ConcreteAccess,
  choicePoint,
  type Execution,
  type Outcome,
  type Running,
  recordVariables,
  type Surroundings,
} from './running.js'

export interface Successor {
  readonly step: Step
  readonly state: State
  /** Undefined behaviour stopped the thread instead of the edge's effect. */
  readonly undefined?: Halt
  readonly accesses: readonly ConcreteAccess[]
}

export const newThread = (template: TemplateLayout, number: number, args: readonly Value[]): ThreadState => {
  const locals = new Array<Value>(template.variables.length).fill(0)
  template.procedure.parameters.forEach((parameter, i) => {
    locals[template.slots.get(parameter)!] = wrap(parameter.type, args[i] ?? 0)
  })
  locals[template.slots.get(template.procedure.self)!] = number
  return { template, location: template.procedure.initial, locals }
}

/** `surroundings`: where the state has not all threads in it. */
export const executeEdge = (
  layout: Layout,
  state: State,
  thread: number,
  edge: Edge,
  choose: Chooser,
  surroundings?: Surroundings,
): readonly Successor[] => {
  const { template, locals } = state.threads.at(thread)!
  const execution: Execution = { layout, state, thread, template, edge, choose, ...(surroundings && { surroundings }) }
  const start: Running = {
    globals: state.globals.slice(),
    locals: locals.slice(),
    memory: state.memory,
    started: [],
    choices: [],
    open: [],
    pending: false,
    indeterminate: [],
    accesses: [],
  }
  const found: Successor[] = []
  runFrom(execution, start, 0, found)
  return found
}

const runFrom = (x: Execution, running: Running, from: number, found: Successor[]): void => {
  for (let i = from; i < x.edge.labels.length; i++) {
    const outcome = runLabel(x, running, x.edge.labels[i]!, i)
    if (outcome === 'next') continue
    if (outcome === 'disabled') return
    if ('undefined' in outcome) {
      const { undefined: text, violates, traps } = outcome
      found.push(stoppedBy(x, running, { kind: 'undefined', text, violates, ...(traps && { traps }) }))
      return
    }
    for (const way of outcome.branches) runFrom(x, way, i + 1, found)
    return
  }
  found.push(completed(x, running))
}

const completed = (x: Execution, running: Running): Successor => {
  const { template } = x
  const moved: ThreadState = { template, location: x.edge.target, locals: running.locals }
  const threads = withThread(x.state.threads, x.thread, moved, running.started)
  const state: State = { globals: running.globals, memory: running.memory, threads }
  return { step: stepOf(x, running), state, accesses: running.accesses }
}

/** Nothing of the step happens but that the thread stops: others could have run before it. */
const stoppedBy = (x: Execution, running: Running, stopped: Halt): Successor => {
  const threads = withThread(x.state.threads, x.thread, { ...x.state.threads.at(x.thread)!, stopped }, [])
  return { step: stepOf(x, running), state: { ...x.state, threads }, undefined: stopped, accesses: running.accesses }
}

const stepOf = ({ thread, edge }: Execution, { choices, open, indeterminate }: Running): Step => ({
  thread,
  edge,
  choices,
  ...(open.length > 0 ? { open } : {}),
  ...(indeterminate.length > 0 ? { indeterminate } : {}),
})

const runLabel = (x: Execution, running: Running, label: Label, index: number): Outcome => {
  recordVariables(x, running, index)
  const value = (e: Expr): Value => x.layout.evaluator(x.template, e)(running)
  switch (label.kind) {
    case 'assign':
      assign(x, running, label.target, value(label.value))
      return 'next'
    case 'assume':
      return value(label.condition) === 0 ? 'disabled' : 'next'
    case 'havoc': {
      const range = label.range && { low: BigInt(value(label.range.low)), high: BigInt(value(label.range.high)) }
      return runHavoc(x, running, { target: label.target, ...(range ? { range } : {}) }, index)
    }
    case 'load': {
      const address = value(label.address)
      const kept = x.surroundings?.load(label, address)
      if (kept === undefined) return runLoad(x, running, label, address, index)
      assign(x, running, label.target, kept)
      return 'next'
    }
    case 'store': {
      const [address, stored] = [value(label.address), value(label.value)]
      return x.surroundings?.store(label, address, stored) ? 'next' : runStore(x, running, label, address, stored)
    }
    case 'allocate':
      return runAllocate(x, running, label, value(label.size))
    case 'free':
      return runFree(x, running, value(label.address))
    case 'start': {
      const template = x.layout.templates.get(label.procedure)
      if (!template) throw new Error(`no template ${label.procedure}`)
      const number = x.surroundings?.start(label.procedure) ?? x.state.threads.length + running.started.length
      checkThreadCapacity(x, number)
      running.started.push(newThread(template, number, label.args.map(value)))
      assign(x, running, label.target, number)
      return 'next'
    }
    case 'join': {
      const number = Number(value(label.thread))
      if (x.surroundings) return x.surroundings.join(number) ? 'next' : 'disabled'
      const joined = number < 0 ? undefined : x.state.threads.at(number)
      return joined && hasEnded(joined) ? 'next' : 'disabled'
    }
    case 'fence':
      return 'next'
    case 'primitive': {
      // Without a value there is still somebody who has to know what the scheduler does.
      const target = label.target ?? x.template.procedure.self
      const values = x.choose('primitive', { target }, choicePoint(x, running, target, index, label.args.map(value)))
      if (values === 'open') return 'disabled'
      return branchOn(running, values, (way, chosen) => {
        if (!label.target) return
        way.choices.push(chosen)
        assign(x, way, label.target, wrap(label.target.type, chosen))
      })
    }
    case 'call':
      throw new Unsupported(`${label.kind} in the concrete semantics`, x.edge.position)
  }
}

const runHavoc = (x: Execution, running: Running, domain: Domain, index: number): Outcome => {
  const { target, range } = domain
  if (range && range.low > range.high) return 'disabled'
  const values = x.choose('havoc', domain, choicePoint(x, running, target, index))
  if (values === 'open') {
    running.open.push(running.choices.length)
    running.choices.push(0)
    running.pending = true
    assign(x, running, target, 0)
    return 'next'
  }
  return branchOn(running, values, (way, chosen) => {
    way.choices.push(chosen)
    assign(x, way, target, chosen)
  })
}

/** Objects of storage thread have room for so many threads; main's own ones are for main only. */
const checkThreadCapacity = (x: Execution, number: number): void => {
  const { objects: own } = x.layout.program.main
  for (const { object, capacity } of x.layout.objects)
    if (object.storage === 'thread' && number >= capacity && !own.includes(object))
      throw new BeyondBounds(`more than ${capacity} threads`, x.edge.position)
}
