// The schedule of an execution as the native runtime reads it: for each thread its accesses to memory that others can
// see and its synchronisation, each with the number of its step. Steps of one atomic block share a number.
import type { ConcreteAccess, Layout, Replay, ReplayedStep, State, Step } from '../../semantics/index.js'
import { hasEnded } from '../../semantics/index.js'
import { placeOf } from '../../semantics/memory.js'
import type { Edge, Expr, Sync, Value } from '../../xcfa/index.js'
import { byteSize } from '../../xcfa/index.js'

/** The order is that of the runtime's enumeration. */
const KINDS = [
  'read',
  'write',
  'start',
  'join',
  'lock',
  'trylock',
  'unlock',
  'read-lock',
  'read-unlock',
  'wait',
  'wake',
  'spurious',
  'signal',
  'broadcast',
  'barrier',
  'post',
  'acquire',
  'allocate',
  'race-read',
  'race-write',
] as const
type Kind = (typeof KINDS)[number]

interface Event {
  readonly thread: number
  readonly kind: Kind
  readonly unit: number
  readonly place?: ObjectPlace | undefined
  readonly size?: number
  readonly value?: number
  /** Events of one statement share a number. */
  readonly statement?: number
}

interface ObjectPlace {
  readonly object: number
  readonly offset: number
}

/** An object of the program: a symbol of the compiled program, or one whose address shows when it runs. */
interface NativeObject {
  readonly symbol?: string
  readonly size: number
}

export interface NativeSchedule {
  readonly objects: readonly NativeObject[]
  /** Given the addresses of the compiled program's symbols. */
  readonly text: (symbols: ReadonlyMap<string, number>) => string
  readonly events: number
  /** Values that no input of the program gives: uninitialised variables. */
  readonly unforced: number
}

export const nativeSchedule = (replay: Replay, layout: Layout): NativeSchedule => {
  const objects = objectTable(layout)
  const events: Event[] = []
  const inputs: { readonly thread: number; readonly value: Value }[] = []
  const statements = statementCounter()
  let unit = -1
  let unforced = 0
  replay.steps.forEach((replayed, i) => {
    const { step } = replayed
    const before = replay.steps[i - 1]
    const inside = step.edge.source.atomic && before?.step.thread === step.thread
    if (!inside) unit++
    const some = eventsOf(replayed, before?.state ?? replay.initial, unit, layout, objects)
    const statement = statements(step, inside)
    events.push(...some.map((event) => ({ ...event, statement })))
    const isInput = /__VERIFIER_nondet_/.test(step.edge.text) && (!step.edge.sync || step.edge.sync.kind === 'atomic')
    if (isInput) inputs.push(...step.choices.map((value) => ({ thread: step.thread, value })))
    else if (!step.edge.sync) unforced += step.choices.length - (step.open?.length ?? 0)
    unforced += step.indeterminate?.length ?? 0
  })
  events.push(...raceEvents(replay, unit + 1, objects).map((event) => ({ ...event, statement: LAST })))
  const text: NativeSchedule['text'] = (symbols) =>
    [
      `P ${propertyCode(replay)} ${replay.violation?.kind === 'error' ? replay.violation.thread : -1}`,
      ...functionLines(symbols),
      ...endedThreads(replay).map((thread) => `T ${thread}`),
      ...objects.all.map(
        ({ symbol, size }, id) => `O ${id} ${((symbol && symbols.get(symbol)) || 0).toString(16)} ${size}`,
      ),
      ...inputs.map(({ thread, value }) => `N ${thread} ${value}`),
      ...events.map(eventLine),
      '',
    ].join('\n')
  return { objects: objects.all, text, events: events.length, unforced }
}

/** The accesses of a race come after everything else. */
const LAST = 1_000_000_000

/** Numbers a thread's statements as it comes to them; an atomic block counts as one. */
const statementCounter = (): ((step: Step, inside: boolean) => number) => {
  const last = new Map<number, { readonly step: Step; readonly number: number }>()
  return (step, inside) => {
    const before = last.get(step.thread)
    const same = before !== undefined && (inside || isSameStatement(before.step.edge, step.edge))
    const number = before === undefined ? 0 : before.number + (same ? 0 : 1)
    last.set(step.thread, { step, number })
    return number
  }
}

const isSameStatement = (a: Edge, b: Edge): boolean =>
  a.text === b.text && a.position.line === b.position.line && a.position.file === b.position.file

const eventLine = ({ thread, kind, unit, place, size = 0, value = 0, statement = -1 }: Event): string =>
  `E ${thread} ${KINDS.indexOf(kind)} ${unit} ${place?.object ?? -1} ${place?.offset ?? 0} ${size} ${value} ${statement}`

