// The scheduler of FairThreads (esst.txt, 6.1 and Figure 9). An instant runs all runnable threads round robin, in
// passes, until nobody is runnable; an event lives until the end of the instant in which it was generated; threads
// that cooperated wake up at the end of it.
//
// Which order: `anew` lets every pass choose its order, since the semantics of FairThreads names none; `fixed` is the
// paper's assumption, every initial order, then kept. A fixed order is part of the state, so that the choices of the
// first pass depend on each other (soundness.md, 17), and partial-order reduction has nothing to do. All executions
// of `fixed` are executions of `anew`.
//
// Main is a native thread: until ft_scheduler_start it runs alone. What it broadcasts until then comes with the first
// instant; what it broadcasts later comes at the beginning of any.
import { type GoesOn, type PrimitiveCall, Refused, replaced, type Scheduler, withElement } from './scheduler.js'

type Status =
  | { readonly kind: 'native' | 'created' | 'runnable' | 'ended' }
  | { readonly kind: 'cooperate'; readonly left: number }
  | { readonly kind: 'await'; readonly event: number; readonly left?: number }
  | { readonly kind: 'join'; readonly thread: number; readonly left?: number }

export interface FairState {
  readonly running: number | null
  readonly isStarted: boolean
  /** The first instant has begun. */
  readonly hasBegun: boolean
  readonly schedulers: number
  readonly events: number
  readonly threads: readonly Status[]
  /** Threads whose last timed wait was in vain. */
  readonly timedOut: readonly number[]
  /** Events generated in this instant. */
  readonly generated: readonly number[]
  /** Events to be generated when the next instant begins, and when some instant begins. */
  readonly next: readonly number[]
  readonly pending: readonly number[]
  /** Threads that ran in this pass. */
  readonly done: readonly number[]
  /** fixed: the order, as far as it was chosen, and the place of the thread that ran last. */
  readonly order: readonly number[]
  readonly place: number
}

export type Order = 'anew' | 'fixed'

const RUNNABLE: Status = { kind: 'runnable' }

const INITIAL: FairState = {
  running: 0,
  isStarted: false,
  hasBegun: false,
  schedulers: 0,
  events: 0,
  threads: [{ kind: 'native' }],
  timedOut: [],
  generated: [],
  next: [],
  pending: [],
  done: [],
  order: [],
  place: -1,
}

export const fairThreads = (order: Order = 'anew'): Scheduler<FairState> => ({
  name: 'fairthreads',
  mainEndsAll: false,
  initial: () => INITIAL,
  execute,
  created: (s, thread) => {
    if (thread !== s.threads.length) throw new Refused('threads beside those of FairThreads')
    // A thread that is created while the scheduler runs begins with the next instant.
    return { ...s, threads: [...s.threads, s.isStarted ? { kind: 'created' } : RUNNABLE] }
  },
  ended: (s) => {
    const thread = s.running!
    const threads = s.threads.map((t) => (t.kind === 'join' && t.thread === thread ? RUNNABLE : t))
    return { ...s, running: null, threads: replaced(threads, thread, { kind: 'ended' }) }
  },
  schedule: (s) => (s.isStarted ? schedule(s, order) : []),
  isNative: (s) => s.isStarted && s.running === 0,
  isBlocking: (name) => BLOCKING.has(name),
  goesOn,
  // Later nobody who awaits or joins can be sure of anything.
  outlook: (s, later) => {
    if (later) return ''
    const ended = s.threads.flatMap(({ kind }, thread) => (kind === 'ended' ? [thread] : []))
    return `${s.generated};${ended}`
  },
  dependent,
  // Each thread runs once a pass, and the pass ends when all have run.
  runsAgain: () => false,
  wakes: (s, thread, call) => {
    const status = s.threads[thread]!
    if (s.done.includes(thread)) return false
    if (call.args.length > 0 && call.args[0] === undefined) return true
    if (status.kind === 'await') return call.name === 'ft_generate' && call.args[0] === status.event
    return status.kind === 'join' && call.name === 'end' && call.args[0] === status.thread
  },
  remembersOrder: () => order === 'fixed',
})

