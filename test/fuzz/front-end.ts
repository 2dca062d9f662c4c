// A text through the front end and the passes, as the engine's process does it: what comes out is a program, a
// diagnostic, or the name of something unsupported. Anything else is a bug.
import { type CParser, compile, InputError } from '../../src/frontend/c/index.js'
import { errorsOf } from '../../src/property/index.js'
import { Unsupported } from '../../src/xcfa/index.js'
import { prepare } from '../../src/xcfa/passes/index.js'

export type Outcome = 'program' | 'wrong input' | 'unsupported'

export const outcomeOf = (text: string, parser: CParser): Outcome => {
  try {
    const { program } = compile([{ name: 'fuzz.c', text }], { dataModel: 'lp64' }, parser)
    prepare(errorsOf(program, 'assert'))
    return 'program'
  } catch (problem) {
    if (problem instanceof InputError) {
      if (problem.diagnostics.length === 0) throw new Error('wrong input without a diagnostic')
      return 'wrong input'
    }
    if (problem instanceof Unsupported) return 'unsupported'
    throw problem
  }
}
