// What the command line knows of the engine.
import { type Property, SAFETY_PROPERTIES } from '../../property/index.js'
import { type EngineSpec, givenOptions, type OptionTable } from '../engine.js'

const DECIDED_BY_INTERLEAVINGS: readonly Property[] = ['assert', 'unreach-call', 'no-overflow', 'valid-memsafety']

export const BMC_OPTIONS = {
  encoding: {
    values: ['partial-order', 'interleaving'],
    default: 'partial-order',
    help: 'reads-from and clocks, or a scheduled step a time frame',
  },
  depth: {
    values: 'number',
    default: '0',
    help: 'the most steps (interleaving) or loop iterations (partial-order); 0: as far as time allows',
  },
  unroll: {
    values: 'number',
    default: '0',
    help: 'no more than so many loop iterations in a thread (partial-order): "no violation within", never TRUE',
  },
  order: {
    values: ['auto', 'pairs', 'cycles', 'clocks', 'integers'],
    default: 'auto',
    help: 'the order of events (partial-order): a Boolean a pair, the same with axioms as needed, a number each',
  },
  por: {
    values: ['none', 'static', 'ppor-simple', 'ppor-full'],
    default: 'ppor-simple',
    help: 'which adjacent steps are ordered (interleaving): none, the always independent, rules 1-3, rules 1-4',
  },
  'gir-encoding': {
    values: ['plain', 'merged', 'dependent'],
    default: 'merged',
    help: 'how guarded independence is told to the solver (interleaving)',
  },
} as const satisfies OptionTable

export const bmcSpec: EngineSpec = {
  name: 'bmc',
  summary: 'bounded model checking: the unrolled program as one formula, with a bound that grows',
  needsSolver: true,
  decides: SAFETY_PROPERTIES,
  options: BMC_OPTIONS,
  validateOptions: (raw, property) => {
    const { encoding, depth = 0, unroll = 0 } = givenOptions(BMC_OPTIONS, raw)
    if (encoding === 'interleaving' && !DECIDED_BY_INTERLEAVINGS.includes(property))
      return `--encoding interleaving does not decide ${property}`
    if (unroll > 0 && (encoding === 'interleaving' || depth > 0))
      return '--unroll is for the partial-order encoding, without --depth'
    return Number.isInteger(depth) && depth >= 0 ? undefined : '--depth is a whole number'
  },
}
