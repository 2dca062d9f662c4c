// node scripts/run.mjs test/engine/graphs/fuzz-counts.ts [--count 1000] [--seed 0]: on generated loop-free programs the
// number of executions is the number of distinct (rf, co) graphs that brute force over interleavings finds (sc), or that
// the evaluator of CAT models finds (sc, tso, pso, rc11); every one is met once. Exits 1 if a number differs.
import { decideLitmus } from '../../../src/engine/litmus/index.js'
import { parseLitmus } from '../../../src/frontend/litmus/index.js'
import { builtInModel } from '../../../src/memory-model/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { seededChoices } from '../../generate/choices.js'
import { compileProgram } from '../../generate/harness.js'
import { weakProgram } from '../../generate/weak.js'
import { bruteForceGraphs, countsOf, type Features, randomThreads, runGraphs } from './support.js'

const argument = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}
const count = argument('count', 1000)
const first = argument('seed', 0)
const FEATURES: readonly Features[] = [
  ...[{}, { atomics: true }, { locks: true }, { locks: true, atomics: true }],
  ...[{ blocks: true }, { blocks: true, locks: true, atomics: true }, { nested: true }],
  { retries: true },
]
const MODELS = ['sc', 'tso', 'pso', 'rc11'] as const
/** States that brute force may look at. */
const LIMIT = 6000

const parser = await testParser()
const tally = { brute: 0, tooLarge: 0, models: 0, executions: 0, wrong: 0 }

const compare = (what: string, found: readonly unknown[], expected: readonly number[]): void => {
  tally.executions += expected[0]!
  if (found.join() === expected.join()) return
  tally.wrong++
  console.log(`${what}: found ${found.join(', ')}, expected ${expected.join(', ')} (executions, blocked, twice)`)
}

for (let seed = first; seed < first + count; seed++) {
  const features = FEATURES[seed % FEATURES.length]!
  const raw = compileProgram(parser, randomThreads(seededChoices(seed), features))
  const brute = bruteForceGraphs(raw, LIMIT)
  if (brute) {
    tally.brute++
    const result = runGraphs(raw, 'sc')
    const [executions, blocked, twice] = countsOf(result)
    // A loop that only waits has steps for ever in brute force.
    const waiting = features.nested || features.retries ? brute.blocked : blocked
    compare(`seed ${seed}, brute force`, [executions, waiting, twice], [brute.executions, brute.blocked, 0])
    const { certificate } = result as { certificate?: { data: { digest: string } } }
    if (certificate?.data.digest !== brute.digest) {
      tally.wrong++
      console.log(`seed ${seed}: the digest is another one`)
    }
  } else tally.tooLarge++
  const name = MODELS[seed % MODELS.length]!
  const { litmus, c } = weakProgram(seededChoices(seed), seed % 2 === 1)
  const parsed = parseLitmus(litmus)
  if (parsed.kind === 'wrong') throw new Error(parsed.error.message)
  for (const model of name === 'rc11' ? [name] : [name, 'rc11' as const]) {
    const answer = decideLitmus(parsed.test, builtInModel(model), {
      ...{ expired: () => false, maxCounted: 10_000, explain: false },
    })
    if (answer.kind === 'unknown') continue
    tally.models++
    const program = compileProgram(parser, c.replace(/assert\(!.*\);\n/, ''))
    compare(`seed ${seed}, ${model}`, countsOf(runGraphs(program, model)), [answer.counts!.executions, 0, 0])
  }
}
console.log(
  `${tally.brute} programs against brute force (${tally.tooLarge} too large), ${tally.models} against the evaluator, ${tally.executions} executions in all: ${tally.wrong} wrong`,
)
process.exit(tally.wrong > 0 ? 1 : 0)
