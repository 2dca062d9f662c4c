// A text through the front end, the passes and, if one is given, an engine, as the engine's process does it: what comes
// out is a program (with a verdict), a diagnostic, or the name of something unsupported. Anything else is a bug.
import type { Engine } from '../../src/engine/index.js'
import { type CParser, compile, InputError } from '../../src/frontend/c/index.js'
import { errorsOf } from '../../src/property/index.js'
import type { Smt } from '../../src/smt/index.js'
import { reportOf } from '../../src/verdict/index.js'
import { type Program, Unsupported } from '../../src/xcfa/index.js'
import { prepare } from '../../src/xcfa/passes/index.js'
import { limitOf } from '../stopwatch.js'

/** `not replayed`: the engine's counterexample was none, which slicing allows where a thread stops in between. */
export type Outcome = 'program' | 'wrong input' | 'unsupported' | 'true' | 'false' | 'unknown' | 'not replayed'

/** An engine to run, and for how many seconds of processor time. */
export interface Verifier {
  readonly engine: Engine
  readonly smt?: Smt
  readonly seconds: number
}

export const outcomeOf = (text: string, parser: CParser, verifier?: Verifier): Outcome => {
  try {
    const { program } = compile([{ name: 'fuzz.c', text }], { dataModel: 'lp64' }, parser)
    if (verifier) return verdictOf(program, verifier)
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

const verdictOf = (raw: Program, { engine, smt, seconds }: Verifier): Outcome => {
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: false } as const
  const options = Object.fromEntries(Object.entries(engine.options).map(([name, option]) => [name, option.default]))
  const env = { stopped: limitOf(seconds), progress: () => {} }
  const result = engine.verify({ raw, property: 'assert', settings, ...(smt && { smt }) }, options, env)
  const common = { raw, property: 'assert', file: 'fuzz.c', engine: engine.name, options, notes: [] } as const
  const { verdict } = reportOf(result, { ...common, ...settings, mallocMayFail: false, time_ms: 0 })
  return result.verdict === 'false' && verdict !== 'false' ? 'not replayed' : verdict
}
