// Which values of a nondeterministic choice need to be tried. All of a small type; otherwise we walk through the
// thread-local work that follows, with the chosen value as a symbol, and collect the conditions of each way through
// it that does not end in a failed assumption (or, where nobody looks at how programs end, in the end of the program).
// A way is finite if its conditions leave a
// short interval. It needs one representative only if nothing that depends on the value is read after it, and one for
// each interval between constants if what is read depends on comparisons with them only, or one for each remainder.
import type { Edge, Expr, Label, Location, Procedure, Type, Value, Variable } from '../../xcfa/index.js'
import {
  boolConst,
  canonical,
  cast,
  children,
  compareValue,
  constant,
  isLocalLabel,
  not,
  rangeOf,
  sameExpr,
  sameType,
  substitute,
  substituteCompare,
  varExpr,
  variablesOf,
  wrap,
} from '../../xcfa/index.js'
import { expressionsOf } from '../../xcfa/passes/labels.js'
import type { TemplateLayout } from '../layout.js'
import { livenessOf } from './liveness.js'

/** More values than these are "unbounded nondeterminism". */
const LIMIT = 4096
const SMALL_WIDTH = 8
const MAX_EDGES = 64
const MAX_PATHS = 256

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
  /** Whether it matters that the program may end here: for leaks it does. */
  readonly endsMatter: boolean
  /** Of a primitive: the values of its arguments. */
  readonly args?: readonly Value[]
}

/** Values to try of all those of a type, or of a range; undefined when there are too many. */
export const valuesToTry = (type: Type, point: ChoicePoint, range?: Bounds): readonly Value[] | undefined => {
  if (type.kind === 'float') return undefined
  const { low, high } = range ?? rangeOf(type)
  if (high - low < 1n << BigInt(SMALL_WIDTH)) return interval(low, high)
  return valuesOfWays(type, waysAfter(type, point, { low, high }), { low, high })
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
  /** What is made of the value later. */
  readonly remembered: readonly Expr[]
}

type Environment = ReadonlyMap<Variable, Expr>

interface Walk {
  readonly point: ChoicePoint
  readonly symbol: Variable
  readonly domain: Bounds
  readonly ways: Way[]
  edges: number
}

const symbolOf = (type: Type): Variable => ({ id: -1, name: 'choice', type, scope: 'local', initial: 0 })
/** A value made from the choice in a way that we do not follow. */
const hiddenSymbol = (type: Type): Variable => ({ id: -2, name: 'hidden', type, scope: 'local', initial: 0 })
/** Another choice, made later. */
const otherSymbol = (type: Type): Variable => ({ id: -3, name: 'other', type, scope: 'local', initial: 0 })

