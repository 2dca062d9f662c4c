// Footprints of each thread slot under a layout: addresses and thread numbers as far as the layout's ranges tell, so
// that philosophers with different forks are independent although they run the same code.
//   Why ranges may be trusted although the states that reduction leaves out were never seen: a write outside its range
// is an error of the thread that makes it (the search then starts again), and reduction preserves such errors like
// any other. In the system that stops there, the ranges hold by construction.
import { automatonFootprints, Footprints, type LocationFootprints, type RegionItems } from '../../reduction/index.js'
import {
  byteSize,
  type Edge,
  type Label,
  type Load,
  type Location,
  type Region,
  type Store,
  type Variable,
} from '../../xcfa/index.js'
import { written } from '../../xcfa/passes/labels.js'
import { type Bounds, domainBounds, exactly, typeBounds } from './compile/bounds.js'
import { Helpers, valueCode } from './compile/expression.js'
import type { Layout, SlotLayout, TemplateLayout } from './compile/layout.js'
import { cellsWithin } from './compile/memory.js'

export interface SlotFootprints {
  readonly slot: number
  readonly locations: ReadonlyMap<Location, LocationFootprints>
}

/** One for each template of each slot. */
export const slotFootprints = (layout: Layout): readonly SlotFootprints[] => {
  const kinds = layout.slots.flatMap((slot) => slot.templates.map((template) => ({ slot, template })))
  const cellsOf = (region: Region): RegionItems => regionItems(layout, region)
  const cellsBetween = cellFinder(layout)
  const automata = kinds.map(({ slot, template }) => {
    const boundsAt = edgeBounds(layout, slot, template)
    return {
      procedure: template.procedure,
      resolver: {
        cellsOf,
        accessed: (label: Load | Store, edge: Edge) =>
          cellsBetween(label.region, boundsAt(edge, label), byteSize(label.type)),
        joined: (label: Label, edge: Edge) => {
          const bounds = boundsAt(edge, label)
          return kinds.flatMap(({ slot: { number } }, i) =>
            !bounds || (number >= bounds.low && number <= bounds.high) ? [i] : [],
          )
        },
      },
    }
  })
  const footprints = new Footprints(layout.program, automata.length, automata[0]!.resolver)
  const maps = automatonFootprints(layout.program, automata, footprints)
  return kinds.map(({ slot }, i) => ({ slot: slot.number, locations: maps[i]! }))
}

/** Regions with more cells than this are one item. */
const MAX_CELLS = 2048

const regionItems = (layout: Layout, region: Region): RegionItems => {
  const { places } = layout.regions.get(region)!
  const heap = places.flatMap(({ object }, cell) => (object.storage === 'heap' ? [cell] : []))
  if (places.length <= MAX_CELLS) return { count: places.length, heap }
  return { count: 1, heap: heap.length > 0 ? [0] : [] }
}

type CellFinder = (region: Region, bounds: Bounds | undefined, size: number) => readonly number[]

/** The cells that an access of `size` bytes between two addresses may touch: the same list for the same question. */
const cellFinder = (layout: Layout): CellFinder => {
  const known = new Map<Region, Map<string, readonly number[]>>()
  return (region, bounds, size) => {
    let lists = known.get(region)
    if (!lists) known.set(region, (lists = new Map()))
    const key = bounds ? `${bounds.low} ${bounds.high} ${size}` : ''
    let cells = lists.get(key)
    if (!cells) lists.set(key, (cells = cellsBetween(layout, region, bounds, size)))
    return cells
  }
}

const cellsBetween = (layout: Layout, region: Region, bounds: Bounds | undefined, size: number): readonly number[] => {
  const { places, addresses } = layout.regions.get(region)!
  if (places.length > MAX_CELLS) return [0]
  if (!bounds) return places.map((_, cell) => cell)
  return cellsWithin(addresses, bounds.low, bounds.high + size - 1)
}

/** For a label of an edge: the bounds of the address, or thread number, that it names. */
const edgeBounds = (
  layout: Layout,
  slot: SlotLayout,
  template: TemplateLayout,
): ((edge: Edge, label: Label) => Bounds | undefined) => {
  const known = new Map<Edge, Map<Label, Bounds | undefined>>()
  return (edge, label) => {
    let bounds = known.get(edge)
    if (!bounds) known.set(edge, (bounds = boundsAlong(layout, slot, template, edge)))
    return bounds.get(label)
  }
}

const boundsAlong = (
  layout: Layout,
  slot: SlotLayout,
  { procedure, locals }: TemplateLayout,
  edge: Edge,
): Map<Label, Bounds | undefined> => {
  const assigned = new Map<Variable, Bounds | undefined>()
  const boundsOf = (variable: Variable): Bounds | undefined => {
    if (assigned.has(variable)) return assigned.get(variable)
    if (variable === procedure.self) return exactly(slot.number)
    // Whoever reads it first chooses it: any value.
    if (layout.unchosen.has(variable)) return typeBounds(variable.type)
    const cells = variable.scope === 'global' ? layout.globals.get(variable) : locals.get(variable)
    return cells ? domainBounds(cells.domain, variable.type) : typeBounds(variable.type)
  }
  const context = {
    helpers: new Helpers(),
    read: (variable: Variable) => ({ text: variable.name, bounds: boundsOf(variable) }),
  }
  const found = new Map<Label, Bounds | undefined>()
  for (const label of edge.labels) {
    if (label.kind === 'load' || label.kind === 'store') found.set(label, valueCode(label.address, context).bounds)
    else if (label.kind === 'join') found.set(label, valueCode(label.thread, context).bounds)
    if (label.kind === 'assign') assigned.set(label.target, valueCode(label.value, context).bounds)
    else for (const target of written(label)) assigned.set(target, typeBounds(target.type))
  }
  return found
}
