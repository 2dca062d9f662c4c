// The options of heddle replay.
import { type CommandOption, STYLE_OPTIONS, VERIFY_OPTIONS } from '../../run/call/options.js'

const FRONT_END = [
  'property',
  'data-model',
  'entry',
  'D',
  'I',
  'cpp',
  'spurious-wakeups',
  'malloc-may-fail',
  'error-function',
]

export const REPLAY_OPTIONS: readonly CommandOption[] = [
  { name: 'native', help: 'compile the program with cc and force the schedule on real threads' },
  { name: 'json', help: 'print one JSON object: whether the violation was reached, and the execution' },
  { name: 'keep', value: 'DIR', help: 'with --native: keep the compiled files in DIR' },
  ...STYLE_OPTIONS.filter(({ name }) => name === 'color'),
  ...VERIFY_OPTIONS.filter((o) => FRONT_END.includes(o.name)),
]
