// What the command line knows of the engine.
import { SAFETY_PROPERTIES } from '../../property/index.js'
import type { EngineSpec } from '../engine.js'
import { shareOf } from './share.js'

export const graphsSpec: EngineSpec = {
  name: 'graphs',
  summary: 'visits every execution graph once, under sc, tso, pso and rc11, in memory for one execution',
  needsSolver: false,
  decides: SAFETY_PROPERTIES,
  options: {
    'max-executions': { values: 'number', default: '0', help: 'stop after so many executions (0: no limit)' },
    preemptions: {
      values: 'number',
      default: '-1',
      help: 'visit executions with at most so many preemptions (-1: all of them); under sc only',
    },
    samples: {
      values: 'number',
      default: '0',
      help: 'random executions (PCT) once a bound or --max-executions has ended the search',
    },
    depth: { values: 'number', default: '3', help: 'of random executions: how many events a bug may need in order' },
    seed: { values: 'number', default: '1', help: 'of random executions' },
    unroll: { values: 'number', default: '0', help: 'follow a loop at most so many times in a thread (0: to its end)' },
    parts: { values: 'number', default: '1', help: 'the search in so many parts, disjoint and together the whole' },
    part: { values: 'number', default: '1', help: 'which of the parts, from 1' },
    workers: {
      values: 'number',
      default: '0',
      help: 'threads that search (0: one for each core, once the search has taken a second)',
    },
    duplicates: {
      values: ['assume', 'measure'],
      default: 'assume',
      help: 'measure: remember every execution, to count those that are met twice (takes memory)',
    },
  },
  validateOptions: (options) => (shareOf(options) === 'wrong' ? '--part is a number from 1 to --parts' : undefined),
}
