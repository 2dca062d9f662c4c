// What is looked at before TRUE is said, in little time: a labelled graph or a
// reduced product is checked in part (src/check/graph/spot.ts, src/check/commute/spot.ts), and
// random walks of the interpreter through the program before all passes look for undefined behaviour, of which a proof
// says nothing, and, where `auto` chose the engine, for a violation. Both end after a twentieth of the time that the
// proof took, and take no less than a few milliseconds.

import { spotCheckGraph, spotCheckReduced } from '../check/index.js'
import { errorsOf, type Property } from '../property/index.js'
import { type Met, randomWalks, replay } from '../semantics/index.js'
import type { Smt } from '../smt/index.js'
import { isOpen } from '../verdict/assumption.js'
import type { Result } from '../verdict/index.js'
import { unknown } from '../verdict/result.js'
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
  if (problem !== undefined) return unknown({ kind: 'wrong-proof', problem }, result.stats)
  return walked(result, check)
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
  if (certificate.kind !== 'labelled-graph' && certificate.kind !== 'reduced-product') return undefined
  if ('tooLarge' in certificate.data || !smt || !GRAPH_PROPERTIES.includes(property)) return undefined
  const isOver = endAfter(check, MIN_SPOT_MS)
  const stopped = (): string | undefined => (isOver() ? 'time is up' : undefined)
  const noRaces = property === 'no-data-race'
  const overflowOpen = isOpen(assumptions, 'no-overflow')
  if (certificate.kind === 'reduced-product')
    return spotCheckReduced(prepare(errorsOf(raw, property)), certificate.data, { overflowOpen }, smt, stopped)
  const { data } = certificate
  const program = prepare(errorsOf(raw, property), { largeBlocks: data.largeBlocks, slice: !noRaces })
  return spotCheckGraph(program, data, { overflowOpen, noRaces }, smt, stopped)
}

/**
 * An execution that violates the property is one, whatever an engine has proved. One that meets undefined behaviour goes on
 * in a way that no proof is about.
 */
const walked = (result: Proved, check: CrossCheck): Result => {
  const { raw, property } = check
  try {
    const { trace, walks, steps, met } = randomWalks(raw, property, endAfter(check, MIN_WALKS_MS))
    const stats = { ...result.stats, cross_check_walks: walks, cross_check_steps: steps }
    if (check.walks && trace && replay(raw, trace, property).reached)
      return { verdict: 'false', trace, stats: { ...stats, refuted_proofs: 1 }, assumptions: [] }
    return met ? meeting(met, { ...result, stats }) : { ...result, stats }
  } catch (problem) {
    if (problem instanceof Unsupported) return result
    throw problem
  }
}

/**
 * Undefined behaviour that is met. At an invalid access or a division by zero the program ends, by definition, and the
 * ledger says that it happens; after the misuse of a lock, say, real programs go on.
 */
const meeting = ({ text, position: { file, line }, goesOn, isAccess }: Met, result: Proved): Result => {
  const { stats, assumptions } = result
  if (goesOn) return { ...unknown({ kind: 'undefined-behaviour', text, at: { file, line } }, stats), forAll: true }
  const met = { text, file, line, isReached: true, ...(isAccess && { isAccess }) }
  const others = assumptions.filter(({ kind }) => kind !== 'defined-behaviour')
  return {
    ...result,
    assumptions: [...others, { kind: 'defined-behaviour', met, status: 'open' }],
  }
}
