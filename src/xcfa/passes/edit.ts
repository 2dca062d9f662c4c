// Rebuilding programs: what every pass needs to replace edges, drop what became unreachable and keep origins.
import type { Edge, Location, Procedure, Program } from '../model.js'

/** An edge before it has a number. */
export type Draft = Omit<Edge, 'id'>

/** The edges of the inlined program that an edge stands for. */
export const originsOf = (edge: Edge): readonly Edge[] => edge.origins ?? [edge]

/** The same edge as a draft that remembers where it comes from. */
export const draft = (edge: Edge, change: Partial<Draft> = {}): Draft => {
  const { id: _, ...rest } = edge
  return { ...rest, origins: originsOf(edge), ...change }
}

/** Two edges as one step, which is no synchronisation yet, nor known to lead back. */
export const joinDrafts = (first: Draft, second: Draft, text: string): Draft => {
  const { back: _, sync: __, ...rest } = first
  const origins = [...(first.origins ?? []), ...(second.origins ?? [])]
  return { ...rest, target: second.target, labels: [...first.labels, ...second.labels], text, origins }
}

export const outgoing = <E extends Draft>(edges: readonly E[]): Map<Location, E[]> => groupBy(edges, (e) => e.source)
export const incoming = <E extends Draft>(edges: readonly E[]): Map<Location, E[]> => groupBy(edges, (e) => e.target)

const groupBy = <E, K>(items: readonly E[], key: (item: E) => K): Map<K, E[]> => {
  const groups = new Map<K, E[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group) group.push(item)
    else groups.set(key(item), [item])
  }
  return groups
}

/** Locations that a path of edges leads to. */
export const reachable = (initial: Location, edges: readonly Draft[]): Set<Location> => {
  const from = outgoing(edges)
  const seen = new Set([initial])
  const work = [initial]
  for (let location = work.pop(); location; location = work.pop())
    for (const { target } of from.get(location) ?? [])
      if (!seen.has(target)) {
        seen.add(target)
        work.push(target)
      }
  return seen
}

/** Replaces the edges of every template; numbers them anew through the program; drops unreachable locations. */
export const withEdges = (program: Program, edgesOf: (procedure: Procedure) => readonly Draft[]): Program => {
  let id = 0
  const rebuild = (procedure: Procedure): Procedure => {
    const drafts = edgesOf(procedure)
    const reached = reachable(procedure.initial, drafts)
    return {
      ...procedure,
      locations: procedure.locations.filter((location) => reached.has(location) || location === procedure.final),
      edges: drafts.filter((edge) => reached.has(edge.source)).map((edge) => ({ ...edge, id: id++ })),
    }
  }
  return withTemplates(program, rebuild)
}

/** Replaces every template, main included. */
export const withTemplates = (program: Program, change: (procedure: Procedure) => Procedure): Program => {
  const templates = new Map<string, Procedure>()
  for (const [name, procedure] of program.templates) templates.set(name, change(procedure))
  return { ...program, templates, main: templates.get(program.main.name)! }
}
