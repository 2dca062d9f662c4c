// The interleaving transition system of a program (semantics.md), executed as it is defined: an edge runs its labels
// in order as one step of its thread. Nothing here depends on the passes: it is what everything else is compared with.
import type { Edge, Expr, Halt, Label, Load, Program, Store, Type, Value, Variable } from '../xcfa/index.js'
import { byteSize, labelAccesses, rangeOf, Unsupported, wrap } from '../xcfa/index.js'
import { mentions } from '../xcfa/passes/labels.js'
import { BeyondBounds, type Frame, type Layout, layoutOf, type TemplateLayout } from './layout.js'
import { livenessOf } from './liveness.js'
import {
  type Block,
  blockAt,
  FREED,
  forgetBytes,
  freshBlock,
  type Memory,
  type Place,
  placeOf,
  readValue,
  unknownBytes,
  withBlock,
  writeValue,
} from './memory.js'
import { type ChoicePoint, interval, valuesToTry } from './nondeterminism.js'
import { hasEnded, type State, stateKey, type ThreadState } from './state.js'
import type { Step } from './trace.js'

/** An access as it happened: a global variable, or bytes of memory. */
export type ConcreteAccess = { readonly write: boolean; readonly atomic: boolean; readonly edge: Edge } & (
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'memory'; readonly address: number; readonly size: number; readonly type: Type }
)

export interface Successor {
  readonly step: Step
  readonly state: State
  /** Undefined behaviour stopped the thread instead of the edge's effect. */
  readonly undefined?: Halt
  readonly accesses: readonly ConcreteAccess[]
}

/**
 * Values to try where an edge chooses: a havoc, or a load of bytes that nobody wrote. `open` leaves a value that is
 * only stored (`point.onlyStored`) to whoever loads it.
 */
export type Chooser = (kind: 'havoc' | 'indeterminate', domain: Domain, point: ChoicePoint) => readonly Value[] | 'open'

/** What is allowed: all values of the target's type, or those between two ends. */
export interface Domain {
  readonly target: Variable
  readonly range?: { readonly low: bigint; readonly high: bigint }
}

export interface Interpreter {
  readonly layout: Layout
  /** Several where a global starts with any value. */
  initial(): readonly State[]
  /** The initial state in which globals that start with any value have the given ones, or 0. */
  initialWith(values: ReadonlyMap<Variable, Value>): State
  /** All steps of all threads. */
  successors(state: State): readonly Successor[]
  /** All ways to take one edge, by default every choice that matters. */
  execute(state: State, thread: number, edge: Edge, choose?: Chooser): readonly Successor[]
  enabled(state: State): readonly Step[]
  /** The state after a step, or undefined if the step is not enabled. */
  step(state: State, step: Step): State | undefined
  /** The threads that may move: all, or the one inside an atomic block. */
  movable(state: State): readonly number[]
  edgesOf(state: State, thread: number): readonly Edge[]
  key(state: State): string
}

export const interpreterOf = (program: Program): Interpreter => {
  const layout = layoutOf(program)
  const movable = (state: State): readonly number[] => {
    const inside = state.threads.findIndex((t) => t.location.atomic && !hasEnded(t))
    return inside >= 0 ? [inside] : state.threads.map((_, number) => number)
  }
  const edgesOf = (state: State, number: number): readonly Edge[] => {
    const thread = state.threads[number]!
    return thread.stopped ? [] : (thread.template.outgoing.get(thread.location) ?? [])
  }
  const execute = (state: State, thread: number, edge: Edge, choose: Chooser = lazyChoice): readonly Successor[] =>
    executeEdge(layout, state, thread, edge, choose)
  const successors = (state: State): readonly Successor[] =>
    movable(state).flatMap((thread) => edgesOf(state, thread).flatMap((edge) => execute(state, thread, edge)))
  return {
    layout,
    initial: () => initialStates(layout),
    initialWith: (values) => initialState(layout, (v) => (v.initial === 'any' ? (values.get(v) ?? 0) : v.initial)),
    successors,
    execute,
    enabled: (state) => successors(state).map(({ step }) => step),
    step(state, step) {
      if (!movable(state).includes(step.thread) || !edgesOf(state, step.thread).includes(step.edge)) return undefined
      return execute(state, step.thread, step.edge, given(step))[0]?.state
    },
    movable,
    edgesOf,
    key: (state) => stateKey(layout, state),
  }
}

// ---- choices

/** Every value that matters; what is only stored stays open. */
export const lazyChoice: Chooser = (kind, domain, point) =>
  point.onlyStored && !domain.range ? 'open' : everyChoice(kind, domain, point)

