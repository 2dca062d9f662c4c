// Termination by brute force on the raw program: all states, then a state in which everybody is blocked for ever, or a
// cycle. A spurious wake-up is no part of a cycle, and nothing follows the end of the program (semantics.md).
import { interpreterOf } from '../../src/semantics/index.js'
import { BeyondBounds } from '../../src/semantics/layout.js'
import { haltOf, type State } from '../../src/semantics/state.js'
import { deadlockAt } from '../../src/semantics/violation.js'
import { type Program, Unsupported } from '../../src/xcfa/index.js'
import { everyAccess, largeBlocks } from '../../src/xcfa/passes/large-block.js'

export const bruteTermination = (raw: Program, maxStates: number): 'true' | 'false' | 'unknown' => {
  const interpreter = interpreterOf(largeBlocks(raw, everyAccess))
  const successors = new Map<string, readonly string[]>()
  const queue: State[] = []
  const enter = (state: State): string => {
    const key = interpreter.key(state)
    if (!successors.has(key)) {
      successors.set(key, [])
      queue.push(state)
    }
    return key
  }
  try {
    for (const state of interpreter.initial()) enter(state)
    for (let i = 0; i < queue.length; i++) {
      const state = queue[i]!
      if (state.threads.some((thread) => haltOf(thread) || thread.location.kind === 'error')) continue
      const next = interpreter.successors(state)
      if (deadlockAt(state, next)) return 'false'
      const targets = next.map((s) => ({ key: enter(s.state), counts: !s.step.edge.sync?.spurious }))
      successors.set(
        interpreter.key(state),
        targets.filter((t) => t.counts).map((t) => t.key),
      )
      if (successors.size > maxStates) return 'unknown'
    }
  } catch (error) {
    if (error instanceof BeyondBounds || error instanceof Unsupported) return 'unknown'
    throw error
  }
  return hasCycle(successors) ? 'false' : 'true'
}

const hasCycle = (successors: ReadonlyMap<string, readonly string[]>): boolean => {
  const done = new Set<string>()
  const open = new Set<string>()
  for (const start of successors.keys()) {
    if (done.has(start)) continue
    const stack = [{ node: start, next: 0 }]
    open.add(start)
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const to = successors.get(top.node)![top.next++]
      if (to === undefined) {
        stack.pop()
        open.delete(top.node)
        done.add(top.node)
      } else if (open.has(to)) return true
      else if (!done.has(to)) {
        open.add(to)
        stack.push({ node: to, next: 0 })
      }
    }
  }
  return false
}
