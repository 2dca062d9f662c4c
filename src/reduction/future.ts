// For each location: what the thread touches next, and what it may ever touch from there on, with the threads that it
// may start (soundness.md 2: threads that are blocked now or not yet started count). An edge into an atomic block
// stands for the whole block; a block in which the thread can stick or loop keeps all others from moving and so
// depends on all of them.
import type { Edge, Label, Location, Procedure, Program } from '../xcfa/index.js'
import { complementary } from '../xcfa/passes/labels.js'
import { accessMayStop } from '../xcfa/passes/large-block.js'
import { addFootprint, type Footprint, Footprints, type Resolver } from './footprint.js'

export interface LocationFootprints {
  /** Of all edges that leave the location, enabled or not, to the end of their atomic blocks. */
  readonly next: Footprint
  /** The same, with the end of the thread where it comes next: that may enable a join. */
  readonly step: Footprint
  /** Of everything from here on. */
  readonly future: Footprint
  /** A next edge begins, or is inside, an atomic block that may not end. */
  readonly mayNotReturn: boolean
}

/** A kind of thread: a template, perhaps of a certain thread number, with what is known of its steps. */
export interface Automaton {
  readonly procedure: Procedure
  /** If more is known than constant addresses. */
  readonly resolver?: Resolver
}

/** The footprints of every location of every template. */
export const locationFootprints = (
  program: Program,
  footprints = new Footprints(program),
): ReadonlyMap<Location, LocationFootprints> => {
  const automata = [...program.templates.values()].map((procedure) => ({ procedure }))
  return new Map(automatonFootprints(program, automata, footprints).flatMap((map) => [...map]))
}

/** The footprints of every location of each of the automata, in the order in which `footprints` numbers their ends. */
export const automatonFootprints = (
  program: Program,
  automata: readonly Automaton[],
  footprints: Footprints,
): readonly ReadonlyMap<Location, LocationFootprints>[] => {
  const futures = futureFootprints(automata, footprints)
  const outgoing = outgoingEdges(program)
  return automata.map(({ procedure, resolver }, number) => {
    const result = new Map<Location, LocationFootprints>()
    for (const location of procedure.locations) {
      const block = blockEdges(outgoing.get(location) ?? [], outgoing)
      const next = footprints.empty()
      for (const edge of block) addFootprint(next, footprints.of(edge, resolver))
      const step = footprints.empty()
      addFootprint(step, next)
      if ([...block].some((edge) => edge.target === procedure.final)) footprints.addEnd(step, number)
      const future = futures[number]!.get(location)!
      result.set(location, { next, step, future, mayNotReturn: mayNotReturn(location, block, outgoing) })
    }
    return result
  })
}

type Outgoing = ReadonlyMap<Location, readonly Edge[]>

const outgoingEdges = (program: Program): Outgoing => {
  const outgoing = new Map<Location, Edge[]>()
  for (const { edges } of program.templates.values())
    for (const edge of edges) {
      const others = outgoing.get(edge.source)
      if (others) others.push(edge)
      else outgoing.set(edge.source, [edge])
    }
  return outgoing
}

/** These edges and all that may follow before their atomic blocks end. */
const blockEdges = (edges: readonly Edge[], outgoing: Outgoing): ReadonlySet<Edge> => {
  const block = new Set(edges)
  for (const edge of block)
    if (edge.target.atomic) for (const following of outgoing.get(edge.target) ?? []) block.add(following)
  return block
}

/** Backward closure over edges and starts, by iteration to the fixed point. */
const futureFootprints = (
  automata: readonly Automaton[],
  footprints: Footprints,
): readonly ReadonlyMap<Location, Footprint>[] => {
  const futures = automata.map(
    ({ procedure }) => new Map(procedure.locations.map((location) => [location, footprints.empty()])),
  )
  const startable = new Map<string, readonly Footprint[]>()
  for (const { procedure } of automata)
    startable.set(
      procedure.name,
      automata.flatMap((a, i) => (a.procedure === procedure ? [futures[i]!.get(procedure.initial)!] : [])),
    )
  const update = (number: number, edge: Edge): boolean => {
    const { procedure, resolver } = automata[number]!
    const future = futures[number]!.get(edge.source)!
    let changed = addFootprint(future, footprints.of(edge, resolver))
    changed = addFootprint(future, futures[number]!.get(edge.target)!) || changed
    if (edge.target === procedure.final) {
      const end = footprints.empty()
      footprints.addEnd(end, number)
      changed = addFootprint(future, end) || changed
    }
    for (const label of edge.labels)
      if (label.kind === 'start')
        for (const started of startable.get(label.procedure) ?? []) changed = addFootprint(future, started) || changed
    return changed
  }
  for (let changed = true; changed; ) {
    changed = false
    for (const [number, { procedure }] of automata.entries())
      for (const edge of procedure.edges.toReversed()) changed = update(number, edge) || changed
  }
  return futures
}

// ---- atomic blocks that may not end

const mayNotReturn = (location: Location, block: ReadonlySet<Edge>, outgoing: Outgoing): boolean => {
  const inside = new Set<Location>(location.atomic ? [location] : [])
  for (const edge of block) if (edge.target.atomic) inside.add(edge.target)
  return inside.size > 0 && (hasCycle(inside, outgoing) || [...inside].some((l) => mayStick(l, outgoing)))
}

const hasCycle = (inside: ReadonlySet<Location>, outgoing: Outgoing): boolean => {
  const done = new Set<Location>()
  const open = new Set<Location>()
  const visit = (location: Location): boolean => {
    if (open.has(location)) return true
    if (done.has(location) || !inside.has(location)) return false
    open.add(location)
    const found = (outgoing.get(location) ?? []).some((edge) => visit(edge.target))
    open.delete(location)
    done.add(location)
    return found
  }
  return [...inside].some(visit)
}

/** Whether a thread inside a block may have no step at this location. */
const mayStick = (location: Location, outgoing: Outgoing): boolean => {
  const edges = outgoing.get(location) ?? []
  return edges.some(({ labels }) => labels.some(mayStop)) || !coversAll(edges.map(({ labels }) => labels))
}

/** Whether a step with this label may be impossible whatever its guards say. */
export const mayStop = (label: Label): boolean => {
  if (label.kind === 'load' || label.kind === 'store') return accessMayStop(label)
  return label.kind === 'free' || label.kind === 'join' || (label.kind === 'havoc' && label.range !== undefined)
}

/** Whether one of these sequences of labels can always be executed, as their shape tells: a tree of decisions. */
export const coversAll = (sequences: readonly (readonly Label[])[]): boolean => {
  if (sequences.some((labels) => !labels.some((label) => label.kind === 'assume'))) return true
  const first = sequences[0]?.[0]
  if (!first) return false
  const same = sequences.filter((labels) => labels[0] === first).map((labels) => labels.slice(1))
  const others = sequences.filter((labels) => labels[0] !== first)
  if (first.kind !== 'assume') return others.length === 0 && coversAll(same)
  const opposite = others.find(([label]) => label?.kind === 'assume' && complementary(first.condition, label.condition))
  if (!opposite) return false
  const rest = others.filter((labels) => labels[0] === opposite[0]).map((labels) => labels.slice(1))
  return coversAll(same) && coversAll(rest)
}
