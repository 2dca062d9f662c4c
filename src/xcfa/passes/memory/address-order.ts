// In which order objects lie in memory is unspecified. Where a program asks which of two objects comes first, each object
// gets a rank when the program starts, by choice, and addresses in different objects compare by the ranks of these.
import { and, boolConst, compare, constant, ite, lt, ne, or, substituteCompare, varExpr } from '../../build.js'
import type { Expr } from '../../expr.js'
import type { Edge, Label, Location, MemoryObject, Position, Procedure, Program, Variable } from '../../model.js'
import { intType } from '../../types.js'
import { Unsupported } from '../../unsupported.js'
import { isOnCycle } from '../back-edges.js'
import { outgoing, withTemplates } from '../edit.js'
import { mapExpressions } from '../labels.js'
import { threadInstances } from '../shared.js'
import { freshNumbers } from './free-writes.js'
import { type Compare, candidates, type Observation, observations } from './observed-addresses.js'
import { pointsTo } from './points-to.js'
import type { Reused } from './reuse.js'

/** Ranks are chosen in every order: of more objects there are too many. */
const MAX_RANKED = 4

export const orderAddresses = (program: Program): Reused => {
  const sites = candidates(program, ({ op }) => op === 'lt' || op === 'le')
  if (sites.length === 0) return { program }
  const single = singleInstances(program)
  const observed = observations(sites, pointsTo(program))
  const ranked = new Set<MemoryObject>()
  const decided = new Map<Compare, Expr | 'ranked'>()
  let place: Position | undefined
  for (const { edge, compare: found, left, right } of observed) {
    const objects = new Set([...left, ...right])
    if (isWithinOne({ compare: found, left, right }, single)) {
      if (found.left.kind === 'const' && found.right.kind === 'const') decided.set(found, numerically(found))
    } else if ([...objects].every((object) => single.has(object))) {
      for (const object of objects) ranked.add(object)
      decided.set(found, 'ranked')
    } else place ??= edge.position
  }
  if (place || ranked.size > MAX_RANKED) {
    const where = place ?? observed[0]!.edge.position
    return { program, unmodelled: new Unsupported('a comparison of the addresses of different objects', where) }
  }
  return decided.size === 0 ? { program } : { program: withRanks(program, [...ranked], decided) }
}

/**
 * Both sides are in one object, or have to be: relational operators are for pointers into one object (C11 6.5.8p5), so
 * that sides which may point to the same objects, of which there are many, are taken to do so.
 */
const isWithinOne = (
  { compare: { left: side }, left, right }: Pick<Observation, 'compare' | 'left' | 'right'>,
  single: ReadonlySet<MemoryObject>,
): boolean => {
  const objects = new Set([...left, ...right])
  const [only] = objects
  if (objects.size === 1) return side.type.kind === 'pointer' || single.has(only!)
  const isSame = left.size === right.size && [...left].every((object) => right.has(object))
  return (
    side.type.kind === 'pointer' && isSame && (objects.size > MAX_RANKED || ![...objects].every((o) => single.has(o)))
  )
}

const numerically = ({ op, left, right }: Compare): Expr => {
  if (left.kind !== 'const' || right.kind !== 'const') throw new Error('a comparison of constants')
  return boolConst(op === 'lt' ? left.value < right.value : left.value <= right.value)
}

/** Objects of which an execution has one instance at most. */
const singleInstances = (program: Program): ReadonlySet<MemoryObject> => {
  const counts = threadInstances(program)
  const single = new Set(program.objects.filter(({ storage }) => storage === 'static'))
  for (const procedure of program.templates.values()) {
    if ((counts.get(procedure) ?? 0) > 1) continue
    for (const object of procedure.objects) single.add(object)
    const from = outgoing(procedure.edges)
    for (const edge of procedure.edges)
      for (const label of edge.labels) if (label.kind === 'allocate' && !isOnCycle(edge, from)) single.add(label.object)
  }
  return single
}

const RANK = intType(32, false)

const withRanks = (
  program: Program,
  objects: readonly MemoryObject[],
  decided: ReadonlyMap<Compare, Expr | 'ranked'>,
): Program => {
  const fresh = freshNumbers(program)
  const ranks = new Map(
    objects.map((object): [MemoryObject, Variable] => [
      object,
      { id: fresh(), name: `rank.${object.name}`, type: RANK, scope: 'global', initial: 0, atomic: true },
    ]),
  )
  const replace = (expr: Expr): Expr =>
    substituteCompare(expr, (found) => {
      const answer = decided.get(found)
      return answer === 'ranked' ? byRank(found, ranks) : answer
    })
  const changed = withTemplates(program, (procedure) => {
    const edges = procedure.edges.map((edge) => ({
      ...edge,
      labels: edge.labels.map((label) => mapExpressions(label, replace)),
    }))
    const rewritten = { ...procedure, edges }
    return procedure === program.main && ranks.size > 0 ? withChoice(rewritten, [...ranks.values()], fresh) : rewritten
  })
  return { ...changed, globals: [...changed.globals, ...ranks.values()] }
}

/** Which of two addresses comes first, by the ranks of their objects; within one object as ever. */
const byRank = (found: Compare, ranks: ReadonlyMap<MemoryObject, Variable>): Expr => {
  const isIn = (side: Expr, { base, size, stride, storage, instances = 1 }: MemoryObject): Expr => {
    const end = base + size + (storage === 'static' ? 0 : stride * (instances - 1))
    // One past the end still belongs to the object.
    return and(compare('le', constant(side.type, base), side), compare('le', side, constant(side.type, end)))
  }
  const rankOf = (side: Expr): Expr =>
    [...ranks].reduce<Expr>(
      (rest, [object, rank]) => ite(isIn(side, object), varExpr(rank), rest),
      constant(RANK, ranks.size),
    )
  const areTogether = or(...[...ranks.keys()].map((object) => and(isIn(found.left, object), isIn(found.right, object))))
  return or(and(areTogether, found), lt(rankOf(found.left), rankOf(found.right)))
}

/** Main begins by choosing the ranks, all of them different. */
const withChoice = (main: Procedure, ranks: readonly Variable[], fresh: () => number): Procedure => {
  const initial: Location = { ...main.initial, id: fresh() }
  const range = { low: constant(RANK, 0), high: constant(RANK, ranks.length - 1) }
  const labels: Label[] = ranks.map((target) => ({ kind: 'havoc', target, range }))
  const different = ranks.flatMap((a, i) => ranks.slice(i + 1).map((b) => ne(varExpr(a), varExpr(b))))
  const first: Edge = {
    id: fresh(),
    source: initial,
    target: main.initial,
    labels: [...labels, { kind: 'assume', condition: and(...different) }],
    position: main.position,
    text: 'the order of objects in memory',
  }
  return { ...main, initial, locations: [initial, ...main.locations], edges: [first, ...main.edges] }
}
