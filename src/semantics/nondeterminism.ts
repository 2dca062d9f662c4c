// Which values of a nondeterministic choice need to be tried. All of a small type; otherwise we walk through the
// thread-local work that follows, with the chosen value as a symbol, and collect the conditions of each way through
// it that does not end in a failed assumption or the end of the program. A way is finite if its conditions leave a
// short interval, and needs one representative only if nothing that depends on the value is read after it.
import type { Edge, Expr, Label, Location, Type, Value, Variable } from '../xcfa/index.js'
import {
  canonical,
  castValue,
  constant,
  isLocalLabel,
  not,
  rangeOf,
  sameExpr,
  sameType,
  substitute,
  varExpr,
  variablesOf,
} from '../xcfa/index.js'
import type { TemplateLayout } from './layout.js'
import { livenessOf } from './liveness.js'

/** More values than these are "unbounded nondeterminism". */
const LIMIT = 4096
const SMALL_WIDTH = 8
const MOST_EDGES = 64
const MOST_WAYS = 256

export interface ChoicePoint {
  readonly template: TemplateLayout
  readonly edge: Edge
  /** Index of the label after the choice. */
  readonly next: number
  readonly target: Variable
  /** The value goes into memory and nowhere else: it may stay open until somebody loads it. */
  readonly onlyStored?: boolean
  /** The values of the executing thread's locals, and of globals, now. */
  readonly valueOf: (variable: Variable) => Value
  /** Of a primitive: the values of its arguments. */
  readonly args?: readonly Value[]
}

/** Values to try, or undefined when there are too many. */
export const valuesToTry = (type: Type, point: ChoicePoint): readonly Value[] | undefined => {
  if (type.kind === 'float') return undefined
  const { low, high } = rangeOf(type)
  if (high - low < 1n << BigInt(SMALL_WIDTH)) return interval(low, high)
  return valuesOfWays(type, waysAfter(type, point), point)
}

export const interval = (low: bigint, high: bigint): readonly Value[] | undefined => {
  if (high - low >= BigInt(LIMIT)) return undefined
  const values: Value[] = []
  for (let value = low; value <= high; value++) values.push(canonical(value))
  return values
}

// ---- ways through the local work that follows

/** The conditions under which execution comes to a point beyond the local work; all over `symbol`. */
interface Way {
  readonly conditions: readonly Expr[]
  /** Nothing that depends on the value is read any more. */
  readonly forgotten: boolean
}

type Environment = ReadonlyMap<Variable, Expr>

interface Walk {
  readonly point: ChoicePoint
  readonly symbol: Variable
  readonly ways: Way[]
  edges: number
}

const symbolOf = (type: Type): Variable => ({ id: -1, name: 'choice', type, scope: 'local', initial: 0 })
/** A value made from the choice in a way that we do not follow. */
const hiddenSymbol = (type: Type): Variable => ({ id: -2, name: 'hidden', type, scope: 'local', initial: 0 })
/** Another choice, made later. */
const otherSymbol = (type: Type): Variable => ({ id: -3, name: 'other', type, scope: 'local', initial: 0 })

const waysAfter = (type: Type, point: ChoicePoint): readonly Way[] => {
  const symbol = symbolOf(type)
  const chosen = varExpr(symbol)
  const value = sameType(type, point.target.type) ? chosen : varExpr(hiddenSymbol(point.target.type))
  const walk: Walk = { point, symbol, ways: [], edges: 0 }
  alongLabels(walk, point.edge, point.next, new Map([[point.target, value]]), [], [])
  return walk.ways
}

const alongLabels = (
  walk: Walk,
  edge: Edge,
  from: number,
  environment: Environment,
  conditions: readonly Expr[],
  visited: readonly Location[],
): void => {
  const env = new Map(environment)
  const met = [...conditions]
  for (let i = from; i < edge.labels.length; i++) {
    const label = edge.labels[i]!
    if (!staysLocal(label, visited.length === 0)) {
      const { isLiveBefore } = livenessOf(walk.point.template.procedure)
      finish(walk, met, env, (variable) => isLiveBefore(variable, edge, i))
      return
    }
    if (label.kind === 'assume') {
      const condition = substitute(label.condition, inEnvironment(walk, env))
      if (condition.kind === 'const' && condition.value === 0) return
      if (condition.kind !== 'const') met.push(condition)
    } else if (label.kind === 'assign') env.set(label.target, substitute(label.value, inEnvironment(walk, env)))
    else if (label.kind === 'havoc') env.set(label.target, varExpr(otherSymbol(label.target.type)))
  }
  alongEdges(walk, edge.target, env, met, visited)
}

