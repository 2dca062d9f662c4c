// From a derivation to an interleaving: the facts of Spacer's refutation are states on the way to the error, some steps
// apart where relations were inlined. Between two of them the rules form a small graph, and one query finds the way.

import {
  add,
  and,
  eq,
  evaluate,
  freeVariables,
  INT_SORT,
  implies,
  intConst,
  type Model,
  or,
  substitute,
  type Term,
  TRUE,
  variable,
} from '../../logic/index.js'
import type { Trace, Step as TraceStep } from '../../semantics/index.js'
import type { Derivation, Relation, Smt } from '../../smt/index.js'
import { programValue } from '../../symbolic/index.js'
import type { Edge, Value, Variable } from '../../xcfa/index.js'
import type { StateSpace } from './program/state.js'
import { isObligation, type Vector, type VectorClauses, type VectorRule } from './safety/vectors.js'

interface Waypoint {
  /** Undefined: before the start at the beginning, the goal at the end. */
  readonly vector: Vector | undefined
  readonly args: readonly Term[]
}

/** A rule that was used, with what its variables were. */
export interface Taken {
  readonly rule: VectorRule
  readonly value: (term: Term) => ReturnType<typeof evaluate>
}

/** The rules that lead to the goal, in order; undefined: the derivation is not a chain, or no way is found. */
export const executionOf = (
  rules: readonly VectorRule[],
  derivation: Derivation,
  smt: Smt,
): readonly Taken[] | undefined => {
  const vectors = new Map<Relation, Vector>()
  for (const { from, to } of rules) for (const v of [from, to]) if (v) vectors.set(v.assertion.relation, v)
  const waypoints = waypointsOf(derivation, vectors)
  if (!waypoints) return undefined
  const taken: Taken[] = []
  for (let i = 1; i < waypoints.length; i++) {
    const segment = connect(rules, waypoints[i - 1]!, waypoints[i]!, smt)
    if (!segment) return undefined
    taken.push(...segment)
  }
  return taken
}

export const interleavingOf = (
  space: StateSpace,
  clauses: VectorClauses,
  derivation: Derivation,
  globals: readonly Variable[],
  smt: Smt,
): Trace | undefined => {
  const taken = executionOf(clauses.rules, derivation, smt)
  return taken && traceFrom(space, taken, globals)
}

/** How many back edges an error may be away, from the least on. */
const BACKS = [0, 1, 2, 4, 6, 9]
const MAX_RULES = 4000

/** An interleaving to an error that is found soon, if there is one. */
export const shortInterleaving = (
  space: StateSpace,
  clauses: VectorClauses,
  globals: readonly Variable[],
  smt: Smt,
  timeoutMs: number,
): Trace | undefined => {
  const nowhere = { vector: undefined, args: [] }
  const errors = clauses.rules.filter((rule) => !isObligation(rule))
  for (const backs of BACKS) {
    const { rules, complete } = unrolled(errors, backs)
    if (rules.length > MAX_RULES) return undefined
    const taken = connect(rules, nowhere, nowhere, smt, timeoutMs)
    if (taken) return traceFrom(space, taken, globals)
    if (complete) return undefined
  }
  return undefined
}

/** A copy of the rules for each number of back edges taken so far: no cycle is left. */
const unrolled = (
  rules: readonly VectorRule[],
  most: number,
): { readonly rules: readonly VectorRule[]; readonly complete: boolean } => {
  const bySource = new Map<Vector | undefined, VectorRule[]>()
  for (const rule of rules) push(bySource, rule.from, rule)
  const copies = new Map<string, Vector>()
  const work: { readonly vector: Vector | undefined; readonly copy: Vector | undefined; readonly backs: number }[] = []
  const copyOf = (vector: Vector, backs: number): Vector => {
    const key = `${backs} ${vector.assertion.relation.name}`
    let copy = copies.get(key)
    if (!copy) {
      copy = { ...vector }
      copies.set(key, copy)
      work.push({ vector, copy, backs })
    }
    return copy
  }
  const found: VectorRule[] = []
  let complete = true
  work.push({ vector: undefined, copy: undefined, backs: 0 })
  for (let next = work.pop(); next; next = work.pop())
    for (const rule of bySource.get(next.vector) ?? []) {
      const backs = next.backs + (rule.step?.edge.back ? 1 : 0)
      if (backs > most) complete = false
      else found.push({ ...rule, from: next.copy, to: rule.to && copyOf(rule.to, backs) })
      if (found.length > MAX_RULES) return { rules: found, complete }
    }
  return { rules: found, complete }
}

const waypointsOf = (
  derivation: Derivation,
  vectors: ReadonlyMap<Relation, Vector>,
): readonly Waypoint[] | undefined => {
  const chain: Waypoint[] = []
  for (let fact: Derivation | undefined = derivation; fact; fact = fact.premises[0]) {
    if (fact.premises.length > 1) return undefined
    chain.push({ vector: fact.relation && vectors.get(fact.relation), args: fact.args })
  }
  return [{ vector: undefined, args: [] }, ...chain.reverse()]
}

// ---- one segment

const START = 'start'
const GOAL = 'goal'
type Node = Vector | typeof START | typeof GOAL

