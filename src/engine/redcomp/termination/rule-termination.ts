// RuleTermination (redcomp.txt, Figure 3) over location vectors. Every cycle of vectors passes a cut; IRound (T3) relates
// a state at a cut with every later state of the same round and all rounds after it: it is closed under composition by
// its clauses, without which disjunctive well-foundedness proves nothing (soundness.md 16). Loops inside blocks are
// cycles of vectors with a thread inside: LRound (T1) is the same relation there. The candidate relation is a disjunction
// of ranking relations, refined by the lassos that leave it (T2, T4).
//
// Beyond the paper, being blocked for ever counts as not ending: a state with live threads and no step is a goal.
import {
  and,
  eq,
  FALSE,
  freeVariables,
  intConst,
  not,
  or,
  postorder,
  substitute,
  type Term,
  variable,
} from '../../../logic/index.js'
import type { Smt } from '../../../smt/index.js'
import type { Edge, Location } from '../../../xcfa/index.js'
import type { Step } from '../program/steps.js'
import { atom } from '../safety/rule-safety.js'
import { isObligation, type Vector, type VectorClauses, type VectorRule } from '../safety/vectors.js'
import { type Cut, cutsOf } from './graph.js'
import type { Ranking } from './ranking.js'

/** A part of the cycles of the program: those through `cut` that stay within `nodes`, by steps of these edges. */
export interface Round extends Cut<Vector> {
  readonly edges: ReadonlySet<Edge>
}

/** The steps of a round. */
export const stepsIn = ({ rules }: VectorClauses, { nodes, edges }: Round): readonly VectorRule[] =>
  rules.filter(
    (rule) =>
      rule.from &&
      rule.to &&
      rule.step &&
      nodes.has(rule.from) &&
      nodes.has(rule.to) &&
      edges.has(rule.step.edge) &&
      !isSpurious(rule),
  )

/** The value of a variable when the round began. */
const snapshot = (term: Term): Term => variable(`0 ${term.name}`, term.sort)

const isSpurious = ({ step }: VectorRule): boolean => step?.edge.sync?.spurious === true

/** The execution is over, or cut: nothing that follows counts. */
export const isOver = ({ locations }: Vector): boolean =>
  locations.some((l) => l?.kind === 'error' || (l?.kind === 'halt' && l.reason?.kind !== 'undefined') || isUndefined(l))

const isUndefined = (location: Location | undefined): boolean => location?.reason?.kind === 'undefined'

/**
 * Rounds that together contain every cycle of steps that may be taken infinitely often. Spurious wake-ups are left out:
 * there are finitely many of those.
 */
export const roundsOf = (clauses: VectorClauses, edges: ReadonlySet<Edge>): readonly Round[] => {
  const nodes = new Set(clauses.vectors.values())
  const arrows = stepsIn(clauses, { cut: [...nodes][0]!, nodes, edges }).map((rule) => ({
    ...{ rule, from: rule.from!, to: rule.to! },
  }))
  const cuts = cutsOf<Vector, (typeof arrows)[number]>(arrows, ({ rule }) => rule.step?.edge.back === true)
  return cuts.map((cut) => ({ ...cut, edges }))
}

/** T3 with T4 as a goal: a round that no ranking relation contains. */
export const roundRules = (
  clauses: VectorClauses,
  round: Round,
  rankings: readonly Ranking[],
): readonly VectorRule[] => {
  const before = new Map(round.cut.assertion.terms.map((t) => [t, snapshot(t)]))
  const contained = or(rankings.map((r) => r.decreases(before, new Map())))
  return roundsWith(clauses, round, not(contained), 'T4')
}

/** T3 with a round as a goal that ends in the state in which it began. */
export const repetitionRules = (clauses: VectorClauses, round: Round): readonly VectorRule[] =>
  roundsWith(clauses, round, and(round.cut.assertion.terms.map((t) => eq(snapshot(t), t))), 'repeats')