/** In the edge of the choice itself globals still have their values: it is one step. */
const staysLocal = (label: Label, sameEdge: boolean): boolean =>
  isLocalLabel(label) || (sameEdge && (label.kind === 'assume' || (label.kind === 'assign' && isLocalTarget(label))))

const isLocalTarget = (label: { readonly target: Variable }): boolean => label.target.scope === 'local'

const alongEdges = (
  walk: Walk,
  location: Location,
  env: Environment,
  conditions: readonly Expr[],
  visited: readonly Location[],
): void => {
  const { template } = walk.point
  const { isLiveAt } = livenessOf(template.procedure)
  if (location.kind === 'halt' && location.reason?.kind !== 'undefined') return
  const edges = template.outgoing.get(location) ?? []
  const dependent = [...env.values()].some((value) => dependsOn(value, walk.symbol))
  const goesOn =
    edges.length > 0 &&
    dependent &&
    !visited.includes(location) &&
    walk.edges + edges.length <= MOST_EDGES &&
    edges.every(startsLocal) &&
    exhaustive(edges.map((e) => guardsOf(walk, e, env)))
  if (!goesOn) {
    finish(walk, conditions, env, (variable) => isLiveAt(variable, location))
    return
  }
  walk.edges += edges.length
  for (const edge of edges) alongLabels(walk, edge, 0, env, conditions, [...visited, location])
}

const startsLocal = (edge: Edge): boolean => {
  const first = edge.labels[0]
  return first === undefined || isLocalLabel(first)
}

/** The conditions that an edge meets before anything that is not local. */
const guardsOf = (walk: Walk, edge: Edge, environment: Environment): readonly Expr[] => {
  const env = new Map(environment)
  const guards: Expr[] = []
  for (const label of edge.labels) {
    if (!isLocalLabel(label)) break
    if (label.kind === 'assume') guards.push(substitute(label.condition, inEnvironment(walk, env)))
    else if (label.kind === 'assign') env.set(label.target, substitute(label.value, inEnvironment(walk, env)))
    else if (label.kind === 'havoc') env.set(label.target, varExpr(otherSymbol(label.target.type)))
  }
  return guards.filter((guard) => guard.kind !== 'const' || guard.value === 0)
}

/**
 * Whether every value passes one of these lists of conditions, as their shape tells (a tree of decisions): otherwise
 * a thread could be stuck here, which is not the same as a failed assumption.
 */
const exhaustive = (lists: readonly (readonly Expr[])[]): boolean => {
  if (lists.some((list) => list.length === 0)) return true
  const decision = lists[0]?.[0]
  if (!decision || decision.kind === 'const') return decision !== undefined && exhaustive(lists.slice(1))
  const opposite = not(decision)
  const under = (condition: Expr, excluded: Expr) =>
    lists
      .filter((list) => !sameExpr(list[0]!, excluded))
      .map((list) => (sameExpr(list[0]!, condition) ? list.slice(1) : list))
  const [yes, no] = [under(decision, opposite), under(opposite, decision)]
  if (no.length === lists.length) return false
  return exhaustive(yes) && exhaustive(no)
}

const finish = (
  walk: Walk,
  conditions: readonly Expr[],
  env: Environment,
  isLive: (variable: Variable) => boolean,
): void => {
  const forgotten = [...env].every(
    ([variable, value]) => variable.scope === 'local' && !remembers(walk, value, isLive, variable),
  )
  walk.ways.push({ conditions, forgotten })
}

const remembers = (walk: Walk, value: Expr, isLive: (variable: Variable) => boolean, variable: Variable): boolean =>
  dependsOn(value, walk.symbol) && isLive(variable)

const dependsOn = (e: Expr, symbol: Variable): boolean => {
  for (const variable of variablesOf(e)) if (variable === symbol || variable.id === -2) return true
  return false
}

