// The options of heddle show.
import { type CommandOption, VERIFY_OPTIONS } from './options.js'

const FRONT_END =
  'property data-model entry D U I isystem include std headers cpp spurious-wakeups malloc-may-fail assume-pure extern volatile-is-atomic error-function'.split(
    ' ',
  )

export const SHOW_OPTIONS: readonly CommandOption[] = [
  {
    name: 'as',
    value: 'FORM',
    values: ['xcfa', 'dot', 'json', 'c'],
    default: 'xcfa',
    help: 'text, graphviz, JSON, or C with one goto per step',
  },
  {
    name: 'stage',
    value: 'STAGE',
    values: ['raw', 'prepared'],
    default: 'prepared',
    help: 'as inlined, or as engines see it',
  },
  { name: 'gir', help: 'guarded independence: which steps of two threads commute, and under which condition' },
  { name: 'movers', help: 'mover classes of every edge, locks held, reducible blocks' },
  { name: 'shared', help: 'which threads access a shared variable, where, and under which locks' },
  { name: 'points-to', help: 'what every access through a pointer may touch, and how memory is split' },
  ...VERIFY_OPTIONS.filter((o) => FRONT_END.includes(o.name)),
]
