// `npm run fuzz:certificates -- [COUNT] [FROM]`: certificates of every engine changed at random, each given for the program
// that it is about and for one whose property is violated. Each must be answered, none of the second kind accepted, and
// nothing outside of the checker may change. Prints how many were accepted, rejected and left open.
import { createSmt } from '../../src/smt/index.js'
import { testParser } from '../frontend/parse/load.js'
import { answerTo, genuineCertificates } from './forged.js'
import { randomChange } from './random-change.js'

const [count = 10_000, from = 1] = process.argv.slice(2).map(Number)

const parser = await testParser()
const smt = await createSmt('auto')
const genuine = await genuineCertificates(parser, smt)
const natives = (): string => Object.getOwnPropertyNames(Object.prototype).concat(Object.keys(globalThis)).join()
const before = natives()
const sums: Record<string, number> = {}
const problems: string[] = []
for (let seed = from; seed < from + count; seed++) {
  const { name, file, safe, unsafe, property } = genuine[seed % genuine.length]!
  const text = randomChange(JSON.stringify(file), seed)
  const isSafe = seed % 5 === 0
  const began = Date.now()
  let answer: string
  try {
    answer = answerTo(text, isSafe ? safe : unsafe, property, smt, 1).kind
  } catch (problem) {
    answer = `threw ${String(problem)}`
  }
  const problem = answer.startsWith('threw') || (answer === 'accepted' && !isSafe) || natives() !== before
  if (problem || Date.now() - began > 20_000)
    problems.push(`seed ${seed}, ${name}: ${answer}, ${Date.now() - began} ms`)
  const key = `${isSafe ? 'true' : 'false'} claim, ${answer.slice(0, 60)}`
  sums[key] = (sums[key] ?? 0) + 1
  if ((seed + 1 - from) % 500 === 0) console.error(`${seed + 1 - from} certificates, ${problems.length} problems`)
}
smt.dispose()
console.log(`${count} certificates from seed ${from}`, sums)
for (const problem of problems) console.log(problem)
process.exit(problems.length > 0 ? 1 : 0)
