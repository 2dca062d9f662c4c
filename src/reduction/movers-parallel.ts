// Which threads can run at the same time: what main has started and not yet joined at each of its locations.
import { constantValue, type Edge, type Location, type Procedure } from '../xcfa/index.js'
import { outgoing } from '../xcfa/passes/index.js'
import { joiningAll } from './instances/joined.js'
import type { MoverThread } from './movers.js'

export interface Parallel {
  /** Whether the two edges, of different thread instances, can be taken next to each other. */
  together(edge: Edge, thread: MoverThread, other: Edge, owner: MoverThread): boolean
  /** Whether any other thread can be running when the edge is taken. */
  someoneElse(edge: Edge, thread: MoverThread): boolean
}

type Running = ReadonlySet<MoverThread>

export const parallelThreads = (threads: readonly MoverThread[]): Parallel => {
  const main = threads[0]!
  const running = runningAt(threads)
  // Who is joined on the edge takes no step after it: joins move right only.
  const atEdge = (edge: Edge): Running => {
    const before = running.get(edge.source) ?? new Set()
    const joined = joinedOn(edge)
    return joined.size === 0
      ? before
      : new Set([...before].filter((t) => t.number === undefined || !joined.has(t.number)))
  }
  const sets = [...running.values()]
  const overlap = (a: MoverThread, b: MoverThread): boolean => sets.some((set) => set.has(a) && set.has(b))
  return {
    together: (edge, thread, other, owner) => {
      if (thread === main) return atEdge(edge).has(owner)
      if (owner === main) return atEdge(other).has(thread)
      return overlap(thread, owner)
    },
    someoneElse: (edge, thread) => (thread === main ? atEdge(edge).size > 0 : true),
  }
}

/** For each location of main: threads that may have been started, with all that they start, and were not joined. */
const runningAt = (threads: readonly MoverThread[]): ReadonlyMap<Location, Running> => {
  const [main] = threads
  const byName = new Map(threads.map((t) => [t.template.name, t]))
  const from = outgoing(main!.template.edges)
  const templates = threads.map(({ template }) => template)
  const joined = new Map(
    threads.flatMap((t) => (t.number === undefined ? [[t, joiningAll(templates, t.template.name)] as const] : [])),
  )
  const running = new Map<Location, Set<MoverThread>>([[main!.template.initial, new Set()]])
  const work = [main!.template.initial]
  for (let location = work.pop(); location; location = work.pop())
    for (const edge of from.get(location) ?? []) {
      const after = afterEdge(edge, running.get(location)!, threads, byName)
      for (const [thread, edges] of joined) if (edges.has(edge)) after.delete(thread)
      const known = running.get(edge.target)
      if (known && [...after].every((t) => known.has(t))) continue
      running.set(edge.target, new Set([...(known ?? []), ...after]))
      work.push(edge.target)
    }
  return running
}

const afterEdge = (
  edge: Edge,
  before: Running,
  threads: readonly MoverThread[],
  byName: ReadonlyMap<string, MoverThread>,
): Set<MoverThread> => {
  const after = new Set(before)
  for (const label of edge.labels) {
    if (label.kind === 'start') for (const thread of descendants(label.procedure, byName)) after.add(thread)
  }
  // Numbers are shared only by threads that exclude each other.
  const joined = joinedOn(edge)
  for (const thread of threads) if (thread.number !== undefined && joined.has(thread.number)) after.delete(thread)
  return after
}

/** Numbers of threads that have ended for sure once the edge is taken. */
const joinedOn = (edge: Edge): ReadonlySet<number> => {
  const numbers = edge.labels.flatMap((label) => (label.kind === 'join' ? [constantValue(label.thread)] : []))
  return new Set(numbers.flatMap((n) => (n === undefined ? [] : [Number(n)])))
}

const descendants = (name: string, byName: ReadonlyMap<string, MoverThread>): ReadonlySet<MoverThread> => {
  const found = new Set<MoverThread>([byName.get(name)!])
  for (const { template } of found) for (const started of startsOf(template)) found.add(byName.get(started)!)
  return found
}

const startsOf = ({ edges }: Procedure): readonly string[] =>
  edges.flatMap((e) => e.labels.flatMap((l) => (l.kind === 'start' ? [l.procedure] : [])))
