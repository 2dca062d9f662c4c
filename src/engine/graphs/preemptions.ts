// A bound on preemptions (Marmanis, Kokologiannakis, Vafeiadis: Reconciling Preemption Bounding with DPOR, TACAS 2023).
// An execution graph has as many preemptions as the interleaving of it that has fewest: a preemption is a switch away
// from a thread that could go on. A graph with more than the bound may still lead back to one with fewer, because a
// revisit deletes events: such graphs are followed as long as they exceed the bound by less than the number of threads.
import { predecessorsOf } from './blocks.js'
import type { Event } from './event.js'
import type { Graph } from './graph.js'
import type { Machine } from './machine.js'
import { waitsAfter } from './waiting.js'

/** Places in an execution that are looked at; beyond, it counts as one without preemptions. */
const MAX_PLACES = 20_000

/** What a thread does at once. */
interface Unit {
  readonly events: readonly Event[]
  /** How many units of other threads must come before. */
  readonly needs: readonly (readonly [thread: number, count: number])[]
}

export const isBeyondSlack = (graph: Graph, machine: Machine, bound: number): boolean => {
  const slack = graph.lasts().length - 1
  return preemptionsOf(graph, machine, bound + slack) > bound + slack
}

/** The fewest preemptions of an interleaving, or something above `limit`. */
export const preemptionsOf = (graph: Graph, machine: Machine, limit: number): number => {
  const threads = unitsOf(graph)
  const placeOf = (e: Event): number => threads[e.thread]!.findIndex(({ events }) => events.includes(e))
  const isDone = (e: Event, at: readonly number[]): boolean => e.kind === 'initial' || placeOf(e) < (at[e.thread] ?? 0)
  const canRun = (thread: number, at: readonly number[]): boolean =>
    threads[thread]!.length > at[thread]! && threads[thread]![at[thread]!]!.needs.every(([t, n]) => at[t]! >= n)
  /** The thread could go on there, with some value or other. */
  const isEnabled = (thread: number, at: readonly number[]): boolean => {
    const next = threads[thread]![at[thread]!]?.events[0]
    if (!next) return false
    if (next.kind === 'join') return canRun(thread, at)
    if (next.kind !== 'read') return true
    const action = machine.action(next.prev!.point)
    const writes = graph.accessesOf(next.location).writes.filter((w) => isDone(w, at))
    return action.kind !== 'read' || waitsAfter(machine, action, writes[writes.length - 1]!) === undefined
  }
  const seen = new Set<string>()
  let [now, later]: [Place[], Place[]] = [[{ at: threads.map(() => 0), current: 0 }], []]
  for (let preemptions = 0; preemptions <= limit; preemptions++, now = later, later = []) {
    for (let place = now.pop(); place; place = now.pop()) {
      const { at, current } = place
      const key = `${current}:${at.join()}`
      if (seen.has(key)) continue
      if (seen.size >= MAX_PLACES) return 0
      seen.add(key)
      if (threads.every((units, t) => at[t]! >= units.length)) return preemptions
      const isPreempted = isEnabled(current, at)
      for (let t = 0; t < threads.length; t++) {
        if (!canRun(t, at)) continue
        const after = at.slice()
        after[t]!++
        ;(t !== current && isPreempted ? later : now).push({ at: after, current: t })
      }
    }
    // A step of the graph is not atomic yet (blocks.ts): no interleaving, and no reason to leave it out.
    if (later.length === 0) return 0
  }
  return limit + 1
}

interface Place {
  readonly at: readonly number[]
  readonly current: number
}

/** By thread: its steps, without those that nobody sees. */
const unitsOf = (graph: Graph): readonly (readonly Unit[])[] => {
  const groups = graph.threads.map((last) => {
    const groups: Event[][] = []
    for (let e = last; e; e = e.prev) {
      if (e.kind === 'wait') continue
      if (groups[0]?.[0]?.step === e.step) groups[0].unshift(e)
      else groups.unshift([e])
    }
    return groups
  })
  const countOf = (e: Event): number => groups[e.thread]!.findIndex((group) => group.includes(e)) + 1
  return Array.from(groups, (own) =>
    (own ?? []).map((events) => ({
      events,
      needs: events.flatMap((event) =>
        predecessorsOf(graph, event).flatMap((e) =>
          e === undefined || e.kind === 'initial' || e.thread === event.thread ? [] : [[e.thread, countOf(e)] as const],
        ),
      ),
    })),
  )
}
