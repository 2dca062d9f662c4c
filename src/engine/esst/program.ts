// The threaded program as the forest sees it: resolved, sliced, and with all work between two primitives joined into
// few edges. Nobody else runs before a thread yields, so edges may be joined whatever they access; primitives and
// starts of threads keep edges of their own (rule E1 treats them apart).
import { errorsOf, type Property } from '../../property/index.js'
import type { Edge, Label, Location, Procedure, Program } from '../../xcfa/index.js'
import {
  type Draft,
  draft,
  incoming,
  joinDrafts,
  loopHeads,
  outgoing,
  propagate,
  resolve,
  slice,
  withEdges,
} from '../../xcfa/passes/index.js'

export const threadedProgram = (raw: Program, property: Property): Program => {
  const fold = (program: Program): Program => propagate(program, { keepAccesses: false })
  return withEdges(slice(fold(resolve(fold(errorsOf(raw, property))))), joinWork)
}

const isScheduling = (label: Label): boolean => label.kind === 'primitive' || label.kind === 'start'
const schedules = (edge: Draft): boolean => edge.labels.some(isScheduling)

/** How many labels the elimination of one location may copy. */
const COPY_LIMIT = 60

const joinWork = (procedure: Procedure): readonly Draft[] => {
  const heads = loopHeads(procedure.initial, procedure.edges)
  let edges: readonly Draft[] = procedure.edges.map((edge) => draft(edge))
  for (const location of procedure.locations) {
    if (location.kind !== 'plain' || location === procedure.initial || heads.has(location)) continue
    const before = incoming(edges).get(location) ?? []
    const after = outgoing(edges).get(location) ?? []
    if (before.some(schedules) || after.some(schedules) || !isWorthJoining(before, after)) continue
    const joined = before.flatMap((first) =>
      after.map((second) => joinDrafts(first, second, first.text || second.text)),
    )
    edges = [...edges.filter((edge) => !before.includes(edge) && !after.includes(edge)), ...joined]
  }
  return edges
}

const isWorthJoining = (before: readonly Draft[], after: readonly Draft[]): boolean => {
  if (before.length === 0 || after.length === 0) return false
  if (before.length === 1 || after.length === 1) {
    const size = (edges: readonly Draft[]): number => edges.reduce((sum, e) => sum + e.labels.length, 0)
    return size(before) * (after.length - 1) + size(after) * (before.length - 1) <= COPY_LIMIT
  }
  return false
}

/** Edges by source. */
export const edgesFrom = (program: Program): ((location: Location) => readonly Edge[]) => {
  const bySource = new Map<Location, Edge[]>()
  for (const template of program.templates.values())
    for (const [location, edges] of outgoing(template.edges)) bySource.set(location, edges)
  return (location) => bySource.get(location) ?? []
}
