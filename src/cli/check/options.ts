// The options of heddle check: how to read the program and what to ask of it, by the names of heddle verify.
import { type CommandOption, VERIFY_OPTIONS } from '../../run/call/options.js'

const OF_VERIFY = [
  ...['property', 'timeout', 'solver', 'data-model', 'entry', 'memory-model', 'spurious-wakeups', 'malloc-may-fail'],
  ...['D', 'I', 'cpp', 'error-function'],
]

export const CHECK_OPTIONS: readonly CommandOption[] = [
  ...VERIFY_OPTIONS.filter(({ name }) => OF_VERIFY.includes(name)),
  { name: 'json', help: 'print the answer as one JSON object' },
]
