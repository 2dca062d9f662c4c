// The options of heddle init.
import type { CommandOption } from '../run/call/options.js'

export const INIT_OPTIONS: readonly CommandOption[] = [
  {
    name: 'p',
    value: 'BUILD',
    help: 'the folder of compile_commands.json; default: the first one found, or a new build',
  },
  { name: 'force', help: 'replace an existing heddle.json' },
]
