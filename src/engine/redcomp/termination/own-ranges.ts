// Ranges of a thread's own integers at its locations, whatever others do to what is shared: intervals with widening, then
// two rounds of narrowing. They support ranking functions: a counter that stays below its bound does not wrap.
import {
  children,
  type Edge,
  type Expr,
  type Label,
  type Location,
  type Procedure,
  type Variable,
} from '../../../xcfa/index.js'
import { incoming, outgoing } from '../../../xcfa/passes/index.js'
import { written } from '../../../xcfa/passes/labels.js'
import { hull, type Interval, intervalOf, typeInterval } from '../../../xcfa/terms/index.js'

export type Ranges = ReadonlyMap<Variable, Interval>

/** A bound that still grows after so many visits goes to the next constant of a guard, or to the end of its type. */
const VISITS = 3

export const ownRanges = (template: Procedure): ReadonlyMap<Location, Ranges> => {
  const own = new Set(template.locals.filter((v) => v.type.kind === 'int'))
  const parameters = new Set([...template.parameters, template.self])
  const first = new Map([...own].map((v) => [v, parameters.has(v) ? typeInterval(v.type) : { low: 0n, high: 0n }]))
  const known = new Map<Location, Ranges>([[template.initial, first]])
  const visits = new Map<Location, number>()
  const thresholds = thresholdsOf(template.edges)
  const from = outgoing(template.edges)
  const work = new Set([template.initial])
  for (const location of work) {
    work.delete(location)
    for (const edge of from.get(location) ?? []) {
      const after = through(edge, known.get(location)!, own)
      if (!after) continue
      const before = known.get(edge.target)
      const count = (visits.get(edge.target) ?? 0) + 1
      visits.set(edge.target, count)
      const joined = before ? join(before, after, count > VISITS ? thresholds : undefined) : after
      if (before && same(before, joined)) continue
      known.set(edge.target, joined)
      work.add(edge.target)
    }
  }
  const to = incoming(template.edges)
  for (let round = 0; round < 2; round++)
    for (const location of template.locations) narrow(location, to.get(location) ?? [], known, own, template.initial)
  return known
}

/** What comes in, by ranges that hold: they still hold afterwards. */
const narrow = (
  location: Location,
  edges: readonly Edge[],
  known: Map<Location, Ranges>,
  own: ReadonlySet<Variable>,
  initial: Location,
): void => {
  if (!known.has(location) || location === initial) return
  const sources = edges.flatMap((edge) => {
    const before = known.get(edge.source)
    const after = before && through(edge, before, own)
    return after ? [after] : []
  })
  if (sources.length > 0)
    known.set(
      location,
      sources.reduce((a, b) => join(a, b)),
    )
}

/** Both; with thresholds, bounds that grow go to the next of them. */
const join = (a: Ranges, b: Ranges, thresholds?: readonly bigint[]): Ranges =>
  new Map(
    [...a].map(([v, before]) => {
      const both = hull(before, b.get(v)!)
      return [v, thresholds ? widened(before, both, typeInterval(v.type), thresholds) : both]
    }),
  )

const widened = (before: Interval, after: Interval, all: Interval, thresholds: readonly bigint[]): Interval => {
  const below = thresholds.findLast((t) => t <= after.low && t >= all.low) ?? all.low
  const above = thresholds.find((t) => t >= after.high && t <= all.high) ?? all.high
  return {
    low: after.low < before.low ? below : after.low,
    high: after.high > before.high ? above : after.high,
  }
}

/** Constants that guards compare with, and what is next to them. */
const thresholdsOf = (edges: readonly Edge[]): readonly bigint[] => {
  const found = new Set<bigint>([-1n, 0n, 1n])
  const collect = (e: Expr): void => {
    if (e.kind === 'const' && e.type.kind === 'int') for (const near of [-1n, 0n, 1n]) found.add(BigInt(e.value) + near)
    for (const child of children(e)) collect(child)
  }
  for (const label of edges.flatMap((e) => e.labels)) if (label.kind === 'assume') collect(label.condition)
  return [...found].sort((a, b) => (a < b ? -1 : 1))
}

const same = (a: Ranges, b: Ranges): boolean =>
  [...a].every(([v, { low, high }]) => b.get(v)!.low === low && b.get(v)!.high === high)

/** Undefined: a guard is false. */
const through = ({ labels }: Edge, before: Ranges, own: ReadonlySet<Variable>): Ranges | undefined => {
  const ranges = new Map(before)
  for (const label of labels) if (!execute(label, ranges, own)) return undefined
  return ranges
}

const execute = (label: Label, ranges: Map<Variable, Interval>, own: ReadonlySet<Variable>): boolean => {
  const rangeOf = (e: Expr): Interval => intervalOf(e, (v) => ranges.get(v), undefined, true)
  if (label.kind === 'assume') return refine(label.condition, true, ranges)
  for (const v of written(label))
    if (own.has(v)) ranges.set(v, label.kind === 'assign' ? rangeOf(label.value) : typeInterval(v.type))
  return true
}

/** Ranges where the condition is `holds`; false: nowhere. */
const refine = (e: Expr, holds: boolean, ranges: Map<Variable, Interval>): boolean => {
  if (e.kind === 'not') return refine(e.arg, !holds, ranges)
  if (e.kind === 'and' && holds) return e.args.every((arg) => refine(arg, true, ranges))
  if (e.kind === 'or' && !holds) return e.args.every((arg) => refine(arg, false, ranges))
  if (e.kind !== 'compare' || e.left.type.kind !== 'int') return true
  const rangeOf = (side: Expr): Interval => intervalOf(side, (v) => ranges.get(v), undefined, true)
  const [a, b] = [rangeOf(e.left), rangeOf(e.right)]
  const meet = (side: Expr, { low, high }: Interval): boolean => {
    const now = rangeOf(side)
    const met = { low: low > now.low ? low : now.low, high: high < now.high ? high : now.high }
    if (side.kind === 'var' && ranges.has(side.variable)) ranges.set(side.variable, met)
    return met.low <= met.high
  }
  /** left < right + slack */
  const less = (left: Expr, x: Interval, right: Expr, y: Interval, slack: bigint): boolean =>
    meet(left, { low: x.low, high: y.high - 1n + slack }) && meet(right, { low: x.low + 1n - slack, high: y.high })
  switch (e.op) {
    case 'lt':
      return holds ? less(e.left, a, e.right, b, 0n) : less(e.right, b, e.left, a, 1n)
    case 'le':
      return holds ? less(e.left, a, e.right, b, 1n) : less(e.right, b, e.left, a, 0n)
    case 'eq':
      return holds ? meet(e.left, b) && meet(e.right, a) : true
    case 'ne':
      return holds ? true : meet(e.left, b) && meet(e.right, a)
  }
}
