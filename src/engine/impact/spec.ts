// What the command line knows of the engine.
import type { Property } from '../../property/index.js'
import type { EngineSpec, OptionTable } from '../engine.js'

const DECIDES: readonly Property[] = [
  'assert',
  'unreach-call',
  'no-overflow',
  'valid-memsafety',
  'no-data-race',
  'no-deadlock',
]

export const IMPACT_OPTIONS = {
  por: {
    values: ['none', 'spor', 'dpor'],
    default: 'dpor',
    help: 'all interleavings; only at shared accesses; only monotonic paths (Algorithm 2)',
  },
  'force-cover': {
    values: ['on', 'off'],
    default: 'on',
    help: "strengthen a node with an older node's label where its path allows it",
  },
  interpolation: {
    values: ['auto', 'wp', 'farkas', 'spacer', 'newton'],
    default: 'auto',
    help: 'where labels come from: weakest preconditions, or sequence interpolants',
  },
  conditional: {
    values: ['on', 'off'],
    default: 'on',
    help: 'accesses by index or pointer are independent where the path rules the alias out',
  },
  'prune-edges': {
    values: ['on', 'off'],
    default: 'on',
    help: 'do not follow edges whose guards contradict the path by constants alone',
  },
} as const satisfies OptionTable

export const impactSpec: EngineSpec = {
  name: 'impact',
  summary: 'lazy abstraction with interpolants over a tree of interleavings, with partial-order reduction',
  needsSolver: true,
  options: IMPACT_OPTIONS,
  validateOptions: (_, property) =>
    DECIDES.includes(property) ? undefined : `the engine impact does not decide ${property}`,
}
