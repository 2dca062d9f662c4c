// `npm run fuzz:native`: generated programs run on the machine over all schedules, against the interpreter.
// Arguments: [--count N] [--seed N] [--states N] [--runs N] [--kind usual|library|tricky|broad|results|sequential|odd|corners]
import { testParser } from '../frontend/parse/load.js'
import { fuzzSequential, SEQUENTIAL } from './fuzz-sequential.js'
import { generate, generateBroad, generateLibrary, generateTricky } from './index.js'
import { compareWithMachine, outcomeProgram } from './native.js'

const argument = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}
/** Claims inside a program would hide its result: they are asked for by the other kinds. */
const withoutClaims = (text: string): string => {
  const last = text.lastIndexOf('assert(')
  return text.slice(0, last).replaceAll('assert(', '(void)(') + text.slice(last)
}
const kinds = {
  usual: generate,
  library: generateLibrary,
  tricky: generateTricky,
  broad: generateBroad,
  results: (seed: number) => withoutClaims(generateTricky(seed)),
} as const
/** Reasons without places and numbers, so that they can be counted. */
const kindOf = (reason: string): string =>
  reason
    .replace(/ at \S+:\d+$/, '')
    .replace(/\d+/g, 'N')
    .slice(0, 80)

const at = process.argv.indexOf('--kind')
const named = at < 0 ? undefined : process.argv[at + 1]!

const parser = await testParser()
const tally: Record<string, number> = {}
const count = (what: string): void => {
  tally[what] = (tally[what] ?? 0) + 1
}
let wrong = 0
if (named !== undefined && named in SEQUENTIAL) {
  const options = { from: argument('seed', 1), count: argument('count', 100), maxStates: argument('states', 20_000) }
  wrong = fuzzSequential(parser, named as keyof typeof SEQUENTIAL, { ...options, tally: count })
  console.log(tally)
  process.exit(wrong > 0 ? 1 : 0)
}
const wanted = named === undefined ? (Object.keys(kinds) as (keyof typeof kinds)[]) : [named as keyof typeof kinds]
for (let seed = argument('seed', 1), end = seed + argument('count', 100); seed < end; seed++)
  for (const kind of wanted) {
    const program = outcomeProgram(kinds[kind]!(seed))
    if (!program) {
      count('no result')
      continue
    }
    try {
      const result = await compareWithMachine(parser, program, argument('states', 20_000), argument('runs', 300))
      count(
        result.undecided !== undefined
          ? `beyond the interpreter: ${kindOf(result.undecided)}`
          : result.wrong.length > 0
            ? 'WRONG'
            : 'agree',
      )
      for (const more of result.more) count(`interpreter only: ${more}`)
      if (result.more.length > 0) console.log(`${kind} ${seed}, interpreter only: ${result.more.join('; ')}`)
      if (result.wrong.length > 0) {
        wrong++
        console.log(
          `${kind} ${seed}: ${result.wrong.join('; ')} (assumed: ${result.assumed.join('; ')})\n${program.onMachine}`,
        )
      }
    } catch (error) {
      count('failed')
      console.log(`${kind} ${seed}: ${(error as Error).message}`)
    }
    if (seed % 20 === 0) console.error(`${kind} ${seed}: ${JSON.stringify(tally)}`)
  }
console.log(tally)
process.exit(wrong > 0 ? 1 : 0)
