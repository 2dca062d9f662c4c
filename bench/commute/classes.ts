// node scripts/run.mjs bench/commute/classes.ts [COUNT] [FROM]: generated products without loops, on which the reduction
// must have exactly one word of each Mazurkiewicz trace, for every order; the traces are counted by enumeration of all
// words. Without assertions conditional commutativity is semantic commutativity: all three kinds take turns.
import { createSmt } from '../../src/smt/index.js'
import { productOf, straightLines } from '../../test/engine/commute/words.js'
import { testParser } from '../../test/frontend/parse/load.js'
import { seededChoices } from '../../test/generate/choices.js'
import { compileProgram } from '../../test/generate/harness.js'

const ORDERS = ['sequential', 'lockstep', 'random:1', 'random:2', '3|2,1']
const KINDS = ['syntactic', 'semantic', 'conditional'] as const

const [count = 500, from = 0] = process.argv.slice(2).map(Number)
const parser = await testParser()
const smt = await createSmt('auto')
const sums = { programs: 0, traces: 0, words: 0, different: 0 }
for (let seed = from; seed < from + count; seed++) {
  const kind = KINDS[seed % KINDS.length]!
  const product = productOf(compileProgram(parser, straightLines(seededChoices(seed))), smt, kind)
  const classes = product.classes()
  for (const order of ORDERS) {
    const words = product.words(order)
    sums.words += words
    if (words !== classes) {
      sums.different++
      console.log(`seed ${seed}, ${kind}, ${order}: ${words} words, ${classes} traces`)
    }
  }
  product.dispose()
  sums.programs++
  sums.traces += classes
  if (sums.programs % 50 === 0) console.error(`${sums.programs} programs`)
}
smt.dispose()
console.log(`${sums.programs} programs in ${ORDERS.length} orders: ${sums.traces} traces, ${sums.words} words`)
console.log(sums.different === 0 ? 'one word of each trace, for every order' : `${sums.different} times different`)
process.exit(sums.different === 0 ? 0 : 1)
