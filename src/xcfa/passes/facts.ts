// What can be told of a program at a glance, before anything is explored: it decides which engines get how much time.
import type { Edge, Program } from '../model.js'
import { backEdges, isOnCycle } from './back-edges.js'
import { outgoing } from './edit.js'
import { read, written } from './labels.js'

export interface Facts {
  /** Not every execution need be short. */
  readonly loops: boolean
  /** A thread is started in a loop: the number of threads may have no bound. */
  readonly startsInLoop: boolean
  /** Two templates besides main have loops, and values come from outside: proofs have to relate their rounds. */
  readonly loopsInStep?: true
  /** Some atomic operation or fence is weaker than seq_cst. */
  readonly weakOrders?: true
}

export const factsOf = (program: Program): Facts => {
  const templates = [...program.templates.values()]
  return {
    loops: templates.some(({ initial, edges }) => backEdges(initial, edges).size > 0),
    startsInLoop: templates.some(({ edges }) => {
      const from = outgoing(edges)
      return edges.some((edge) => edge.labels.some(({ kind }) => kind === 'start') && isOnCycle(edge, from))
    }),
    ...(haveLoopsInStep(program) && { loopsInStep: true as const }),
    ...(templates.some(({ edges }) => edges.some(isWeak)) && { weakOrders: true as const }),
  }
}

const haveLoopsInStep = ({ templates, main }: Program): boolean => {
  const all = [...templates.values()]
  const looping = all.filter((each) => each !== main && backEdges(each.initial, each.edges).size > 0)
  const hasInputs = all.some(({ edges }) => edges.some(({ labels }) => labels.some(({ kind }) => kind === 'havoc')))
  return looping.length > 1 && hasInputs
}

const isWeak = ({ sync, labels }: Edge): boolean =>
  [sync?.c11, sync?.c11Failure].some((order) => order !== undefined && order !== 'seq_cst') ||
  labels.some((label) => label.kind === 'fence' && (label.c11 ?? label.order ?? 'seq_cst') !== 'seq_cst')

/** Whether it matters how many threads there were so far: somebody reads the count, other than to go on counting. */
export const countsThreads = ({ templates }: Program): boolean =>
  [...templates.values()].some(({ edges }) =>
    edges.some(({ labels }) =>
      labels.some((label) => [...read(label)].some((v) => v.role === 'thread-count' && !written(label).includes(v))),
    ),
  )
