// What values the cells of a search's states have had: the guess from which the next layout is packed.
import type { Value, Variable } from '../../xcfa/index.js'
import type { Cells, Layout } from './compile/layout.js'
import { type Domain, type Owner, observedDomain } from './compile/range.js'
import { readCell } from './compile/state.js'

/** Whether a local has a value that counts, at a counter of its slot. */
export type HasValue = (variable: Variable, slot: number, counter: number) => boolean

interface Seen {
  readonly cells: Cells
  low: Value | undefined
  high: Value | undefined
}

/** States, one after the other. */
export interface States {
  readonly words: Int32Array
  readonly count: number
}

/** Domains that hold all values in these states, with some room. */
export const observedDomains = (
  layout: Layout,
  sources: readonly States[],
  hasValue: HasValue,
): ReadonlyMap<Owner, Domain> => {
  const seen = new Map<Owner, Seen>()
  /** What was seen of an owner; of all its cells alike. */
  const seenOf = (cells: Cells): Seen => {
    const known = seen.get(cells.owner) ?? { cells, low: undefined, high: undefined }
    seen.set(cells.owner, known)
    return known
  }
  const watched = (cells: Cells): Watched => ({ cells, words: wordsOf(cells), seen: seenOf(cells) })
  const arrays = [...layout.regions.values()].map(({ cells }) => cells)
  if (layout.heap.extents) arrays.push(layout.heap.extents)
  const shared = [...layout.globals.values(), ...arrays].map(watched)
  const locals = layout.slots.map(({ templates }) =>
    templates.flatMap((template) => [...template.locals].map(([variable, cells]) => ({ variable, ...watched(cells) }))),
  )
  /** By slot and counter. */
  const alive = layout.slots.map(() => new Map<number, readonly Watched[]>())
  const aliveAt = (slot: number, counter: number): readonly Watched[] => {
    let found = alive[slot]!.get(counter)
    if (!found) {
      found = locals[slot]!.filter(({ variable }) => hasValue(variable, slot, counter))
      alive[slot]!.set(counter, found)
    }
    return found
  }
  const look = (words: Int32Array, base: number): void => {
    for (const each of shared)
      if (base === 0) see(each, words, base)
      else seeChanged(each, words, base, base - layout.words)
    for (const { counter, number } of layout.slots)
      for (const each of aliveAt(number, Number(readCell(words, base, counter, 0)))) see(each, words, base)
  }
  for (const { words, count } of sources) for (let state = 0; state < count; state++) look(words, state * layout.words)
  shareAmongThreads(locals)
  const domains = new Map<Owner, Domain>()
  for (const [owner, { cells, low, high }] of seen)
    if (cells.type.kind !== 'float' && low !== undefined && high !== undefined)
      domains.set(owner, observedDomain(cells.type, low, high))
  return domains
}

/** What varies in one thread will vary in others that run the same code; what is a constant in each may stay one. */
const shareAmongThreads = (locals: readonly (readonly { variable: Variable; seen: Seen }[])[]): void => {
  const threads = new Map<Variable, Seen[]>()
  for (const { variable, seen } of locals.flat()) threads.set(variable, [...(threads.get(variable) ?? []), seen])
  for (const seen of threads.values()) {
    const known = seen.filter(({ low }) => low !== undefined)
    if (known.length < 2 || known.every(({ low, high }) => low === high)) continue
    const low = known.reduce((least, each) => (each.low! < least ? each.low! : least), known[0]!.low!)
    const high = known.reduce((most, each) => (each.high! > most ? each.high! : most), known[0]!.high!)
    for (const each of known) [each.low, each.high] = [low, high]
  }
}

interface Watched {
  readonly cells: Cells
  /** How many words of a state the cells are in. */
  readonly words: number
  readonly seen: Seen
}

const wordsOf = ({ shift, bits, count }: Cells): number => (shift + bits * count + 31) >> 5

const see = ({ cells, seen }: Watched, words: Int32Array, base: number, from = 0, to = cells.count): void => {
  for (let i = from; i < to; i++) {
    const value = readCell(words, base, cells, i)
    if (seen.low === undefined || value < seen.low) seen.low = value
    if (seen.high === undefined || value > seen.high) seen.high = value
  }
}

/** Most steps change little: of a large array only the cells between the first and the last word that differ. */
const seeChanged = (watched: Watched, words: Int32Array, base: number, before: number): void => {
  const { cells } = watched
  const { word, shift, bits, count } = cells
  let first = word
  let last = word + watched.words
  while (first < last && words[base + first] === words[before + first]) first++
  if (first === last) return
  while (words[base + last - 1] === words[before + last - 1]) last--
  const from = Math.max(0, Math.floor(((first - word) * 32 - shift) / bits))
  const to = Math.min(count, Math.ceil(((last - word) * 32 - shift) / bits))
  see(watched, words, base, from, to)
}
