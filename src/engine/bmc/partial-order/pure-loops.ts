// Iterations that change nothing: a loop that only waits for others. What a thread does after such an iteration it can
// also do without it, for its reads influence nobody and its locals are as before; so the iteration is left out, and
// leaving it out does not make the unrolling incomplete.
import type { Edge, Label, Location, Procedure, Variable } from '../../../xcfa/index.js'
import { outgoing } from '../../../xcfa/passes/index.js'
import { liveLocals } from '../../../xcfa/passes/live.js'

export interface PureLoops {
  /**
   * The loop head since whose visit nothing has changed, after an edge; `since`: before it. `repeats`: the edge closes
   * an iteration that changed nothing.
   */
  along(edge: Edge, since: Location | undefined): { readonly since: Location | undefined; readonly repeats: boolean }
}

export const pureLoops = (procedure: Procedure, isInside: (location: Location) => boolean): PureLoops => {
  const live = liveLocals(procedure)
  const heads = new Set(procedure.edges.filter((e) => e.back).map((e) => e.target))
  // soundness 13: the thread is as it was at the head, and nobody has noticed; a block is left out whole or not at all.
  const isClean = (edge: Edge, head: Location): boolean =>
    (!isInside(head) || isInside(edge.target)) && edge.labels.every((label) => changesNothing(label, live.get(head)!))
  const cycles = new Map([...heads].map((head) => [head, onCycle(procedure, head, (edge) => isClean(edge, head))]))
  return {
    along: (edge, since) => {
      const clean = since && isClean(edge, since) ? since : undefined
      if (clean && edge.target === clean) return { since: clean, repeats: true }
      if (cycles.get(edge.target)?.has(edge.target)) return { since: edge.target, repeats: false }
      return { since: clean && cycles.get(clean)!.has(edge.target) ? clean : undefined, repeats: false }
    },
  }
}

const changesNothing = (label: Label, liveAtHead: ReadonlySet<Variable>): boolean => {
  switch (label.kind) {
    case 'assume':
    case 'fence':
      return true
    case 'assign':
    case 'havoc':
    case 'load':
      return label.target.scope === 'local' && !liveAtHead.has(label.target)
    default:
      return false
  }
}

/** Locations on cycles of such edges through the head. */
const onCycle = (procedure: Procedure, head: Location, isClean: (edge: Edge) => boolean): ReadonlySet<Location> => {
  const edges = procedure.edges.filter(isClean)
  const from = outgoing(edges)
  const forward = closure(head, (l) => (from.get(l) ?? []).map((e) => e.target))
  const backward = closure(head, (l) => edges.filter((e) => e.target === l).map((e) => e.source))
  return new Set([...forward].filter((l) => backward.has(l)))
}

/** What can be reached from a location in one step or more. */
const closure = (start: Location, next: (location: Location) => readonly Location[]): ReadonlySet<Location> => {
  const seen = new Set<Location>()
  const work = [...next(start)]
  for (let location = work.pop(); location; location = work.pop())
    if (!seen.has(location)) {
      seen.add(location)
      work.push(...next(location))
    }
  return seen
}