/** Every value that matters, or an error that says that there are too many. */
export const everyChoice = (_kind: string, { target, range }: Domain, point: ChoicePoint): readonly Value[] => {
  const values = range ? interval(range.low, range.high) : valuesToTry(target.type, point)
  if (values) return values
  const { low, high } = range ?? rangeOf(target.type)
  // A wide range may still be narrowed by what follows.
  const narrowed = range && valuesToTry(target.type, point)?.filter((v) => v >= low && v <= high)
  if (narrowed) return narrowed
  throw new BeyondBounds('unbounded nondeterminism', point.edge.position)
}

/** The values of a step, as it says; what it does not say is 0. */
const given = (step: Step): Chooser => {
  const values = { havoc: step.choices.values(), indeterminate: (step.indeterminate ?? []).values() }
  let havocs = 0
  return (kind, { target }) => {
    const next = values[kind].next()
    if (kind === 'havoc' && step.open?.includes(havocs++)) return 'open'
    return [next.done ? 0 : wrap(target.type, next.value)]
  }
}

// ---- initial states

const initialState = (layout: Layout, firstValue: (v: Variable) => Value): State => {
  const globals = layout.program.globals.map((v) => wrap(v.type, firstValue(v)))
  const main = layout.templates.get(layout.program.main.name)!
  return { globals, memory: [], threads: [newThread(main, 0, [])] }
}

const initialStates = (layout: Layout): readonly State[] => {
  let states: readonly (readonly Value[])[] = [[]]
  for (const variable of layout.program.globals) {
    const values = variable.initial === 'any' ? domainOf(layout, variable) : [variable.initial]
    states = states.flatMap((before) => values.map((value) => [...before, value]))
  }
  return states.map((values) => initialState(layout, (v) => values[layout.globals.get(v)!]!))
}

const domainOf = ({ program }: Layout, variable: Variable): readonly Value[] => {
  const { low, high } = variable.type.kind === 'float' ? { low: 0n, high: 1n << 64n } : rangeOf(variable.type)
  const values = high - low < 256n ? interval(low, high) : undefined
  if (!values) throw new BeyondBounds('unbounded nondeterminism', variable.position ?? program.main.position)
  return values
}

const newThread = (template: TemplateLayout, number: number, args: readonly Value[]): ThreadState => {
  const locals = new Array<Value>(template.variables.length).fill(0)
  template.procedure.parameters.forEach((parameter, i) => {
    locals[template.slots.get(parameter)!] = wrap(parameter.type, args[i] ?? 0)
  })
  locals[template.slots.get(template.procedure.self)!] = number
  return { template, location: template.procedure.initial, locals }
}

// ---- one edge

/** A step in the making: changed in place, copied where a choice has several values. */
interface Running extends Frame {
  globals: Value[]
  locals: Value[]
  memory: Memory
  started: ThreadState[]
  choices: Value[]
  open: number[]
  /** The last havoc was left open: the store that follows it makes its bytes unknown. */
  pending: boolean
  indeterminate: Value[]
  accesses: ConcreteAccess[]
}

const copyOf = (r: Running): Running => ({
  globals: r.globals.slice(),
  locals: r.locals.slice(),
  memory: r.memory,
  started: r.started.slice(),
  choices: r.choices.slice(),
  open: r.open.slice(),
  pending: r.pending,
  indeterminate: r.indeterminate.slice(),
  accesses: r.accesses.slice(),
})

/** What came of a label: on to the next, not enabled, undefined behaviour, or a choice between several ways on. */
type Outcome = 'next' | 'disabled' | { readonly undefined: string } | { readonly ways: readonly Running[] }

interface Execution {
  readonly layout: Layout
  readonly state: State
  readonly thread: number
  readonly template: TemplateLayout
  readonly edge: Edge
  readonly choose: Chooser
}

const executeEdge = (
  layout: Layout,
  state: State,
  thread: number,
  edge: Edge,
  choose: Chooser,
): readonly Successor[] => {
  const { template, locals } = state.threads[thread]!
  const execution: Execution = { layout, state, thread, template, edge, choose }
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
      found.push(stoppedBy(x, running, outcome.undefined))
      return
    }
    for (const way of outcome.ways) runFrom(x, way, i + 1, found)
    return
  }
  found.push(completed(x, running))
}

const completed = (x: Execution, running: Running): Successor => {
  const { template } = x
  const threads = [...x.state.threads, ...running.started]
  threads[x.thread] = { template, location: x.edge.target, locals: running.locals }
  const state: State = { globals: running.globals, memory: running.memory, threads }
  return { step: stepOf(x, running), state, accesses: running.accesses }
}

