// A program with fewer conditions: some steps of threads can be taken in more states. Every run of the program is one of
// the relaxed program, if arithmetic wraps, so that what cannot happen there cannot happen here. What is gained is that
// more steps commute: two additions that each assume that the sum does not overflow may not be swapped, but two additions
// may. Only conditions that are defined in all states are left out.
import { not, sameExpr, variablesOf } from '../build.js'
import { children, type Expr } from '../expr.js'
import type { Edge, Label, Procedure, Program, Variable } from '../model.js'
import { withTemplates } from './edit.js'
import { written } from './labels.js'

/** Labels of an edge, by their places in its list. */
export interface Relaxed {
  readonly edge: number
  readonly labels: readonly number[]
}

/** Without these labels; undefined: one of them is no condition that may be left out. */
export const relaxedBy = (program: Program, relaxed: readonly Relaxed[]): Program | undefined => {
  const byEdge = new Map(relaxed.map(({ edge, labels }) => [edge, new Set(labels)]))
  let isAllowed = true
  const without = (edge: Edge): Edge => {
    const dropped = byEdge.get(edge.id)
    if (!dropped) return edge
    for (const i of dropped) if (!isHarmless(edge.labels[i])) isAllowed = false
    return { ...edge, labels: edge.labels.filter((_, i) => !dropped.has(i)) }
  }
  const result = withTemplates(program, (procedure) => ({ ...procedure, edges: procedure.edges.map(without) }))
  return isAllowed ? result : undefined
}

const isHarmless = (label: Label | undefined): boolean => label?.kind === 'assume' && isDefined(label.condition)

/** Whether it has a value in all states. */
const isDefined = (e: Expr): boolean =>
  !(e.kind === 'binary' && ['div', 'rem', 'shl', 'shr'].includes(e.op)) &&
  e.type.kind !== 'float' &&
  children(e).every(isDefined)

/**
 * Conditions on what several threads write, where whoever does not meet them halts: assumptions about counters and sums,
 * which keep their steps from commuting.
 */
export const assumedOfShared = (program: Program): readonly Relaxed[] => {
  const shared = writtenBySeveral(program)
  if (shared.size === 0) return []
  return [...program.templates.values()].flatMap((procedure) => {
    if (procedure === program.main) return []
    const derived = derivedFrom(procedure, shared)
    const goingOn = procedure.edges.filter(({ target }) => target.kind !== 'halt')
    const isBranch = (edge: Edge, condition: Expr): boolean =>
      goingOn.some(
        ({ source, labels }) =>
          source === edge.source &&
          labels.some((label) => label.kind === 'assume' && sameExpr(label.condition, not(condition))),
      )
    const isAbout = (edge: Edge, label: Label): boolean =>
      isHarmless(label) &&
      label.kind === 'assume' &&
      mentions(label.condition, derived) &&
      !isBranch(edge, label.condition)
    return goingOn
      .map((edge) => ({ ...edge, labels: edge.labels.flatMap((label, i) => (isAbout(edge, label) ? [i] : [])) }))
      .map(({ id, labels }) => ({ edge: id, labels }))
      .filter(({ labels }) => labels.length > 0)
  })
}

const writtenBySeveral = (program: Program): ReadonlySet<Variable> => {
  const writers = new Map<Variable, Set<Procedure>>()
  for (const procedure of program.templates.values())
    for (const { labels } of procedure.edges)
      for (const v of labels.flatMap((label) => written(label)))
        if (v.scope === 'global' && procedure !== program.main)
          writers.set(v, (writers.get(v) ?? new Set()).add(procedure))
  return new Set([...writers].filter(([, by]) => by.size > 1).map(([v]) => v))
}

/** The variables that a thread may have computed from these, and these. */
const derivedFrom = ({ edges }: Procedure, from: ReadonlySet<Variable>): ReadonlySet<Variable> => {
  const derived = new Set(from)
  for (let before = -1; before !== derived.size; ) {
    before = derived.size
    for (const { labels } of edges)
      for (const label of labels)
        if (label.kind === 'assign' && mentions(label.value, derived)) derived.add(label.target)
  }
  return derived
}

const mentions = (e: Expr, variables: ReadonlySet<Variable>): boolean =>
  [...variablesOf(e)].some((v) => variables.has(v))
