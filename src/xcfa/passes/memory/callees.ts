// Which functions a call through a pointer may reach: of those whose type fits, the ones that points-to analysis of the
// whole unit finds there. Without it a callback would be taken for every function of its shape, and recursion seen
// where there is none.
import type { Label, Procedure, Unit } from '../../index.js'
import { THREAD_MAIN } from '../inline/inline.js'
import { type PointsTo, pointsToInUnit } from './points-to.js'

/** Fewer candidates mean fewer flows, and those again fewer candidates. */
const ROUNDS = 3

export const narrowCallees = (unit: Unit): Unit => {
  let narrowed = unit
  for (let round = 0; round < ROUNDS; round++) {
    const before = candidateCount(narrowed)
    if (before === 0) break
    narrowed = withCandidatesOf(narrowed, pointsToInUnit(narrowed, THREAD_MAIN))
    if (candidateCount(narrowed) === before) break
  }
  return narrowed
}

const candidateCount = ({ procedures }: Unit): number => {
  let count = 0
  for (const { edges } of procedures.values())
    for (const { labels } of edges)
      for (const label of labels)
        if (label.kind === 'call' && typeof label.callee !== 'string') count += label.candidates.length
  return count
}

const withCandidatesOf = (unit: Unit, { targets }: PointsTo): Unit => {
  const narrow = (label: Label, procedure: Procedure): Label => {
    if (label.kind !== 'call' || typeof label.callee === 'string') return label
    const reached = new Set(targets(label.callee, procedure).map(({ object }) => object.procedure))
    return { ...label, candidates: label.candidates.filter((name) => reached.has(name)) }
  }
  const procedures = [...unit.procedures].map(([name, procedure]): [string, Procedure] => {
    const edges = procedure.edges.map((edge) =>
      edge.labels.some(({ kind }) => kind === 'call')
        ? { ...edge, labels: edge.labels.map((label) => narrow(label, procedure)) }
        : edge,
    )
    return [name, { ...procedure, edges }]
  })
  return { ...unit, procedures: new Map(procedures) }
}
