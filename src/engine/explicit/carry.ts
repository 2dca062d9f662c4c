// States of a search in a layout that proved too small, written down in the next one, so that the search goes on where it
// was. Which bits stand for "no value" is part of a state's identity: what nobody has chosen, and locals that nobody reads
// any more, are all zero bits in every layout.
import type { Variable } from '../../xcfa/index.js'
import type { Compiled } from './compile/generator.js'
import type { Cells, Layout, SlotLayout } from './compile/layout.js'
import type { RegionCells } from './compile/memory.js'
import type { Domain } from './compile/range.js'
import { readCell, writeCell } from './compile/state.js'
import type { HasValue } from './ranges.js'

/** Writes the state at from[base...] as words of the new layout. */
export type Translate = (from: Int32Array, base: number, to: Int32Array) => void

/** Cells that are read and written one by one, of all states together; a search through few states is faster. */
const MAX_CELLS = 10_000_000

/**
 * How states of one layout look in another one of the same program; undefined where a thread has other locations, or where
 * it would take long for so many states.
 */
export const translation = (
  before: Compiled,
  after: Compiled,
  hasValue: HasValue,
  states: number,
): Translate | undefined => {
  const plan = movesBetween(before.layout, after.layout, hasValue)
  if (!plan || plan.single * states > MAX_CELLS) return undefined
  const { moves } = plan
  const first = after.initial(new Map())
  return (from, base, to) => {
    // What is new, instances of heap objects and threads, is as at the beginning.
    to.set(first)
    for (const move of moves) move(from, base, to)
  }
}

type Move = Translate

/** Whether a cell holds a value, rather than the bits that stand for none. */
type IsValue = (words: Int32Array, base: number, index: number) => boolean

const ALWAYS: IsValue = () => true

interface Plan {
  readonly moves: readonly Move[]
  /** Cells of a state that are moved one by one. */
  readonly single: number
}

const movesBetween = (before: Layout, after: Layout, hasValue: HasValue): Plan | undefined => {
  const moves: Move[] = []
  let single = 0
  const add = (from: Cells, to: Cells, isValue: IsValue = ALWAYS, indices?: Int32Array): void => {
    const move = moveOf(from, to, indices)
    if (move === 'single') {
      single += from.count
      moves.push(valuesMove(from, to, isValue, indices))
    } else if (move) moves.push(move)
  }
  for (const slot of before.slots) {
    const next = after.slots[slot.number]!
    if (!hasSameLocations(slot, next)) return undefined
    add(slot.counter, next.counter)
    slot.templates.forEach(({ locals }, i) => {
      for (const [variable, cells] of locals)
        add(cells, next.templates[i]!.locals.get(variable)!, isLive(variable, slot, hasValue))
    })
  }
  add(before.threadCount, after.threadCount)
  for (const [variable, cells] of before.globals) {
    const flag = before.unchosen.get(variable)
    add(cells, after.globals.get(variable)!, flag && isChosen(flag))
    if (flag) add(flag, after.unchosen.get(variable)!)
  }
  for (const [object, cells] of before.heap.allocated) add(cells, after.heap.allocated.get(object)!)
  if (before.heap.extents) add(before.heap.extents, after.heap.extents!, ALWAYS, instanceNumbers(before, after))
  for (const [region, cells] of before.regions) {
    const next = after.regions.get(region)!
    const indices = cellNumbers(cells, next)
    add(cells.cells, next.cells, cells.unchosen && isChosen(cells.unchosen), indices)
    if (cells.unchosen) add(cells.unchosen, next.unchosen!, ALWAYS, indices)
  }
  return { moves, single }
}

const hasSameLocations = (a: SlotLayout, b: SlotLayout): boolean =>
  a.locations.length === b.locations.length && a.locations.every((location, i) => location === b.locations[i])

const isLive =
  (variable: Variable, { number, counter }: SlotLayout, hasValue: HasValue): IsValue =>
  (words, base) =>
    hasValue(variable, number, Number(readCell(words, base, counter, 0)))

const isChosen =
  (flag: Cells): IsValue =>
  (words, base, index) =>
    readCell(words, base, flag, index) === 0

/** Where the cells of a region are in the new layout; undefined: where they were. */
const cellNumbers = ({ places }: RegionCells, next: RegionCells): Int32Array | undefined => {
  if (places.length === next.places.length) return undefined
  const key = ({ object, instance, offset }: RegionCells['places'][number]): string =>
    `${object.id} ${instance} ${offset}`
  const numbers = new Map(next.places.map((place, cell) => [key(place), cell]))
  return Int32Array.from(places, (place) => numbers.get(key(place))!)
}

const instanceNumbers = ({ heap }: Layout, after: Layout): Int32Array => {
  const numbers = new Int32Array(heap.extents!.count)
  for (const [object, { first, count }] of heap.instances)
    for (let k = 0; k < count; k++) numbers[first + k] = after.heap.instances.get(object)!.first + k
  return numbers
}

/** Bits as they are, where they mean the same; `single`: cell by cell. */
const moveOf = (from: Cells, to: Cells, indices: Int32Array | undefined): Move | 'single' | undefined => {
  if (!isSameDomain(from.domain, to.domain) || from.bits !== to.bits) return 'single'
  if (from.bits === 0) return undefined
  if (indices !== undefined || from.count !== to.count) return 'single'
  const bits = from.bits * from.count
  if (bits > 32 || from.bits === 64) return wordsMove(from.word, to.word, Math.ceil(bits / 32))
  return bitsMove(from, to, bits)
}

const isSameDomain = (a: Domain, b: Domain): boolean => {
  if (a.kind === 'range') return b.kind === 'range' && a.low === b.low && a.high === b.high
  return a.kind === b.kind && a.as === b.as
}

const wordsMove =
  (from: number, to: number, count: number): Move =>
  (words, base, out) => {
    for (let i = 0; i < count; i++) out[to + i] = words[base + from + i]!
  }

const bitsMove = (from: Cells, to: Cells, bits: number): Move => {
  const mask = bits === 32 ? -1 : (1 << bits) - 1
  const cleared = ~(mask << to.shift)
  return (words, base, out) => {
    const value = (words[base + from.word]! >>> from.shift) & mask
    out[to.word] = (out[to.word]! & cleared) | (value << to.shift)
  }
}

const valuesMove =
  (from: Cells, to: Cells, isValue: IsValue, indices: Int32Array | undefined): Move =>
  (words, base, out) => {
    const count = indices ? indices.length : from.count
    for (let i = 0; i < count; i++) {
      const index = indices ? indices[i]! : i
      if (isValue(words, base, i)) writeCell(out, 0, to, index, readCell(words, base, from, i))
      else eraseCell(out, to, index)
    }
  }

const eraseCell = (out: Int32Array, { word, shift, bits }: Cells, index: number): void => {
  if (bits === 0) return
  const bit = shift + index * bits
  const at = word + (bit >> 5)
  if (bits < 32) out[at]! &= ~(((1 << bits) - 1) << (bit & 31))
  else out.fill(0, at, at + bits / 32)
}
