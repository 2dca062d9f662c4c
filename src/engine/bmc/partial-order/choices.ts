// Choices that are tried when it is asked whether a step is enabled at all: a step that chooses is blocked only if no
// choice fits.
import { boolConst, bvConst, floatConst, intConst, type Sort, type Term } from '../../../logic/index.js'
import type { Edge } from '../../../xcfa/index.js'
import type { Unrolling } from './unroll.js'

const MAX_ATTEMPTS = 256

/** Values of the choices of an edge: those of a thread (a waiter that is woken), or of a truth value. */
export const choicesToTry = (edge: Edge, { instances }: Unrolling): readonly (readonly number[])[] => {
  const threads = Math.max(...instances.map((i) => i.number)) + 1
  let tuples: readonly (readonly number[])[] = [[]]
  for (const label of edge.labels) {
    if (label.kind !== 'havoc') continue
    const count = label.range ? Math.max(threads, 2) : 2
    tuples = tuples.flatMap((tuple) => Array.from({ length: count }, (_, value) => [...tuple, value]))
    tuples = tuples.slice(0, MAX_ATTEMPTS)
  }
  return tuples
}

export const constantOf = (sort: Sort, value: number): Term => {
  if (sort.kind === 'bv') return bvConst(value, sort.width)
  if (sort.kind === 'float') return floatConst(value, sort)
  return sort.kind === 'bool' ? boolConst(value !== 0) : intConst(value)
}
