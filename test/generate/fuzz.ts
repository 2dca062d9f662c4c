// `npm run fuzz`: many generated programs, engines that need no solver against brute force; with `--engine NAME`, once or
// several times, those. `npm run fuzz:sequential`: the front end and the interpreter against the machine's compiler. A
// failure without names of engines shrinks and is printed with the seed that shows it again.
// Arguments: engines|sequential [--count N] [--seed N] [--states N] [--library | --tricky | --odd], and for engines by
// name: --engine NAME... [--property P]... [--grid KEY=V1,V2]... [--arith A] [--seconds N] [--combinations N] [--check]
import fc from 'fast-check'
import type { Property } from '../../src/property/index.js'
import { testParser } from '../frontend/parse/load.js'
import { solverlessContenders } from './contenders.js'
import { fuzzEngine } from './fuzz-engine.js'
import { compareEngines, compileProgram, countDisagreement, sequentialDisagreement } from './harness.js'
import {
  concurrentPrograms,
  libraryPrograms,
  oddPrograms,
  runnable,
  sequentialPrograms,
  trickyPrograms,
} from './index.js'

const PROPERTIES = ['assert', 'no-data-race', 'no-deadlock'] as const

const texts = (name: string): readonly string[] =>
  process.argv.flatMap((word, at) => (word === `--${name}` ? [process.argv[at + 1] ?? ''] : []))
const argument = (name: string, otherwise: number): number => Number(texts(name).at(-1) ?? otherwise)

const count = argument('count', 200)
const seed = argument('seed', 1)
const maxStates = argument('states', 10_000)
const has = (name: string): boolean => process.argv.includes(`--${name}`)
/** Programs over the rest of the library, or of the corners where verdicts were wrong, instead of the usual ones. */
const source = has('tricky') ? 'tricky' : has('library') ? 'library' : 'usual'
const CONCURRENT = { usual: concurrentPrograms, library: libraryPrograms, tricky: trickyPrograms }

/** Counts on standard error, so that a long run shows that it lives. */
let tried = 0
const tick = (): void => {
  if (++tried % 20 === 0) console.error(`${tried} programs`)
}

/** While a failure shrinks, the smallest so far is shown: whoever is in a hurry can stop there. */
let smallest = Number.POSITIVE_INFINITY
const failure = (text: string, problem: string): Error => {
  if (text.length < smallest) console.error(`${text}\n${problem}\n`)
  smallest = Math.min(smallest, text.length)
  return new Error(problem)
}

const report = <T>(details: fc.RunDetails<T>, show: (value: T) => string): void => {
  const [program] = (details.counterexample ?? []) as unknown as readonly T[]
  if (program === undefined) console.log(`${details.numRuns} programs agree`)
  else {
    console.log(`${show(program)}\n${String(details.errorInstance)}`)
    console.log(`seed ${details.seed}, program ${details.numRuns}, ${details.numShrinks} times smaller`)
    process.exitCode = 1
  }
}

const fuzzSequential = async (): Promise<void> => {
  const parser = await testParser()
  const agrees = fc.property(has('odd') ? oddPrograms() : sequentialPrograms(), (program) => {
    tick()
    const problem = sequentialDisagreement(parser, program)
    if (problem !== undefined) throw failure(runnable(program), problem)
  })
  const details = fc.check(agrees, { numRuns: count, seed, includeErrorInReport: false })
  report(details as fc.RunDetails<unknown>, (program) => runnable(program as Parameters<typeof runnable>[0]))
}

const fuzzEngines = async (): Promise<void> => {
  const parser = await testParser()
  const contenders = await Promise.all(PROPERTIES.map(solverlessContenders))
  const verdicts: Record<string, number> = {}
  const agrees = fc.property(CONCURRENT[source](), (text) => {
    tick()
    const raw = compileProgram(parser, text)
    const miscounted = countDisagreement(raw, maxStates)
    if (miscounted !== undefined) throw failure(text, miscounted)
    PROPERTIES.forEach((property, index) => {
      const { expected, wrong, undecided } = compareEngines(raw, property, contenders[index]!, maxStates)
      if (wrong.length > 0) throw failure(text, wrong.join('\n'))
      const key = `${property} ${expected}${undecided.length > 0 ? ', some undecided' : ''}`
      verdicts[key] = (verdicts[key] ?? 0) + 1
    })
  })
  report(fc.check(agrees, { numRuns: count, seed, includeErrorInReport: false }) as fc.RunDetails<unknown>, String)
  console.log(verdicts)
}

const fuzzSome = async (engines: readonly string[]): Promise<void> => {
  const wrong = await fuzzEngine(await testParser(), {
    engines,
    grid: texts('grid'),
    properties: texts('property').length > 0 ? (texts('property') as Property[]) : ['assert'],
    arith: (texts('arith').at(-1) ?? 'auto') as 'auto' | 'int' | 'bv',
    from: seed,
    count,
    maxStates,
    seconds: argument('seconds', 5),
    combinations: argument('combinations', Number.POSITIVE_INFINITY),
    source,
    check: has('check'),
  })
  process.exit(wrong.length > 0 ? 1 : 0)
}

const engines = texts('engine')
await (engines.length > 0 ? fuzzSome(engines) : process.argv[2] === 'sequential' ? fuzzSequential() : fuzzEngines())
