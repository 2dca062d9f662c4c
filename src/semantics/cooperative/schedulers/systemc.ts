// The scheduler of SystemC (IEEE 1666, 4.2; esst.txt, 6.4): evaluate while processes are runnable, in any order; then
// the update of channels; then delta notifications; when nothing is left, time advances to the next timed one.
//
// Times are kept relative to now, so that a model that runs for ever has finitely many scheduler states. The update of
// a signal is a process of the program that runs in the update phase only: what it does with values is the threads'
// business, not the scheduler's.
import { type GoesOn, type PrimitiveCall, Refused, replaced, type Scheduler, withElement } from './scheduler.js'

type Status =
  /** main: in sc_start; its time limit is `left`. */
  | { readonly kind: 'main'; readonly left?: number }
  | { readonly kind: 'runnable' | 'ended' | 'update' }
  /** Until any (or all) of the events, or until the time has passed. */
  | { readonly kind: 'wait'; readonly events: readonly number[]; readonly all: boolean; readonly left?: number }

/** A notification to come: 0 is the next delta cycle. */
type Due = number | null

export interface SystemCState {
  readonly running: number | null
  readonly threads: readonly Status[]
  /** By event, from 1. */
  readonly due: readonly Due[]
  /** Static sensitivity by thread. */
  readonly sensitive: readonly (readonly number[])[]
  /** Events gathered for the next wait of the running process; next_trigger of a method. */
  readonly list: readonly number[]
  readonly trigger: Status | null
  /** Update processes that were asked for. */
  readonly updates: readonly number[]
  /** The simulation has begun: processes are initialised. */
  readonly hasBegun: boolean
  readonly isStopped: boolean
}

const RUNNABLE: Status = { kind: 'runnable' }

const INITIAL: SystemCState = {
  running: 0,
  threads: [{ kind: 'main' }],
  due: [],
  sensitive: [[]],
  list: [],
  trigger: null,
  updates: [],
  hasBegun: false,
  isStopped: false,
}

export const systemC = (): Scheduler<SystemCState> => ({
  name: 'systemc',
  mainEndsAll: true,
  initial: () => INITIAL,
  execute,
  created: (s, thread) => {
    if (thread !== s.threads.length) throw new Refused('threads beside the processes of SystemC')
    return { ...s, threads: [...s.threads, RUNNABLE], sensitive: [...s.sensitive, []] }
  },
  ended: (s) => ({ ...s, running: null, threads: replaced(s.threads, s.running!, { kind: 'ended' }) }),
  schedule,
  isBlocking: (name) => BLOCKING.has(name),
  goesOn: (_, { name }): GoesOn => !BLOCKING.has(name),
  outlook: () => '',
  dependent,
  // Only an immediate notification wakes a process in the evaluation phase that runs.
  runsAgain: (calls) => calls.some(({ name }) => name === 'sc_notify'),
  wakes: (s, thread, { name, args }) => {
    const status = s.threads[thread]!
    if (name !== 'sc_notify' || status.kind !== 'wait') return false
    return args[0] === undefined || status.events.includes(args[0])
  },
  remembersOrder: () => false,
})

// ---- primitives

const BLOCKING = new Set([
  'sc_start',
  'sc_wait',
  'sc_wait_event',
  'sc_wait_time',
  'sc_wait_any',
  'sc_wait_all',
  'sc_wait_method',
  'sc_wait_update',
])

const execute = (s: SystemCState, name: string, args: readonly number[]): { value: number; state: SystemCState } => {
  const done = (state: SystemCState, value = 0) => ({ value, state })
  const [first = 0, second = 0] = args
  switch (name) {
    case 'sc_events':
      return done({ ...s, due: Array.from({ length: first }, () => null) })
    case 'sc_sensitive':
      return done({ ...s, sensitive: replaced(s.sensitive, first, withElement(s.sensitive[first]!, second)) })
    case 'sc_dont_initialize':
      return done({ ...s, threads: replaced(s.threads, first, statically(s, first)) })
    case 'sc_update_process':
      return done({ ...s, threads: replaced(s.threads, first, { kind: 'update' }) })
    case 'sc_request_update':
      return done({ ...s, updates: withElement(s.updates, first) })
    case 'sc_notify':
      return done(trigger({ ...s, due: replaced(s.due, first - 1, null) }, [first]))
    case 'sc_notify_delta':
      return done(notifyAfter(s, first, 0))
    case 'sc_notify_time':
      return done(notifyAfter(s, first, second))
    case 'sc_cancel':
      return done({ ...s, due: replaced(s.due, first - 1, null) })
    case 'sc_list':
      return done({ ...s, list: withElement(s.list, first) })
    case 'sc_next_trigger':
      return done({ ...s, trigger: first === 0 ? null : { kind: 'wait', events: [first], all: false } })
    case 'sc_next_trigger_time':
      return done({ ...s, trigger: { kind: 'wait', events: [], all: false, left: first } })
    case 'sc_stop':
      return done({ ...s, isStopped: true })
    default:
      return done(suspend(s, name, args))
  }
}

