// Live local variables of a template, by the usual backward data flow, at locations and between labels.
import type { Edge, Label, Location, Procedure, Variable } from '../../xcfa/index.js'
import { read, written } from '../../xcfa/passes/labels.js'

export interface Liveness {
  /** Whether the value of a local may still be read when label `index` of `edge` comes next. */
  isLiveBefore(variable: Variable, edge: Edge, index: number): boolean
  isLiveAt(variable: Variable, location: Location): boolean
}

const cache = new WeakMap<Procedure, Liveness>()

export const livenessOf = (procedure: Procedure): Liveness => {
  let liveness = cache.get(procedure)
  if (!liveness) cache.set(procedure, (liveness = compute(procedure)))
  return liveness
}

const compute = (procedure: Procedure): Liveness => {
  const at = new Map<Location, Set<Variable>>()
  const liveAt = (location: Location): Set<Variable> => at.get(location) ?? new Set()
  let changed = true
  while (changed) {
    changed = false
    for (const edge of [...procedure.edges].reverse()) {
      const before = through(edge.labels, liveAt(edge.target))
      let known = at.get(edge.source)
      if (!known) at.set(edge.source, (known = new Set()))
      for (const variable of before)
        if (!known.has(variable)) {
          known.add(variable)
          changed = true
        }
    }
  }
  return {
    isLiveBefore: (variable, edge, index) => through(edge.labels.slice(index), liveAt(edge.target)).has(variable),
    isLiveAt: (variable, location) => liveAt(location).has(variable),
  }
}

/** Live before the labels, given what is live after them. */
const through = (labels: readonly Label[], after: ReadonlySet<Variable>): Set<Variable> => {
  const live = new Set(after)
  for (const label of [...labels].reverse()) {
    for (const variable of written(label)) live.delete(variable)
    for (const variable of read(label)) live.add(variable)
  }
  return live
}
