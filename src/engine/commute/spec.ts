// What the command line knows of the engine.
import type { Property } from '../../property/index.js'
import type { EngineSpec } from '../engine.js'

const DECIDES: readonly Property[] = ['assert', 'unreach-call', 'no-overflow']

export const commuteSpec: EngineSpec = {
  name: 'commute',
  summary: 'trace abstraction up to commutativity: a proof of one representative of every class of interleavings',
  papers: ['commute.md'],
  needsSolver: true,
  options: {
    order: {
      values: 'text',
      default: 'learnt',
      help: 'which thread goes first: sequential, lockstep, random:SEED, lanes such as 1|2,3 (threads of a lane one after the other, lanes by turns), or learnt: several by turns',
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
  },
  senseless: (options, property) => {
    if (!DECIDES.includes(property)) return `the engine commute does not decide ${property}`
    return isOrder(options['order'] ?? 'learnt') ? undefined : `--order ${options['order']} is no order`
  },
}

/** Names, seeds and lanes; see order.ts. */
const isOrder = (text: string): boolean =>
  ['learnt', 'sequential', 'lockstep'].includes(text) ||
  /^random:\d+$/.test(text) ||
  /^\d+(,\d+)*(\|\d+(,\d+)*)*$/.test(text)
