// The engine in all its settings against brute force, on many generated programs of one scheduler: each with the four
// settings of partial-order reduction, and again with one of the other options.
// Run: node scripts/run.mjs bench/esst/agreement.ts fairthreads|fixed|systemc|priority COUNT FIRST [KEY=VALUE...]
import type { ForestCertificate } from '../../src/engine/esst/certificate.js'
import type { Options } from '../../src/engine/index.js'
import { reasonText } from '../../src/output/reason.js'
import { createSmt } from '../../src/smt/index.js'
import { checkForest } from '../../test/engine/esst/check-forest.js'
import { generateFairThreads } from '../../test/engine/esst/generate.js'
import { generateSystemC } from '../../test/engine/esst/generate-systemc.js'
import { cxxParser, decided, expected, modelOf, programOf, SETTINGS } from '../../test/engine/esst/support.js'
import { testParser } from '../../test/frontend/parse/load.js'

const [kind = 'fairthreads', count = '100', first = '0', ...given] = process.argv.slice(2)
const parser = await testParser()
const cxx = await cxxParser()
const smt = await createSmt('auto')

const OPTIONS: Readonly<Record<string, Options>> = {
  fixed: { order: 'fixed' },
  priority: { scheduler: 'priority' },
}
const options: Options = {
  ...OPTIONS[kind],
  ...Object.fromEntries(given.map((each) => each.split('=') as [string, string])),
}

const OTHERS: readonly Options[] = [
  { regions: 'impact' },
  { independence: 'guarded' },
  { cycles: 'check' },
  { regions: 'impact', independence: 'guarded' },
  { precision: 'thread', cycles: 'check', independence: 'guarded' },
  { precision: 'global', leak: 'on' },
]

const counts = { programs: 0, skipped: 0, true: 0, false: 0, runs: 0, undecided: 0, wrong: 0, proofs: 0, rejected: 0 }
const reasons = new Map<string, number>()

for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const text = kind === 'systemc' ? generateSystemC(seed) : generateFairThreads(seed)
  const raw = kind === 'systemc' ? modelOf(parser, cxx, text) : programOf(parser, text)
  const { verdict } = expected(raw, options)
  if (verdict === 'unknown') {
    counts.skipped++
    continue
  }
  counts.programs++
  counts[verdict]++
  const other = OTHERS[seed % OTHERS.length]!
  for (const setting of [...SETTINGS, ...SETTINGS.map((each) => ({ ...each, ...other }))]) {
    const result = decided(raw, smt, { ...options, ...setting }, 300)
    counts.runs++
    if (result.verdict === 'true') {
      const problem = checkForest(raw, 'assert', result.certificate.data as ForestCertificate, smt)
      if (!problem?.endsWith('undecided')) counts.proofs++
      if (problem && !problem.endsWith('undecided')) {
        counts.rejected++
        console.log(`seed ${seed} ${JSON.stringify(setting)}: proof rejected, ${problem}\n${text}`)
      }
    }
    if (result.verdict === 'unknown') {
      counts.undecided++
      const reason = reasonText(result.reason)
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    } else if (result.verdict !== verdict) {
      counts.wrong++
      console.log(`seed ${seed} ${JSON.stringify(setting)}: ${result.verdict}, brute force says ${verdict}\n${text}`)
    }
  }
}
console.log(kind, JSON.stringify(counts), Object.fromEntries(reasons))
smt.dispose()
