// Table 1 and Figure 8 of peephole.txt beside ours, as Markdown: four variants on philosophers and indexer, the three
// encodings of the constraints, and the curves by depth. A limit of processor time for each run.
// Run: node scripts/run.mjs bench/peephole/table1.ts [phil|indexer|encodings|curve] [SECONDS] [SIZES] [VARIANTS]
import { createSmt } from '../../src/smt/index.js'
import { TIMEOUT } from '../../src/verdict/reason.js'
import { runBmc, withLimit } from '../../test/engine/bmc/support.js'
import { testParser } from '../../test/frontend/parse/load.js'
import { compileProgram } from '../../test/generate/harness.js'
import { stopwatch } from '../../test/stopwatch.js'
import { endlessPhilosophers, indexer, philosophers } from './programs.js'

const [what, seconds] = [process.argv[2] ?? 'phil', Number(process.argv[3] ?? 60)]
const sizes = process.argv[4]?.split(',').map(Number)
const sinceStart = stopwatch()
const parser = await testParser()
const library = await createSmt('auto')
/** Seconds on the clock for one of the processor, so far: solvers know only the clock. */
const slowdown = (): number => Math.max(1, performance.now() / 1000 / sinceStart())
const smt = withLimit(library, () => Math.round(seconds * 1000 * slowdown()))
const VARIANTS = process.argv[5]?.split(',') ?? ['none', 'static', 'ppor-simple', 'ppor-full']

interface Measured {
  readonly cell: string
  readonly steps: number
}

/** Processor time, conflicts and decisions; `depth` 0: until it is decided. */
const measure = (text: string, por: string, gir: string, depth = 0): Measured => {
  const used = stopwatch()
  const options = { encoding: 'interleaving', por, 'gir-encoding': gir, depth: String(depth) }
  const result = runBmc(compileProgram(parser, text), smt, options, () => (used() > seconds ? TIMEOUT : undefined))
  const { conflicts, decisions, depth: steps } = result.stats
  const atDepth = result.verdict === 'unknown' && depth > 0 && steps === depth
  const verdict = atDepth ? '' : result.verdict === 'unknown' ? `${result.reason}: ` : `${result.verdict}: `
  return { cell: `${verdict}${used().toFixed(1)} s, ${conflicts} / ${decisions}`, steps: Number(steps ?? 0) }
}

const row = (...cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`)

const header = (...cells: readonly string[]): void => {
  row(...cells)
  row(...cells.map(() => '---'))
}

const variants = (name: string, text: string): void => {
  const measured = VARIANTS.map((por) => measure(text, por, 'merged'))
  row(name, ...measured.map((m) => m.cell), Math.max(...measured.map((m) => m.steps)))
}

const tableHeader = (): void => header('program', ...VARIANTS, 'steps')

const phil = (): void => {
  tableHeader()
  for (const property of ['pa', 'pb'] as const)
    for (const n of sizes ?? [2, 3, 4, 5, 6]) variants(`phil${n}-${property}`, philosophers(n, property))
}

const indexers = (): void => {
  tableHeader()
  for (const sat of [false, true])
    for (const n of sizes ?? [2, 3, 4, 5, 6, 7, 8]) variants(`indexer${n} ${sat ? 'sat' : 'unsat'}`, indexer(n, 4, sat))
}

const encodings = (): void => {
  header('program', 'reduction', 'plain', 'merged', 'dependent')
  const programs = [
    ['phil3-pa', philosophers(3, 'pa')],
    ['phil4-pb', philosophers(4, 'pb')],
    ['indexer4 unsat', indexer(4, 4, false)],
  ] as const
  for (const [name, text] of programs)
    for (const por of ['ppor-simple', 'ppor-full'])
      row(name, por, ...['plain', 'merged', 'dependent'].map((gir) => measure(text, por, gir).cell))
}

/** Figure 8: two philosophers that go on for ever, by depth. */
const curve = (): void => {
  header('depth', ...VARIANTS)
  for (const depth of sizes ?? [15, 30, 45, 60, 75, 90, 105, 120])
    row(depth, ...VARIANTS.map((por) => measure(endlessPhilosophers(2), por, 'merged', depth).cell))
}

const parts: Readonly<Record<string, () => void>> = { phil, indexer: indexers, encodings, curve }
parts[what]!()
library.dispose()
