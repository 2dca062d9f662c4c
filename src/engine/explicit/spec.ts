// What the command line knows of the engine.
import { SAFETY_PROPERTIES } from '../../property/index.js'
import type { EngineSpec, OptionTable } from '../engine.js'

export const EXPLICIT_OPTIONS = {
  por: {
    values: ['none', 'persistent', 'sleep', 'both'],
    default: 'both',
    help: 'partial-order reduction: persistent sets, sleep sets, or both',
  },
  order: {
    values: ['steps', 'switches'],
    default: 'steps',
    help: 'states in the order of steps, or of the context switches that they need (without reduction)',
  },
  contexts: {
    values: 'number',
    default: '0',
    help: 'no more than so many context switches (0: any number): "no violation within", never TRUE',
  },
  counting: {
    values: ['on', 'off'],
    default: 'on',
    help: 'count interchangeable instances of a thread instead of exploring each',
  },
} as const satisfies OptionTable

export const explicitSpec: EngineSpec = {
  name: 'explicit',
  summary: 'explores concrete states, compiled to JavaScript, with partial-order reduction',
  needsSolver: false,
  decides: SAFETY_PROPERTIES,
  options: EXPLICIT_OPTIONS,
}
