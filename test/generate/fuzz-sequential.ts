// `npm run fuzz:native -- --kind sequential|odd|corners`: sequential programs on the machine, a hundred at a time, and in
// the interpreter. What the machine computes must be what the interpreter computes, and all it can compute.
import type { CParser } from '../../src/frontend/c/index.js'
import { bruteForce } from './harness.js'
import { generateCorner, generateOdd, generateSequential } from './index.js'
import { machineResults } from './machine-results.js'
import { checkable, type SequentialProgram } from './sequential.js'

export const SEQUENTIAL = {
  sequential: (seed: number) => generateSequential(seed),
  odd: generateOdd,
  corners: generateCorner,
} as const

const BATCH = 100

/** Compares programs of these seeds; counts are added to the tally, differences are printed. */
export const fuzzSequential = (
  parser: CParser,
  kind: keyof typeof SEQUENTIAL,
  { from, count, maxStates, tally }: { from: number; count: number; maxStates: number; tally: (what: string) => void },
): number => {
  let wrong = 0
  for (let first = from; first < from + count; first += BATCH) {
    const seeds = Array.from({ length: Math.min(BATCH, from + count - first) }, (_, i) => first + i)
    const programs = seeds.map(SEQUENTIAL[kind])
    const results = machineResults(programs)
    programs.forEach((program, i) => {
      const problem = compare(parser, program, results[i], maxStates)
      tally(problem === undefined ? `${kind}: agree` : `${kind}: ${problem.kind}`)
      if (problem === undefined) return
      if (problem.kind === 'WRONG') wrong++
      console.log(`${kind} ${seeds[i]}: ${problem.kind}: ${problem.text}`)
    })
    console.error(`${kind} ${first + seeds.length - from}`)
  }
  return wrong
}

interface Problem {
  readonly kind: 'WRONG' | 'beyond the interpreter' | 'no result on the machine' | 'undefined'
  readonly text: string
}

const compare = (
  parser: CParser,
  program: SequentialProgram,
  result: string | undefined,
  maxStates: number,
): Problem | undefined => {
  if (result === undefined) return { kind: 'no result on the machine', text: '' }
  try {
    const {
      verdict,
      reason,
      violation,
      undefined: stops,
    } = bruteForce(parser, checkable(program, BigInt(result)), {
      maxStates,
    })
    if (stops.length > 0) return { kind: 'undefined', text: `${stops[0]!.text} at line ${stops[0]!.position.line}` }
    // To come to the limit of a model is searched for like an error: verify then says UNKNOWN.
    if (violation?.kind === 'error' && violation.violation.kind === 'limit')
      return { kind: 'beyond the interpreter', text: violation.violation.text }
    if (verdict === 'unknown') return { kind: 'beyond the interpreter', text: reason ?? '' }
    return verdict === 'true'
      ? undefined
      : { kind: 'WRONG', text: `the machine computes ${result}, the interpreter something else` }
  } catch (error) {
    return { kind: 'beyond the interpreter', text: (error as Error).message.split('\n')[0]! }
  }
}
