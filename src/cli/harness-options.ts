// The options of heddle harness.
import type { CommandOption } from '../run/call/options.js'
import { SHOW_OPTIONS } from '../run/call/show-options.js'

const FRONT_END = ['data-model', 'D', 'U', 'I', 'isystem', 'include', 'std', 'headers', 'cpp']

export const HARNESS_OPTIONS: readonly CommandOption[] = [
  { name: 'threads', value: 'N', default: '2', help: 'how many threads call the library' },
  { name: 'calls', value: 'N', default: '2', help: 'how many calls each of them makes' },
  { name: 'functions', value: 'F,G', help: 'what they call; default: every function that takes the object' },
  { name: 'linearizable', help: 'assert that the results are those of some order of the calls' },
  ...SHOW_OPTIONS.filter(({ name }) => FRONT_END.includes(name)),
]
