// Both encodings of bmc against brute force on many generated programs with bounded executions.
// Run: node scripts/run.mjs bench/peephole/agreement.ts COUNT FIRST [PROPERTY]
import type { Property } from '../../src/property/index.js'
import { createSmt } from '../../src/smt/index.js'
import { agreement, BOUNDED, MORE_VARIANTS, VARIANTS, withLimit } from '../../test/engine/bmc/support.js'
import { testParser } from '../../test/frontend/parse/load.js'
import { generate } from '../../test/generate/index.js'
import { limitOf, stopwatch } from '../../test/stopwatch.js'

const CHECK_MS = 5000
const [count, first] = [Number(process.argv[2] ?? 100), Number(process.argv[3] ?? 0)]
const property = (process.argv[4] ?? 'assert') as Property
const parser = await testParser()
const library = await createSmt('auto')
const smt = withLimit(library, () => CHECK_MS)
const verdicts = { true: 0, false: 0, unknown: 0 }
const reasons = new Map<string, number>()
let wrong = 0

for (let seed = first; seed < first + count; seed++) {
  const text = generate(seed, property === 'assert' ? BOUNDED : {})
  // The default and two others each time, another two the next; only partial-order decides other properties.
  const others = [...VARIANTS.slice(1), ...MORE_VARIANTS].filter(
    (v) => property === 'assert' || v['encoding'] === 'partial-order',
  )
  const variants = [VARIANTS[0]!, others[seed % others.length]!, others[(seed + 4) % others.length]!]
  const used = stopwatch()
  const found = agreement(parser, smt, text, variants, () => limitOf(5), property)
  if (used() > 4) console.log(`seed ${seed}: ${found.undecided} ${used().toFixed(1)} s`)
  verdicts[found.expected]++
  for (const reason of found.undecided) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  for (const problem of found.wrong) console.log(`seed ${seed}: ${problem}\n${text}`)
  wrong += found.wrong.length
  if ((seed + 1 - first) % 50 === 0)
    console.log(seed + 1 - first, JSON.stringify({ verdicts, wrong }), JSON.stringify(Object.fromEntries(reasons)))
}
console.log({ verdicts, wrong }, Object.fromEntries(reasons))
library.dispose()
