// A verifier's execution as what its threads do to each other, in order: accesses to memory that others can see and
// synchronisation, each with the objects it touches and its line. An atomic block is one item.
import type { ConcreteAccess, Layout, Replay, ReplayedStep, State, Step } from '../../semantics/index.js'
import { hasEnded } from '../../semantics/index.js'
import { placeOf } from '../../semantics/memory.js'
import type { Expr, Sync, Type, Value } from '../../xcfa/index.js'
import { byteSize } from '../../xcfa/index.js'

export type ItemKind =
  | 'access'
  | 'allocate'
  | 'start'
  | 'join'
  | 'end'
  | 'spurious'
  | Exclude<Sync['kind'], 'start' | 'join' | 'atomic' | 'once'>

/** Bytes of an object: which object, where in it, and whether they are written. */
interface Touched {
  readonly object: number
  readonly offset: number
  readonly size: number
  readonly write: boolean
}

export interface Item {
  readonly thread: number
  readonly kind: ItemKind
  /** Steps of one atomic block share a unit. */
  readonly unit: number
  readonly file: string
  readonly line: number
  readonly touches: readonly Touched[]
  /** The thread that a signal wakes. */
  readonly wakes?: number
}

/** An object of the program: a symbol of the compiled program, or one whose address shows when it runs. */
interface TracedObject {
  readonly symbol?: string
  readonly size: number
}

interface TracedInput {
  readonly thread: number
  /** As the runtime takes it: an integer, or the bits of a floating-point number. */
  readonly value: bigint
}

export interface Traced {
  readonly items: readonly Item[]
  readonly objects: readonly TracedObject[]
  readonly inputs: readonly TracedInput[]
  /** What stands at the end of a race, which has not happened yet. */
  readonly racing: readonly Item[]
  /** Values that no input of the program gives: uninitialised variables. */
  readonly unforced: number
}

export const tracedItems = (replay: Replay, layout: Layout): Traced => {
  const objects = objectTable(layout)
  const items: Item[] = []
  const inputs: TracedInput[] = []
  let unit = -1
  let unforced = 0
  replay.steps.forEach((replayed, i) => {
    const { step } = replayed
    const before = replay.steps[i - 1]
    const inside = step.edge.source.atomic && before?.step.thread === step.thread
    if (!inside) unit++
    for (const item of itemsOf(replayed, before?.state ?? replay.initial, unit, layout, objects)) add(items, item)
    const isInput = /__VERIFIER_nondet_/.test(step.edge.text) && (!step.edge.sync || step.edge.sync.kind === 'atomic')
    const signal = items.at(-1)
    if (signal?.kind === 'signal' && signal.unit === unit && step.choices.length > 0)
      items[items.length - 1] = { ...signal, wakes: Number(step.choices[0]) }
    if (isInput) inputs.push(...inputsOf(step))
    else if (!step.edge.sync) unforced += step.choices.length - (step.open?.length ?? 0)
    unforced += step.indeterminate?.length ?? 0
  })
  return {
    items: oneWakeEach(items),
    objects: objects.all,
    inputs,
    racing: racingItems(replay, unit + 1, objects),
    unforced,
  }
}

/** Of a wait that ends by its limit the trace has two steps, the machine one: that which takes the mutex. */
const oneWakeEach = (items: readonly Item[]): readonly Item[] =>
  items.map((item, i) => {
    if (item.kind !== 'wake') return item
    const next = items.find((other, j) => j > i && other.thread === item.thread)
    return next?.kind === 'wake' ? { ...item, kind: 'spurious' } : item
  })

/** Accesses of one atomic block are one item. */
const add = (items: Item[], item: Item): void => {
  const last = items.at(-1)
  const joins = last?.kind === 'access' && item.kind === 'access' && last.unit === item.unit
  if (joins) items[items.length - 1] = { ...last, touches: [...last.touches, ...item.touches] }
  else items.push(item)
}

const inputsOf = ({ thread, edge, choices }: Step): readonly TracedInput[] => {
  const types = edge.labels.flatMap((label) => (label.kind === 'havoc' ? [label.target.type] : []))
  return choices.map((value, i) => ({ thread, value: inputBits(types[i], value) }))
}

const inputBits = (type: Type | undefined, value: Value): bigint => {
  if (type?.kind !== 'float') return typeof value === 'bigint' ? value : BigInt(Math.trunc(value))
  const view = new DataView(new ArrayBuffer(8))
  if (byteSize(type) === 4) {
    view.setFloat32(0, Number(value))
    return BigInt(view.getInt32(0))
  }
  view.setFloat64(0, Number(value))
  return view.getBigInt64(0)
}

