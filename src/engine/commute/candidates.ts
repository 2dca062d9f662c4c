// Orders to try, and assertions to try with them, from executions. The best order is the one whose representatives keep
// the most equations between what different threads compute: there proofs are short.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { equationsOf } from './affine.js'
import { lanes, lockstep, type Order, sequential } from './order.js'
import type { Simulated } from './simulate.js'

/** Orders beyond these are not tried. */
const MAX_ORDERS = 10

/** The order of threads in which those with loops are divided into lanes, in all ways that there is time for. */
export const ordersFor = (threads: number, looping: readonly number[]): readonly Order[] => {
  const all = [sequential, lockstep(threads)]
  if (looping.length >= 3 && looping.length <= 4)
    for (const groups of divisions(looping))
      if (groups.length > 1 && groups.length < looping.length) all.push(lanes(groups))
  return all.slice(0, MAX_ORDERS)
}

/** All ways to divide a list into groups; members keep their order. */
const divisions = (list: readonly number[]): readonly (readonly (readonly number[])[])[] => {
  const [first, ...rest] = list
  if (first === undefined) return [[]]
  return divisions(rest).flatMap((groups) => [
    [[first], ...groups],
    ...groups.map((_, i) => groups.map((group, j) => (i === j ? [first, ...group] : group))),
  ])
}

export interface Candidates {
  readonly order: Order
  readonly equations: readonly Term[]
  /** Equations between threads, for each vector on average. */
  readonly score: number
}

export const candidatesFor = (order: Order, { samples, writers }: Simulated): Candidates => {
  const found = new Set<Term>()
  let between = 0
  let vectors = 0
  for (const each of samples.values()) {
    // Those that no thread changes come first: all else is told by them.
    const all = [...(each[0]?.keys() ?? [])]
    const variables = [...all.filter((v) => !writers.has(v)), ...all.filter((v) => writers.has(v))]
    const equations = equationsOf(each, variables)
    if (equations.length > 0) vectors++
    for (const equation of equations) {
      const threads = new Set(logic.freeVariables(equation).flatMap((v) => [...(writers.get(v) ?? [])]))
      if (threads.size === 0) continue
      found.add(equation)
      if (threads.size > 1) between++
    }
  }
  return { order, equations: [...found], score: vectors === 0 ? 0 : between / vectors }
}
