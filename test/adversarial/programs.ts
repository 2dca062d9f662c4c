// Programs that were written to deceive a verifier. The first line says what is true of the program, the second which
// engines have to say so: `// expect: PROPERTY TRUE|FALSE`, `// engines: NAME ...`. An engine with a question mark may
// also say that it does not know; none may be wrong. `// options: KEY=VALUE ...` are an engine's own, and `// opts: ...`
// are those of the command line (here: a memory model).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINES, type Options } from '../../src/engine/index.js'
import { verifyUnderMemoryModel } from '../../src/engine/weak-memory.js'
import { compile } from '../../src/frontend/c/index.js'
import type { Property } from '../../src/property/index.js'
import { replay } from '../../src/semantics/index.js'
import { createSmt } from '../../src/smt/index.js'
import type { Result } from '../../src/verdict/index.js'
import { testParser } from '../frontend/parse/load.js'
import { limitOf } from '../stopwatch.js'

export interface Deceiving {
  readonly name: string
  readonly text: string
  readonly property: Property
  readonly expected: 'true' | 'false'
  readonly engines: readonly { readonly name: string; readonly mayGiveUp: boolean }[]
  readonly options: Options
  readonly memoryModel: 'sc' | 'tso' | 'pso'
}

export const programsIn = (folder: string): readonly Deceiving[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.c'))
    .sort()
    .map((file) => deceiving(file, readFileSync(join(folder, file), 'utf8')))

const deceiving = (name: string, text: string): Deceiving => {
  const [, property, expected] = /^\/\/ expect: (\S+) (TRUE|FALSE)$/m.exec(text)!
  const [, engines] = /^\/\/ engines: (.+)$/m.exec(text)!
  const [, memoryModel = 'sc'] = /^\/\/ opts: --memory-model (tso|pso)$/m.exec(text) ?? []
  const [, options = ''] = /^\/\/ options: (.+)$/m.exec(text) ?? []
  return {
    name,
    text,
    property: property as Property,
    expected: expected === 'TRUE' ? 'true' : 'false',
    engines: engines!.split(' ').map((e) => ({ name: e.replace('?', ''), mayGiveUp: e.endsWith('?') })),
    memoryModel: memoryModel as Deceiving['memoryModel'],
    options: Object.fromEntries(options.split(' ').flatMap((o) => (o ? [o.split('=') as [string, string]] : []))),
  }
}

/** What an engine says within so many milliseconds of processor time; a counterexample that does not replay is none. */
export const verdictOf = async (
  { text, property, options, memoryModel }: Deceiving,
  name: string,
  ms = 8000,
): Promise<string> => {
  const checks = {
    checkOverflow: property === 'no-overflow',
    checkMemory: property === 'valid-memsafety',
    checkRaces: property === 'no-data-race',
  }
  const files = [{ name: 'program.c', text }]
  const { program: raw, cut } = compile(
    files,
    { dataModel: 'lp64', cutUnsupported: true, ...checks },
    await testParser(),
  )
  const engine = await ENGINES.find((e) => e.name === name)!.load()
  const env = { stopped: limitOf(ms / 1000), progress: () => {} }
  const settings = { arith: 'auto', solver: 'auto', memoryModel, spuriousWakeups: true } as const
  const smt = await createSmt('auto')
  try {
    const standard = Object.fromEntries(Object.entries(engine.options).map(([key, spec]) => [key, spec.default]))
    const decided = verifyUnderMemoryModel(engine, { raw, property, settings, smt }, { ...standard, ...options }, env)
    const result: Result = decided.result
    if (result.verdict === 'true' && cut) return 'unknown'
    if (result.verdict !== 'false') return result.verdict
    return replay(decided.raw, result.trace, property).reached ? 'false' : 'does not replay'
  } finally {
    smt.dispose()
  }
}