const inEnvironment =
  (walk: Walk, env: Environment) =>
  (variable: Variable): Expr | undefined =>
    env.get(variable) ?? (variable.id < 0 ? undefined : constant(variable.type, walk.point.valueOf(variable)))

// ---- values of a way

const valuesOfWays = (type: Type, ways: readonly Way[], point: ChoicePoint): readonly Value[] | undefined => {
  if (ways.length > MOST_WAYS) return undefined
  const values = new Set<Value>()
  for (const way of ways) {
    const some = valuesOfWay(type, way)
    if (!some) return undefined
    for (const value of some) values.add(value)
  }
  // Every value leads to a failed assumption or the end: one shows it.
  if (values.size === 0) values.add(castValue(point.target.type, type, 0))
  return values.size > LIMIT ? undefined : [...values]
}

const valuesOfWay = (type: Type, way: Way): readonly Value[] | undefined => {
  const allowed = (value: Value): boolean =>
    way.conditions.every((c) => {
      const holds = substitute(c, (v) => (v.id === -1 ? constant(type, value) : undefined))
      return holds.kind !== 'const' || holds.value !== 0
    })
  const aboutChoice = (c: Expr): boolean => [...variablesOf(c)].some((v) => v.id === -1 || v.id === -2)
  const exact = way.conditions.every((c) => !aboutChoice(c) || [...variablesOf(c)].every((v) => v.id === -1))
  const bounds = boundsOf(type, way.conditions)
  if (bounds.low > bounds.high) return []
  if (way.forgotten && exact) {
    const representative = pointsOfInterest(type, way.conditions, bounds).find(allowed)
    if (representative !== undefined) return [representative]
  }
  return interval(bounds.low, bounds.high)?.filter(allowed)
}

interface Bounds {
  readonly low: bigint
  readonly high: bigint
}

/** The interval that comparisons of the symbol with constants leave. */
const boundsOf = (type: Type, conditions: readonly Expr[]): Bounds => {
  let { low, high } = rangeOf(type)
  for (const c of conditions.flatMap((e) => (e.kind === 'and' ? e.args : [e]))) {
    if (c.kind !== 'compare') continue
    const left = constantOf(c.left)
    const right = constantOf(c.right)
    const strict = c.op === 'lt' ? 1n : 0n
    if (right !== undefined && keepsValue(c.left)) {
      if (c.op !== 'ne') high = least(high, right - strict)
      if (c.op === 'eq') low = greatest(low, right)
    } else if (left !== undefined && keepsValue(c.right) && (c.op === 'lt' || c.op === 'le'))
      low = greatest(low, left + strict)
  }
  return { low, high }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b)

const constantOf = (e: Expr): bigint | undefined =>
  e.kind === 'const' && e.type.kind !== 'float' ? BigInt(e.value) : undefined

/** The symbol itself, perhaps widened. */
const keepsValue = (e: Expr): boolean => {
  if (e.kind === 'var') return e.variable.id === -1
  if (e.kind !== 'cast' || e.type.kind === 'float' || e.arg.type.kind === 'float') return false
  const [from, to] = [rangeOf(e.arg.type), rangeOf(e.type)]
  return from.low >= to.low && from.high <= to.high && e.type.kind !== 'bool' && keepsValue(e.arg)
}

/** Where comparisons with constants change their truth: around each constant, at the ends, near zero. */
const pointsOfInterest = (type: Type, conditions: readonly Expr[], { low, high }: Bounds): readonly Value[] => {
  const points = new Set<bigint>([0n, 1n, -1n, 2n, low, high])
  const collect = (e: Expr): void => {
    if (e.kind === 'const' && e.type.kind !== 'float')
      for (const delta of [0n, 1n, -1n]) points.add(BigInt(e.value) + delta)
    else if (e.kind === 'unary' || e.kind === 'not' || e.kind === 'cast' || e.kind === 'bitcast') collect(e.arg)
    else if (e.kind === 'binary' || e.kind === 'compare') {
      collect(e.left)
      collect(e.right)
    } else if (e.kind === 'and' || e.kind === 'or') e.args.forEach(collect)
    else if (e.kind === 'ite') [e.condition, e.then, e.else].forEach(collect)
  }
  conditions.forEach(collect)
  const { low: least, high: most } = rangeOf(type)
  return [...points].filter((p) => p >= least && p <= most && p >= low && p <= high).map(canonical)
}
