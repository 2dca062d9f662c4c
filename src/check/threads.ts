// Which threads may run beside each other, worked out from starts and joins of main: for a proof without races. Claims
// too much rather than too little: what it does not understand counts as running.
import {
  constant,
  constantValue,
  type Edge,
  type Expr,
  type Location,
  type Procedure,
  type Program,
  substitute,
  type Variable,
  variablesOf,
} from '../xcfa/index.js'
import { outgoing, written } from '../xcfa/passes/index.js'
import { definitionsOf } from './definitions.js'

export interface Threads {
  /** Of a template that is not single any number of threads may run. */
  isSingle(template: Procedure): boolean
  /** Whether a thread of the other template may run when one is before this label of an edge. */
  mayRun(other: Procedure, template: Procedure, edge: Edge, label: number): boolean
  /** The single template whose thread main joins on the edge, and the variable that has its number. */
  joined(edge: Edge): { readonly template: Procedure; readonly handle: Variable } | undefined
}

/** `ended`: edges of main after which no thread of a template runs any more. */
export const threadsOf = (program: Program, ended: ReadonlyMap<Procedure, ReadonlySet<Edge>> = new Map()): Threads => {
  const { main } = program
  const templates = [...program.templates.values()]
  const starts = templates.flatMap((owner) =>
    owner.edges.flatMap((edge) =>
      edge.labels.flatMap((label) => (label.kind === 'start' ? [{ owner, edge, label }] : [])),
    ),
  )
  const startsOf = (template: Procedure) => starts.filter(({ label }) => label.procedure === template.name)
  const isSingle = (template: Procedure): boolean => {
    const own = startsOf(template)
    if (template === main) return own.length === 0
    const [first] = own
    // One call is several edges where what follows it branches: they leave one place, so that one of them is taken.
    const isOneCall = own.every(({ edge }, i) =>
      own.every((other, j) => edge.source === other.edge.source && (i === j || edge !== other.edge)),
    )
    // The source may be the head of a loop that the edge leaves.
    return first?.owner === main && isOneCall && isSingle(main) && own.every(({ edge }) => !comesBack(main, edge))
  }
  const joined: Threads['joined'] = ({ labels }) => {
    const join = labels.find((label) => label.kind === 'join')
    const [handle, ...others] = join ? variablesOf(join.thread) : []
    if (!join || !handle || others.length > 0 || handle.scope !== 'local' || !isSame(join.thread, handle))
      return undefined
    const writers = main.edges.flatMap((edge) => edge.labels).filter((label) => written(label).includes(handle))
    const [start] = writers
    const template = start?.kind === 'start' ? program.templates.get(start.procedure) : undefined
    const isItsNumber = writers.every((label) => label.kind === 'start' && label.procedure === template?.name)
    return template && isItsNumber && isSingle(template) ? { template, handle } : undefined
  }
  const running = runningAt(program, joined, ended)
  const onlyMainStarts = starts.every(({ owner }) => owner === main) && isSingle(main)
  const besideMain = (edge: Edge, label: number): ReadonlySet<Procedure> => {
    const before = new Set(running.get(edge.source))
    for (const each of edge.labels.slice(0, label)) step(program, before, each, joined(edge)?.template)
    return before
  }
  return {
    isSingle,
    joined,
    mayRun: (other, template, edge, label) => {
      if (!onlyMainStarts) return true
      if (template === main) return besideMain(edge, label).has(other)
      // The other one checks main's own edges.
      return other === main || [...running.values()].some((set) => set.has(template) && set.has(other))
    },
  }
}

/** Whether the expression has the value of the variable. */
const isSame = (e: Expr, variable: Variable): boolean =>
  isLinear(e, variable) && [0, 1].every((n) => valueAt(e, variable, n) === n)

/** The value of an expression over one variable. */
export const valueAt = (e: Expr, variable: Variable, n: number): number =>
  Number(constantValue(substitute(e, (v) => (v === variable ? constant(v.type, n) : undefined))))

/** A variable times a constant plus a constant, in types that hold all numbers of threads: two values give all. */
export const isLinear = (e: Expr, variable: Variable): boolean => {
  switch (e.kind) {
    case 'const':
      return true
    case 'var':
      return e.variable === variable
    case 'cast':
      return e.type.kind !== 'bool' && e.type.kind !== 'float' && e.type.width >= 32 && isLinear(e.arg, variable)
    case 'binary':
      if (e.op === 'mul' && e.left.kind !== 'const' && e.right.kind !== 'const') return false
      return ['add', 'sub', 'mul'].includes(e.op) && isLinear(e.left, variable) && isLinear(e.right, variable)
    default:
      return false
  }
}

const step = (
  program: Program,
  running: Set<Procedure>,
  label: Edge['labels'][number],
  joined: Procedure | undefined,
): void => {
  if (label.kind === 'start') running.add(program.templates.get(label.procedure)!)
  if (label.kind === 'join' && joined) running.delete(joined)
}

/** For each location of main: who was started on some way to it, and not joined since. */
const runningAt = (
  program: Program,
  joined: Threads['joined'],
  ended: ReadonlyMap<Procedure, ReadonlySet<Edge>>,
): ReadonlyMap<Location, ReadonlySet<Procedure>> => {
  const { main } = program
  const from = outgoing(main.edges)
  const found = new Map<Location, Set<Procedure>>([[main.initial, new Set()]])
  const work = [main.initial]
  for (let location = work.pop(); location; location = work.pop())
    for (const edge of from.get(location) ?? []) {
      if (takesForMain(main, edge)) continue
      const after = new Set(found.get(location))
      for (const label of edge.labels) step(program, after, label, joined(edge)?.template)
      for (const [template, edges] of ended) if (edges.has(edge)) after.delete(template)
      const known = found.get(edge.target)
      if (known && [...after].every((template) => known.has(template))) continue
      found.set(edge.target, new Set([...(known ?? []), ...after]))
      work.push(edge.target)
    }
  return found
}

/** The edge is taken only if a thread that main has started were main: `pthread_join` asks whether it would join itself. */
const takesForMain = (main: Procedure, { labels }: Edge): boolean =>
  labels.some((label) => {
    if (label.kind !== 'assume' || label.condition.kind !== 'compare' || label.condition.op !== 'eq') return false
    const { left, right } = label.condition
    const [handle, ...others] = variablesOf(left)
    if (!handle || others.length > 0 || right.kind !== 'const' || !isLinear(left, handle)) return false
    const [start, ...more] = handle.scope === 'local' ? definitionsOf(main, handle) : []
    const isNumber = valueAt(left, handle, 1) - valueAt(left, handle, 0) === 1
    return (
      start?.label.kind === 'start' && more.length === 0 && isNumber && valueAt(left, handle, 0) === Number(right.value)
    )
  })

/** Whether an execution may come to where the edge leaves once more after it took it. */
const comesBack = ({ edges }: Procedure, { source, target }: Edge): boolean => {
  const from = outgoing(edges)
  const seen = new Set([target])
  for (const location of seen) for (const edge of from.get(location) ?? []) seen.add(edge.target)
  return seen.has(source)
}