/** Nothing of the step happens but that the thread stops: others could have run before it. */
const stoppedBy = (x: Execution, running: Running, text: string): Successor => {
  const stopped: Halt = { kind: 'undefined', text }
  const threads = x.state.threads.slice()
  threads[x.thread] = { ...threads[x.thread]!, stopped }
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
    case 'load':
      return runLoad(x, running, label, value(label.address), index)
    case 'store':
      return runStore(x, running, label, value(label.address), value(label.value))
    case 'allocate':
      return runAllocate(x, running, label, value(label.size))
    case 'free':
      return runFree(x, running, value(label.address))
    case 'start': {
      const template = x.layout.templates.get(label.procedure)
      if (!template) throw new Error(`no template ${label.procedure}`)
      const number = x.state.threads.length + running.started.length
      checkThreadCapacity(x, number)
      running.started.push(newThread(template, number, label.args.map(value)))
      assign(x, running, label.target, number)
      return 'next'
    }
    case 'join': {
      const joined = x.state.threads[Number(value(label.thread))]
      return joined && hasEnded(joined) ? 'next' : 'disabled'
    }
    case 'fence':
      return 'next'
    case 'call':
    case 'primitive':
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
  return waysOn(running, values, (way, chosen) => {
    way.choices.push(chosen)
    assign(x, way, target, chosen)
  })
}

const onlyStored = new WeakMap<Edge, Map<number, boolean>>()

/** `any = anything; *p = any`, and `any` is not read again: how an uninitialised object in memory begins. */
const isOnlyStored = ({ template, edge }: Execution, target: Variable, index: number): boolean => {
  const next = edge.labels[index + 1]
  if (next?.kind !== 'store' || target.scope !== 'local') return false
  let known = onlyStored.get(edge)
  if (!known) onlyStored.set(edge, (known = new Map()))
  let answer = known.get(index)
  if (answer === undefined) {
    const { address, value } = next
    const storesIt = value.kind === 'var' && value.variable === target && !mentions(address, target)
    answer = storesIt && !livenessOf(template.procedure).isLiveBefore(target, edge, index + 2)
    known.set(index, answer)
  }
  return answer
}

const assign = ({ layout, template }: Execution, running: Running, target: Variable, value: Value): void => {
  const slot = (target.scope === 'global' ? layout.globals : template.slots).get(target)
  if (slot === undefined) throw new Error(`variable ${target.name} belongs to no part of the program`)
  ;(target.scope === 'global' ? running.globals : running.locals)[slot] = value
}

const waysOn = (
  running: Running,
  values: readonly Value[],
  take: (way: Running, value: Value) => void,
): { readonly ways: readonly Running[] } => ({
  ways: values.map((value) => {
    const way = values.length === 1 ? running : copyOf(running)
    take(way, value)
    return way
  }),
})

const choicePoint = (x: Execution, running: Running, target: Variable, index: number): ChoicePoint => ({
  template: x.template,
  edge: x.edge,
  next: index + 1,
  target,
  onlyStored: x.edge.labels[index]?.kind === 'havoc' && isOnlyStored(x, target, index),
  valueOf: (v) =>
    v.scope === 'global' ? running.globals[x.layout.globals.get(v)!]! : running.locals[x.template.slots.get(v)!]!,
})

// ---- memory

const blockFor = (
  x: Execution,
  running: Running,
  label: Load | Store,
  address: Value,
): { readonly place: Place; readonly block: Block } | undefined => {
  const place = placeOf(x.layout, address)
  if (!place || !x.layout.hitsCell(label.region, place.owner.object, place.offset)) return undefined
  const threads = x.state.threads.length + running.started.length
  const block = blockAt(running.memory, place, byteSize(label.type), threads)
  return block && { place, block }
}

const runLoad = (x: Execution, running: Running, label: Load, address: Value, index: number): Outcome => {
  const size = byteSize(label.type)
  recordMemory(x, running, label, address, size)
  const found = blockFor(x, running, label, address)
  if (!found) return { undefined: badAddress(address) }
  const { place, block } = found
  if (unknownBytes(block, place.offset, size) === 0) {
    assign(x, running, label.target, readValue(block, place.offset, label.type))
    return 'next'
  }
  return decideBytes(x, running, label, found, index)
}

