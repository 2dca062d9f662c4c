// What the command line knows of the engine.
import type { Property } from '../../property/index.js'
import type { EngineSpec, Options } from '../engine.js'

const DECIDES: readonly Property[] = ['assert', 'unreach-call', 'no-overflow', 'valid-memsafety']
const DECIDES_BY_PARTIAL_ORDER: readonly Property[] = [...DECIDES, 'no-data-race', 'no-deadlock']

export const bmcSpec: EngineSpec = {
  name: 'bmc',
  summary: 'bounded model checking: the unrolled program as one formula, with a bound that grows',
  papers: ['peephole.txt'],
  needsSolver: true,
  options: {
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
  },
  senseless: (options, property) => senselessProperty(options, property) ?? senselessOptions(options),
}

const senselessProperty = (options: Options, property: Property): string | undefined => {
  const decides = options['encoding'] === 'interleaving' ? DECIDES : DECIDES_BY_PARTIAL_ORDER
  return decides.includes(property) ? undefined : `the engine bmc does not decide ${property}`
}

const senselessOptions = (options: Options): string | undefined => {
  const depth = Number(options['depth'] ?? 0)
  return Number.isInteger(depth) && depth >= 0 ? undefined : '--depth is a whole number'
}