/** The function that is an error, and those that are atomic by their name. */
const functionLines = (symbols: ReadonlyMap<string, number>): readonly string[] =>
  [...symbols].flatMap(([name, address]) => {
    if (name === 'reach_error') return [`R ${address.toString(16)}`]
    const isBlock = name.startsWith('__VERIFIER_atomic_') && !/_(begin|end)$/.test(name)
    return isBlock ? [`A ${address.toString(16)}`] : []
  })

const propertyCode = ({ violation }: Replay): number =>
  violation?.kind === 'race' ? 1 : violation?.kind === 'deadlock' ? 2 : 0

const endedThreads = ({ steps, initial }: Replay): readonly number[] =>
  (steps.at(-1)?.state ?? initial).threads.flatMap((thread, number) => (hasEnded(thread) ? [number] : []))

// ---- objects

interface Objects {
  readonly all: NativeObject[]
  readonly of: (access: ConcreteAccess) => ObjectPlace | undefined
  readonly at: (address: Value) => ObjectPlace | undefined
}

const objectTable = (layout: Layout): Objects => {
  const all: NativeObject[] = []
  const numbers = new Map<string, number>()
  const number = (key: string, object: NativeObject): number => {
    let id = numbers.get(key)
    if (id === undefined) numbers.set(key, (id = all.push(object) - 1))
    return id
  }
  const at: Objects['at'] = (address) => {
    const place = placeOf(layout, address)
    if (!place || place.owner.object.procedure !== undefined) return undefined
    const { object } = place.owner
    const { id, name, storage, size } = object
    if (name.startsWith('__heddle')) return undefined
    const isLibrary = object.cells.some(
      (cell) => cell.path.includes('.__') && place.offset >= cell.offset && place.offset < cell.offset + cell.step,
    )
    if (isLibrary) return undefined
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

const sizeOf = (access: ConcreteAccess): number =>
  access.kind === 'memory' ? access.size : byteSize(access.variable.type)

// ---- events

const eventsOf = (
  { step, state, accesses }: ReplayedStep,
  before: State,
  unit: number,
  layout: Layout,
  objects: Objects,
): readonly Event[] => {
  const { thread, edge } = step
  const { template, locals } = before.threads[thread]!
  const value = (e: Expr): Value => layout.evaluator(template, e)({ globals: before.globals, locals })
  const events: Event[] = []
  for (const label of edge.labels) {
    if (label.kind === 'start') {
      const place = label.args[0] && objects.at(value(label.args[0]))
      events.push({ thread, kind: 'start', unit, place, value: before.threads.length })
    } else if (label.kind === 'join') events.push({ thread, kind: 'join', unit })
    else if (label.kind === 'allocate') {
      const slot = template.slots.get(label.target)
      const address = slot === undefined ? 0 : state.threads[thread]!.locals[slot]!
      events.push({ thread, kind: 'allocate', unit, place: objects.at(address) })
    }
  }
  const kind = syncKind(edge.sync)
  if (kind === 'plain') return [...events, ...accessEvents(accesses, thread, unit, objects)]
  if (kind === undefined || events.length > 0) return events
  const place = edge.sync?.object && lockPlace(value(edge.sync.object), layout, objects)
  return [{ thread, kind, unit, place }]
}

/** A lock's address is that of its first cell, which belongs to the library: we want the object that it lies in. */
const lockPlace = (address: Value, layout: Layout, objects: Objects): ObjectPlace | undefined => {
  const place = placeOf(layout, address)
  if (!place || place.owner.object.storage === 'static') return undefined
  return objects.at(address)
}

const accessEvents = (
  accesses: readonly ConcreteAccess[],
  thread: number,
  unit: number,
  objects: Objects,
): readonly Event[] =>
  accesses.flatMap((access) => {
    const place = objects.of(access)
    if (!place) return []
    return [{ thread, kind: access.write ? 'write' : 'read', unit, place, size: sizeOf(access) } as const]
  })

const raceEvents = ({ violation }: Replay, unit: number, objects: Objects): readonly Event[] =>
  violation?.kind !== 'race'
    ? []
    : [violation.first, violation.second].map(({ thread, access }) => ({
        ...{ thread, unit, place: objects.of(access), size: sizeOf(access) },
        kind: access.write ? 'race-write' : 'race-read',
      }))

const syncKind = (sync: Sync | undefined): Kind | 'plain' | undefined => {
  if (!sync || sync.kind === 'atomic') return 'plain'
  if (sync.kind === 'once') return undefined
  return sync.kind === 'wake' && sync.spurious ? 'spurious' : sync.kind
}
