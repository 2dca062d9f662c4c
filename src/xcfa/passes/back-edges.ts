// Back edges: those whose target is an ancestor of their source in a depth-first tree of the automaton. Every cycle
// has one, so a search that treats them with care (soundness.md 3) ignores nobody for ever.
import type { Edge, Location, Procedure, Program } from '../model.js'
import { type Draft, draft, outgoing, withEdges } from './edit.js'

/** The back edges of a depth-first search from the initial location that follows edges in their order. */
export const backEdges = <E extends Draft>(initial: Location, edges: readonly E[]): Set<E> => {
  const from = outgoing(edges)
  const back = new Set<E>()
  const state = new Map<Location, 'open' | 'done'>([[initial, 'open']])
  const path = [{ location: initial, next: 0 }]
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const edge = from.get(top.location)?.[top.next++]
    if (!edge) {
      state.set(top.location, 'done')
      path.pop()
    } else if (!state.has(edge.target)) {
      state.set(edge.target, 'open')
      path.push({ location: edge.target, next: 0 })
    } else if (state.get(edge.target) === 'open') back.add(edge)
  }
  return back
}

/** Targets of back edges: every cycle passes through one. */
export const loopHeads = (initial: Location, edges: readonly Draft[]): Set<Location> =>
  new Set([...backEdges(initial, edges)].map((edge) => edge.target))

/** Whether the edge may be taken twice; `from`: the edges of its automaton by source. */
export const isOnCycle = (edge: Edge, from: ReadonlyMap<Location, readonly Edge[]>): boolean => {
  const seen = new Set<Location>([edge.target])
  for (const location of seen) {
    if (location === edge.source) return true
    for (const { target } of from.get(location) ?? []) seen.add(target)
  }
  return false
}

/** Marks the back edges of every template. */
export const markBackEdges = (program: Program): Program =>
  withEdges(program, (procedure: Procedure) => {
    const back: Set<Edge> = backEdges(procedure.initial, procedure.edges)
    return procedure.edges.map((edge) => {
      const { back: _, ...unmarked } = draft(edge)
      return back.has(edge) ? { ...unmarked, back: true } : unmarked
    })
  })
