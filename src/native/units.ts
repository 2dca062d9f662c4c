// An execution as the systematic search sees it: units (a step, or an atomic block) with what they touch, ordered by
// happens-before. Two units of different threads that touch the same object, one of them changing it, are dependent.
// A search looks at thousands of executions a second: units are columns of numbers, read from the log as it is.
import { type EventLog, KINDS, type Kind, type Waiting } from './events.js'

/** What a touch is, as bits; the low ones are the bytes of a granule that it is about. */
const TOUCH = {
  bytes: 0x1ff,
  /** It changes the object. */
  writes: 0x200,
  /** Waits until the object is free: never enabled together with what frees it. */
  waits: 0x400,
  frees: 0x800,
} as const
/** Above these: the kind of a step on an object, so that the last one of each kind is remembered. */
const KIND_SHIFT = 12

/** Objects of synchronisation have keys of their own beside the granules. */
const OBJECT = 0x100
/** Keys of what has no address of its own. */
const CHANNELS = -1
const threadKey = (thread: number): number => -2 - 2 * thread
const cancelKey = (thread: number): number => -3 - 2 * thread

/** A range of a block that is freed, or copied, is looked at so far. */
const MAX_TOUCHED_BYTES = 4096

export class Units {
  readonly thread: Uint16Array
  /** How many steps of the schedule each takes, and the number of the first. */
  readonly steps: Uint32Array
  readonly first: Uint32Array
  /** Of these the ones up to its first step that others could notice, and the thread's own steps up to there. */
  readonly leads: Uint32Array
  readonly positions: Uint32Array
  /** No order with a step of another thread makes a difference to it. */
  readonly isOwn: Uint8Array
  /** Threads that could go on, as bits. */
  readonly enabledLow: Uint32Array
  readonly enabledHigh: Uint32Array
  /** The thread that it starts or joins; -1 for none. */
  readonly starts: Int16Array
  readonly joins: Int16Array
  /** Touches of unit k begin at `touchStart[k]` and end where those of the next unit begin. */
  readonly touchStart: Uint32Array
  keys: Float64Array
  touches: Int32Array
  /** Units of the run; those that follow, up to the total, are what threads were about to do at its end. */
  readonly count: number
  /** Units of the log that were left out. */
  isCut = false
  total = 0
  private touched = 0

  constructor(log: EventLog, limit: number, waiting: readonly Waiting[]) {
    const room = Math.min(log.length, limit) + waiting.length
    this.thread = new Uint16Array(room)
    this.steps = new Uint32Array(room)
    this.first = new Uint32Array(room)
    this.leads = new Uint32Array(room)
    this.positions = new Uint32Array(room)
    this.isOwn = new Uint8Array(room)
    this.enabledLow = new Uint32Array(room)
    this.enabledHigh = new Uint32Array(room)
    this.starts = new Int16Array(room)
    this.joins = new Int16Array(room)
    this.touchStart = new Uint32Array(room + 1)
    this.keys = new Float64Array(2 * room + 16)
    this.touches = new Int32Array(2 * room + 16)
    this.readLog(log, limit)
    this.count = this.total
    const last = this.count > 0 ? this.thread[this.count - 1] : undefined
    for (const { thread, kind, object } of waiting) if (thread !== last) this.addPending(thread, kind, object)
  }

  private readLog(log: EventLog, limit: number): void {
    const cancelled = cancelledThreads(log)
    const taken: number[] = []
    let step = 0
    for (let at = 0; at < log.length; at++) {
      const thread = log.thread(at)
      const isLast = this.total > 0 && this.thread[this.total - 1] === thread
      if (!log.isStep(at)) {
        // No other thread runs between a free and the step before it.
        if (isLast && log.kind(at) === 'free') {
          this.isOwn[this.total - 1] = 0
          this.touchBytes(log.address(at), log.value(at), true)
        }
        continue
      }
      const steps = log.leftOut(at) + 1
      taken[thread] = (taken[thread] ?? 0) + steps
      if (isLast && log.isOneWithLast(at)) this.steps[this.total - 1]! += steps
      else {
        if (this.total >= limit) {
          this.isCut = true
          return
        }
        this.add(thread, step, log.enabledLow(at), log.enabledHigh(at))
        this.steps[this.total - 1] = this.leads[this.total - 1] = steps
        this.positions[this.total - 1] = taken[thread]!
        this.isOwn[this.total - 1] = 1
      }
      step += steps
      if (log.isOwn(at)) continue
      this.isOwn[this.total - 1] = 0
      const kind = log.kind(at)
      if (kind === 'create') this.starts[this.total - 1] = log.address(at)
      if (kind === 'join' && !log.nothingDone(at)) this.joins[this.total - 1] = log.address(at)
      this.touchesOf(
        { thread, kind, address: log.address(at), value: log.value(at), size: log.size(at) },
        log.nothingDone(at),
        log.timedOut(at),
      )
      if (cancelled.has(thread)) this.touch(cancelKey(thread), OBJECT)
    }
  }

