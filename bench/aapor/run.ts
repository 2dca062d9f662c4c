// One run of cegar on one task, limited by processor time, so that a busy machine does not change what is decided:
// run.mjs TASK.yml SECONDS KEY=VALUE... prints a line of JSON. Bundled and called by figure53.mjs.
import { loadProgram } from '../../src/cli/load.js'
import { readTask } from '../../src/cli/task-definition.js'
import { cegarEngine } from '../../src/engine/cegar/index.js'
import type { Options } from '../../src/engine/index.js'
import { replay } from '../../src/semantics/index.js'
import { createSmt } from '../../src/smt/index.js'
import type { Result } from '../../src/verdict/index.js'
import { Unsupported } from '../../src/xcfa/index.js'

const PROPERTY = 'unreach-call'

const [file, seconds, ...given] = process.argv.slice(2) as [string, string, ...string[]]
const options: Options = {
  ...Object.fromEntries(Object.entries(cegarEngine.options).map(([name, { default: value }]) => [name, value])),
  ...Object.fromEntries(given.map((entry) => entry.split('=') as [string, string])),
}

const processorSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** To ask for processor time costs more than to look at a node. */
const limit = (most: number): (() => string | undefined) => {
  let asked = 0
  let isOver = false
  return () => {
    if (++asked % 64 === 0) isOver ||= processorSeconds() > most
    return isOver ? 'timeout' : undefined
  }
}

const verify = async (files: readonly string[], dataModel: 'ilp32' | 'lp64'): Promise<Result> => {
  const { program } = await loadProgram({
    ...{ files, dataModel, defines: [], includeDirs: [], entry: 'main' },
    ...{ spuriousWakeups: true, mallocMayFail: false, property: PROPERTY },
  })
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const smt = await createSmt('auto')
  const env = { stopped: limit(Number(seconds)), progress: () => {} }
  const result = cegarEngine.verify({ raw: program, property: PROPERTY, settings, smt }, options, env)
  if (result.verdict === 'false' && !replay(program, result.trace, PROPERTY).reached)
    throw new Error(`${file}: a counterexample does not replay`)
  return result
}

const { files, dataModel = 'lp64', properties } = readTask(file)
const expected = properties.find(({ property }) => property.endsWith(`${PROPERTY}.prp`))?.expected
let result: Result
try {
  result = await verify(files, dataModel)
} catch (problem) {
  if (!(problem instanceof Unsupported)) throw problem
  result = { verdict: 'unknown', reason: problem.message, stats: {}, assumptions: [] }
}
const { verdict, stats } = result
const reason = result.verdict === 'unknown' ? result.reason : ''
console.log(JSON.stringify({ verdict, expected: String(expected), reason, seconds: processorSeconds(), stats }))
process.exit(0)
