// Functions that `atexit` was given: the library's model calls them, newest first.
import type { ProcedureBuilder } from '../builder.js'

const CALL_EXIT_FUNCTIONS = '__heddle_call_exit_functions'

/** Nothing, in a program that does not use `atexit`. */
export const callExitFunctions = (b: ProcedureBuilder): void => {
  const model = b.unit.program.functions.get(CALL_EXIT_FUNCTIONS)
  if (!model?.body) return
  b.unit.wanted.add(model)
  b.enterAtomic()
  b.emit({ kind: 'call', callee: model.name, candidates: [], args: [] })
}
