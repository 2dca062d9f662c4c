// What values the cells of a search's states have had: the guess from which the next layout is packed.
import type { Value, Variable } from '../../xcfa/index.js'
import type { Cells, Layout } from './compile/layout.js'
import { type Domain, type Owner, observedDomain } from './compile/range.js'
import { readCell } from './compile/state.js'

/** Whether a local has a value that counts, at a counter of its slot. */
export type HasValue = (variable: Variable, slot: number, counter: number) => boolean

interface Seen {
  readonly cells: Cells
  low: Value
  high: Value
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
  const see = (cells: Cells, value: Value): void => {
    const known = seen.get(cells.owner)
    if (!known) seen.set(cells.owner, { cells, low: value, high: value })
    else if (value < known.low) known.low = value
    else if (value > known.high) known.high = value
  }
  const arrays = [...layout.regions.values()].map(({ cells }) => cells)
  if (layout.heap.extents) arrays.push(layout.heap.extents)
  const look = (words: Int32Array, base: number): void => {
    for (const cells of layout.globals.values()) see(cells, readCell(words, base, cells, 0))
    for (const cells of arrays) for (let i = 0; i < cells.count; i++) see(cells, readCell(words, base, cells, i))
    for (const slot of layout.slots) {
      const counter = Number(readCell(words, base, slot.counter, 0))
      for (const { locals } of slot.templates)
        for (const [variable, cells] of locals)
          if (hasValue(variable, slot.number, counter)) see(cells, readCell(words, base, cells, 0))
    }
  }
  for (const { words, count } of sources) for (let state = 0; state < count; state++) look(words, state * layout.words)
  const domains = new Map<Owner, Domain>()
  for (const [owner, { cells, low, high }] of seen)
    if (cells.type.kind !== 'float') domains.set(owner, observedDomain(cells.type, low, high))
  return domains
}
