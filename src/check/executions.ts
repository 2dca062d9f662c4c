// Counting executions again, by brute force: all interleavings by the interpreter that no engine uses, each with what it
// reads from whom and in which order writes to a location come. Two interleavings are one execution if they agree in that.
import { type ConcreteAccess, interpreterOf, type State } from '../semantics/index.js'
import type { Program } from '../xcfa/index.js'

export interface Executions {
  readonly executions: number
  readonly blocked: number
  readonly violated: boolean
}

interface Node {
  readonly state: State
  /** By thread: who started it, and as which; numbers depend on who was faster. */
  readonly names: readonly string[]
  /** By thread: for each access what it reads from, or that it writes. */
  readonly threads: readonly string[]
  /** By location: its writes in order. */
  readonly orders: ReadonlyMap<string, readonly string[]>
  /** By thread: where it has been since its last write, and what it had read by then. */
  readonly been: readonly ReadonlyMap<string, string>[]
}

const locationOf = (access: ConcreteAccess): string =>
  access.kind === 'variable' ? `v${access.variable.id}` : `m${access.address}`

const graphOf = ({ names, threads, orders }: Node): string => {
  const byName = threads.map((accesses, i) => `${names[i]}:${accesses}`).sort()
  const byLocation = [...orders].map(([location, order]) => `${location}:${order.join('<')}`).sort()
  return `${byName.join('|')};${byLocation.join(';')}`
}

/** The k-th thread that a thread starts has its name and k. */
const childrenOf = (names: readonly string[], own: string): number =>
  names.filter((name) => name.startsWith(`${own}/`) && !name.slice(own.length + 1).includes('/')).length

/** The distinct (rf, co) graphs of complete and blocked interleavings; undefined: too many, or time is up. */
export const executionsOf = (
  program: Program,
  limit: number,
  stopped: () => boolean = () => false,
): Executions | undefined => {
  const interpreter = interpreterOf(program)
  const seen = new Set<string>()
  const ends = { complete: new Set<string>(), blocked: new Set<string>() }
  let violated = false
  const open: Node[] = interpreter.initial().map((state) => ({
    ...{ state, names: ['0'], threads: [], orders: new Map(), been: [] },
  }))
  for (let node = open.pop(); node; node = open.pop()) {
    const { state } = node
    const graph = graphOf(node)
    const key = `${graph}#${interpreter.key(state)}`
    if (seen.has(key)) continue
    if (seen.size > limit || (seen.size % 256 === 0 && stopped())) return undefined
    seen.add(key)
    const successors = interpreter.successors(state)
    if (state.threads.some(({ location }) => location.kind === 'error')) violated = true
    if (successors.length === 0) ends[isComplete(state) ? 'complete' : 'blocked'].add(graph)
    for (const successor of successors) open.push(after(node, successor))
  }
  return { executions: ends.complete.size, blocked: ends.blocked.size, violated }
}

const isComplete = (state: State): boolean =>
  state.threads.every(
    ({ location: { kind, reason } }) =>
      kind === 'final' || kind === 'error' || (kind === 'halt' && reason?.kind !== 'assume'),
  )

type Successor = ReturnType<ReturnType<typeof interpreterOf>['successors']>[number]

const after = (node: Node, { step, state, accesses }: Successor): Node => {
  const threads = [...node.threads]
  while (threads.length < state.threads.length) threads.push('')
  const names = [...node.names]
  const own = names[step.thread]!
  while (names.length < state.threads.length) names.push(`${own}/${childrenOf(names, own)}`)
  const orders = new Map(node.orders)
  for (const access of accesses) {
    const location = locationOf(access)
    const order = orders.get(location) ?? []
    const number = threads[step.thread]!.split(',').length
    if (access.write) orders.set(location, [...order, `${own}.${number}`])
    threads[step.thread] += access.write ? 'w,' : `${order[order.length - 1] ?? 'i'},`
  }
  if (step.choices.length > 0) threads[step.thread] += `c${step.choices.join('c')},`
  // A loop that comes back without a write has done nothing.
  const been = [...node.been]
  const { location, locals } = state.threads.at(step.thread)!
  const place = `${location.id}(${locals.join()})`
  const visited = new Map(accesses.some(({ write }) => write) ? [] : (been[step.thread] ?? []))
  const before = visited.get(place)
  if (before !== undefined) threads[step.thread] = before
  been[step.thread] = visited.set(place, threads[step.thread]!)
  return { state, names, threads, orders, been }
}
