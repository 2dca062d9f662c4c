// Which local variables may still be read: a backward data flow over one procedure.
import type { Edge, Label, Location, Procedure, Variable } from '../index.js'
import { outgoing } from './edit.js'
import { read, written } from './labels.js'

/** Local variables that may be read after an edge before they are written. */
export const liveAfter = (procedure: Procedure): ((edge: Edge) => ReadonlySet<Variable>) => {
  const at = liveAt(procedure)
  return (edge) => at.get(edge.target) ?? EMPTY
}

const EMPTY: ReadonlySet<Variable> = new Set()

/** Local variables that may be read from a location on. The result is read where the procedure ends. */
export const liveAt = (procedure: Procedure): ReadonlyMap<Location, ReadonlySet<Variable>> => {
  const live = new Map<Location, Set<Variable>>(procedure.locations.map((location) => [location, new Set()]))
  if (procedure.result) live.get(procedure.final)?.add(procedure.result)
  const from = outgoing(procedure.edges)
  const order = [...procedure.locations].reverse()
  for (let changed = true; changed; ) {
    changed = false
    for (const location of order) {
      const here = live.get(location)!
      const before = here.size
      for (const edge of from.get(location) ?? []) addLiveBefore(edge, live.get(edge.target) ?? EMPTY, here)
      if (here.size !== before) changed = true
    }
  }
  return live
}

const addLiveBefore = (edge: Edge, after: ReadonlySet<Variable>, into: Set<Variable>): void => {
  let current: ReadonlySet<Variable> = after
  for (let i = edge.labels.length - 1; i >= 0; i--) current = liveBefore(edge.labels[i]!, current)
  for (const variable of current) into.add(variable)
  if (edge.sync?.object)
    for (const variable of read({ kind: 'assume', condition: edge.sync.object })) into.add(variable)
}

const liveBefore = (label: Label, after: ReadonlySet<Variable>): ReadonlySet<Variable> => {
  const before = new Set(after)
  for (const variable of written(label)) before.delete(variable)
  for (const variable of read(label)) if (variable.scope === 'local') before.add(variable)
  return before
}
