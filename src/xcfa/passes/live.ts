// Live local variables at locations: the usual backward data flow, with a worklist.
import { variablesOf } from '../build.js'
import type { Edge, Label, Location, Procedure, Variable } from '../model.js'
import { incoming } from './edit.js'
import { read, written } from './labels.js'

/** For each location, the locals whose value may still be read from there. */
export const liveLocals = (procedure: Procedure): ReadonlyMap<Location, ReadonlySet<Variable>> => {
  const live = new Map<Location, Set<Variable>>(procedure.locations.map((location) => [location, new Set()]))
  if (procedure.result) live.get(procedure.final)?.add(procedure.result)
  const into = incoming(procedure.edges)
  const pending = new Set<Edge>([...procedure.edges].reverse())
  for (const edge of pending) {
    pending.delete(edge)
    const before = live.get(edge.source)!
    const size = before.size
    for (const variable of liveBefore(edge.labels, live.get(edge.target)!)) before.add(variable)
    if (edge.sync?.object) for (const variable of variablesOf(edge.sync.object)) before.add(variable)
    if (before.size > size) for (const previous of into.get(edge.source) ?? []) pending.add(previous)
  }
  return live
}

/** Locals that are live before the labels, given those that are live after them. */
const liveBefore = (labels: readonly Label[], after: ReadonlySet<Variable>): Set<Variable> => {
  const live = new Set(after)
  for (let i = labels.length - 1; i >= 0; i--) stepBack(live, labels[i]!)
  return live
}

/** Updates what is live after a label to what is live before it. */
export const stepBack = (live: Set<Variable>, label: Label): void => {
  for (const variable of written(label)) live.delete(variable)
  for (const variable of read(label)) if (variable.scope === 'local') live.add(variable)
}
