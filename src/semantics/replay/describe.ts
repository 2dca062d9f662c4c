// States in the words of the source: names of memory cells, values, what a step changed, what a thread waits for.
import type { Cell, Position, Sync, Type, Value, Variable } from '../../xcfa/index.js'
import { INT } from '../../xcfa/index.js'
import type { ConcreteAccess, Interpreter, Successor } from '../interpreter.js'
import type { Layout } from '../layout.js'
import { blockAt, type Place, placeOf, readValue, unknownBytes } from '../memory.js'
import type { State } from '../state.js'

/** A variable or memory cell that a step gave another value. */
export interface Change {
  /** As the source spells it: `balance`, `account.balance`, `queue[2]`. */
  readonly name: string
  /** The thread that owns it, for locals and thread-local objects. */
  readonly thread?: number
  readonly value: Value
  /** For people: pointers by what they point to. */
  readonly text: string
  /** Absent for memory. */
  readonly variable?: Variable
}

/** Why a thread cannot go on. */
export interface Waiting {
  readonly thread: number
  readonly position: Position
  /** The statement where it waits. */
  readonly text: string
  readonly kind?: Sync['kind']
  /** The lock, condition variable or semaphore. */
  readonly object?: string
  readonly heldBy?: number
  readonly joins?: number
}

// ---- names

/** `account.balance`, `queue[2]`, `node#3.next` on the heap, or the number. */
export const addressName = (layout: Layout, address: Value): string => {
  if (address === 0) return 'NULL'
  const place = placeOf(layout, address)
  if (place) return placeName(layout, place)
  return address < LEAST_ADDRESS ? `${address}` : `address ${address}`
}

/** Below it there are no objects: numbers in the guise of pointers, such as handles. */
const LEAST_ADDRESS = 4096

const placeName = (layout: Layout, place: Place): string => objectName(layout, place) + pathOf(place)

/** A heap object is called after its type and numbered from 1; places of allocation take turns with the numbers. */
const objectName = (layout: Layout, { owner: { object }, instance }: Place): string => {
  if (object.storage !== 'heap') return object.name
  const [name] = object.name.split('@')
  const alike = layout.objects.filter(
    ({ object: other }) => other.storage === 'heap' && other.name.split('@')[0] === name,
  )
  return `${name}#${instance * alike.length + alike.findIndex((other) => other.object === object) + 1}`
}

const pathOf = ({ owner: { object }, offset }: Place): string => {
  const { element } = object
  if (!element) return cellPath(object.cells, offset) ?? plus(offset)
  const index = Math.floor(offset / element.size)
  const rest = offset - index * element.size
  return `${object.size > element.size ? `[${index}]` : ''}${cellPath(element.cells, rest) ?? plus(rest)}`
}

/** A byte of a static object as C names it, if the object has the size that the compiled program gives it. */
export const staticName = (layout: Layout, name: string, size: number, offset: number): string | undefined => {
  const owner = layout.objects.find(({ object }) => object.storage === 'static' && object.name === name)
  if (owner?.object.size !== size) return undefined
  // What a lock consists of is the library's own.
  return (name + pathOf({ owner, instance: 0, offset })).replace(/(?:\.__\w+)+$/, '')
}

const plus = (offset: number): string => (offset === 0 ? '' : `+${offset}`)

const cellPath = (cells: readonly Cell[], offset: number): string | undefined => {
  for (const { offset: first, step, count, path } of cells) {
    const distance = offset - first
    const index = step > 0 ? distance / step : 0
    if (distance < 0 || !Number.isInteger(index) || index >= Math.max(count, 1) || (step === 0 && distance > 0))
      continue
    return index === 0 ? path : elementPath(path, index)
  }
  return undefined
}

/** The path of a later element: its one index changes; of several, the flat number is told. */
const elementPath = (path: string, index: number): string => {
  const indices = path.match(/\[0\]/g)?.length ?? 0
  return indices === 1 ? path.replace('[0]', `[${index}]`) : `${path}+${index}`
}

export const valueText = (layout: Layout, type: Type, value: Value): string => {
  return type.kind === 'pointer' ? pointerText(layout, value) : `${value}`
}