// ---- objects

interface Objects {
  readonly all: TracedObject[]
  readonly of: (access: ConcreteAccess) => Omit<Touched, 'size' | 'write'> | undefined
  readonly at: (address: Value, locks?: boolean) => Omit<Touched, 'size' | 'write'> | undefined
}

const objectTable = (layout: Layout): Objects => {
  const all: TracedObject[] = []
  const numbers = new Map<string, number>()
  const number = (key: string, object: TracedObject): number => {
    let id = numbers.get(key)
    if (id === undefined) numbers.set(key, (id = all.push(object) - 1))
    return id
  }
  const at: Objects['at'] = (address, locks = false) => {
    const place = placeOf(layout, address)
    if (!place || place.owner.object.procedure !== undefined) return undefined
    const { object } = place.owner
    const { id, name, storage, size } = object
    if (name.startsWith('__heddle')) return undefined
    const isLibrary = object.cells.some(
      (cell) => cell.path.includes('.__') && place.offset >= cell.offset && place.offset < cell.offset + cell.step,
    )
    if (isLibrary && !locks) return undefined
    const symbol = storage === 'static' ? { symbol: name.replace(/\.\d+$/, '') } : {}
    return { object: number(`${id} ${place.instance}`, { ...symbol, size }), offset: place.offset }
  }
  return {
    all,
    at,
    of: (access) => {
      if (access.kind === 'memory') return at(access.address)
      const { source, id, type } = access.variable
      if (source === undefined || source.startsWith('__heddle')) return undefined
      return { object: number(`variable ${id}`, { symbol: source, size: byteSize(type) }), offset: 0 }
    },
  }
}

const touchedBy = (access: ConcreteAccess, objects: Objects): readonly Touched[] => {
  const place = objects.of(access)
  const size = access.kind === 'memory' ? access.size : byteSize(access.variable.type)
  return place ? [{ ...place, size, write: access.write }] : []
}

// ---- items

const itemsOf = (
  { step, state, accesses }: ReplayedStep,
  before: State,
  unit: number,
  layout: Layout,
  objects: Objects,
): readonly Item[] => {
  const { thread, edge } = step
  const { template, locals } = before.threads.at(thread)!
  const value = (e: Expr): Value => layout.evaluator(template, e)({ globals: before.globals, locals })
  const item = (kind: ItemKind, place?: Omit<Touched, 'size' | 'write'>, size = 1): Item => ({
    ...{ thread, kind, unit, file: edge.position.file, line: edge.position.line },
    touches: place ? [{ ...place, size, write: true }] : [],
  })
  const items: Item[] = []
  for (const label of edge.labels) {
    if (label.kind === 'start') items.push(item('start', label.args[0] && objects.at(value(label.args[0]))))
    else if (label.kind === 'join') items.push(item('join'))
    else if (label.kind === 'allocate') {
      const slot = template.slots.get(label.target)
      const address = slot === undefined ? 0 : state.threads.at(thread)!.locals[slot]!
      items.push(item('allocate', objects.at(address)))
    }
  }
  const kind = syncKind(edge.sync)
  if (kind === 'plain') {
    const touches = accesses.flatMap((access) => touchedBy(access, objects))
    if (touches.length > 0) items.push({ ...item('access'), touches })
  } else if (kind !== undefined && items.length === 0)
    items.push(item(kind, edge.sync?.object && objects.at(value(edge.sync.object), true)))
  const ended = hasEnded(state.threads.at(thread)!) && !hasEnded(before.threads.at(thread)!)
  return ended ? [...items, item('end')] : items
}

const syncKind = (sync: Sync | undefined): ItemKind | 'plain' | undefined => {
  if (!sync || sync.kind === 'atomic') return 'plain'
  if (sync.kind === 'once') return undefined
  return sync.kind === 'wake' && sync.spurious ? 'spurious' : sync.kind
}

const racingItems = ({ violation }: Replay, unit: number, objects: Objects): readonly Item[] =>
  violation?.kind !== 'race'
    ? []
    : [violation.first, violation.second].map(({ thread, access }) => ({
        ...{ thread, kind: 'access', unit, touches: touchedBy(access, objects) },
        ...{ file: access.edge.position.file, line: access.edge.position.line },
      }))
