// Deadlocks: an execution that ends with threads that wait, none of them in a loop, and before the program has ended.
import type { Graph } from './graph.js'
import { maximalWrite } from './graph.js'
import type { Machine } from './machine.js'
import { waitsAfter } from './waiting.js'

export const isDeadlock = (graph: Graph, machine: Machine): boolean => {
  let waiting = false
  for (const last of graph.lasts()) {
    if (last.kind === 'end') continue
    const action = machine.action(last.point)
    switch (action.kind) {
      case 'effect':
        if (action.effect.kind !== 'join') return false
        waiting = true
        break
      case 'blocked':
        waiting = true
        break
      case 'read':
        // A loop that only reads still has steps.
        if (waitsAfter(machine, action, maximalWrite(graph.accessesOf(action.location))) !== 'blocked') return false
        waiting = true
        break
      default:
        return false
    }
  }
  return waiting
}