/** A pointer to the first member of a record is more often one to the record. */
const pointerText = (layout: Layout, value: Value): string => {
  const place = placeOf(layout, value)
  const name = addressName(layout, value)
  if (value === 0 || !place) return name
  const { element, size } = place.owner.object
  const isStart = place.offset % (element?.size ?? size) === 0
  return `&${isStart ? name.replace(/\..*/, '') : name}`
}

// ---- changes

/** What the step changed, for people: temporaries of the translation are left out. */
export const changesOf = (layout: Layout, before: State, successor: Successor): readonly Change[] => {
  const { state, step, accesses } = successor
  const changes: Change[] = []
  for (const [variable, slot] of layout.globals) {
    const value = state.globals[slot]!
    if (Object.is(value, before.globals[slot])) continue
    changes.push({
      name: variable.source ?? variable.name,
      value,
      text: valueText(layout, variable.type, value),
      variable,
    })
  }
  const [was, is] = [before.threads.at(step.thread)!, state.threads.at(step.thread)!]
  for (const [variable, slot] of is.template.slots) {
    const value = is.locals[slot]!
    if (variable.source === undefined || Object.is(value, was.locals[slot])) continue
    const text = valueText(layout, variable.type, value)
    changes.push({ name: variable.source, thread: step.thread, value, text, variable })
  }
  for (const access of accesses) {
    const change = access.write && access.kind === 'memory' ? memoryChange(layout, before, state, access) : undefined
    if (change && !changes.some(({ name, thread }) => name === change.name && thread === change.thread))
      changes.push(change)
  }
  return changes
}

const memoryChange = (
  layout: Layout,
  before: State,
  after: State,
  { address, size, type }: Extract<ConcreteAccess, { kind: 'memory' }>,
): Change | undefined => {
  const place = placeOf(layout, address)
  const value = cellValue(layout, after, address, type)
  if (!place || value === undefined || Object.is(value, cellValue(layout, before, address, type))) return undefined
  const thread = place.owner.object.storage === 'thread' && size > 0 ? { thread: place.instance } : {}
  return { name: placeName(layout, place), ...thread, value, text: valueText(layout, type, value) }
}

/** The value at an address, if it has one. */
export const cellValue = (layout: Layout, state: State, address: Value, type: Type): Value | undefined => {
  const place = placeOf(layout, address)
  const size = type.kind === 'bool' ? 1 : Math.ceil(type.width / 8)
  const block = place && blockAt(state.memory, place, size, state.threads.length)
  if (!place || !block || unknownBytes(block, place.offset, size) > 0) return undefined
  return readValue(block, place.offset, type)
}

// ---- waiting

export const waitingOf = (interpreter: Interpreter, state: State, thread: number): Waiting => {
  const { layout } = interpreter
  const { template, location, locals } = state.threads.at(thread)!
  const edges = (template.outgoing.get(location) ?? []).filter((edge) => !edge.sync?.spurious)
  const edge = edges.find((e) => e.sync) ?? edges[0]
  if (!edge) return { thread, position: location.position, text: '' }
  const frame = { globals: state.globals, locals }
  const waiting: Waiting = { thread, position: edge.position, text: edge.text }
  const joined = edge.labels.find((label) => label.kind === 'join')
  if (joined) return { ...waiting, kind: 'join', joins: Number(layout.evaluator(template, joined.thread)(frame)) }
  if (!edge.sync) return waiting
  const { kind, object } = edge.sync
  if (!object) return { ...waiting, kind }
  const address = layout.evaluator(template, object)(frame)
  return { ...waiting, kind, object: lockName(layout, address), ...holderOf(layout, state, kind, address) }
}

/** The object as the program knows it, without the parts that its model has. */
const lockName = (layout: Layout, address: Value): string => addressName(layout, address).replace(/(\.__\w+)+$/, '')

/** Locks begin with their owner's number plus one (the pthread model). */
const holderOf = (layout: Layout, state: State, kind: Sync['kind'], address: Value): { heldBy?: number } => {
  if (kind !== 'lock') return {}
  const owner = Number(cellValue(layout, state, address, INT) ?? 0)
  return owner > 0 && owner <= state.threads.length ? { heldBy: owner - 1 } : {}
}
