// C text through the engine, with every combination of options that a test asks for.
import { cegarEngine } from '../../../src/engine/cegar/index.js'
import type { Options } from '../../../src/engine/index.js'
import type { CParser } from '../../../src/frontend/c/index.js'
import { reasonText } from '../../../src/output/reason.js'
import { replay } from '../../../src/semantics/index.js'
import type { Result } from '../../../src/verdict/index.js'
import { inconclusive } from '../../../src/verdict/reason.js'
import type { Program } from '../../../src/xcfa/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { testSmt } from './support.js'

const DEFAULTS: Options = Object.fromEntries(
  Object.entries(cegarEngine.options).map(([name, option]) => [name, option.default]),
)

/** Every combination of these values, with defaults for the rest. */
export const combinations = (axes: Readonly<Record<string, readonly string[]>>): readonly Options[] =>
  Object.entries(axes).reduce<readonly Options[]>(
    (all, [name, values]) => all.flatMap((options) => values.map((value) => ({ ...options, [name]: value }))),
    [DEFAULTS],
  )

let parser: Promise<CParser> | undefined
export const compiled = async (text: string): Promise<Program> => compileProgram(await (parser ??= testParser()), text)

/** `steps`: how many nodes may be looked at before the run gives up; no clock decides a test. */
export const run = async (raw: Program, options: Options, steps = 20_000): Promise<Result> => {
  const smt = await testSmt()
  let asked = 0
  const env = { stopped: () => (++asked > steps ? inconclusive('enough') : undefined), progress: () => {} }
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  return cegarEngine.verify({ raw, property: 'assert', settings, smt }, options, env)
}

/** The verdict; a FALSE that does not replay on the raw program is none. */
export const verdictOf = async (raw: Program, options: Options, steps?: number): Promise<string> => {
  const result = await run(raw, options, steps)
  if (result.verdict !== 'false') return result.verdict === 'true' ? 'true' : `unknown: ${reasonText(result.reason)}`
  const replayed = replay(raw, result.trace, 'assert')
  return replayed.reached ? 'false' : `does not replay: ${replayed.reason}`
}
