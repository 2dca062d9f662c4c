// What the command line knows of the engine.
import type { EngineSpec, OptionsOf, OptionTable } from '../engine.js'

export const REDCOMP_OPTIONS = {
  reduction: {
    values: ['on', 'off'],
    default: 'on',
    help: 'reducible blocks by movers; off is plain compositional reasoning',
  },
  view: {
    values: ['auto', 'threads', 'pairs', 'all'],
    default: 'auto',
    help: 'what an assertion is about: one thread, two, or all of them; auto tries them in turns',
  },
  'horn-limit': { values: 'number', default: '0', help: 'milliseconds for one set of clauses; 0: no limit' },
  'horn-out': { values: 'file', default: '', help: 'write the clauses as SMT-LIB HORN' },
} as const satisfies OptionTable

export type RedcompOptions = OptionsOf<typeof REDCOMP_OPTIONS>

export const redcompSpec: EngineSpec = {
  name: 'redcomp',
  summary: 'Horn clauses thread by thread, over blocks that no other thread needs to interrupt',
  needsSolver: true,
  decides: ['assert', 'unreach-call', 'no-overflow', 'valid-memsafety', 'no-data-race', 'termination'],
  options: REDCOMP_OPTIONS,
}