const suspend = (s: SystemCState, name: string, args: readonly number[]): SystemCState => {
  const thread = s.running!
  const [first = 0] = args
  if ((thread === 0) !== (name === 'sc_start')) throw new Refused(`${name} here`)
  const waiting = (status: Status): SystemCState => ({
    ...s,
    running: null,
    list: [],
    trigger: null,
    threads: replaced(s.threads, thread, status),
  })
  switch (name) {
    case 'sc_start':
      return { ...waiting(first < 0 ? { kind: 'main' } : { kind: 'main', left: first }), hasBegun: true }
    case 'sc_wait':
      return waiting(statically(s, thread))
    case 'sc_wait_event':
      return waiting({ kind: 'wait', events: [first], all: false })
    case 'sc_wait_time':
      return waiting({ kind: 'wait', events: s.list, all: false, left: first })
    case 'sc_wait_any':
      return waiting({ kind: 'wait', events: s.list, all: false })
    case 'sc_wait_all':
      return waiting({ kind: 'wait', events: s.list, all: true })
    case 'sc_wait_method':
      return waiting(s.trigger ?? statically(s, thread))
    case 'sc_wait_update':
      return waiting({ kind: 'update' })
    default:
      throw new Refused(`the primitive ${name} with this scheduler`)
  }
}

const statically = (s: SystemCState, thread: number): Status => ({
  kind: 'wait',
  events: s.sensitive[thread]!,
  all: false,
})

/** An earlier notification of the event replaces a later one. */
const notifyAfter = (s: SystemCState, event: number, time: number): SystemCState => {
  const before = s.due[event - 1] ?? null
  return { ...s, due: replaced(s.due, event - 1, before === null ? time : Math.min(before, time)) }
}

const trigger = (s: SystemCState, events: readonly number[]): SystemCState => ({
  ...s,
  threads: s.threads.map((t) => (t.kind === 'wait' ? afterEvents(t, events) : t)),
})

const afterEvents = (t: Extract<Status, { kind: 'wait' }>, events: readonly number[]): Status => {
  const left = t.events.filter((event) => !events.includes(event))
  if (left.length === t.events.length) return t
  return t.all && left.length > 0 ? { ...t, events: left } : RUNNABLE
}

// ---- phases

const schedule = (s: SystemCState): readonly SystemCState[] => {
  if (s.threads[0]!.kind !== 'main' || !s.hasBegun) return []
  const runnable = s.threads.flatMap((t, thread) => (t.kind === 'runnable' ? [thread] : []))
  if (runnable.length > 0) return runnable.map((thread) => run(s, thread))
  const [update, ...updates] = s.updates
  if (update !== undefined) return [{ ...s, running: update, updates }]
  if (s.isStopped) return backToMain(s)
  if (isDue(s)) return schedule(advanced(s, 0))
  const step = nextTime(s)
  const { left } = s.threads[0] as { readonly left?: number }
  // Processes that are due exactly at the end of sc_start(time) run with the next sc_start only.
  if (step === undefined || (left !== undefined && step >= left)) return backToMain(s, left)
  return schedule(advanced(s, step))
}

const run = (s: SystemCState, thread: number): SystemCState => ({ ...s, running: thread })

const backToMain = (s: SystemCState, passed = 0): readonly SystemCState[] => [
  { ...(passed > 0 ? shifted(s, passed) : s), running: 0, hasBegun: false },
]

const leftOf = (t: Status): number | undefined => (t.kind === 'wait' ? t.left : undefined)
const isDue = (s: SystemCState): boolean => s.due.includes(0) || s.threads.some((t) => leftOf(t) === 0)

const nextTime = (s: SystemCState): number | undefined => {
  const times = [...s.due.filter((due) => due !== null), ...s.threads.flatMap((t) => leftOf(t) ?? [])]
  return times.length > 0 ? Math.min(...times) : undefined
}

/** After that time all that is due then happens at once. */
const advanced = (s: SystemCState, time: number): SystemCState => {
  const at = shifted(s, time)
  const events = at.due.flatMap((due, i) => (due === 0 ? [i + 1] : []))
  const threads = at.threads.map((t) => (leftOf(t) === 0 ? RUNNABLE : t))
  return trigger({ ...at, threads, due: at.due.map((due) => (due === 0 ? null : due)) }, events)
}

const shifted = (s: SystemCState, time: number): SystemCState => ({
  ...s,
  due: s.due.map((due) => (due === null ? null : due - time)),
  threads: s.threads.map((t) => ('left' in t && t.left !== undefined ? { ...t, left: t.left - time } : t)),
})

// ---- partial-order reduction

const NOTIFYING = new Set(['sc_notify', 'sc_notify_delta', 'sc_notify_time', 'sc_cancel'])

const dependent = (a: PrimitiveCall, b: PrimitiveCall): boolean => oneWay(a, b) || oneWay(b, a)

/** esst.txt, 5.2: immediate notifications meet waits; they and cancellations meet notifications of the same event. */
const oneWay = (a: PrimitiveCall, b: PrimitiveCall): boolean => {
  const meets = a.args[0] === undefined || b.args[0] === undefined || a.args[0] === b.args[0]
  if (a.name === 'sc_notify' && isWait(b.name)) return b.name === 'sc_wait_event' ? meets : true
  if (a.name === 'sc_notify' || a.name === 'sc_cancel') return NOTIFYING.has(b.name) && a.name !== b.name && meets
  return (a.name === b.name && a.name === 'create') || a.name === 'sc_stop' || a.name === 'sc_start'
}

const isWait = (name: string): boolean => BLOCKING.has(name) || name === 'sc_next_trigger'
