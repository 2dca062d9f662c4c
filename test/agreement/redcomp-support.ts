// One generated program: redcomp against brute force, for safety and for termination, with reduction and without.
import { redcompEngine } from '../../src/engine/redcomp/index.js'
import type { CParser } from '../../src/frontend/c/index.js'
import { reasonText } from '../../src/output/reason.js'
import { oracle, replay } from '../../src/semantics/index.js'
import { createSmt } from '../../src/smt/index.js'
import type { Program } from '../../src/xcfa/index.js'
import { compileProgram } from '../generate/harness.js'
import { generate } from '../generate/index.js'
import { limitOf } from '../stopwatch.js'
import { bruteTermination } from './brute-termination.js'

export interface Agreement {
  readonly expected: 'true' | 'false' | 'unknown'
  readonly found: 'true' | 'false' | 'unknown'
  /** What is wrong, or why it is undecided. */
  readonly problem?: string
}

/** Loops at the end of the first thread, some of which end, some of which need not. */
const LOOPS = [
  'while (x == 1) { }',
  'while (x > 0) x = x - 1;',
  'for (int k = 0; k < 3; k++) x = k;',
  'while (x != 0) { if (x > 0) x = x - 1; else x = x + 1; }',
  'while (__VERIFIER_nondet_int()) { }',
  '',
]

/** A generated program with a loop of its own: bounded loops alone say little about termination. */
const terminationProgram = (seed: number): string => {
  const text = generate(seed, { threads: 2, statements: 3 })
  const loop = LOOPS[seed % LOOPS.length]!
  const changed = text.replace('return 0;', `${loop}\n  return 0;`)
  return changed.includes('__VERIFIER_nondet_int(') ? `extern int __VERIFIER_nondet_int(void);\n${changed}` : changed
}

const MAX_STATES = 20_000

export const compare = async (
  parser: CParser,
  seed: number,
  property: 'assert' | 'termination',
  reduction: string,
  seconds: number,
): Promise<Agreement> => {
  const raw = compileProgram(parser, property === 'assert' ? generate(seed) : terminationProgram(seed))
  const expected =
    property === 'assert' ? oracle(raw, 'assert', { maxStates: MAX_STATES }).verdict : bruteTermination(raw, MAX_STATES)
  if (expected === 'unknown') return { expected, found: 'unknown' }
  const smt = await createSmt('auto')
  const env = { stopped: limitOf(seconds), progress: () => {} }
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  try {
    const options = { reduction, 'horn-limit': `${500 * seconds}` }
    const result = redcompEngine.verify({ raw, property, settings, smt }, options, env)
    if (result.verdict === 'unknown') return { expected, found: 'unknown', problem: reasonText(result.reason) }
    if (result.verdict !== expected) return { expected, found: result.verdict, problem: 'another verdict' }
    const isShown = result.verdict === 'true' || replays(raw, result.trace, property)
    return { expected, found: result.verdict, ...(!isShown && { problem: 'it does not replay' }) }
  } finally {
    smt.dispose()
  }
}

const replays = (raw: Program, trace: Parameters<typeof replay>[1], property: string): boolean =>
  replay(raw, trace, property).reached
