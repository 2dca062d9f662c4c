// The options of heddle check.
import type { CommandOption } from './options.js'

export const CHECK_OPTIONS: readonly CommandOption[] = [
  { name: 'timeout', value: 'TIME', default: '60s', help: 'how long to look: 500ms, 20s, 5m' },
  { name: 'solver', value: 'NAME', default: 'auto', help: 'auto, native (libz3), wasm (embedded), smtlib:COMMAND' },
]
