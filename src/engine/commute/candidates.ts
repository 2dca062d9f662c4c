// Orders to try, and assertions to try with them, from executions. The best order is the one whose representatives keep
// the most equations between what different threads compute: there proofs are short.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { equationsOf } from './affine.js'
import { lanes, lockstep, type Order, sequential } from './order.js'
import type { Sample, Simulated } from './simulate.js'

/** Orders beyond these are not tried. */
const MAX_DIVISIONS = 10

/** The order of threads in which those with loops are divided into lanes, in all ways that there is time for. */
export const ordersFor = (threads: number, looping: readonly number[]): readonly Order[] => {
  const all = [sequential, lockstep(threads)]
  if (looping.length >= 3 && looping.length <= 4)
    for (const groups of divisions(looping))
      if (groups.length > 1 && groups.length < looping.length) all.push(lanes(groups))
  return all.slice(0, MAX_DIVISIONS)
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

/** Equations at the vectors that come again. */
export const candidatesFor = (order: Order, simulated: Simulated): Candidates => {
  const found = new Set<Term>()
  let between = 0
  const loops = [...simulated.samples].filter(([key]) => simulated.repeated.has(key))
  for (const [, samples] of loops)
    for (const { equation, threads } of equationsBetween(samples, simulated)) {
      found.add(equation)
      if (threads > 1) between++
    }
  return { order, equations: [...found], score: loops.length === 0 ? 0 : between / loops.length }
}

/** Equations that hold wherever the same variables have values, whoever goes first. */
export const generalEquations = (simulated: Simulated): readonly Term[] => {
  const groups = new Map<string, Sample[]>()
  for (const [key, samples] of simulated.samples)
    if (simulated.repeated.has(key))
      for (const sample of samples) {
        const names = [...sample.keys()].map(({ name }) => name).join()
        const group = groups.get(names)
        if (group) group.push(sample)
        else groups.set(names, [sample])
      }
  return [...groups.values()].flatMap((samples) => equationsBetween(samples, simulated).map(({ equation }) => equation))
}

const equationsBetween = (samples: readonly Sample[], { writers }: Simulated) => {
  // Those that no thread changes come first: all else is told by them.
  const all = [...(samples[0]?.keys() ?? [])]
  const variables = [...all.filter((v) => !writers.has(v)), ...all.filter((v) => writers.has(v))]
  return equationsOf(samples, variables).flatMap((equation) => {
    const threads = new Set(logic.freeVariables(equation).flatMap((v) => [...(writers.get(v) ?? [])])).size
    return threads > 0 ? [{ equation, threads }] : []
  })
}
