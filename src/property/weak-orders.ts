// Races beside atomic operations that are weaker than sequentially consistent. A race is a pair of accesses that
// happens-before does not order; engines look for accesses that are next to each other in an interleaving. The two agree
// where all that orders is sequentially consistent or a lock (the DRF theorem of C11), and so a program is looked for in
// which weak operations order nothing, or no more than they do:
//
// - Of a place that some weak operation accesses, every load gives any value, and what is stored there does not matter.
//   Weak operations then tell threads nothing: the rest of the program is as if they were input. If that program has no
//   race, the given one has none under any memory model.
// - One place keeps its meaning, if all its loads acquire, all its stores release, and nothing else is atomic. Values of
//   a single place are coherent, and everything else (locks, plain accesses that do not race) is ordered by
//   happens-before, so that every execution is sequentially consistent; a load that sees a store is then also
//   synchronised with it. A second atomic place, even a sequentially consistent one, would allow store buffering.
import type { Edge, Label, Load, Program, Store } from '../xcfa/index.js'
import { constant, varExpr } from '../xcfa/index.js'
import { draft, withEdges } from '../xcfa/passes/edit.js'
import { type MemoryClass, partition } from '../xcfa/passes/memory/partition.js'
import { pointsTo } from '../xcfa/passes/memory/points-to.js'

export const hasWeakOrders = ({ templates }: Program): boolean =>
  [...templates.values()].some(({ edges }) => edges.some(({ sync }) => weaknessOf(sync) !== undefined))

/**
 * Whether a program without data races behaves as under sequential consistency (the DRF theorem of RC11: Lahav and
 * others 2017, theorem 4): all its atomic operations are sequentially consistent, and nobody sees a lock held without
 * waiting for it. A trylock that fails tells that its owner has come so far, and yet orders nothing (C11, 7.26.4.5).
 */
export const isSequentialIfRaceFree = (raw: Program): boolean => !hasWeakOrders(raw) && !hasTrylock(raw)

export const hasTrylock = ({ templates }: Program): boolean =>
  [...templates.values()].some(({ edges }) => edges.some(({ sync }) => sync?.kind === 'trylock'))

/** What an operation weaker than sequentially consistent gives; undefined: it is not weaker. */
const weaknessOf = (sync: Edge['sync']): { readonly acquires: boolean; readonly releases: boolean } | undefined => {
  const orders = [sync?.c11 ?? 'seq_cst', sync?.c11Failure ?? 'seq_cst']
  if (orders.every((order) => order === 'seq_cst')) return undefined
  return {
    acquires: orders.every((order) => /^(?:acquire|acq_rel|seq_cst)$/.test(order)),
    releases: /^(?:release|acq_rel|seq_cst)$/.test(orders[0]!),
  }
}

/** A place that weak operations access. */
interface WeakPlace {
  readonly memoryClass: MemoryClass
  /** All its loads acquire, all its stores release. */
  readonly isOrdered: boolean
  /** What is loaded from it may be a pointer. */
  readonly holdsPointers: boolean
}

/**
 * Programs of which each shows, if it has no race under sequential consistency, that the given one has none under the
 * memory model of C11. Empty if nothing of this kind is known.
 */
export const raceFreeIfThese = (raw: Program): readonly Program[] => {
  if (hasTrylock(raw)) return []
  if (!hasWeakOrders(raw)) return [raw]
  const pointers = pointsTo(raw)
  const { classOf } = partition(raw, pointers)
  const places = new Map<MemoryClass, WeakPlace>()
  for (const { label, edge } of accesses(raw)) {
    const memoryClass = classOf(label)
    if (weaknessOf(edge.sync) && memoryClass)
      places.set(memoryClass, { memoryClass, isOrdered: true, holdsPointers: false })
  }
  for (const { label, edge, procedure } of accesses(raw)) {
    const memoryClass = classOf(label)
    const place = memoryClass && places.get(memoryClass)
    if (!place) continue
    const isOrdered = place.isOrdered && isInOrder(label, edge)
    const mayPoint = label.kind === 'load' && pointers.targets(varExpr(label.target), procedure).length > 0
    places.set(memoryClass, { memoryClass, isOrdered, holdsPointers: place.holdsPointers || mayPoint })
  }
  const weak = [...places.values()]
  // Where a pointer would be any value, the analysis of memory would think that it leads nowhere.
  const needed = weak.filter(({ holdsPointers }) => holdsPointers)
  if (needed.length > 1) return []
  const kept = needed.length === 1 ? needed : [undefined, ...weak]
  const others = accesses(raw).some(({ label, edge }) => {
    const memoryClass = classOf(label)
    return isAtomicAlone(label, edge) && memoryClass !== undefined && !places.has(memoryClass)
  })
  return kept
    .filter((place) => place === undefined || (place.isOrdered && !others && isOnePlace(place.memoryClass)))
    .map((place) => withoutValues(raw, new Set(weak.flatMap((p) => (p === place ? [] : [p.memoryClass]))), classOf))
}

/**
 * An atomic access of the program itself, or of a semaphore. Calls that may find a lock taken and go on are no question
 * here (`hasTrylock`); a wait whose time is over takes its mutex again like any other.
 */
const isAtomicAlone = (label: Load | Store, { sync }: Edge): boolean =>
  (label.atomic === true && (sync === undefined || sync.kind === 'atomic')) ||
  sync?.kind === 'post' ||
  sync?.kind === 'acquire'

/** A single cell of an object of which there is one. */
const isOnePlace = ({ slots, cell }: MemoryClass): boolean =>
  slots.length === 1 && cell !== 'bytes' && slots[0]!.count === 1 && slots[0]!.object.storage === 'static'

/** Each operation on an ordered place acquires if it loads and releases if it stores; plain accesses are others' business. */
const isInOrder = (label: Load | Store, edge: Edge): boolean => {
  const weak = weaknessOf(edge.sync)
  if (!label.atomic || !weak) return true
  const stores = edge.labels.some(({ kind }) => kind === 'store')
  return label.kind === 'load' ? weak.acquires && (!stores || weak.releases) : weak.releases
}

const accesses = (program: Program) =>
  [...program.templates.values()].flatMap((procedure) =>
    procedure.edges.flatMap((edge) =>
      edge.labels.flatMap((label) =>
        label.kind === 'load' || label.kind === 'store' ? [{ label, edge, procedure }] : [],
      ),
    ),
  )

/** Loads from these places give any value; the accesses stay, for they may race with others. */
const withoutValues = (
  program: Program,
  places: ReadonlySet<MemoryClass>,
  classOf: (label: Load | Store) => MemoryClass | undefined,
): Program => {
  if (places.size === 0) return program
  const changed = (label: Label): readonly Label[] => {
    if (label.kind !== 'load' && label.kind !== 'store') return [label]
    const memoryClass = classOf(label)
    if (!memoryClass || !places.has(memoryClass)) return [label]
    if (label.kind === 'store') return [{ ...label, value: constant(label.type, 0) }]
    return [label, { kind: 'havoc', target: label.target }]
  }
  return withEdges(program, (procedure) =>
    procedure.edges.map((edge) => draft(edge, { labels: edge.labels.flatMap(changed) })),
  )
}
