// What the command line knows of the engine.
import type { Property } from '../../property/index.js'
import type { EngineSpec } from '../engine.js'

const DECIDES: readonly Property[] = ['assert', 'unreach-call']

export const bmcSpec: EngineSpec = {
  name: 'bmc',
  summary: 'bounded model checking: the unrolled program as one formula, with a bound that grows',
  papers: ['peephole.txt'],
  needsSolver: true,
  options: {
    encoding: {
      values: ['partial-order'],
      default: 'partial-order',
      help: 'reads-from and clocks instead of interleavings',
    },
  },
  senseless: (_, property) => (DECIDES.includes(property) ? undefined : `the engine bmc does not decide ${property}`),
}
