// A template copied once for every valuation of its loop counters, where loops start or join threads a number of times
// that constants decide (array-like creation `for (i = 0; i < 3; i++) pthread_create(...)`).
import {
  constant,
  type Edge,
  type Expr,
  isConstant,
  type Label,
  type Location,
  type Procedure,
  substitute,
  type Variable,
  variablesOf,
} from '../../../xcfa/index.js'
import { mapExpressions, originsOf, outgoing, written } from '../../../xcfa/passes/index.js'
import { liveLocals } from '../../../xcfa/passes/live.js'

/** Counters for fresh locations and edges. */
export interface Numbering {
  locations: number
  edges: number
}

/** More copies than this: the loops stay as they are. */
const MAX_LOCATIONS = 600

/** The template with fresh locations and edges, its own number filled in where it is known. */
export const unrollStarts = (
  procedure: Procedure,
  number: number | undefined,
  numbering: Numbering,
  unrolls = true,
): Procedure => {
  const tracked = unrolls ? countersOf(procedure) : new Set<Variable>()
  const saved = { ...numbering }
  const unrolled = copy(procedure, number, tracked, numbering)
  if (unrolled) return unrolled
  Object.assign(numbering, saved)
  return copy(procedure, number, new Set(), numbering)!
}

/** Variables that decide how often loops with starts or joins are executed, and what those are computed from. */
const countersOf = ({ edges, locals }: Procedure): ReadonlySet<Variable> => {
  const from = outgoing(edges)
  const reach = new Map<Location, Set<Location>>()
  const reached = (start: Location): Set<Location> => {
    let seen = reach.get(start)
    if (!seen) {
      reach.set(start, (seen = new Set([start])))
      for (const location of seen) for (const { target } of from.get(location) ?? []) seen.add(target)
    }
    return seen
  }
  const interesting = edges.filter((e) => e.labels.some((l) => l.kind === 'start' || l.kind === 'join'))
  const counters = new Set<Variable>()
  for (const edge of interesting) {
    if (!reached(edge.target).has(edge.source)) continue
    for (const other of edges)
      if (reached(edge.target).has(other.source) && reached(other.target).has(edge.source))
        for (const label of other.labels) if (label.kind === 'assume') variablesOf(label.condition, counters)
  }
  for (let before = -1; before !== counters.size; ) {
    before = counters.size
    for (const { labels } of edges)
      for (const label of labels)
        if (label.kind === 'assign' && counters.has(label.target)) variablesOf(label.value, counters)
  }
  const own = new Set(locals)
  return new Set([...counters].filter((v) => v.scope === 'local' && own.has(v)))
}

type Known = ReadonlyMap<Variable, Expr>

const copy = (
  procedure: Procedure,
  number: number | undefined,
  tracked: ReadonlySet<Variable>,
  numbering: Numbering,
): Procedure | undefined => {
  const live = liveLocals(procedure)
  const from = outgoing(procedure.edges)
  const copies = new Map<string, Location>()
  const locations: Location[] = []
  const edges: Edge[] = []
  const work: { readonly original: Location; readonly copy: Location; readonly known: Known }[] = []
  const at = (original: Location, known: Known): Location => {
    const kept = [...known].filter(([v]) => live.get(original)?.has(v))
    const values = kept.map(([v, e]) => `${v.id}=${e.kind === 'const' ? e.value : ''}`).sort()
    const key = `${original.id} ${original === procedure.final ? '' : values.join(' ')}`
    let location = copies.get(key)
    if (!location) {
      location = { ...original, id: numbering.locations++ }
      copies.set(key, location)
      locations.push(location)
      work.push({ original, copy: location, known: new Map(kept) })
    }
    return location
  }
  const parameters = new Set(procedure.parameters)
  const zero = [...tracked].filter((v) => !parameters.has(v)).map((v) => [v, constant(v.type, 0)] as const)
  const initial = at(procedure.initial, new Map(zero))
  for (let next = work.pop(); next; next = work.pop()) {
    if (locations.length > MAX_LOCATIONS && tracked.size > 0) return undefined
    for (const edge of from.get(next.original) ?? []) {
      const taken = takeEdge(edge, next.known, tracked, procedure.self, number)
      if (!taken) continue
      const target = at(edge.target, taken.known)
      const object = edge.sync?.object && taken.rewrite(edge.sync.object, next.known)
      const sync = edge.sync && { ...edge.sync, ...(object && { object }) }
      const { sync: _, ...rest } = edge
      edges.push({
        ...rest,
        id: numbering.edges++,
        source: next.copy,
        target,
        labels: taken.labels,
        origins: originsOf(edge),
        ...(sync && { sync }),
      })
    }
  }
  const final = copies.get(`${procedure.final.id} `) ?? at(procedure.final, new Map())
  return { ...procedure, locations, initial, final, edges }
}

/** The labels with what is known filled in, and what is known afterwards; undefined: a guard is false. */
const takeEdge = (
  edge: Edge,
  before: Known,
  tracked: ReadonlySet<Variable>,
  self: Variable,
  number: number | undefined,
) => {
  const known = new Map(before)
  const labels: Label[] = []
  const rewrite = (e: Expr, facts: Known): Expr =>
    substitute(e, (v) => (v === self && number !== undefined ? constant(v.type, number) : facts.get(v)))
  for (const label of edge.labels) {
    const folded = mapExpressions(label, (e) => rewrite(e, known))
    if (folded.kind === 'assume') {
      if (isConstant(folded.condition, 0)) return undefined
      if (isConstant(folded.condition, 1)) continue
    }
    for (const v of written(folded)) known.delete(v)
    if (folded.kind === 'assign' && tracked.has(folded.target) && folded.value.kind === 'const')
      known.set(folded.target, folded.value)
    labels.push(folded)
  }
  return { labels, known: known as Known, rewrite }
}
