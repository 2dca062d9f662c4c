// What is known at the locations of a procedure, on every way to them.
import type { Edge, Location, Procedure } from '../../xcfa/index.js'
import { outgoing } from '../../xcfa/passes/index.js'

/** `meet` gives its first argument back where the second one says the same. */
export const flow = <T>(
  procedure: Procedure,
  initial: T,
  after: (known: T, edge: Edge) => T,
  meet: (a: T, b: T) => T,
): ReadonlyMap<Location, T> => {
  const from = outgoing(procedure.edges)
  const at = new Map<Location, T>([[procedure.initial, initial]])
  const work = [procedure.initial]
  for (let location = work.pop(); location; location = work.pop())
    for (const edge of from.get(location) ?? []) {
      const next = after(at.get(location)!, edge)
      const known = at.get(edge.target)
      const met = known === undefined ? next : meet(known, next)
      if (known === met) continue
      at.set(edge.target, met)
      work.push(edge.target)
    }
  return at
}