  /** What a thread was about to do when the run ended, blocked or not. */
  private addPending(thread: number, kind: Kind, object: number): void {
    this.add(thread, 0, 0, 0)
    this.touchesOf({ thread, kind, address: object, value: object, size: 1 }, false, false)
  }

  private add(thread: number, first: number, enabledLow: number, enabledHigh: number): void {
    const at = this.total++
    this.thread[at] = thread
    this.steps[at] = 1
    this.leads[at] = 1
    this.first[at] = first
    this.enabledLow[at] = enabledLow
    this.enabledHigh[at] = enabledHigh
    this.starts[at] = -1
    this.joins[at] = -1
    this.touchStart[at + 1] = this.touched
  }

  private touch(key: number, what: number): void {
    if (this.touched === this.keys.length) {
      const [keys, touches] = [this.keys, this.touches]
      this.keys = new Float64Array(2 * keys.length)
      this.keys.set(keys)
      this.touches = new Int32Array(2 * touches.length)
      this.touches.set(touches)
    }
    this.keys[this.touched] = key
    this.touches[this.touched++] = what
    this.touchStart[this.total] = this.touched
  }

  private touchBytes(address: number, size: number, writes: boolean): void {
    const end = address + Math.min(size, MAX_TOUCHED_BYTES)
    for (let at = address; at < end; ) {
      const granule = Math.floor(at / 8)
      const stop = Math.min(end, (granule + 1) * 8)
      const bytes = ((1 << (stop - at)) - 1) << (at - granule * 8)
      this.touch(granule, bytes | (writes ? TOUCH.writes : 0))
      at = stop
    }
  }

  private touchesOf({ thread, kind, address, value, size }: Touching, nothingDone: boolean, timedOut: boolean): void {
    const { writes, waits, frees } = TOUCH
    const object = OBJECT | (KINDS.indexOf(kind) << KIND_SHIFT)
    switch (kind) {
      case 'read':
      case 'atomic-read':
        this.touchBytes(address, size, false)
        return
      case 'write':
      case 'atomic-write':
        this.touchBytes(address, size, true)
        return
      case 'atomic-update':
        this.touchBytes(address, size, !nothingDone)
        return
      case 'lock':
      case 'sem-wait':
      case 'once':
        this.touch(address, object | writes | waits)
        return
      case 'unlock':
        // Who unlocks what it does not hold is told so, whatever the others do.
        if (!nothingDone) this.touch(address, object | writes | frees)
        return
      case 'once-done':
        this.touch(address, object | writes | frees)
        return
      case 'read-lock':
        this.touch(address, object | waits)
        return
      case 'read-unlock':
        this.touch(address, object | frees)
        return
      case 'trylock':
      case 'try-read-lock':
      case 'sem-trywait':
        this.touch(address, object | (nothingDone ? 0 : writes))
        return
      case 'cond-wait':
        this.touch(address, object | writes)
        this.touch(value, object | writes | frees)
        return
      case 'cond-wake':
        // A wait that ends by itself does not wait for a signal.
        this.touch(address, object | (nothingDone || timedOut ? 0 : waits))
        this.touch(value, object | writes | waits)
        return
      case 'signal':
      case 'broadcast':
        this.touch(address, object | writes | frees)
        return
      case 'barrier-arrive':
      case 'sem-post':
      case 'word-wake':
      case 'destroy':
        this.touch(address, object | writes)
        return
      case 'barrier-leave':
      case 'word-wait':
        this.touch(address, object | writes | waits)
        return
      case 'end':
        this.touch(threadKey(thread), object | writes | frees)
        return
      case 'join':
        // In vain: it would have waited for a thread that waits for this one, or its time was up.
        if (nothingDone) this.touch(threadKey(thread), object | writes)
        this.touch(threadKey(address), object | (nothingDone ? 0 : waits))
        return
      case 'cancel':
      case 'send-signal':
        this.touch(cancelKey(address), object | writes)
        return
      case 'wait-fd':
        this.touch(CHANNELS, object | writes)
        return
      default:
        return
    }
  }
}

interface Touching {
  readonly thread: number
  readonly kind: Kind
  readonly address: number
  readonly value: number
  readonly size: number
}

/** Every step of such a thread may be the one before it looks whether it was cancelled, or sent a signal. */
const cancelledThreads = (log: EventLog): ReadonlySet<number> => {
  const found = new Set<number>()
  for (let at = 0; at < log.length; at++)
    if (log.kind(at) === 'cancel' || log.kind(at) === 'send-signal') found.add(log.address(at))
  return found
}

export const areDependent = (a: number, b: number): boolean =>
  (a & b & TOUCH.bytes) !== 0 && ((a | b) & TOUCH.writes) !== 0

/** What frees an object is never enabled together with what waits for it: their order cannot be turned round. */
export const canSwap = (earlier: number, later: number): boolean =>
  (earlier & TOUCH.frees) === 0 || (later & TOUCH.waits) === 0
