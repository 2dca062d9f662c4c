// Tables 1 and 2 of esst.txt: processor time and abstract states with the four settings of partial-order reduction,
// beside the paper's; then the SystemC models, for which it prints none.
// Run: node scripts/run.mjs bench/esst/tables.ts [SECONDS a run] [BEGINNING OF NAME] [KEY=VALUE...]
import { esstEngine } from '../../src/engine/esst/index.js'
import { createSmt } from '../../src/smt/index.js'
import { TIMEOUT } from '../../src/verdict/reason.js'
import { cxxParser, modelOf, programOf } from '../../test/engine/esst/support.js'
import { testParser } from '../../test/frontend/parse/load.js'
import { stopwatch } from '../../test/stopwatch.js'
import { type Benchmark, fairThreadsBenchmarks } from './fairthreads.js'
import { systemCBenchmarks } from './systemc.js'

const [limit = '60', only = '', ...given] = process.argv.slice(2)
const options = Object.fromEntries(given.map((each) => each.split('=') as [string, string]))
const parser = await testParser()
const cxx = await cxxParser()
const smt = await createSmt('auto')

const run = ({ file, text }: Benchmark, por: string): { readonly verdict: string; readonly cell: string } => {
  const raw = file.endsWith('.c') ? programOf(parser, text) : modelOf(parser, cxx, text)
  const used = stopwatch()
  const env = { stopped: () => (used() > Number(limit) ? TIMEOUT : undefined), progress: () => {} }
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const { verdict, stats } = esstEngine.verify({ raw, property: 'assert', settings, smt }, { ...options, por }, env)
  if (verdict === 'unknown') return { verdict, cell: `- (${stats['nodes']})` }
  const { nodes, refinements, predicates } = stats
  return { verdict, cell: `${nodes} (${used().toFixed(1)} s, ${refinements} r, ${predicates} p)` }
}

const row = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`)

row(['program', 'verdict', 'none', 'persistent', 'sleep', 'both', 'paper'])
row(Array(7).fill('---'))
let isWrong = false
/** Settings that ran out of time on a smaller program of the family: larger ones are not tried. */
const exhausted = new Set<string>()
for (const benchmark of [...fairThreadsBenchmarks(), ...systemCBenchmarks()]) {
  if (!benchmark.name.startsWith(only)) continue
  const family = benchmark.name.replace(/\.\d+$/, '')
  const found = ['none', 'persistent', 'sleep', 'both'].map((por) => {
    const key = `${family} ${por}`
    const answer = exhausted.has(key) ? { verdict: 'unknown', cell: '-' } : run(benchmark, por)
    if (answer.verdict === 'unknown') exhausted.add(key)
    return answer
  })
  const verdicts = [...new Set(found.map(({ verdict }) => verdict).filter((v) => v !== 'unknown'))]
  const isExpected = verdicts.every((v) => v === (benchmark.safe ? 'true' : 'false'))
  isWrong ||= !isExpected
  const paper = benchmark.paper?.map((states) => states ?? '-').join('/') ?? ''
  const told = `${verdicts.join(', ') || 'unknown'}${isExpected ? '' : ' (wrong)'}`
  row([benchmark.name, told, ...found.map(({ cell }) => cell), paper])
}
smt.dispose()
process.exitCode = isWrong ? 1 : 0
