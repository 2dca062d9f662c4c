// The engine bmc with a solver and a limit that does not depend on the machine, against brute force.
import { bmcEngine } from '../../../src/engine/bmc/index.js'
import type { Options } from '../../../src/engine/index.js'
import type { CParser } from '../../../src/frontend/c/index.js'
import { reasonText } from '../../../src/output/reason.js'
import type { Property } from '../../../src/property/index.js'
import { oracle, replay } from '../../../src/semantics/index.js'
import type { Smt, SolverOptions } from '../../../src/smt/index.js'
import type { Result } from '../../../src/verdict/index.js'
import type { Reason } from '../../../src/verdict/reason.js'
import type { Program } from '../../../src/xcfa/index.js'
import { compileProgram } from '../../generate/harness.js'

/** Every way to ask the engine that makes sense; partial-order has no reductions. */
export const VARIANTS: readonly Options[] = [
  { encoding: 'partial-order' },
  { encoding: 'interleaving', por: 'none' },
  { encoding: 'interleaving', por: 'static', 'gir-encoding': 'merged' },
  { encoding: 'interleaving', por: 'ppor-simple', 'gir-encoding': 'dependent' },
  { encoding: 'interleaving', por: 'ppor-full', 'gir-encoding': 'plain' },
  { encoding: 'interleaving', por: 'ppor-full', 'gir-encoding': 'merged' },
]

/** The less usual ones: `arith` is a setting, not an option. */
export const MORE_VARIANTS: readonly Options[] = [
  { encoding: 'interleaving', por: 'ppor-full', 'gir-encoding': 'merged', arith: 'int' },
  { encoding: 'partial-order', order: 'cycles' },
  { encoding: 'partial-order', order: 'clocks' },
  { encoding: 'partial-order', arith: 'int' },
]

export const runBmc = (
  raw: Program,
  smt: Smt,
  { arith = 'auto', ...options }: Options,
  stopped: () => Reason | undefined = () => undefined,
  property: Property = 'assert',
): Result => {
  const settings = { arith: arith as 'auto' | 'int', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const env = { stopped, progress: () => {} }
  return bmcEngine.verify({ raw, property, settings, smt }, { depth: '60', ...options }, env)
}

/** With a limit for each check, too, asked for when a solver is made. */
export const withLimit = (library: Smt, milliseconds: () => number): Smt =>
  Object.assign(Object.create(library) as Smt, {
    solver: (options?: SolverOptions) => library.solver({ ...options, timeoutMs: milliseconds() }),
  })

export interface Agreement {
  readonly expected: 'true' | 'false' | 'unknown'
  readonly undecided: readonly string[]
  readonly wrong: readonly string[]
}

/** The variants against brute force on the raw program; every FALSE must replay there. */
export const agreement = (
  parser: CParser,
  smt: Smt,
  text: string,
  variants: readonly Options[],
  stopped?: () => () => Reason | undefined,
  property: Property = 'assert',
): Agreement => {
  const raw = compileProgram(parser, text)
  const expected = oracle(raw, property, { maxStates: 5_000 }).verdict
  const undecided: string[] = []
  const wrong: string[] = []
  if (expected === 'unknown') return { expected, undecided, wrong }
  for (const options of variants) {
    const name = JSON.stringify(options)
    const result = runBmc(raw, smt, options, stopped?.(), property)
    if (result.verdict === 'unknown') undecided.push(`${name}: ${reasonText(result.reason)}`)
    else if (result.verdict === 'true') {
      if (expected !== 'true') wrong.push(`${name}: true instead of ${expected}`)
    } else {
      const replayed = replay(raw, result.trace, property)
      // Mathematical integers may find what does not happen; that is UNKNOWN in the end.
      if (!replayed.reached) (options['arith'] === 'int' ? undecided : wrong).push(`${name}: ${replayed.reason}`)
      else if (expected !== 'false') wrong.push(`${name}: false instead of ${expected}`)
    }
  }
  return { expected, undecided, wrong }
}

/** Executions that are bounded: no waiting for conditions, which may be left spuriously again and again. */
export const BOUNDED = { features: { conditions: false } } as const
