// Programs that were written to deceive a verifier. The first line says what is true of the program, the second which
// engines have to say so: `// expect: PROPERTY TRUE|FALSE`, `// engines: NAME ...`. An engine with a question mark may
// also say that it does not know; none may be wrong. `// options: KEY=VALUE ...` are an engine's own.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINES, type Options } from '../../src/engine/index.js'
import type { Property } from '../../src/property/index.js'
import { replay } from '../../src/semantics/index.js'
import { createSmt } from '../../src/smt/index.js'
import type { Result } from '../../src/verdict/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'

export interface Deceiving {
  readonly name: string
  readonly text: string
  readonly property: Property
  readonly expected: 'true' | 'false'
  readonly engines: readonly { readonly name: string; readonly mayGiveUp: boolean }[]
  readonly options: Options
}

export const programsIn = (folder: string): readonly Deceiving[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.c'))
    .sort()
    .map((file) => deceiving(file, readFileSync(join(folder, file), 'utf8')))

const deceiving = (name: string, text: string): Deceiving => {
  const [, property, expected] = /^\/\/ expect: (\S+) (TRUE|FALSE)$/m.exec(text)!
  const [, engines] = /^\/\/ engines: (.+)$/m.exec(text)!
  const [, options = ''] = /^\/\/ options: (.+)$/m.exec(text) ?? []
  return {
    name,
    text,
    property: property as Property,
    expected: expected === 'TRUE' ? 'true' : 'false',
    engines: engines!.split(' ').map((e) => ({ name: e.replace('?', ''), mayGiveUp: e.endsWith('?') })),
    options: Object.fromEntries(options.split(' ').flatMap((o) => (o ? [o.split('=') as [string, string]] : []))),
  }
}

/** What an engine says within so many milliseconds; a counterexample that does not replay is none. */
export const verdictOf = async ({ text, property, options }: Deceiving, name: string, ms = 8000): Promise<string> => {
  const raw = compileProgram(await testParser(), text, property)
  const engine = await ENGINES.find((e) => e.name === name)!.load()
  const end = Date.now() + ms
  const env = { stopped: () => (Date.now() > end ? 'time' : undefined), progress: () => {} }
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const smt = await createSmt('auto')
  try {
    const result: Result = engine.verify({ raw, property, settings, smt }, options, env)
    if (result.verdict !== 'false') return result.verdict
    return replay(raw, result.trace, property).reached ? 'false' : 'does not replay'
  } finally {
    smt.dispose()
  }
}
