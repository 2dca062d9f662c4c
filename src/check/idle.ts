// Iterations of a loop that do nothing are no part of an execution: the thread might as well have stayed where it was. It
// has done nothing if it is back where it was, with the same values, and has only read on the way, or put back by an
// atomic exchange what it had read. And a read that fails and is tried again with what it has found leads to where an
// earlier read would have led at once, if it had found that. This is worked out here from the states of interleavings;
// engine/graphs/idle.ts has the same convention for graphs.
import type { Interpreter, State } from '../semantics/index.js'
import { withThread } from '../semantics/threads.js'
import { type Entry, entryName, locationOf, type Node, type Successor } from './executions.js'

/** A place where a thread has been, and how many entries it had then. */
interface Visit {
  readonly thread: NonNullable<ReturnType<State['threads']['at']>>
  readonly entries: number
}

/** Places since the thread last changed anything, oldest first. */
export type Been = ReadonlyMap<string, Visit>

export const NOWHERE: Been = new Map()

const placeOf = ({ location, locals }: Visit['thread']): string => `${location.id}(${locals.join()})`

/** The interleaving after a step, without what its thread has done for nothing. */
export const forgetIdle = (interpreter: Interpreter, before: Node, successor: Successor, node: Node): Node => {
  const number = successor.step.thread
  const thread = node.state.threads.at(number)!
  const hasStarted = node.state.threads.length > before.state.threads.length
  const changes = hasStarted || (hasWrites(successor) && !isSilent(interpreter, before, successor))
  const start = before.state.threads.at(number)!
  const visits = new Map(changes ? NOWHERE : node.been[number])
  const previous = before.threads[number]!.length
  if (!changes && !visits.has(placeOf(start))) visits.set(placeOf(start), { thread: start, entries: previous })
  const retried = changes ? undefined : retriedAt(interpreter, before, successor, visits)
  const tried = retried === undefined ? node : withoutEntries(node, number, retried, node.threads[number]!.length - 1)
  const back = visits.get(placeOf(thread))
  const result = back ? withoutEntries(tried, number, back.entries, tried.threads[number]!.length) : tried
  // What was tried first, and where it led, is not on the thread's way any more.
  const kept = Math.min(retried ?? Number.POSITIVE_INFINITY, result.threads[number]!.length)
  for (const [place, { entries }] of visits) if (entries > kept) visits.delete(place)
  if (!visits.has(placeOf(thread))) visits.set(placeOf(thread), { thread, entries: result.threads[number]!.length })
  return { ...result, been: node.been.map((been, i) => (i === number ? visits : been)) }
}

const hasWrites = ({ accesses }: Successor): boolean => accesses.some(({ write }) => write)

/** Whether a step puts back what it has read, so that nobody can see that it took place. */
const isSilent = (interpreter: Interpreter, before: Node, { state, accesses }: Successor): boolean => {
  const isExchange = accesses.every(
    (access) =>
      !access.write ||
      (access.atomic && accesses.some((other) => !other.write && locationOf(other) === locationOf(access))),
  )
  const { threads } = before.state
  return isExchange && interpreter.key({ ...state, threads }) === interpreter.key(before.state)
}

/**
 * How many entries the thread had at an earlier read of the same location, in the same loop, that would have led to where
 * the step has led now.
 */
const retriedAt = (
  interpreter: Interpreter,
  before: Node,
  { step, state, accesses }: Successor,
  visits: Been,
): number | undefined => {
  const [access, ...others] = accesses
  if (!access || others.length > 0 || access.write || step.choices.length > 0) return undefined
  const reached = settled(interpreter, state, step.thread)
  const isLoop = (visit: Visit): boolean => visit.thread.location === reached.location
  const list = [...visits.values()]
  for (let i = list.length - 2; i >= 0; i--) {
    if (!list.slice(i + 1).some(isLoop)) continue
    const { thread, entries } = list[i]!
    const there = { ...before.state, threads: withThread(before.state.threads, step.thread, thread, []) }
    for (const edge of interpreter.edgesOf(there, step.thread))
      for (const other of interpreter.execute(there, step.thread, edge)) {
        const [read, ...more] = other.accesses
        if (!read || more.length > 0 || read.write || read.atomic !== access.atomic) continue
        if (locationOf(read) !== locationOf(access)) continue
        if (placeOf(settled(interpreter, other.state, step.thread)) === placeOf(reached)) return entries
      }
  }
  return undefined
}

/** Local steps that a thread may take before its next access. */
const MAX_LOCAL_STEPS = 1000

/** Where the thread is before its next access. */
const settled = (interpreter: Interpreter, state: State, number: number): Visit['thread'] => {
  let current = state
  for (let steps = 0; steps < MAX_LOCAL_STEPS; steps++) {
    const next = interpreter.edgesOf(current, number).flatMap((edge) => interpreter.execute(current, number, edge))
    if (next.length !== 1 || next[0]!.accesses.length > 0) break
    current = next[0]!.state
  }
  return current.threads.at(number)!
}

/** Without the entries of a thread from one number to another; who has read from its writes reads from those before them. */
const withoutEntries = (node: Node, number: number, from: number, to: number): Node => {
  if (from >= to) return node
  const own = node.names[number]!
  const entries = node.threads[number]!
  const sources = new Map<string, string>()
  const orders = new Map(node.orders)
  for (let i = from; i < to; i++) {
    const entry = entries[i]!
    if (entry.location === undefined || entry.source !== undefined) continue
    const order = orders.get(entry.location)!
    const at = order.indexOf(entryName(own, i))
    sources.set(order[at]!, order[at - 1] ?? 'i')
    orders.set(entry.location, [...order.slice(0, at), ...order.slice(at + 1)])
  }
  const kept = [...entries.slice(0, from), ...entries.slice(to)]
  const threads = node.threads.map((list, i) => (i === number ? kept : list))
  if (sources.size === 0) return { ...node, threads }
  const sourceOf = (name: string): string => (sources.has(name) ? sourceOf(sources.get(name)!) : name)
  const renamed = (entry: Entry): Entry =>
    entry.location !== undefined && entry.source !== undefined && sources.has(entry.source)
      ? { ...entry, source: sourceOf(entry.source) }
      : entry
  return { ...node, orders, threads: threads.map((list) => list.map(renamed)) }
}