/** A load of bytes that nobody wrote: they get their value now, and keep it. */
const decideBytes = (
  x: Execution,
  running: Running,
  label: Load,
  { place, block }: { readonly place: Place; readonly block: Block },
  index: number,
): Outcome => {
  const { type, target } = label
  const size = byteSize(type)
  const point = choicePoint(x, running, target, index)
  const unknown = unknownBytes(block, place.offset, size)
  if (unknown === size) {
    const values = x.choose('indeterminate', { target: { ...target, type } }, point)
    if (values === 'open') throw new Error('a load has to decide its value')
    return waysOn(running, values, (way, chosen) => {
      way.indeterminate.push(chosen)
      way.memory = withBlock(way.memory, place, writeValue(block, place.offset, type, chosen))
      assign(x, way, target, chosen)
    })
  }
  // Some bytes have a value: the known ones stay, so each choice is a value of the whole that agrees with them.
  if (unknown > 1) throw new BeyondBounds('unbounded nondeterminism in partly written memory', x.edge.position)
  const hole = place.offset + block.known!.subarray(place.offset, place.offset + size).indexOf(0)
  return waysOn(running, interval(0n, 255n)!, (way, byte) => {
    const filled = fillByte(block, hole, Number(byte))
    const chosen = readValue(filled, place.offset, type)
    way.indeterminate.push(chosen)
    way.memory = withBlock(way.memory, place, filled)
    assign(x, way, target, chosen)
  })
}

const fillByte = (block: Block, offset: number, byte: number): Block => {
  const bytes = block.bytes.slice()
  const known = block.known!.slice()
  bytes[offset] = byte
  known[offset] = 1
  return { bytes, known, live: block.live }
}

const runStore = (x: Execution, running: Running, label: Store, address: Value, value: Value): Outcome => {
  recordMemory(x, running, label, address, byteSize(label.type))
  const found = blockFor(x, running, label, address)
  if (!found) return { undefined: badAddress(address) }
  const { place, block } = found
  const { offset } = place
  const next = running.pending
    ? forgetBytes(block, offset, byteSize(label.type))
    : writeValue(block, offset, label.type, value)
  running.pending = false
  running.memory = withBlock(running.memory, place, next)
  return 'next'
}

const runAllocate = (
  x: Execution,
  running: Running,
  label: Extract<Label, { kind: 'allocate' }>,
  size: Value,
): Outcome => {
  const { object, target } = label
  const owner = x.layout.objects.find((o) => o.object === object)
  if (!owner) throw new Error(`object ${object.name} belongs to no part of the program`)
  const instance = running.memory[owner.index]?.length ?? 0
  if (size > object.size) throw new BeyondBounds(`allocation of ${size} bytes`, x.edge.position)
  if (instance >= owner.capacity) throw new BeyondBounds(`more than ${owner.capacity} allocations`, x.edge.position)
  const block = freshBlock(Number(size), object.contents)
  running.memory = withBlock(running.memory, { owner, instance, offset: 0 }, block)
  assign(x, running, target, object.base + instance * object.stride)
  return 'next'
}

const runFree = (x: Execution, running: Running, address: Value): Outcome => {
  if (address === 0) return 'next'
  const place = placeOf(x.layout, address)
  const isStart = place?.offset === 0 && place.owner.object.storage === 'heap'
  if (!place || !isStart || !blockAt(running.memory, place, 0, 0)) return { undefined: `free of ${address}` }
  running.memory = withBlock(running.memory, place, FREED)
  return 'next'
}

const badAddress = (address: Value): string =>
  address === 0 ? 'null pointer dereference' : `access at address ${address}, outside every live object`

/** Objects of storage thread have room for so many threads. */
const checkThreadCapacity = (x: Execution, number: number): void => {
  for (const { object, capacity } of x.layout.objects)
    if (object.storage === 'thread' && number >= capacity)
      throw new BeyondBounds(`more than ${capacity} threads`, x.edge.position)
}

// ---- accesses, for races

const recordMemory = (x: Execution, running: Running, label: Load | Store, address: Value, size: number): void => {
  const { edge } = x
  const atomic = edge.sync !== undefined || label.atomic === true
  const [write, { type }] = [label.kind === 'store', label]
  running.accesses.push({ kind: 'memory', address: Number(address), size, type, write, atomic, edge })
}

const globalAccesses = new WeakMap<Edge, readonly (readonly ConcreteAccess[])[]>()

const recordVariables = ({ edge }: Execution, running: Running, index: number): void => {
  let known = globalAccesses.get(edge)
  if (!known) globalAccesses.set(edge, (known = edge.labels.map((label) => variableAccesses(label, edge))))
  const accesses = known[index]!
  if (accesses.length > 0) running.accesses.push(...accesses)
}

const variableAccesses = (label: Label, edge: Edge): readonly ConcreteAccess[] =>
  labelAccesses(label, edge.sync !== undefined).flatMap((access) =>
    access.kind === 'variable' ? [{ ...access, edge }] : [],
  )
