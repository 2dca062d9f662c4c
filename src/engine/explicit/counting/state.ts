// A state in which instances are counted: main, the threads whose numbers are stored somewhere (who holds a lock), and of
// all others how many there are of each kind. A kind is what a thread knows of itself: template, location, live locals and
// its own frame. Instances that have started and not moved yet, however many, are one count.
import type { State, ThreadState } from '../../../semantics/index.js'
import type { Layout, TemplateLayout } from '../../../semantics/layout.js'
import { type Block, type Memory, memoryKey } from '../../../semantics/memory.js'
import { livenessOf } from '../../../semantics/step/liveness.js'
import type { Location, Value } from '../../../xcfa/index.js'
import type { Handles, Numbers } from './handles.js'

/** A thread apart from its number: it always sees itself as SELF. */
export interface Kind {
  readonly key: number
  readonly thread: ThreadState
  /** Its own instances of objects, by index of the object. */
  readonly frame: readonly (readonly [number, Block])[]
  readonly isEnded: boolean
}

/** The number of the thread that moves, and of every instance while it is not looked at. Main is 0. */
export const SELF = 1
/** The first number of a thread that is named somewhere. */
export const FIRST_NAME = 2
/** The number of every thread that has gone, where it is still named. */
export const GONE = 2 ** 30

/** How many instances of each kind there are, in the order of their keys. Infinity: any number, also none. */
export type Counts = readonly (readonly [Kind, number])[]

export interface CountedState {
  readonly globals: readonly Value[]
  /** Without the frames of instances. */
  readonly memory: Memory
  readonly main: ThreadState
  /** Those whose numbers are stored somewhere: FIRST_NAME, ... in the order in which they are found. */
  readonly named: readonly Kind[]
  readonly counts: Counts
  readonly started: Started
  readonly handles: Handles
  /** Numbers of threads that main has joined. */
  readonly joined: Numbers
}

/** The templates of the threads in order of their numbers, as runs of equal ones. */
export type Started = readonly { readonly template: string; readonly count: number }[]

export const withStarted = (started: Started, template: string): Started => {
  const last = started.at(-1)
  return last?.template === template
    ? [...started.slice(0, -1), { template, count: last.count + 1 }]
    : [...started, { template, count: 1 }]
}

export const numberStarted = (started: Started): number => started.reduce((sum, { count }) => sum + count, 0)

export const templateOf = (started: Started, number: number): string | undefined => {
  let left = number
  for (const { template, count } of started) if ((left -= count) <= 0) return template
  return undefined
}

export const changeCount = (counts: Counts, kind: Kind, by: number): Counts => {
  const changed: (readonly [Kind, number])[] = []
  let found = false
  const add = (before: number): void => {
    const after = before + by
    if (after > 0) changed.push([kind, after])
  }
  for (const entry of counts) {
    if (!found && entry[0].key >= kind.key) {
      found = true
      add(entry[0].key === kind.key ? entry[1] : 0)
      if (entry[0].key === kind.key) continue
    }
    changed.push(entry)
  }
  if (!found) add(0)
  return changed
}

export const countOf = (counts: Counts, kind: Kind): number => {
  for (const [other, count] of counts) if (other === kind) return count
  return 0
}

/** Kinds by number, the same object for the same kind. */
export class Kinds {
  private readonly known = new Map<string, Kind>()
  private readonly live = new Map<Location, readonly boolean[]>()

  /** `hasJoins`: where main joins nobody, it does not matter in which order it started whom. */
  constructor(
    private readonly layout: Layout,
    readonly hasJoins: boolean,
  ) {}

  /** `self`: what it takes for its own number. */
  of(thread: ThreadState, frame: Kind['frame'], self: number): Kind {
    const isEnded = thread.location.kind === 'final'
    const locals = this.cleaned(thread, self)
    const kept = isEnded ? [] : frame
    let text = `${thread.template.index} ${thread.template.locationIndex.get(thread.location)}${thread.stopped ? '!' : ''}`
    for (const value of locals) text += `,${Object.is(value, -0) ? '-0' : value}`
    for (const [index, block] of kept) text += `|${memoryKey(this.layout, sparse(index, [block]))}`
    let kind = this.known.get(text)
    if (!kind) {
      kind = { key: this.known.size, thread: { ...thread, locals }, frame: kept, isEnded }
      this.known.set(text, kind)
    }
    return kind
  }

