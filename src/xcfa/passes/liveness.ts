// Resets locals to 0 where they die: states that differ only in values that nobody reads become equal.
import { constant, variablesOf } from '../build.js'
import type { Edge, Label, Procedure, Program, Variable } from '../model.js'
import { draft, withEdges } from './edit.js'
import { written } from './labels.js'
import { liveLocals } from './live.js'

export const resetDeadLocals = (program: Program): Program =>
  withEdges(program, (procedure) => {
    const live = liveLocals(procedure)
    return procedure.edges.map((edge) => {
      const dying = deadAfter(edge, live.get(edge.source)!, live.get(edge.target)!, procedure)
      return draft(edge, { labels: [...edge.labels, ...dying.map(reset)] })
    })
  })

/** Locals that may have a value on the edge, and that nobody reads after it. Parameters are live from the start. */
const deadAfter = (
  edge: Edge,
  before: ReadonlySet<Variable>,
  after: ReadonlySet<Variable>,
  procedure: Procedure,
): readonly Variable[] => {
  const valued = new Set([...before, ...edge.labels.flatMap(written)])
  if (edge.source === procedure.initial) for (const parameter of procedure.parameters) valued.add(parameter)
  for (const variable of edge.sync?.object ? variablesOf(edge.sync.object) : []) valued.add(variable)
  return [...valued].filter(
    (variable) =>
      variable.scope === 'local' &&
      variable !== procedure.self &&
      variable !== procedure.result &&
      !after.has(variable) &&
      !endsAsZero(edge.labels, variable),
  )
}

const endsAsZero = (labels: readonly Label[], variable: Variable): boolean => {
  const last = labels.findLast((label) => written(label).includes(variable))
  return last?.kind === 'assign' && last.value.kind === 'const' && last.value.value === 0
}

const reset = (variable: Variable): Label => ({ kind: 'assign', target: variable, value: constant(variable.type, 0) })
