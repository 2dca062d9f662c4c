// heddle lsp: the language server on standard input and output. docs/editors.md says how editors start it.
import { fileURLToPath } from 'node:url'
import { serve } from '../lsp/server.js'
import { parseArguments } from '../run/call/options.js'

export const lsp = async (args: readonly string[]): Promise<number> => {
  // Clients pass --stdio out of habit; there is no other way here.
  parseArguments(args, [{ name: 'stdio', help: 'speak on standard input and output (always)' }])
  serve(fileURLToPath(new URL('./main.js', import.meta.url)))
  return new Promise(() => {})
}
