// Data races under a memory model: pairs of accesses, and the reasons why some of them are ordered after all.
import {
  type Model as Assignment,
  and,
  evaluate,
  FALSE,
  not,
  type Term,
  TRUE,
  variable,
} from '../../../../logic/index.js'
import { type Evaluator, explainEdge, type Model } from '../../../../memory-model/index.js'
import { NotExpressible } from '../../../../xcfa/terms/index.js'
import type { ProgramOrder } from '../program-order.js'
import type { Candidate } from './candidate.js'
import { type Site, type Sites, sameLocation } from './sites.js'

interface RacePair {
  readonly literal: Term
  readonly a: Site
  readonly b: Site
}

export const racePairs = ({ reads, writes }: Sites, program: ProgramOrder): readonly RacePair[] => {
  const all: readonly Site[] = [...writes, ...reads]
  return all.flatMap((a, i) =>
    all.slice(i + 1).flatMap((b) => {
      if (a.kind === 'R' && b.kind === 'R') return []
      if ((a.atomic && b.atomic) || sameLocation(a, b) === FALSE || a.event.node.instance === b.event.node.instance)
        return []
      if (program.precedes(a.event, b.event) || program.precedes(b.event, a.event) || program.exclude(a.event, b.event))
        return []
      return [{ literal: variable(`race:${a.id}:${b.id}`, TRUE.sort), a, b }]
    }),
  )
}

/** Pairs that an assignment takes for a race, but which its execution orders: the reasons for that order exclude them. */
export const orderedRaces = (
  model: Model,
  evaluator: Evaluator,
  candidate: Candidate,
  races: readonly RacePair[],
  assignment: Assignment,
): readonly Term[] => {
  const asked = races.filter(({ literal }) => evaluate(literal, assignment) === true)
  if (asked.length === 0) return []
  const hb = model.definitions.get('hb')
  if (!hb) throw new NotExpressible('data races under a memory model that does not define hb')
  const happensBefore = evaluator.relation(hb)
  const clauses: Term[] = []
  for (const { literal, a, b } of asked) {
    const [x, y] = [candidate.nodeOf(a)!, candidate.nodeOf(b)!]
    const edge = happensBefore.has(x, y) ? ([x, y] as const) : happensBefore.has(y, x) ? ([y, x] as const) : undefined
    if (edge) clauses.push(not(and(literal, ...candidate.literals(explainEdge(evaluator, hb, ...edge)))))
  }
  return clauses
}