const waysAfter = (type: Type, point: ChoicePoint, domain: Bounds): readonly Way[] => {
  const symbol = symbolOf(type)
  const chosen = varExpr(symbol)
  const value = sameType(type, point.target.type) ? chosen : varExpr(hiddenSymbol(point.target.type))
  const walk: Walk = { point, symbol, domain, ways: [], edges: 0 }
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
    if (!isAsLocal(walk, edge, i) && !(visited.length === 0 && isLocalInStep(label))) {
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

/** Nobody else can see or change what the label is about. */
const isAsLocal = ({ point }: Walk, edge: Edge, index: number): boolean => {
  const label = edge.labels[index]!
  if (isLocalLabel(label)) return true
  const isAlone = index < (point.template.alone.get(edge) ?? 0)
  return isAlone && (label.kind === 'assume' || label.kind === 'assign' || label.kind === 'havoc')
}

/** In the edge of the choice itself globals still have their values: it is one step. */
const isLocalInStep = (label: Label): boolean =>
  label.kind === 'assume' || (label.kind === 'assign' && isLocalTarget(label))

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
  if (leadsNowhere(location, walk.point)) return
  const edges = template.outgoing.get(location) ?? []
  const dependent = [...env.values()].some((value) => dependsOn(value, walk.symbol))
  const goesOn =
    edges.length > 0 &&
    dependent &&
    !visited.includes(location) &&
    walk.edges + edges.length <= MAX_EDGES &&
    edges.every((edge) => startsLocal(walk, edge)) &&
    exhaustive(edges.map((e) => guardsOf(walk, e, env)))
  if (!goesOn) {
    finish(walk, conditions, env, (variable) => isLiveAt(variable, location))
    return
  }
  walk.edges += edges.length
  for (const edge of edges) alongLabels(walk, edge, 0, env, conditions, [...visited, location])
}

/** The thread goes no further, and it is as if it had not come here: others could have run before. */
const leadsNowhere = ({ kind, reason }: Location, { endsMatter }: ChoicePoint): boolean =>
  kind === 'halt' && (reason?.kind === 'assume' || (reason?.kind === 'exit' && !endsMatter))

const startsLocal = (walk: Walk, edge: Edge): boolean => edge.labels.length === 0 || isAsLocal(walk, edge, 0)

/** The conditions that an edge meets before anything that is not local. */
const guardsOf = (walk: Walk, edge: Edge, environment: Environment): readonly Expr[] => {
  const env = new Map(environment)
  const guards: Expr[] = []
  for (const [i, label] of edge.labels.entries()) {
    if (!isAsLocal(walk, edge, i)) break
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
  const dependent = [...env].filter(
    ([variable, value]) => dependsOn(value, walk.symbol) && (variable.scope === 'global' || isLive(variable)),
  )
  const remembered = dependent.flatMap(([variable, value]) =>
    isKept(walk, variable, value)
      ? usesOf(walk, variable).map((use) => substitute(use, (other) => (other === variable ? value : undefined)))
      : [value],
  )
  walk.ways.push({ conditions, remembered })
}

/** The choice itself, in a variable that no other thread sees: what counts is how this one uses it. */
const isKept = (walk: Walk, variable: Variable, value: Expr): boolean =>
  variable.scope === 'local' && keptRange(value, walk.domain) !== undefined

/** Everything that the thread ever makes of a variable. */
const usesOf = ({ point }: Walk, variable: Variable): readonly Expr[] => {
  const { procedure } = point.template
  let uses = USES.get(procedure)
  if (!uses) USES.set(procedure, (uses = usesIn(procedure)))
  return uses.get(variable) ?? []
}

const usesIn = (procedure: Procedure): ReadonlyMap<Variable, readonly Expr[]> => {
  const uses = new Map<Variable, Expr[]>()
  for (const { labels, sync } of procedure.edges)
    for (const expr of [...labels.flatMap(expressionsOf), ...(sync?.object ? [sync.object] : [])])
      for (const variable of variablesOf(expr)) {
        const known = uses.get(variable)
        if (known) known.push(expr)
        else uses.set(variable, [expr])
      }
  return uses
}

const USES = new WeakMap<Procedure, ReadonlyMap<Variable, readonly Expr[]>>()

const isChoice = ({ id }: Variable): boolean => id === -1 || id === -2

/** What the choice is compared with; undefined if an expression uses its value in another way. */
const thresholdsOf = (expressions: readonly Expr[], domain: Bounds): readonly bigint[] | undefined => {
  const found: bigint[] = []
  const collect = (e: Expr): boolean => {
    if (e.kind === 'var') return !isChoice(e.variable)
    if (e.kind === 'compare') {
      const [left, right] = [constantOf(e.left), constantOf(e.right)]
      const compared =
        right !== undefined && keptRange(e.left, domain) ? right : keptRange(e.right, domain) ? left : undefined
      if (compared !== undefined) {
        found.push(compared)
        return true
      }
    }
    return children(e).every(collect)
  }
  return expressions.every(collect) ? found : undefined
}

const dependsOn = (e: Expr, symbol: Variable): boolean => {
  for (const variable of variablesOf(e)) if (variable === symbol || variable.id === -2) return true
  return false
}

const inEnvironment =
  (walk: Walk, env: Environment) =>
  (variable: Variable): Expr | undefined =>
    env.get(variable) ?? (variable.id < 0 ? undefined : constant(variable.type, walk.point.valueOf(variable)))

// ---- values of a way

const valuesOfWays = (type: Type, ways: readonly Way[], domain: Bounds): readonly Value[] | undefined => {
  if (ways.length > MAX_PATHS) return undefined
  const values = new Set<Value>()
  for (const way of ways) {
    const some = valuesOfWay(type, way, domain)
    if (!some) return undefined
    for (const value of some) values.add(value)
  }
  // Every value leads to a failed assumption or the end: one shows it.
  if (values.size === 0) values.add(canonical(domain.low > 0n || domain.high < 0n ? domain.low : 0n))
  return values.size > LIMIT ? undefined : [...values]
}

const valuesOfWay = (type: Type, way: Way, domain: Bounds): readonly Value[] | undefined =>
  valuesSeenAs(type, way, domain) ?? valuesWithOtherSign(type, way, domain)

/** `int x = nondet_uint()`: comparisons of x say nothing of the choice itself, but all of its values as an int. */
const valuesWithOtherSign = (type: Type, way: Way, { low, high }: Bounds): readonly Value[] | undefined => {
  if (type.kind !== 'int') return undefined
  const whole = rangeOf(type)
  if (low !== whole.low || high !== whole.high) return undefined
  const other: Type = { ...type, signed: !type.signed }
  const chosen = cast(type, varExpr(symbolOf(other)))
  const seen = (e: Expr): Expr => substitute(e, (v) => (v.id === -1 ? chosen : undefined))
  const turned = { conditions: way.conditions.map(seen), remembered: way.remembered.map(seen) }
  return valuesSeenAs(other, turned, rangeOf(other))?.map((value) => wrap(type, value))
}

const valuesSeenAs = (type: Type, way: Way, domain: Bounds): readonly Value[] | undefined => {
  const allowed = (value: Value): boolean =>
    way.conditions.every((c) => {
      const holds = decided(substitute(c, (v) => (v.id === -1 ? constant(type, value) : undefined)))
      return holds.kind !== 'const' || holds.value !== 0
    })
  const aboutChoice = (c: Expr): boolean => [...variablesOf(c)].some((v) => v.id === -1 || v.id === -2)
  const exact = way.conditions.every((c) => !aboutChoice(c) || [...variablesOf(c)].every((v) => v.id === -1))
  const bounds = boundsOf(domain, way.conditions)
  if (bounds.low > bounds.high) return []
  if (exact) {
    const representative = pointsOfInterest(type, way.conditions, bounds).find(allowed)
    if (way.remembered.length === 0 && representative !== undefined) return [representative]
    const all = [...way.remembered, ...way.conditions.filter(aboutChoice)]
    const thresholds = thresholdsOf(all, domain)
    if (thresholds) return betweenThresholds(thresholds, bounds).filter(allowed)
    const residues = residuesIn(modulusOf(all, domain), domain)
    if (residues) return residues.filter(allowed)
  }
  return interval(bounds.low, bounds.high)?.filter(allowed)
}

/** Which of two addresses comes first is not folded, for passes to decide; by now they have. */
const decided = (e: Expr): Expr =>
  substituteCompare(e, ({ op, left, right }) =>
    left.kind === 'const' && right.kind === 'const'
      ? boolConst(compareValue(op, left.type, left.value, right.value))
      : undefined,
  )

/** A number such that the expressions tell apart only remainders by it; undefined if they tell apart more. */
const modulusOf = (expressions: readonly Expr[], domain: Bounds): bigint | undefined => {
  let modulus = 1n
  const collect = (e: Expr): boolean => {
    if (e.kind === 'var') return !isChoice(e.variable)
    const by = e.kind === 'binary' && keptRange(e.left, domain) ? divisorOf(e) : undefined
    if (by === undefined) return children(e).every(collect)
    modulus *= modulus % by === 0n ? 1n : by
    return modulus <= BigInt(LIMIT)
  }
  return expressions.every(collect) ? modulus : undefined
}

/** x % 3, or x & 3, which is x modulo 4. */
const divisorOf = ({ op, right }: Expr & { readonly kind: 'binary' }): bigint | undefined => {
  const by = constantOf(right)
  if (by === undefined || by < 0n) return undefined
  if (op === 'rem') return by === 0n ? undefined : by
  return op === 'bitand' && (by & (by + 1n)) === 0n ? by + 1n : undefined
}

/** A value for each remainder, of either sign; undefined where the domain has not all of them. */
const residuesIn = (modulus: bigint | undefined, { low, high }: Bounds): readonly Value[] | undefined => {
  if (modulus === undefined) return undefined
  const least = low < 0n ? 1n - modulus : 0n
  return low <= least && high >= modulus - 1n ? interval(least, modulus - 1n) : undefined
}

/** A value of each interval that these constants make, the constants themselves included. */
const betweenThresholds = (thresholds: readonly bigint[], { low, high }: Bounds): readonly Value[] => {
  const points = new Set([low, high, ...thresholds.flatMap((at) => [at - 1n, at, at + 1n])])
  return [...points].filter((point) => point >= low && point <= high).map(canonical)
}

interface Bounds {
  readonly low: bigint
  readonly high: bigint
}

/** The interval that comparisons of the symbol with constants leave. */
const boundsOf = (domain: Bounds, conditions: readonly Expr[]): Bounds => {
  let { low, high } = domain
  for (const c of conditions.flatMap(conjuncts)) {
    if (c.kind !== 'compare') continue
    const left = constantOf(c.left)
    const right = constantOf(c.right)
    const strict = c.op === 'lt' ? 1n : 0n
    if (right !== undefined && keptRange(c.left, domain)) {
      if (c.op !== 'ne') high = least(high, right - strict)
      if (c.op === 'eq') low = greatest(low, right)
    } else if (left !== undefined && keptRange(c.right, domain) && (c.op === 'lt' || c.op === 'le'))
      low = greatest(low, left + strict)
  }
  return { low, high }
}

/** All of them hold where the condition does: none of `i < 0 || i >= n` does where the whole fails. */
const conjuncts = (e: Expr): readonly Expr[] => {
  if (e.kind === 'and') return e.args.flatMap(conjuncts)
  return e.kind === 'not' && e.arg.kind === 'or' ? e.arg.args.flatMap((arg) => conjuncts(not(arg))) : [e]
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b)

const constantOf = (e: Expr): bigint | undefined =>
  e.kind === 'const' && e.type.kind !== 'float' ? BigInt(e.value) : undefined

/** The values of an expression that is the symbol itself, perhaps of another type that holds them all. */
const keptRange = (e: Expr, domain: Bounds): Bounds | undefined => {
  if (e.kind === 'var') return e.variable.id === -1 ? domain : undefined
  if (e.kind !== 'cast' || e.type.kind === 'float' || e.type.kind === 'bool' || e.arg.type.kind === 'float')
    return undefined
  const kept = keptRange(e.arg, domain)
  const { low, high } = rangeOf(e.type)
  return kept && kept.low >= low && kept.high <= high ? kept : undefined
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