// ---- primitives

const BLOCKING = new Set(['ft_cooperate', 'ft_await', 'ft_await_n', 'ft_join', 'ft_join_n'])

const execute = (s: FairState, name: string, args: readonly number[]): { value: number; state: FairState } => {
  const done = (state: FairState, value = 0) => ({ value, state })
  const [first = 0, instants = 0] = args
  switch (name) {
    case 'ft_scheduler_create':
      if (s.schedulers > 0) throw new Refused('more than one scheduler')
      return done({ ...s, schedulers: 1 }, 1)
    case 'ft_event_create':
      return done({ ...s, events: s.events + 1 }, s.events + 1)
    case 'ft_start':
      return done({ ...s, isStarted: true })
    case 'ft_broadcast':
      return done(
        s.running === 0 && s.isStarted
          ? { ...s, pending: withElement(s.pending, known(s, first)) }
          : { ...s, next: withElement(s.next, known(s, first)) },
      )
    case 'ft_generate':
      return done(generate(s, known(s, first)))
    case 'ft_cooperate':
      return done(first <= 0 ? s : waiting(s, { kind: 'cooperate', left: first }))
    case 'ft_await':
      return done(s.generated.includes(known(s, first)) ? s : waiting(s, { kind: 'await', event: first }))
    case 'ft_await_n':
      if (s.generated.includes(known(s, first))) return done(inTime(s))
      return done(instants <= 0 ? late(s) : waiting(inTime(s), { kind: 'await', event: first, left: instants }))
    case 'ft_join':
      return done(hasEnded(s, first) ? s : waiting(s, { kind: 'join', thread: first }))
    case 'ft_join_n':
      if (hasEnded(s, first)) return done(inTime(s))
      return done(instants <= 0 ? late(s) : waiting(inTime(s), { kind: 'join', thread: first, left: instants }))
    case 'ft_timed_out':
      return done(s, s.timedOut.includes(s.running!) ? 1 : 0)
    default:
      throw new Refused(`the primitive ${name} with this scheduler`)
  }
}

/** Native threads have no instants to wait in, and nothing of theirs lives in one. */
const waiting = (s: FairState, status: Status): FairState => {
  if (s.running === 0) throw new Refused('waiting in main')
  return { ...s, running: null, threads: replaced(s.threads, s.running!, status) }
}

const generate = (s: FairState, event: number): FairState => {
  if (s.running === 0) throw new Refused('ft_thread_generate in main')
  const threads = s.threads.map((t) => (t.kind === 'await' && t.event === event ? RUNNABLE : t))
  return { ...s, generated: withElement(s.generated, event), threads }
}

const known = (s: FairState, event: number): number => {
  if (event < 1 || event > s.events) throw new Refused('an event that was not created')
  return event
}

const hasEnded = (s: FairState, thread: number): boolean => {
  const status = s.threads[thread]
  if (thread === 0 || !status) throw new Refused('joining a thread that was not created')
  return status.kind === 'ended'
}

const inTime = (s: FairState): FairState => ({ ...s, timedOut: s.timedOut.filter((t) => t !== s.running) })
const late = (s: FairState): FairState => ({ ...s, timedOut: withElement(s.timedOut, s.running!) })

// ---- instants

const runnable = (s: FairState): readonly number[] =>
  s.threads.flatMap((status, thread) => (status.kind === 'runnable' ? [thread] : []))

const schedule = (s: FairState, order: Order): readonly FairState[] => {
  if (!s.hasBegun) return beginnings({ ...s, hasBegun: true }).flatMap((first) => schedule(first, order))
  const now = order === 'anew' ? pass(s) : roundRobin(s)
  return now.length > 0 ? now : endOfInstant(s).flatMap((next) => schedule(next, order))
}

