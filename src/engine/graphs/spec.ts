// What the command line knows of the engine.
import type { Property } from '../../property/index.js'
import type { EngineSpec } from '../engine.js'

const DECIDES: readonly Property[] = [
  'assert',
  'unreach-call',
  'no-overflow',
  'valid-memsafety',
  'no-data-race',
  'no-deadlock',
]

export const graphsSpec: EngineSpec = {
  name: 'graphs',
  summary: 'visits every execution graph once, under sc, tso, pso and rc11, in memory for one execution',
  needsSolver: false,
  options: {
    'max-executions': { values: 'number', default: '0', help: 'stop after so many executions (0: no limit)' },
    duplicates: {
      values: ['assume', 'measure'],
      default: 'assume',
      help: 'measure: remember every execution, to count those that are met twice (takes memory)',
    },
  },
  validateOptions: (_, property) =>
    DECIDES.includes(property) ? undefined : `the engine graphs does not decide ${property}`,
}
