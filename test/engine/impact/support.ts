// Running the algorithm on C texts, with the tree at hand.
import { Impact, type ImpactOptions, type Outcome } from '../../../src/engine/impact/impact.js'
import { Transitions } from '../../../src/engine/impact/transition.js'
import { errorsOf } from '../../../src/property/index.js'
import type { Smt } from '../../../src/smt/index.js'
import type { Program } from '../../../src/xcfa/index.js'
import { prepare } from '../../../src/xcfa/passes/index.js'
import { type Arithmetic, createEncoding } from '../../../src/xcfa/terms/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { libraryKinds, withSmt } from '../../smt/backends.js'

export const compiled = async (text: string): Promise<Program> => compileProgram(await testParser(), text)

export const solver = (): Promise<Smt> => withSmt(libraryKinds[0]!, (smt) => smt)

export const OPTIONS: ImpactOptions = {
  por: 'dpor',
  forceCover: true,
  interpolation: 'wp',
  conditionalDependence: true,
  pruneEdges: true,
}

export interface Run {
  readonly impact: Impact
  readonly transitions: Transitions
  readonly outcome: Outcome
}

export const run = (
  raw: Program,
  smt: Smt,
  options: Partial<ImpactOptions> = {},
  arithmetic: Arithmetic = 'bv',
): Run => {
  const transitions = new Transitions(prepare(errorsOf(raw, 'assert')), createEncoding(arithmetic))
  const env = { stopped: () => undefined, progress: () => {} }
  const impact = new Impact(transitions, smt, { ...OPTIONS, ...options }, env)
  return { impact, transitions, outcome: impact.main() }
}
