// Which step of the machine is which item of the trace: the two sequences of one thread are aligned by what they touch
// and where in the text they stand. Compilers merge accesses, repeat them, and order those of a statement in their own
// way, so that either side may have some that the other lacks; the alignment with the best sum of scores is taken.
import type { Kind, RunEvent } from '../events.js'
import type { Item, ItemKind } from './items.js'

interface Bytes {
  readonly address: number
  readonly size: number
  readonly write: boolean
}

/** A step of the machine, or an atomic block of them. */
export interface NativeItem {
  readonly kind: Kind
  readonly line: number | undefined
  readonly bytes: readonly Bytes[]
  /** How many steps of the schedule are done when it is. */
  readonly end: number
}

/** Where the trace's objects lie, as far as that is known. */
export type Bindings = Map<number, { readonly address: number; readonly size: number }>

/** What one thread does from a step on until another one has the turn. */
export const nativeItems = (
  events: readonly RunEvent[],
  thread: number,
  from: number,
  lineOf: (pc: number) => number | undefined,
): readonly NativeItem[] => {
  const items: NativeItem[] = []
  let step = 0
  let open = false
  for (const event of events) {
    if (event.isStep) step++
    if (step <= from && (event.isStep || step < from)) continue
    if (event.thread !== thread) {
      if (event.isStep) break
      continue
    }
    if (!event.isStep && event.kind !== 'allocate') continue
    const item = { kind: event.kind, line: lineOf(event.pc), bytes: bytesOf(event), end: step }
    const last = items.at(-1)
    if (open && last) items[items.length - 1] = { ...last, end: step, bytes: [...last.bytes, ...item.bytes] }
    else items.push(item)
    if (event.kind === 'block-begin') open = true
    if (event.kind === 'block-end') open = false
  }
  return items
}

const bytesOf = ({ kind, address, size, value }: RunEvent): readonly Bytes[] => {
  switch (kind) {
    case 'read':
    case 'atomic-read':
      return [{ address, size, write: false }]
    case 'write':
    case 'atomic-write':
      return [{ address, size, write: true }]
    case 'atomic-update':
      return [
        { address, size, write: false },
        { address, size, write: true },
      ]
    case 'allocate':
      return [{ address, size: Number(value), write: true }]
    case 'create':
      return value === 0n ? [] : [{ address: Number(value), size: 1, write: true }]
    case 'begin':
    case 'end':
    case 'join':
    case 'block-begin':
    case 'block-end':
      return []
    default:
      return [{ address, size: 1, write: true }]
  }
}

const MACHINE: Readonly<Record<ItemKind, readonly Kind[]>> = {
  access: ['read', 'write', 'atomic-read', 'atomic-write', 'atomic-update', 'block-begin'],
  allocate: ['allocate'],
  start: ['create'],
  join: ['join'],
  end: ['end'],
  spurious: [],
  lock: ['lock', 'trylock'],
  trylock: ['trylock', 'try-read-lock', 'lock'],
  unlock: ['unlock'],
  'read-lock': ['read-lock', 'try-read-lock'],
  'read-unlock': ['read-unlock'],
  wait: ['cond-wait'],
  wake: ['cond-wake'],
  signal: ['signal'],
  broadcast: ['broadcast'],
  barrier: ['barrier-arrive', 'barrier-leave'],
  post: ['sem-post'],
  acquire: ['sem-wait', 'sem-trywait'],
}

const SAME_LINE = 3

/** A statement may have several lines; what stands elsewhere is hardly the same access. */
const nearness = (line: number, native: number | undefined): number => {
  if (native === undefined || line === 0) return 0
  const distance = Math.abs(line - native)
  return distance === 0 ? SAME_LINE : distance <= 4 ? 0 : -6
}

/** How well the two fit; nothing if they cannot be the same. */
export const scoreOf = (item: Item, native: NativeItem, bindings: Bindings): number | undefined => {
  if (!MACHINE[item.kind].includes(native.kind)) return undefined
  const near = nearness(item.line, native.line)
  if (item.touches.length === 0 || native.bytes.length === 0) return item.kind === 'access' ? undefined : 4 + near
  let known = 0
  let hits = 0
  for (const touch of item.touches) {
    const base = bindings.get(touch.object)
    if (base === undefined) continue
    known++
    const from = base.address + touch.offset
    const isHit = native.bytes.some(
      (b) =>
        b.address < from + touch.size &&
        from < b.address + b.size &&
        (item.kind !== 'access' || b.write === touch.write),
    )
    if (isHit) hits++
  }
  if (hits > 0) return 6 + near
  if (known === item.touches.length && item.kind !== 'start') return undefined
  // Of an object whose address is not known yet only the line and the direction tell, and that it is no other object.
  if (native.bytes.some((b) => isTaken(b.address, bindings))) return undefined
  const direction = item.touches.some((t) => native.bytes.some((b) => b.write === t.write))
  return direction && near === SAME_LINE ? 3 : item.kind === 'access' ? undefined : 3
}

const isTaken = (address: number, bindings: Bindings): boolean => {
  for (const object of bindings.values())
    if (address >= object.address && address < object.address + object.size) return true
  return false
}

const UNRELATED_GAP = 0.02
const NATIVE_GAP = 3
const ITEM_GAP = 0.5
const LATER_GAP = 0.1

/**
 * For each item the index of its step, or nothing. Items from `own` on belong to the thread's future: they help to see
 * where the present ends.
 */
export const align = (
  items: readonly Item[],
  own: number,
  natives: readonly NativeItem[],
  bindings: Bindings,
): readonly (number | undefined)[] => {
  const [n, m] = [items.length, natives.length]
  const width = m + 1
  const best = new Float64Array((n + 1) * width)
  const way = new Uint8Array((n + 1) * width)
  const gaps = natives.map(({ bytes }) =>
    bytes.some((b) => isTaken(b.address, bindings)) ? NATIVE_GAP : UNRELATED_GAP,
  )
  for (let i = n - 1; i >= 0; i--) {
    const gap = i < own ? ITEM_GAP : LATER_GAP
    for (let j = m; j >= 0; j--) {
      let value = best[(i + 1) * width + j]! - gap
      let by = 1
      if (j < m) {
        const skip = best[i * width + j + 1]! - gaps[j]!
        if (skip >= value - 1e-9) [value, by] = [skip, 2]
        const score = scoreOf(items[i]!, natives[j]!, bindings)
        if (score !== undefined) {
          const taken = best[(i + 1) * width + j + 1]! + score
          // Of equal alignments that of the earliest items is taken.
          if (taken >= value - 1e-9) [value, by] = [taken, 3]
        }
      }
      best[i * width + j] = value
      way[i * width + j] = by
    }
  }
  const result: (number | undefined)[] = new Array(n).fill(undefined)
  for (let i = 0, j = 0; i < n; ) {
    const by = way[i * width + j]
    if (by === 3) result[i++] = j++
    else if (by === 2) j++
    else i++
  }
  return result
}

/** What an aligned pair tells about addresses. */
export const bind = (item: Item, native: NativeItem, bindings: Bindings, sizeOf: (object: number) => number): void => {
  if (item.touches.length !== 1 || native.bytes.length === 0) return
  const { object, offset, write } = item.touches[0]!
  if (bindings.has(object)) return
  const bytes = native.bytes.find((b) => item.kind !== 'access' || b.write === write)
  if (bytes) bindings.set(object, { address: bytes.address - offset, size: sizeOf(object) })
}
