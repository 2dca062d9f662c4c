// What a program can do, by brute force, and the passes that must not change it.
import { interpreterOf } from '../../../src/semantics/interpreter.js'
import { violationAt } from '../../../src/semantics/violation.js'
import type { Program } from '../../../src/xcfa/index.js'
import {
  everyAccess,
  largeBlocks,
  prepare,
  propagate,
  resetDeadLocals,
  resolve,
  sharing,
  slice,
} from '../../../src/xcfa/passes/index.js'

const PASSES: Readonly<Record<string, (program: Program) => Program>> = {
  propagate,
  resolve,
  slice,
  resetDead: (p) => resetDeadLocals(largeBlocks(p, () => true, { atomicOnly: true })),
  largeBlocks: (p) => largeBlocks(p, sharing(p).visible),
  prepare: (p) => prepare(p),
  'prepare for races': (p) => prepare(p, { slice: false }),
  'prepare without large blocks': (p) => prepare(p, { largeBlocks: false, resetDead: true }),
}
const MAX_STATES = 4_000

/** The error locations that can be reached, and whether a race and a deadlock can; undefined beyond the limit. */
export const outcomes = (program: Program): Set<string> | undefined => {
  const joined = largeBlocks(program, everyAccess)
  const interpreter = interpreterOf(joined)
  const found = new Set<string>()
  const seen = new Map(interpreter.initial().map((state) => [interpreter.key(state), state]))
  for (const state of seen.values()) {
    const successors = interpreter.successors(state)
    for (const { location } of state.threads) if (location.violation) found.add(location.violation.text)
    for (const property of ['no-deadlock', 'no-data-race'] as const)
      if (violationAt(interpreter, property, state, successors)) found.add(property)
    for (const successor of successors) seen.set(interpreter.key(successor.state), successor.state)
    if (seen.size > MAX_STATES) return undefined
  }
  return found
}

export const difference = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] =>
  [...a].filter((item) => !b.has(item))

/** Passes after which the outcomes differ from those before, with the difference. */
export const disagreements = (raw: Program, expected: ReadonlySet<string>): string[] =>
  Object.entries(PASSES).flatMap(([name, pass]) => {
    const actual = outcomes(pass(raw))
    if (!actual) return [`${name}: more states`]
    // What slicing drops may race no more.
    if (!name.includes('races') && expected.has('no-data-race')) actual.add('no-data-race')
    const wrong = [
      ...difference(expected, actual).map((lost) => `lost ${lost}`),
      ...difference(actual, expected).map((gained) => `gained ${gained}`),
    ]
    return wrong.length > 0 ? [`${name}: ${wrong.join(', ')}`] : []
  })