/** The rules used between two facts: each location vector in between is passed at most once. */
const connect = (
  all: readonly VectorRule[],
  from: Waypoint,
  to: Waypoint,
  smt: Smt,
  timeoutMs = 20_000,
): readonly Taken[] | undefined => {
  const begin: Node = from.vector ?? START
  const end: Node = to.vector ?? GOAL
  // A cycle back to where it begins: its end is another copy.
  const targetOf = (rule: VectorRule): Node => rule.to ?? GOAL
  const rules = between(all, begin, end, targetOf)
  const names = new Map<Node, string>()
  const nameOf = (node: Node): string => {
    let name = names.get(node)
    if (name === undefined) names.set(node, (name = `${names.size}`))
    return name
  }
  const asSource = (node: Node): string => (node === begin ? 'begin' : nameOf(node))
  const asTarget = (node: Node): string => (node === end ? 'end' : nameOf(node))
  const depth = (name: string): Term => variable(`depth@${name}`, INT_SORT)
  const incoming = new Map<string, Term[]>()
  const constraints: Term[] = [eq(depth('begin'), intConst(0))]
  const uses = rules.map((rule, i) => {
    const source = asSource(rule.from ?? START)
    const target = asTarget(targetOf(rule))
    const used = variable(`used@${i}`, TRUE.sort)
    const own = new Set(rule.from?.assertion.terms ?? [])
    const rename = (term: Term): Term =>
      substitute(term, new Map(freeVariables(term).map((v) => [v, own.has(v) ? at(v, source) : at(v, `rule ${i}`)])))
    const values = (rule.head?.args ?? []).map((arg, k) => eq(at(rule.to!.assertion.terms[k]!, target), rename(arg)))
    constraints.push(
      implies(used, and(rename(rule.constraint), values, eq(depth(target), add(depth(source), intConst(1))))),
    )
    if (source !== 'begin') constraints.push(implies(used, or(usesInto(incoming, source, rules, asTarget, targetOf))))
    return { rule, used, source, target, rename }
  })
  constraints.push(or(uses.filter((u) => u.target === 'end').map((u) => u.used)))
  for (const [where, { vector, args }] of [
    ['begin', from],
    ['end', to],
  ] as const)
    for (const [k, term] of (vector?.assertion.terms ?? []).entries()) constraints.push(eq(at(term, where), args[k]!))
  const solver = smt.solver({ timeoutMs })
  try {
    for (const constraint of constraints) solver.add(constraint)
    if (solver.check() !== 'sat') return undefined
    const model = solver.model()
    const path: Taken[] = []
    for (let target = 'end'; target !== 'begin'; ) {
      const last = uses.find((u) => u.target === target && evaluate(u.used, model) === true)
      if (!last || path.length > uses.length) return undefined
      path.unshift({ rule: last.rule, value: (term) => evaluate(last.rename(term), model as Model) })
      target = last.source
    }
    return path
  } finally {
    solver.dispose()
  }
}

const at = (term: Term, where: string): Term => variable(`${term.name}@${where}`, term.sort)

/** The use variables of rules into a node. */
const usesInto = (
  cache: Map<string, Term[]>,
  node: string,
  rules: readonly VectorRule[],
  asTarget: (node: Node) => string,
  targetOf: (rule: VectorRule) => Node,
): readonly Term[] => {
  let terms = cache.get(node)
  if (!terms) {
    terms = rules.flatMap((rule, i) => (asTarget(targetOf(rule)) === node ? [variable(`used@${i}`, TRUE.sort)] : []))
    cache.set(node, terms)
  }
  return terms
}

/** Rules on some way from one node to the other that passes neither in between. */
const between = (
  rules: readonly VectorRule[],
  begin: Node,
  end: Node,
  targetOf: (rule: VectorRule) => Node,
): readonly VectorRule[] => {
  const bySource = new Map<Node, VectorRule[]>()
  const byTarget = new Map<Node, VectorRule[]>()
  for (const rule of rules) {
    push(bySource, rule.from ?? START, rule)
    push(byTarget, targetOf(rule), rule)
  }
  const forward = closure<Node>(begin, (node) =>
    node === end && node !== begin ? [] : (bySource.get(node) ?? []).map(targetOf),
  )
  const backward = closure<Node>(end, (node) =>
    node === begin && node !== end ? [] : (byTarget.get(node) ?? []).map((r): Node => r.from ?? START),
  )
  return rules.filter((rule) => {
    const source: Node = rule.from ?? START
    const target = targetOf(rule)
    return (
      forward.has(source) &&
      backward.has(target) &&
      (target === end || target !== begin) &&
      (source === begin || source !== end)
    )
  })
}

const push = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

const closure = <N>(start: N, next: (node: N) => readonly N[]): ReadonlySet<N> => {
  const seen = new Set([start])
  for (const node of seen) for (const other of next(node)) seen.add(other)
  return seen
}

// ---- the trace

export const traceFrom = (space: StateSpace, taken: readonly Taken[], globals: readonly Variable[]): Trace => {
  const numbers = new Map<number, number>([[0, 0]])
  const steps: TraceStep[] = []
  const initial = new Map<Variable, Value>()
  for (const { rule, value } of taken) {
    if (!rule.from) {
      for (const v of globals)
        if (v.initial === 'any') initial.set(v, programValue(v.type, value(space.value(space.threads[0]!, v))))
      continue
    }
    const { step } = rule
    if (!step) continue
    const havocs = step.edge.labels.filter((label) => label.kind === 'havoc')
    const choices = step.choices.map((term, i) => programValue(havocs[i]!.target.type, value(term)))
    steps.push({ thread: numbers.get(step.thread.index)!, edge: step.edge as Edge, choices })
    for (const { thread } of step.started) numbers.set(thread.index, numbers.size)
  }
  return { steps, initial }
}
