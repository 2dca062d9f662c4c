// One engine on one task, limited by processor time, so that a busy machine does not change what is decided:
// task.ts ENGINE TASK.yml SECONDS [KEY=VALUE...] prints a line of JSON. Bundled and called by tasks.mjs and others.

import { ENGINES, type Options } from '../src/engine/index.js'
import { reasonText } from '../src/output/reason.js'
import { readTask } from '../src/run/call/task-definition.js'
import { loadProgram } from '../src/run/program/load.js'
import { replay } from '../src/semantics/index.js'
import { createSmt } from '../src/smt/index.js'
import type { Result } from '../src/verdict/index.js'
import { inconclusive } from '../src/verdict/reason.js'
import { Unsupported } from '../src/xcfa/index.js'
import { limitOf, stopwatch } from '../test/stopwatch.js'

const PROPERTY = 'unreach-call'

const [name, file, seconds, ...given] = process.argv.slice(2) as [string, string, string, ...string[]]
const engine = await ENGINES.find((entry) => entry.name === name)!.load()
const options: Options = {
  ...Object.fromEntries(Object.entries(engine.options).map(([name, { default: value }]) => [name, value])),
  ...Object.fromEntries(given.map((entry) => entry.split('=') as [string, string])),
}

/** The start of the process counts. */
const begun = process.cpuUsage()
const beforehand = (begun.user + begun.system) / 1e6
const used = stopwatch()

const verify = async (files: readonly string[], dataModel: 'ilp32' | 'lp64'): Promise<Result> => {
  const { program } = await loadProgram({
    ...{ files, dataModel, defines: [], includeDirs: [], entry: 'main' },
    ...{ spuriousWakeups: true, mallocMayFail: false, property: PROPERTY },
  })
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const smt = await createSmt('auto')
  const env = { stopped: limitOf(Number(seconds) - beforehand), progress: () => {} }
  const result = engine.verify({ raw: program, property: PROPERTY, settings, smt }, options, env)
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
  result = { verdict: 'unknown', reason: inconclusive(problem.message), stats: {}, assumptions: [] }
}
const { verdict, stats } = result
const reason = result.verdict === 'unknown' ? reasonText(result.reason) : ''
console.log(JSON.stringify({ verdict, expected: String(expected), reason, seconds: beforehand + used(), stats }))
process.exit(0)
