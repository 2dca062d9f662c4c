// redcomp against brute force on many generated programs, each with reduction and without.
// Run: node scripts/run.mjs bench/redcomp/agreement.ts PROPERTY COUNT FIRST SECONDS
import { compare } from '../../test/agreement/redcomp-support.js'
import { testParser } from '../../test/frontend/parse/load.js'

const property = process.argv[2] === 'termination' ? 'termination' : 'assert'
const [count, first, seconds] = [100, 0, 10].map((otherwise, i) => Number(process.argv[3 + i] ?? otherwise))
const parser = await testParser()
const tally: Record<string, number> = {}
const reasons: Record<string, number> = {}
let wrong = 0
for (let seed = first!; seed < first! + count!; seed++)
  for (const reduction of ['on', 'off']) {
    const { expected, found, problem } = await compare(parser, seed, property, reduction, seconds!)
    const key = `${reduction}: ${expected}, ${found}`
    tally[key] = (tally[key] ?? 0) + 1
    if (expected === 'unknown') break
    if (problem && found === 'unknown') reasons[problem] = (reasons[problem] ?? 0) + 1
    if (problem && found !== 'unknown') {
      wrong++
      console.log(`seed ${seed}, reduction ${reduction}: expected ${expected}, found ${found}: ${problem}`)
    }
    if (seed % 10 === 9) console.log(seed + 1 - first!, JSON.stringify(tally), `${wrong} wrong`)
  }
console.log(tally, reasons, `${wrong} wrong`)
process.exit(wrong > 0 ? 1 : 0)