/** Anybody who is runnable and did not run in this pass; when all did, the next pass. */
const pass = (s: FairState): readonly FairState[] => {
  const all = runnable(s)
  const left = all.filter((thread) => !s.done.includes(thread))
  const [candidates, done] = left.length > 0 ? [left, s.done] : [all, []]
  return candidates.map((thread) => ({ ...s, running: thread, done: withElement(done, thread) }))
}

/** Along the order; threads that it does not contain yet are appended in any order, after all that it contains. */
const roundRobin = (s: FairState): readonly FairState[] => {
  const isRunnable = (thread: number): boolean => s.threads[thread]!.kind === 'runnable'
  const run = (order: readonly number[], place: number): FairState => ({ ...s, running: order[place]!, order, place })
  const after = s.order.findIndex((thread, place) => place > s.place && isRunnable(thread))
  if (after >= 0) return [run(s.order, after)]
  const fresh = runnable(s).filter((thread) => !s.order.includes(thread))
  if (fresh.length > 0) return fresh.map((thread) => run([...s.order, thread], s.order.length))
  const again = s.order.findIndex(isRunnable)
  return again >= 0 ? [run(s.order, again)] : []
}

/** Events are forgotten, cooperating threads wake up, waits grow shorter, broadcasts arrive. */
const endOfInstant = (s: FairState): readonly FairState[] => {
  const timedOut = s.threads.flatMap((t, i) => (t.kind !== 'cooperate' && 'left' in t && t.left === 1 ? [i] : []))
  const next: FairState = {
    ...s,
    threads: s.threads.map(afterInstant),
    timedOut: timedOut.reduce(withElement, s.timedOut),
    generated: [],
    done: [],
    place: -1,
  }
  return beginnings(next).filter((begun) => runnable(begun).length > 0 || begun.threads.some((t) => 'left' in t))
}

const afterInstant = (t: Status): Status => {
  if (t.kind === 'created') return RUNNABLE
  if (!('left' in t) || t.left === undefined) return t
  return t.left === 1 ? RUNNABLE : { ...t, left: t.left - 1 }
}

/** An instant begins: broadcasts arrive. Of those that main made beside the scheduler, any may. */
const beginnings = (s: FairState): readonly FairState[] => {
  let subsets: readonly (readonly number[])[] = [s.next]
  for (const event of s.pending) subsets = subsets.flatMap((subset) => [subset, withElement(subset, event)])
  return subsets.map((arrived) => ({
    ...s,
    next: [],
    pending: s.pending.filter((event) => !arrived.includes(event)),
    generated: arrived,
    threads: s.threads.map((t) => (t.kind === 'await' && arrived.includes(t.event) ? RUNNABLE : t)),
  }))
}

// ---- partial-order reduction

const goesOn = (s: FairState, { name, args }: PrimitiveCall, later: boolean): GoesOn => {
  if (!BLOCKING.has(name)) return true
  const [first] = args
  if (first === undefined) return 'maybe'
  switch (name) {
    case 'ft_cooperate':
      return first <= 0
    case 'ft_await':
    case 'ft_await_n':
      return later || name === 'ft_await_n' ? 'maybe' : s.generated.includes(first)
    default:
      return later || name === 'ft_join_n' ? 'maybe' : s.threads[first]?.kind === 'ended'
  }
}

const AWAITING = new Set(['ft_await', 'ft_await_n'])
const JOINING = new Set(['ft_join', 'ft_join_n'])
const NUMBERING = new Set(['create', 'ft_event_create', 'ft_scheduler_create'])

const dependent = (a: PrimitiveCall, b: PrimitiveCall): boolean => oneWay(a, b) || oneWay(b, a)

const oneWay = (a: PrimitiveCall, b: PrimitiveCall): boolean => {
  const meets = a.args[0] === undefined || b.args[0] === undefined || a.args[0] === b.args[0]
  if (a.name === 'ft_generate' && AWAITING.has(b.name)) return meets
  if (a.name === 'end' && JOINING.has(b.name)) return meets
  return a.name === b.name && NUMBERING.has(a.name)
}