const roundsWith = (clauses: VectorClauses, round: Round, goal: Term, name: string): readonly VectorRule[] => {
  const { cut } = round
  const inner = stepsIn(clauses, round)
  const begin = cut.assertion.terms
  const since = new Map<Vector, Vector>()
  const sinceAt = (vector: Vector): Vector => {
    let made = since.get(vector)
    if (!made) {
      const terms = [...begin.map(snapshot), ...vector.assertion.terms]
      const name = `IRound_${vector.assertion.relation.name}`
      made = { ...vector, assertion: { relation: { name, sorts: terms.map((t) => t.sort) }, terms } }
      since.set(vector, made)
    }
    return made
  }
  const rules: VectorRule[] = []
  for (const rule of inner) {
    const to = sinceAt(rule.to!)
    const later = sinceAt(rule.from!)
    const { args } = rule.head!
    if (rule.from === cut)
      rules.push({ ...rule, to, head: { relation: to.assertion.relation, args: [...begin, ...args] }, name: 'T3' })
    const head = { relation: to.assertion.relation, args: [...begin.map(snapshot), ...args] }
    // soundness 16: a round after a round is a round.
    rules.push({ ...rule, from: later, to, body: [atom(later.assertion)], head, name: 'T3' })
  }
  const end = sinceAt(cut)
  rules.push({
    head: undefined,
    body: [atom(end.assertion)],
    constraint: goal,
    name,
    from: end,
    step: undefined,
    to: undefined,
  })
  return rules
}

/** States from which no live thread can go on, spurious wake-ups aside. */
export const deadlockRules = (
  clauses: VectorClauses,
  { known, smt }: { readonly known: (vector: Vector) => Term; readonly smt: Smt },
): readonly VectorRule[] => {
  const leaving = new Map<Vector, VectorRule[]>()
  for (const rule of clauses.rules)
    if (rule.from && !isObligation(rule)) leaving.set(rule.from, [...(leaving.get(rule.from) ?? []), rule])
  const solver = smt.solver({ timeoutMs: 2000 })
  const isPossible = (vector: Vector, constraint: Term): boolean => {
    solver.push()
    solver.add(and(constraint, known(vector)))
    const status = solver.check()
    solver.pop()
    return status !== 'unsat'
  }
  const rules: VectorRule[] = []
  for (const vector of clauses.vectors.values()) {
    if (isOver(vector) || !vector.locations.some(isLive)) continue
    const enabled = (leaving.get(vector) ?? []).filter((r) => !isSpurious(r)).map((r) => canStep(r))
    const constraint = and(enabled.map(not))
    if (constraint === FALSE || !isPossible(vector, constraint)) continue
    rules.push({
      ...{ head: undefined, body: [atom(vector.assertion)], constraint, name: 'blocked' },
      ...{ from: vector, step: undefined, to: undefined },
    })
  }
  solver.dispose()
  return rules
}

const isLive = (location: Location | undefined): boolean => location?.kind === 'plain'

const MAX_VALUES = 12
const MAX_COMBINATIONS = 200

/**
 * When the step can be taken for sure: for some of the values that its guard compares its choices with, or small ones.
 * Fewer states than those in which it can, which makes more states blocked, never fewer.
 */
const canStep = ({ constraint, step }: VectorRule): Term => {
  const choices = (step as Step).choices.filter((v) => freeVariables(constraint).includes(v))
  if (choices.length === 0) return constraint
  const values = new Map(choices.map((v) => [v, v.sort.kind === 'int' ? candidates(constraint, v) : []]))
  let combinations: readonly ReadonlyMap<Term, Term>[] = [new Map()]
  for (const [v, some] of values)
    combinations = combinations
      .flatMap((chosen) => some.map((value) => new Map([...chosen, [v, value]])))
      .slice(0, MAX_COMBINATIONS)
  return or(combinations.map((chosen) => substitute(constraint, chosen)))
}

/** Constants near those that the choice is compared with. */
const candidates = (constraint: Term, choice: Term): readonly Term[] => {
  const found = new Set<bigint>([0n, 1n])
  postorder([constraint], (term) => {
    if (term.args.length !== 2 || !freeVariables(term).includes(choice)) return
    for (const side of term.args)
      if (side.op === 'const' && typeof side.value === 'bigint') {
        found.add(side.value)
        found.add(side.value + 1n)
        found.add(side.value - 1n)
      }
  })
  return [...found].slice(0, MAX_VALUES).map((value) => intConst(value))
}
