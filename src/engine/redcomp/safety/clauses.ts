// From a program to the clauses of one proof attempt. What an attempt is made of is plain data: with it, a checker gets
// the same clauses from the same program.
import { errorsOf, type Property } from '../../../property/index.js'
import type { Rule } from '../../../smt/index.js'
import type { Program } from '../../../xcfa/index.js'
import { prepare } from '../../../xcfa/passes/index.js'
import { createEncoding, type Encoding } from '../../../xcfa/terms/index.js'
import { reduce } from '../program/reduce.js'
import { specialise, type Threads } from '../program/specialise.js'
import { type StateSpace, stateSpace } from '../program/state.js'
import type { Step } from '../program/steps.js'
import { withoutConditions } from './forget.js'
import { byOneCell, hasArrays } from './one-cell.js'
import { rulePairs } from './rule-pairs.js'
import { ruleSafety } from './rule-safety.js'
import { ruleSafetyByVectors, type VectorClauses } from './vectors.js'

export interface Configuration {
  /** Blocks by movers; otherwise Out is every location. */
  readonly reduction: boolean
  /** Threads that a loop starts a known number of times are proved for any number of them. */
  readonly merged: boolean
  /** Condition variables are left out (forget.ts). */
  readonly forgets?: boolean
  /** What an assertion is about: all threads, one and what it shares with the others, or two of them. */
  readonly view: 'all' | 'threads' | 'pairs'
  /** Integers that overflow nowhere, integers that wrap, or bit-vectors. */
  readonly arithmetic: 'int' | 'wrapping' | 'bv'
  /** A signed operation that leaves its type is a goal, too. */
  readonly overflow: boolean
  /** Views of one or two threads: where the others are, who changed a lock last, how many instances are where. */
  readonly positions: boolean
  readonly owners: boolean
  readonly counts: boolean
  /** Arrays by one cell each (one-cell.ts). */
  readonly cells?: boolean
}

export interface Clauses {
  readonly space: StateSpace
  readonly rules: readonly Rule[]
  readonly steps: readonly Step[]
  /** For the view of all threads. */
  readonly vectors?: VectorClauses
}

/** More location vectors than this are left to the other views. */
const MAX_VECTORS = 6000

export const threadsFor = (
  raw: Program,
  property: Property,
  { reduction, merged, forgets = false }: Configuration,
): Threads => {
  const prepared = prepare(errorsOf(raw, property))
  const specialised = specialise((forgets && withoutConditions(prepared)) || prepared, { merged })
  return reduction ? reduce(specialised) : specialised
}

const encodingFor = ({ arithmetic }: Configuration, { program }: Threads): Encoding =>
  createEncoding(arithmetic === 'bv' ? 'bv' : 'int', {
    pointerWidth: program.dataModel === 'ilp32' ? 32 : 64,
    wrapping: arithmetic === 'wrapping',
  })

export const hasAnyNumber = ({ threads }: Threads): boolean => threads.some((t) => t.number === undefined)

/** Undefined: this view is not for this program. */
export const clausesOf = (threads: Threads, configuration: Configuration): Clauses | undefined => {
  const clauses = clausesOfArrays(threads, configuration)
  if (!configuration.cells || !clauses) return clauses
  const { space, rules, steps } = clauses
  return hasArrays(rules) ? { space, rules: byOneCell(rules), steps } : undefined
}

const clausesOfArrays = (threads: Threads, configuration: Configuration): Clauses | undefined => {
  const { view, overflow, positions: counters, owners, counts } = configuration
  if (view === 'all' && hasAnyNumber(threads)) return undefined
  const space = stateSpace(threads, encodingFor(configuration, threads))
  switch (view) {
    case 'all': {
      const vectors = ruleSafetyByVectors(space, { overflow, most: MAX_VECTORS })
      return vectors && { space, rules: vectors.rules, steps: vectors.steps, vectors }
    }
    case 'threads':
      return { space, ...ruleSafety(space, { overflow, counters, owners, counts }) }
    case 'pairs':
      return { space, ...rulePairs(space, { overflow, owners, counts }) }
  }
}
