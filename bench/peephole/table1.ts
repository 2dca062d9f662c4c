// Table 1 and Figure 8 of peephole.txt beside ours: four variants on philosophers and indexer, and the three encodings
// of the constraints. A limit of processor time for each run.
// Run: npx esbuild bench/peephole/table1.ts --bundle --platform=node --format=esm --packages=external --outfile=bench/out/table1.mjs && node bench/out/table1.mjs [table|encodings|curve] [SECONDS]
import { createSmt } from '../../src/smt/index.js'
import { runBmc } from '../../test/engine/bmc/support.js'
import { testParser } from '../../test/frontend/parse/load.js'
import { compileProgram } from '../../test/generate/harness.js'
import { indexer, philosophers } from './programs.js'

const [what, seconds] = [process.argv[2] ?? 'table', Number(process.argv[3] ?? 60)]
const parser = await testParser()
const smt = await createSmt('auto')
const VARIANTS = ['none', 'static', 'ppor-simple', 'ppor-full'] as const

const measure = (text: string, por: string, gir: string, depth = 0): string => {
  const begin = process.cpuUsage()
  const used = (): number => (process.cpuUsage(begin).user + process.cpuUsage(begin).system) / 1e6
  const options = { encoding: 'interleaving', por, 'gir-encoding': gir, depth: String(depth) }
  const result = runBmc(compileProgram(parser, text), smt, options, () => (used() > seconds ? 'time' : undefined))
  const { conflicts, decisions, depth: reached } = result.stats
  const verdict = result.verdict === 'unknown' ? result.reason : result.verdict
  return `${verdict} ${used().toFixed(1)} s, ${conflicts} conflicts, ${decisions} decisions, depth ${reached}`
}

const table = (): void => {
  const sizes = process.argv[4]?.split(',').map(Number)
  for (const property of ['pa', 'pb'] as const)
    for (const n of sizes ?? [2, 3, 4, 5, 6])
      for (const por of VARIANTS)
        console.log(`phil${n}-${property} ${por}: ${measure(philosophers(n, property), por, 'merged')}`)
  for (const sat of [false, true])
    for (const n of sizes ?? [2, 3, 4, 5, 6, 7, 8])
      for (const por of VARIANTS)
        console.log(`indexer${n} ${sat ? 'sat' : 'unsat'} ${por}: ${measure(indexer(n, 4, sat), por, 'merged')}`)
}

const encodings = (): void => {
  for (const [name, text] of [
    ['phil3-pa', philosophers(3, 'pa')],
    ['phil4-pb', philosophers(4, 'pb')],
    ['indexer4 unsat', indexer(4, 4, false)],
  ] as const)
    for (const por of ['ppor-simple', 'ppor-full'])
      for (const gir of ['plain', 'merged', 'dependent'])
        console.log(`${name} ${por} ${gir}: ${measure(text, por, gir)}`)
}

/** Figure 8: two philosophers that go on for ever, by depth. */
const curve = (): void => {
  const text = philosophers(2, 'pa')
    .replace(/\{\n {2}take/g, '{ for (;;) {\n  take')
    .replace(/ {2}return 0;\n\}\nvoid| {2}return 0;\n\}\nint/g, (end) =>
      end.replace('return 0;\n}', '}\n  return 0;\n}'),
    )
  for (let depth = 15; depth <= 120; depth += 15)
    for (const por of VARIANTS) console.log(`depth ${depth} ${por}: ${measure(text, por, 'merged', depth)}`)
}

const parts: Readonly<Record<string, () => void>> = { table, encodings, curve }
parts[what]!()
smt.dispose()
