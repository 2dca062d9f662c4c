// An execution as the systematic search sees it: units (a step, or an atomic block) with what they touch, ordered by
// happens-before. Two units of different threads that touch the same object, one of them changing it, are dependent.
import type { Kind, RunEvent, Waiting } from './events.js'

export interface Touch {
  /** A granule of eight bytes, or an object of synchronisation. */
  readonly key: number
  /** Bytes of the granule. */
  readonly mask: number
  readonly writes: boolean
  /** Waits until the object is free: never enabled together with what frees it. */
  readonly waits: boolean
  readonly frees: boolean
}

export interface Unit {
  readonly thread: number
  /** How many steps of the schedule it takes, and the number of the first. */
  readonly steps: number
  readonly first: number
  /** Threads that could go on, as bits. */
  readonly enabledLow: number
  readonly enabledHigh: number
  readonly kind: Kind
  readonly touches: readonly Touch[]
  readonly starts?: number
  readonly joins?: number
}

export const unitsOf = (events: readonly RunEvent[], limit: number): readonly Unit[] => {
  const units: Unit[] = []
  let step = 0
  for (const event of events) {
    if (!event.isStep) continue
    const last = units.at(-1)
    const touches = touchesOf(event)
    const { thread, kind, enabledLow, enabledHigh, address } = event
    if (event.inBlock && last?.thread === thread)
      units[units.length - 1] = { ...last, steps: last.steps + 1, touches: [...last.touches, ...touches] }
    else {
      if (units.length >= limit) break
      const unit = { thread, steps: 1, first: step, enabledLow, enabledHigh, kind, touches }
      if (kind === 'create') units.push({ ...unit, starts: address })
      else if (kind === 'join' && !event.nothingDone) units.push({ ...unit, joins: address })
      else units.push(unit)
    }
    step++
  }
  return units
}

/** What threads were about to do when the run ended, blocked or not. */
export const pendingUnits = (waiting: readonly Waiting[], last: number | undefined): readonly Unit[] =>
  waiting
    .filter(({ thread }) => thread !== last)
    .map(({ thread, kind, object }) => {
      const about = { thread, kind, address: object, nothingDone: false, value: BigInt(object), size: 1 }
      return { thread, steps: 1, first: 0, enabledLow: 0, enabledHigh: 0, kind, touches: touchesOf(about) }
    })

type Touching = Pick<RunEvent, 'thread' | 'kind' | 'address' | 'nothingDone' | 'value' | 'size'>

const touchesOf = (event: Touching): readonly Touch[] => {
  const { kind, address, nothingDone } = event
  const object = (key: number, rest: Partial<Touch> = {}): Touch => ({
    ...{ key, mask: OBJECT_MASK, writes: true, waits: false, frees: false },
    ...rest,
  })
  switch (kind) {
    case 'read':
    case 'atomic-read':
      return granules(event, false)
    case 'write':
    case 'atomic-write':
      return granules(event, true)
    case 'atomic-update':
      return granules(event, !nothingDone)
    case 'lock':
    case 'sem-wait':
    case 'once':
      return [object(address, { waits: true })]
    case 'unlock':
    case 'once-done':
      return [object(address, { frees: true })]
    case 'read-lock':
      return [object(address, { waits: true, writes: false })]
    case 'read-unlock':
      return [object(address, { frees: true, writes: false })]
    case 'trylock':
    case 'try-read-lock':
    case 'sem-trywait':
      return [object(address, { writes: !nothingDone })]
    case 'cond-wait':
      return [object(address), object(Number(event.value), { frees: true })]
    case 'cond-wake':
      return [object(address, { waits: true, writes: false }), object(Number(event.value), { waits: true })]
    case 'signal':
    case 'broadcast':
      return [object(address, { frees: true })]
    case 'barrier-arrive':
    case 'sem-post':
    case 'word-wake':
    case 'destroy':
      return [object(address)]
    case 'barrier-leave':
    case 'word-wait':
      return [object(address, { waits: true })]
    case 'block-begin':
    case 'block-end':
      return []
    default:
      return []
  }
}

/** Objects of synchronisation have keys of their own beside the granules. */
const OBJECT_MASK = 0x100

const granules = ({ address, size }: Touching, writes: boolean): readonly Touch[] => {
  const touches: Touch[] = []
  const end = address + Math.min(size, 4096)
  for (let at = address; at < end; ) {
    const stop = Math.min(end, (Math.floor(at / 8) + 1) * 8)
    const mask = ((1 << (stop - at)) - 1) << (at % 8)
    touches.push({ key: Math.floor(at / 8), mask, writes, waits: false, frees: false })
    at = stop
  }
  return touches
}

export const areDependent = (a: Touch, b: Touch): boolean => (a.mask & b.mask) !== 0 && (a.writes || b.writes)

/** What frees an object is never enabled together with what waits for it: their order cannot be turned round. */
export const canSwap = (earlier: Touch, later: Touch): boolean => !(earlier.frees && later.waits)
