// An SMT-LIB solver as a process: the WASM build behind standard input and output. Stands for any external solver.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const module = await createRequire(import.meta.url)('z3-solver/build/z3-built.js')()
const context = module._Z3_mk_context(module._Z3_mk_config())
module._set_noop_error_handler(context)

const run = (text) => {
  const bytes = new TextEncoder().encode(text)
  const address = module._malloc(bytes.length + 1)
  module.HEAPU8.set(bytes, address)
  module.HEAPU8[address + bytes.length] = 0
  const answer = module.UTF8ToString(module._Z3_eval_smtlib2_string(context, address))
  module._free(address)
  return answer
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith('(exit)')) break
  if (line.trim() !== '') process.stdout.write(run(line))
}
process.exit(0)
