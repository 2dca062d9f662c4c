// What is looked at before TRUE is said, in little time: a labelled graph is checked in part (src/check/graph/spot.ts), and where
// `auto` chose the engine, random walks of the interpreter through the program before all passes look for a violation.
// Both end after a twentieth of the time that the proof took, and take no less than a few milliseconds.
import { spotCheckGraph } from '../check/index.js'
import { errorsOf, type Property } from '../property/index.js'
import { randomWalks, replay } from '../semantics/index.js'
import type { Smt } from '../smt/index.js'
import type { Result } from '../verdict/index.js'
import { type Program, Unsupported } from '../xcfa/index.js'
import { prepare } from '../xcfa/passes/index.js'

const SHARE = 0.05
const MIN_SPOT_MS = 60
const MIN_WALKS_MS = 40
const MAX_MS = 3000

export interface CrossCheck {
  readonly raw: Program
  readonly property: Property
  readonly smt: Smt | undefined
  /** Milliseconds that the proof took. */
  readonly took: number
  readonly now: () => number
  readonly deadline: number
  /** Whether random walks try to refute the proof. */
  readonly walks: boolean
}

/** The result, or what was found to be wrong with it. */
export const crossChecked = (result: Result, check: CrossCheck): Result => {
  if (result.verdict !== 'true') return result
  const problem = spotChecked(result, check)
  if (problem !== undefined)
    return {
      verdict: 'unknown',
      reason: `the proof that was found does not hold: ${problem}`,
      stats: result.stats,
      assumptions: [],
    }
  return check.walks ? walked(result, check) : result
}

type Proved = Extract<Result, { readonly verdict: 'true' }>

const endAfter = ({ took, now, deadline }: CrossCheck, least: number): (() => boolean) => {
  const end = Math.min(now() + Math.min(MAX_MS, Math.max(least, SHARE * took)), deadline)
  return () => now() >= end
}

/** Properties that labelled graphs prove by themselves. */
const GRAPH_PROPERTIES: readonly Property[] = ['assert', 'unreach-call', 'no-overflow', 'no-data-race']

const spotChecked = ({ certificate, assumptions }: Proved, check: CrossCheck): string | undefined => {
  const { raw, property, smt } = check
  if (certificate.kind !== 'labelled-graph' || 'tooLarge' in certificate.data) return undefined
  if (!smt || !GRAPH_PROPERTIES.includes(property)) return undefined
  const isOver = endAfter(check, MIN_SPOT_MS)
  const { data } = certificate
  const noRaces = property === 'no-data-race'
  const overflowOpen = assumptions.some(({ what, status }) => what === 'no signed overflow' && status === 'open')
  const program = prepare(errorsOf(raw, property), { largeBlocks: data.largeBlocks, slice: !noRaces })
  return spotCheckGraph(program, data, { overflowOpen, noRaces }, smt, () => (isOver() ? 'time is up' : undefined))
}

/** An execution that violates the property is one, whatever an engine has proved. */
const walked = (result: Proved, check: CrossCheck): Result => {
  const { raw, property } = check
  try {
    const { trace, walks, steps } = randomWalks(raw, property, endAfter(check, MIN_WALKS_MS))
    const stats = { ...result.stats, cross_check_walks: walks, cross_check_steps: steps }
    if (!trace || !replay(raw, trace, property).reached) return { ...result, stats }
    return { verdict: 'false', trace, stats: { ...stats, refuted_proofs: 1 }, assumptions: [] }
  } catch (problem) {
    if (problem instanceof Unsupported) return result
    throw problem
  }
}
