// Atomic steps with several accesses (`__VERIFIER_atomic_*`, condition variables, barriers). TruSt needs a model in
// which every graph can be extended; with half a step in it, a graph whose steps are atomic need not be: what the step
// read first may put it before others that have seen what it writes now. So the search works with a weaker model that
// can be extended, plain sequential consistency of the accesses, and leaves out at the end those graphs in which a step
// is not atomic (Bouajjani, Enea, Román-Calvo: Dynamic Partial Order Reduction for Checking Correctness against
// Transaction Isolation Levels, PLDI 2023, do the same for transactions). Every execution is still met exactly once;
// the graphs that are left out are counted as dropped.
import type { Event } from './event.js'
import type { Graph } from './graph.js'
import { isIdle } from './idle.js'
import type { Machine } from './machine.js'

/** Whether some order of whole steps agrees with (po | rf | co | fr | start | join). */
export const isAtomicGraph = (graph: Graph): boolean => {
  const events = [...graph.events()].filter(({ kind }) => kind !== 'wait')
  const steps = new Map<object, Event[]>()
  for (const event of events) {
    const others = steps.get(event.step)
    if (others) others.push(event)
    else steps.set(event.step, [event])
  }
  if (steps.size === events.length) return true
  const state = new Map<object, 'open' | 'done'>()
  const isAcyclic = (step: object): boolean => {
    state.set(step, 'open')
    for (const event of steps.get(step)!)
      for (const before of predecessorsOf(graph, event)) {
        if (before === undefined || before.kind === 'initial' || before.step === step) continue
        const known = state.get(before.step)
        if (known === 'open' || (known === undefined && !isAcyclic(before.step))) return false
      }
    state.set(step, 'done')
    return true
  }
  for (const step of steps.keys()) if (!state.has(step) && !isAcyclic(step)) return false
  return true
}

/** What comes right before an event by (po | rf | co | fr | start | join), waits left out. */
export const predecessorsOf = (graph: Graph, event: Event): readonly (Event | undefined)[] => {
  let { prev } = event
  while (prev?.kind === 'wait') prev = prev.prev
  switch (event.kind) {
    case 'read':
    case 'begin':
    case 'join':
      return [prev, event.source]
    case 'write': {
      const { writes, reads } = graph.accessesOf(event.location)
      const before = writes[writes.indexOf(event) - 1]!
      const seen = reads.filter((r) => r.kind === 'read' && r.source === before && r !== event.source)
      return [prev, before, ...seen]
    }
    default:
      return [prev]
  }
}

/** The thread that is in the middle of a step, the one with the newest event first; -1: nobody. */
export const whoIsInAStep = (graph: Graph, machine: Machine): number => {
  let found = -1
  for (const last of graph.lasts()) {
    const { thread } = last
    const { since } = last.point
    if (since === undefined || last.kind === 'wait') continue
    const action = machine.action(last.point)
    if (action.kind !== 'read' && action.kind !== 'effect' && action.kind !== 'choose') continue
    if (isIdle(machine, last, action)) continue
    if (action.at.since === since && (found < 0 || last.stamp > graph.threads[found]!.stamp)) found = thread
  }
  return found
}
