// Counting executions again, by brute force: all interleavings by the interpreter that no engine uses, each with what it
// reads from whom and in which order writes to a location come. Two interleavings are one execution if they agree in that.
import { Digest, type DigestedAccess, executionText } from '../certificate/index.js'
import { type ConcreteAccess, type Interpreter, interpreterOf, type State } from '../semantics/index.js'
import type { Program } from '../xcfa/index.js'
import { type Been, forgetIdle, NOWHERE } from './idle.js'
import { Unset } from './unset.js'

export interface Executions {
  readonly executions: number
  readonly blocked: number
  readonly violated: boolean
  /** Of the complete ones, as the certificate has it. */
  readonly digest: string
}

/** An interleaving so far. */
export interface Node {
  readonly state: State
  /** By thread: who started it, and as which; numbers depend on who was faster. */
  readonly names: readonly string[]
  /** By thread: its accesses, and what it has chosen. */
  readonly threads: readonly (readonly Entry[])[]
  /** By location: its writes in order. */
  readonly orders: ReadonlyMap<string, readonly string[]>
  /** By thread: what it has accessed in the atomic step that it is in. */
  readonly inStep: readonly ReadonlySet<string>[]
  /** By thread: where it has been since it last changed anything. */
  readonly been: readonly Been[]
}

/** `source`: the write that is read from, or `i`; absent for a write. A choice has its values only. */
export type Entry =
  | { readonly location: string; readonly source?: string }
  | { readonly location?: undefined; readonly chosen: string }

export const locationOf = (access: ConcreteAccess): string =>
  access.kind === 'variable' ? `v${access.variable.id}` : `m${access.address}`

/** An access has the name of its thread, and its number there. */
export const entryName = (thread: string, number: number): string => `${thread}.${number}`

const entryText = (entry: Entry): string => (entry.location === undefined ? `c${entry.chosen}` : (entry.source ?? 'w'))

/** Locations have no names: where a block lies depends on who was faster. */
const graphOf = ({ names, threads, orders }: Node): string => {
  const byName = threads.map((entries, i) => `${names[i]}:${entries.map(entryText).join()}`).sort()
  const byLocation = [...orders.values()].map((order) => order.join('<')).sort()
  return `${byName.join('|')};${byLocation.join(';')}`
}

const digested = ({ names, threads, orders }: Node): string => {
  const accesses = new Map<string, DigestedAccess[]>()
  const numbers = new Map<string, { readonly thread: string; readonly access: number }>()
  threads.forEach((entries, i) => {
    const thread = names[i]!
    let access = 0
    entries.forEach((entry, number) => {
      if (entry.location !== undefined) numbers.set(entryName(thread, number), { thread, access: access++ })
    })
  })
  threads.forEach((entries, i) => {
    const own = entries.flatMap((entry): DigestedAccess[] => {
      if (entry.location === undefined) return []
      const { location, source } = entry
      return [source === undefined ? { location } : { location, source: numbers.get(source) ?? 'initial' }]
    })
    accesses.set(names[i]!, own)
  })
  return executionText({
    threads: accesses,
    orders: [...orders.values()].map((order) => order.map((write) => numbers.get(write)!)),
  })
}

/** The k-th thread that a thread starts has its name and k. */
const newName = (names: readonly string[], own: string): string => {
  const prefix = own === '0' ? '' : `${own}/`
  const isChild = (name: string): boolean =>
    name !== '0' && name.startsWith(prefix) && !name.slice(prefix.length).includes('/')
  return `${prefix}${names.filter(isChild).length + 1}`
}

/** The distinct (rf, co) graphs of complete and blocked interleavings; undefined: too many, or time is up. */
export const executionsOf = (
  program: Program,
  limit: number,
  stopped: () => boolean = () => false,
): Executions | undefined => {
  const interpreter = interpreterOf(program)
  const unset = new Unset(program)
  const seen = new Set<string>()
  const ends = { complete: new Set<string>(), blocked: new Set<string>() }
  const digest = new Digest()
  let violated = false
  const open: Node[] = interpreter.initial().map((state) => ({
    ...{ state, names: ['0'], threads: [[]], orders: new Map(), inStep: [], been: [] },
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
    if (successors.length === 0) {
      const kind = isComplete(state) ? 'complete' : 'blocked'
      if (kind === 'complete' && !ends.complete.has(graph)) digest.add(digested(node))
      ends[kind].add(graph)
    }
    for (const successor of successors) open.push(after(interpreter, unset, node, successor))
  }
  return { executions: ends.complete.size, blocked: ends.blocked.size, violated, digest: digest.toString() }
}

const isComplete = (state: State): boolean =>
  state.threads.every(
    ({ location: { kind, reason } }) =>
      kind === 'final' || kind === 'error' || (kind === 'halt' && reason?.kind !== 'assume'),
  )

export type Successor = ReturnType<Interpreter['successors']>[number]

const after = (interpreter: Interpreter, unset: Unset, node: Node, successor: Successor): Node => {
  const { step, state } = successor
  const accesses = unset.withoutReads(successor.accesses)
  const threads = node.threads.map((entries) => entries)
  const names = [...node.names]
  const own = names[step.thread]!
  while (names.length < state.threads.length) {
    names.push(newName(names, own))
    threads.push([])
  }
  const orders = new Map(node.orders)
  const entries = [...threads[step.thread]!]
  const accessed = new Set(node.state.threads.at(step.thread)!.location.atomic ? node.inStep[step.thread] : [])
  for (const access of accesses) {
    const location = locationOf(access)
    // What a step has accessed before, nobody has changed since.
    if (!access.write && accessed.has(location)) continue
    accessed.add(location)
    const order = orders.get(location) ?? []
    if (access.write) orders.set(location, [...order, entryName(own, entries.length)])
    entries.push(access.write ? { location } : { location, source: order[order.length - 1] ?? 'i' })
  }
  if (step.choices.length > 0) entries.push({ chosen: step.choices.join('c') })
  threads[step.thread] = entries
  const been = [...node.been]
  been[step.thread] ??= NOWHERE
  const inStep = [...node.inStep]
  inStep[step.thread] = accessed
  return forgetIdle(interpreter, node, successor, { state, names, threads, orders, inStep, been })
}
