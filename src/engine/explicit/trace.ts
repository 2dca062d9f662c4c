// From a state back to the beginning: each state is expanded again, with its choices noted, to find the step that
// leads to the next one of the path.
import type { Step } from '../../semantics/index.js'
import { type Edge, isLocalLabel } from '../../xcfa/index.js'
import type { Compiled } from './compile/generator.js'
import type { Visited } from './visited.js'

/** The states of the path to a state, initial one first. */
export const pathTo = (visited: Visited, last: number): readonly number[] => {
  const path: number[] = []
  for (let state = last; state >= 0; state = visited.parents[state]!) path.push(state)
  return path.reverse()
}

/** Steps that do nothing but stop their thread are left out: it may as well just stay where it is. */
export const stepsAlong = (compiled: Compiled, visited: Visited, path: readonly number[]): readonly Step[] =>
  path.slice(1).flatMap((state, i) => stepBetween(compiled, visited, path[i]!, state) ?? [])

const stepBetween = (compiled: Compiled, visited: Visited, from: number, to: number): Step | undefined => {
  const { runtime, layout, edges } = compiled
  const { words, width } = visited
  const counters = new Int32Array(layout.slots.length)
  compiled.counters(words, from * width, counters)
  runtime.tracing = true
  runtime.notes.length = 0
  runtime.top = 0
  for (const { number } of layout.slots)
    if (counters[number] !== 0) compiled.expand[number]!(words, from * width, visited.hashSum(from), counters[number]!)
  runtime.tracing = false
  const records = runtime.notes.length
  for (let record = 0; record < records; record++) {
    const at = record * (width + 2)
    if (!sameWords(runtime.out, at, words, to * width, width)) continue
    const { slot, edge } = edges[runtime.out[at + width + 1]!]!
    compiled.counters(words, to * width, counters)
    if (layout.slots[slot]!.locations[counters[slot]!] === undefined || onlyHalts(edge)) return undefined
    const { choices, indeterminate } = runtime.notes[record]!
    return { thread: slot, edge, choices, ...(indeterminate.length > 0 ? { indeterminate } : {}) }
  }
  throw new Error('a state of the path is no successor of the one before it')
}

export const onlyHalts = ({ target, labels }: Edge): boolean =>
  target.kind === 'halt' && labels.every((label) => isLocalLabel(label))

const sameWords = (a: Int32Array, i: number, b: Int32Array, j: number, width: number): boolean => {
  for (let k = 0; k < width; k++) if (a[i + k] !== b[j + k]) return false
  return true
}
