// The certificate of a proof: the graph with its labels, covers and explored threads, in the form of
// src/check/certificate.ts, whose checker works out by itself which threads had to be explored.
import type { AbstractState } from '../../domain/index.js'
import { print, type Term } from '../../logic/index.js'
import type { Certificate } from '../../verdict/index.js'
import type { Arithmetic } from '../../xcfa/terms/index.js'
import type { ArgNode } from './selection.js'

/** Larger graphs are not written down. */
const MOST_NODES = 100_000

export interface Proof {
  readonly arithmetic: Arithmetic
  readonly largeBlocks: boolean
  readonly nodes: Iterable<ArgNode>
  toTerm(state: AbstractState): Term
}

export const certificateOf = ({ arithmetic, largeBlocks, nodes, toTerm }: Proof): Certificate => {
  const numbers = new Map<number, number>()
  const formulas: string[] = []
  const label = (state: AbstractState): number => {
    let number = numbers.get(state.id)
    if (number === undefined) numbers.set(state.id, (number = formulas.push(print(toTerm(state))) - 1))
    return number
  }
  const written = []
  for (const node of nodes) {
    if (written.length >= MOST_NODES) return { kind: 'labelled-graph', data: { tooLarge: true } }
    const { id, parent, incoming, state, coveredBy, explored } = node
    written.push({
      id,
      ...(parent && { parent: parent.id }),
      ...(incoming && { thread: incoming.action.thread, edge: incoming.action.edge.id }),
      label: [label(state)],
      ...(coveredBy ? { coveredBy: coveredBy.id } : { threads: [...new Set([...explored].map(threadOf))] }),
    })
  }
  return {
    kind: 'labelled-graph',
    data: { arithmetic, largeBlocks, reduction: 'persistent', formulas, nodes: written },
  }
}

/** Keys of explored actions begin with the thread's number. */
const threadOf = (key: string): number => Number(key.slice(0, key.indexOf(':')))
