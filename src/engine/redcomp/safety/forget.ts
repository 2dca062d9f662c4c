// Condition variables forgotten: an abstraction for proofs of safety, beyond redcomp.txt. Who waits may wake at any time,
// and a signal does nothing: more executions than there are without spurious wake-ups, the same states with them. What
// only operations on conditions read is left out of the state, so that what a lock protects is one block again.
import {
  type Edge,
  type Expr,
  type Label,
  type Program,
  type Region,
  type Variable,
  variablesOf,
} from '../../../xcfa/index.js'
import { draft, expressionsOf, read, regionOf, slice, withEdges } from '../../../xcfa/passes/index.js'

type Part = Variable | Region

const OPERATIONS = new Set(['wait', 'wake', 'signal', 'broadcast'])

export const hasConditions = (program: Program): boolean =>
  [...program.templates.values()].some(({ edges }) => edges.some(({ sync }) => sync?.kind === 'wait'))

/** Undefined: there is nothing to forget. */
export const withoutConditions = (program: Program): Program | undefined => {
  const forgotten = forgettable(program)
  if (forgotten.size === 0) return undefined
  const without = withEdges(program, ({ edges }) =>
    edges.map((edge) => draft(edge, { labels: labelsWithout(edge.labels, forgotten) })),
  )
  return withoutIdleEdges(slice(without))
}

/** Variables and regions that only operations on conditions read, in guards and for the values of other variables. */
const forgettable = (program: Program): ReadonlySet<Part> => {
  const byConditions = new Set<Part>()
  const byOthers = new Set<Part>()
  for (const { edges } of program.templates.values())
    for (const { labels, sync } of edges) {
      for (const v of sync?.object ? variablesOf(sync.object) : []) byOthers.add(v)
      for (const label of labels) {
        const isForgetful = OPERATIONS.has(sync?.kind ?? '') && canForget(label)
        for (const part of partsRead(label)) (isForgetful ? byConditions : byOthers).add(part)
      }
    }
  return new Set([...byConditions].filter((part) => part.scope === 'global' && !byOthers.has(part)))
}

const canForget = ({ kind }: Label): boolean =>
  kind === 'load' || kind === 'assume' || kind === 'assign' || kind === 'havoc' || kind === 'store'

const partsRead = (label: Label): Iterable<Part> =>
  label.kind === 'load' ? [...read(label), label.region] : read(label)

const labelsWithout = (labels: readonly Label[], forgotten: ReadonlySet<Part>): readonly Label[] => {
  /** Locals with a value that was forgotten in this step. */
  const unknown = new Set<Part>()
  const isUnknown = (e: Expr): boolean => [...variablesOf(e)].some((v) => forgotten.has(v) || unknown.has(v))
  return labels.flatMap((label): readonly Label[] => {
    const region = regionOf(label)
    if (label.kind === 'store' && forgotten.has(label.region)) return []
    if (label.kind === 'assign' && forgotten.has(label.target)) return []
    if (label.kind === 'havoc' && forgotten.has(label.target)) return []
    if (label.kind === 'assume') {
      const known = conjuncts(label.condition).filter((e) => !isUnknown(e))
      return known.map((condition) => ({ kind: 'assume', condition }))
    }
    if (label.kind !== 'load' && label.kind !== 'assign' && label.kind !== 'havoc') return [label]
    const forgets = (region && forgotten.has(region)) || expressionsOf(label).some(isUnknown)
    if (!forgets) {
      unknown.delete(label.target)
      return [label]
    }
    unknown.add(label.target)
    return [{ kind: 'havoc', target: label.target }]
  })
}

const conjuncts = (e: Expr): readonly Expr[] => (e.kind === 'and' ? e.args.flatMap(conjuncts) : [e])

/** Steps that do nothing: those that stay where they are, and all but one between two locations. */
const withoutIdleEdges = (program: Program): Program =>
  withEdges(program, ({ edges }) => {
    const idle = new Set<string>()
    const isNeeded = ({ source, target, labels }: Edge): boolean => {
      if (labels.length > 0) return true
      const key = `${source.id} ${target.id}`
      if (source === target || idle.has(key)) return false
      idle.add(key)
      return true
    }
    return edges.filter(isNeeded).map((edge) => draft(edge))
  })
