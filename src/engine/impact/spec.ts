// What the command line knows of the engine.
import { SAFETY_PROPERTIES } from '../../property/index.js'
import type { EngineSpec, OptionTable } from '../engine.js'

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
  decides: SAFETY_PROPERTIES,
  options: IMPACT_OPTIONS,
}