  /** Locals that nobody reads any more are zero. */
  private cleaned({ template, location, locals }: ThreadState, self: number): readonly Value[] {
    const live = this.liveAt(template, location)
    return locals.map((value, i) => (template.variables[i] === template.procedure.self ? self : live[i] ? value : 0))
  }

  private liveAt({ procedure, variables }: TemplateLayout, location: Location): readonly boolean[] {
    let live = this.live.get(location)
    if (!live) {
      const { isLiveAt } = livenessOf(procedure)
      live = variables.map((variable) => isLiveAt(variable, location))
      this.live.set(location, live)
    }
    return live
  }
}

/** A memory with one column. */
const sparse = (index: number, column: Memory[number]): Memory => {
  const memory: Memory[number][] = []
  memory[index] = column
  return memory
}

/** Everything but the counts. */
export const restKey = (layout: Layout, kinds: Kinds, state: CountedState): string => {
  let key = ''
  for (const value of state.globals) key += `${Object.is(value, -0) ? '-0' : value},`
  key += `|${kinds.of(state.main, [], 0).key}|`
  for (const kind of state.named) key += `${kind.key},`
  return `${key}|${memoryKey(layout, state.memory)}|${threadsKey(kinds, state)}`
}

/** Main, and the threads that it knows. */
export const mainKey = (kinds: Kinds, state: CountedState): string =>
  `${kinds.of(state.main, [], 0).key}|${threadsKey(kinds, state)}`

const threadsKey = ({ hasJoins }: Kinds, { started, joined, handles }: CountedState): string => {
  let key = ''
  for (const { template, count } of hasJoins ? started : []) key += `${template}*${count},`
  for (const [first, last] of joined) key += `${first}-${last},`
  for (const { address, step, value, count } of handles) key += `|${address}+${step}=${value}*${count}`
  return key
}

export const countsKey = (counts: Counts): string => {
  let key = ''
  for (const [kind, count] of counts) key += `${kind.key}:${count},`
  return key
}

/** Whether the first has no more of anything than the second. */
export const isCovered = (counts: Counts, by: Counts): boolean => {
  let i = 0
  for (const [kind, count] of counts) {
    while (i < by.length && by[i]![0].key < kind.key) i++
    if (i >= by.length || by[i]![0] !== kind || by[i]![1] < count) return false
  }
  return true
}

/** As a state of the concrete semantics, for one thread to move: main, and the instance SELF. */
export const stateFor = ({ globals, memory, main }: CountedState, mover: Kind | undefined): State => {
  if (!mover) return { globals, memory, threads: [main] }
  return { globals, memory: withFrame(memory, mover.frame), threads: [main, mover.thread] }
}

const withFrame = (memory: Memory, frame: Kind['frame']): Memory => {
  if (frame.length === 0) return memory
  const next = memory.slice()
  for (const [index, block] of frame) next[index] = [memory[index]?.at(0), block]
  return next
}

const NO_FRAME: Kind['frame'] = []

/** Takes the frame of the instance SELF out of a memory. `frames`: the objects that each thread has. */
export const takeFrame = (
  memory: Memory,
  frames: readonly number[],
): { readonly memory: Memory; readonly frame: Kind['frame'] } => {
  const frame: [number, Block][] = []
  let next: Memory[number][] | undefined
  for (const index of frames) {
    const column = memory[index]
    const block = column?.at(SELF)
    if (!column || !block) continue
    frame.push([index, block])
    next ??= memory.slice()
    const first = column.at(0)
    next[index] = first ? [first] : []
  }
  return { memory: next ?? memory, frame: frame.length > 0 ? frame : NO_FRAME }
}
