// What the command line knows of the engine.
import type { EngineSpec, OptionsOf, OptionTable } from '../engine.js'

export const COMMUTE_OPTIONS = {
  order: {
    values: 'text',
    default: 'learnt',
    help: 'which thread goes first: sequential, lockstep, random:SEED, lanes such as 1|2,3 (threads of a lane one after the other, lanes by turns; 1*2|2: two rounds for each of the other; 1|2;3|4: block after block), or learnt: several by turns',
  },
  commutativity: {
    values: ['syntactic', 'semantic', 'conditional'],
    default: 'conditional',
    help: 'what commutes: disjoint accesses; steps of the same effect in both orders; the same where the proof shows it',
  },
  candidates: {
    values: ['on', 'off'],
    default: 'on',
    help: 'guess linear equations from executions, and keep those that hold',
  },
} as const satisfies OptionTable

export type CommuteOptions = OptionsOf<typeof COMMUTE_OPTIONS>

export const commuteSpec: EngineSpec = {
  name: 'commute',
  summary: 'trace abstraction up to commutativity: a proof of one representative of every class of interleavings',
  needsSolver: true,
  decides: ['assert', 'unreach-call', 'no-overflow'],
  options: COMMUTE_OPTIONS,
  validateOptions: ({ order = 'learnt' }) => (isOrder(order) ? undefined : `--order ${order} is no order`),
}

/** Lanes of threads, each with a number of rounds, and blocks of lanes. */
export const LANES = /^\d+(,\d+)*(\*[1-9]\d*)?([|;]\d+(,\d+)*(\*[1-9]\d*)?)*$/

/** Names, seeds and lanes; see order.ts. */
const isOrder = (text: string): boolean =>
  ['learnt', 'sequential', 'lockstep'].includes(text) || /^random:\d+$/.test(text) || LANES.test(text)
