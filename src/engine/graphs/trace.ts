// An execution graph as a trace: its steps in an order that agrees with program order, reads-from, coherence and
// from-reads, which is an interleaving under sequential consistency.
import type { Step, Trace } from '../../semantics/index.js'
import { predecessorsOf } from './blocks.js'
import { type Event, isInPrefix } from './event.js'
import type { Graph } from './graph.js'
import type { LocationInfo } from './locations.js'
import type { Path } from './point.js'
import type { Race } from './races.js'

/**
 * Steps of the threads, interleaved: up to the last events of all threads, or only what one of them needs. A thread that
 * has failed inside an atomic step lets nobody else go on.
 */
export const traceOf = (
  graph: Graph,
  locations: readonly LocationInfo[],
  until: readonly Event[] = graph.lasts(),
): Trace => {
  const steps: Step[] = []
  /** In an interleaving, threads are numbered in the order in which they are started. */
  const numbers = new Map<number, number>([[0, 0]])
  const taken = new Map<number, number>()
  const take = ({ thread }: Event, path: Path | undefined): void => {
    const cells: Path[] = []
    for (let cell = path; cell && cell.length > (taken.get(thread) ?? 0); cell = cell.before) cells.push(cell)
    taken.set(thread, (taken.get(thread) ?? 0) + cells.length)
    for (const { edge, choices } of cells.reverse()) steps.push({ thread: numbers.get(thread)!, edge, choices })
  }
  for (const event of linearised(graph, locations, until)) {
    if (event.kind === 'start') numbers.set(event.number, numbers.size)
    take(event, beforeBlock(pathAfter(event)))
  }
  // Whoever has failed did so inside the block, or behind it.
  const [failed, ...others] = until
  if (failed && others.length === 0) take(failed, pathAfter(failed))
  return { steps }
}

/** What the thread did on its own before and after the event, as far as it is known now. */
const pathAfter = ({ point }: Event): Path | undefined => (point.action?.at ?? point).path

/** Without the beginning of an atomic block that the thread has entered: it belongs to the event that follows. */
const beforeBlock = (path: Path | undefined): Path | undefined => {
  let cell = path
  while (cell?.edge.target.atomic) cell = cell.before
  return cell
}

/** An interleaving after which both accesses are next. */
export const beforeRace = (graph: Graph, { first, second }: Race, locations: readonly LocationInfo[]): Trace => {
  const isNeeded = (e: Event): boolean => isInPrefix(e, first) || isInPrefix(e, second)
  const isOne = (e: Event): boolean => e === first || e === second
  const isKept = (e: Event): boolean => isNeeded(e) && !isOne(e) && !isAfter(e, first) && !isAfter(e, second)
  return traceOf(graph.restrict(isKept), locations)
}

const isAfter = (e: Event, other: Event): boolean => e.thread === other.thread && e.index > other.index

/** Events and what they need, each after those that come before its step by (po | rf | co | fr). */
const linearised = (graph: Graph, locations: readonly LocationInfo[], until: readonly Event[]): readonly Event[] => {
  const done = new Set<Event>()
  const order: Event[] = []
  const visit = (e: Event | undefined): void => {
    if (!e || e.kind === 'initial' || done.has(e)) return
    const step = stepOf(graph, e)
    for (const own of step) done.add(own)
    for (const own of step) {
      for (const before of predecessorsOf(graph, own)) visit(before)
      // Whoever used a block did so before it was freed.
      if (own.kind === 'write' && own.value === -1) for (const use of usesOf(graph, own, locations)) visit(use)
    }
    order.push(...step)
  }
  for (const last of until) visit(last)
  return order
}

/** The events of an atomic step, in order: nothing comes between them. */
const stepOf = (graph: Graph, { thread, step }: Event): readonly Event[] => {
  const events: Event[] = []
  for (let e = graph.threads[thread]; e; e = e.prev) if (e.step === step) events.push(e)
  return events.reverse()
}

const usesOf = (graph: Graph, free: Event, locations: readonly LocationInfo[]): readonly Event[] =>
  locations.flatMap(({ id, life }) => {
    const accesses = life === free.location ? graph.accesses[id] : undefined
    return accesses ? [...accesses.writes, ...accesses.reads].filter((e) => !isInPrefix(free, e)) : []
  })
