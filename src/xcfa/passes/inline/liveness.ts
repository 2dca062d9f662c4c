// Which local variables may still be read, by edge.
import type { Edge, Location, Procedure, Variable } from '../../index.js'
import { liveLocals } from '../live.js'

/** Local variables that may be read after an edge before they are written. */
export const liveAfter = (procedure: Procedure): ((edge: Edge) => ReadonlySet<Variable>) => {
  const at = liveLocals(procedure)
  return (edge) => at.get(edge.target) ?? EMPTY
}

const EMPTY: ReadonlySet<Variable> = new Set()

/** Local variables that may be read from a location on. The result is read where the procedure ends. */
export const liveAt: (procedure: Procedure) => ReadonlyMap<Location, ReadonlySet<Variable>> = liveLocals
