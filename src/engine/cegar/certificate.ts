// The certificate of a proof: the graph with its labels, covers and explored threads, in the form of
// src/certificate/model.ts, whose checker works out by itself which threads had to be explored.

import { print, type Term } from '../../logic/index.js'
import { type Certificate, edgeTexts } from '../../verdict/index.js'
import type { Edge } from '../../xcfa/index.js'
import type { Arithmetic } from '../../xcfa/terms/index.js'
import type { AbstractState, Precision } from './domain/index.js'
import type { ArgNode } from './selection.js'

/** Larger graphs are not written down. */
const MAX_NODES = 100_000

export interface Proof {
  readonly arithmetic: Arithmetic
  readonly largeBlocks: boolean
  readonly nodes: Iterable<ArgNode>
  toTerm(state: AbstractState): Term
  readonly precision: Precision
  readonly history: readonly Milestone[]
}

/** After a refinement. */
export interface Milestone {
  readonly nodes: number
  readonly tracked: number
  readonly predicates: number
}

export const certificateOf = (proof: Proof): Certificate => {
  const { arithmetic, largeBlocks, nodes, toTerm } = proof
  const taken: Edge[] = []
  const numbers = new Map<number, number>()
  const formulas: string[] = []
  const label = (state: AbstractState): number => {
    let number = numbers.get(state.id)
    if (number === undefined) numbers.set(state.id, (number = formulas.push(print(toTerm(state))) - 1))
    return number
  }
  const written = []
  for (const node of nodes) {
    if (written.length >= MAX_NODES) return { kind: 'labelled-graph', data: { tooLarge: true } }
    const { id, parent, incoming, state, coveredBy, explored } = node
    if (incoming) taken.push(incoming.action.edge)
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
    data: {
      ...{ arithmetic, largeBlocks, reduction: 'persistent', strayAccess: 'goes-on', formulas, nodes: written },
      ...{ edges: edgeTexts(taken), history: addedBy(proof) },
    },
  }
}

/** What each refinement added to the precision, for people. */
const addedBy = ({ precision: { tracked, predicates }, history }: Proof) =>
  history.map(({ nodes, ...now }, i) => {
    const before = history[i - 1] ?? { tracked: 0, predicates: 0 }
    const values = tracked.slice(before.tracked, now.tracked).map((term) => `the value of ${term.name}`)
    return { nodes, added: [...values, ...predicates.slice(before.predicates, now.predicates).map((p) => print(p))] }
  })

/** Keys of explored actions begin with the thread's number. */
const threadOf = (key: string): number => Number(key.slice(0, key.indexOf(':')))
