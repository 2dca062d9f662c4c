// What the command line knows of the engine.
import { type Property, SAFETY_PROPERTIES } from '../../property/index.js'
import { type EngineSpec, givenOptions, type Options, type OptionsOf, type OptionTable } from '../engine.js'

const validateOptions = (raw: Options, property: Property): string | undefined => {
  const { por, dependence, sets } = givenOptions(CEGAR_OPTIONS, raw)
  if (por === 'aapor' && (property === 'no-data-race' || property === 'no-deadlock'))
    return `--por aapor has no meaning for ${property}: what an abstraction ignores may race or block`
  if (dependence === 'guarded' && sets !== 'source')
    return '--dependence guarded needs --sets source: persistent sets speak of more than one state'
  if (sets === 'source' && (property === 'no-data-race' || property === 'no-deadlock'))
    return `--sets source is not for ${property}: what is equivalent need not race or block alike`
  return undefined
}

export const CEGAR_OPTIONS = {
  domain: {
    values: ['expl', 'pred-cart', 'pred-bool', 'product'],
    default: 'product',
    help: 'values of some variables, predicates (one by one, or in combinations), or values while they are few, then predicates',
  },
  por: {
    values: ['none', 'basic', 'aapor'],
    default: 'aapor',
    help: 'partial-order reduction: none, persistent sets, or persistent sets that ignore what the precision ignores (not for races and deadlocks: there basic)',
  },
  sets: {
    values: ['persistent', 'source'],
    default: 'persistent',
    help: 'leave out actions by persistent sets alone, or by sleep sets, too (which makes them source sets)',
  },
  prune: {
    values: ['lazy', 'full'],
    default: 'lazy',
    help: 'after a refinement keep what it does not concern, or nothing',
  },
  lbe: {
    values: ['on', 'off'],
    default: 'on',
    help: 'large-block encoding: local work belongs to the step before it',
  },
  refine: {
    values: ['auto', 'farkas', 'newton', 'spacer'],
    default: 'auto',
    help: 'where interpolants come from; auto takes newton, farkas, spacer, whichever answers first',
  },
  search: { values: ['bfs', 'dfs', 'err'], default: 'bfs', help: 'breadth first, depth first, or towards errors' },
  dependence: {
    values: ['read-write', 'objects', 'guarded'],
    default: 'read-write',
    help: 'two reads commute; or any two accesses of one object are dependent; or (sleep sets) also those commute that a state leads to different places',
  },
} as const satisfies OptionTable

export type CegarOptions = OptionsOf<typeof CEGAR_OPTIONS>

export const cegarSpec: EngineSpec = {
  name: 'cegar',
  summary:
    'abstraction refinement with abstraction-aware partial-order reduction: proves loops and inputs without bound',
  needsSolver: true,
  decides: SAFETY_PROPERTIES,
  options: CEGAR_OPTIONS,
  validateOptions,
}
