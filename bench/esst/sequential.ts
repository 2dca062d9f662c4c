// Three of the programs with their scheduler written in C, through `cegar`, beside the programs themselves through
// `esst`: the gap that esst.txt, 6.3 reports.
// Run: node scripts/run.mjs bench/esst/sequential.ts [SECONDS a run]
import { ENGINES } from '../../src/engine/index.js'
import { createSmt } from '../../src/smt/index.js'
import { TIMEOUT } from '../../src/verdict/reason.js'
import { programOf } from '../../test/engine/esst/support.js'
import { testParser } from '../../test/frontend/parse/load.js'
import { stopwatch } from '../../test/stopwatch.js'
import { factorial, producerConsumer, tokenRing } from './fairthreads.js'
import { sequentialised } from './sequentialise.js'

const limit = Number(process.argv[2] ?? 60)
const parser = await testParser()
const smt = await createSmt('auto')

const run = async (text: string, name: string, given: Readonly<Record<string, string>>): Promise<string> => {
  const engine = await ENGINES.find((e) => e.name === name)!.load()
  const defaults = Object.fromEntries(Object.entries(engine.options).map(([key, spec]) => [key, spec.default]))
  const used = stopwatch()
  const env = { stopped: () => (used() > limit ? TIMEOUT : undefined), progress: () => {} }
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const task = { raw: programOf(parser, text), property: 'assert', settings, smt } as const
  const { verdict, stats } = engine.verify(task, { ...defaults, ...given }, env)
  const { nodes = '?', refinements = '?', predicates = '?' } = stats
  return `${verdict} (${used().toFixed(1)} s, ${nodes} nodes, ${refinements} refinements, ${predicates} predicates)`
}

console.log('| program | esst | cegar, predicates | cegar, explicit values |\n|---|---|---|---|')
for (const benchmark of [factorial('fact1'), producerConsumer(1), tokenRing(3)]) {
  const { text } = sequentialised(benchmark)
  const cells = [
    await run(benchmark.text, 'esst', {}),
    await run(text, 'cegar', { domain: 'pred-cart' }),
    await run(text, 'cegar', { domain: 'expl' }),
  ]
  console.log(`| ${benchmark.name} | ${cells.join(' | ')} |`)
}
smt.dispose()
