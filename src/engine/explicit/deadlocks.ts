// Deadlocks: a state with live threads, none stopped, and no step of any thread but spurious wake-ups.
import type { Compiled } from './compile/generator.js'
import type { StateCheck } from './explore.js'

export const deadlockCheck = (compiled: Compiled): StateCheck => {
  const { layout, runtime, edges, expand } = compiled
  const isSpurious = edges.map(({ edge }) => edge.sync?.spurious === true)
  const record = layout.words + 2
  /** Whether some step that is no spurious wake-up is possible; what is emitted is thrown away. */
  const canMove = (words: Int32Array, base: number, sum: number, slot: number, counter: number): boolean => {
    const top = runtime.top
    expand[slot]!(words, base, sum, counter)
    let found = false
    for (let at = top; at < runtime.top; at += record)
      if (!isSpurious[runtime.out[at + layout.words + 1]!]) found = true
    runtime.top = top
    return found
  }
  const kinds = layout.slots.map(({ locations }) => locations.map((location) => location?.kind))
  const atomic = layout.slots.map(({ locations }) => locations.map((location) => location?.atomic === true))
  return (state, visited, counters) => {
    let waiting = false
    let inside = -1
    for (let slot = 0; slot < counters.length; slot++) {
      const counter = counters[slot]!
      if (counter === 0) continue
      const kind = kinds[slot]![counter]
      // Stopped: the program has ended.
      if (kind === undefined || kind === 'halt' || kind === 'error') return false
      if (kind !== 'final') waiting = true
      if (atomic[slot]![counter] && inside < 0) inside = slot
    }
    if (!waiting) return false
    const sum = visited.hashSum(state)
    for (let slot = 0; slot < counters.length; slot++) {
      if (counters[slot] === 0 || (inside >= 0 && slot !== inside)) continue
      if (canMove(visited.words, state * visited.width, sum, slot, counters[slot]!)) return false
    }
    return true
  }
}
