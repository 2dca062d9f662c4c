// From the inlined program to what engines see. The caller has already decided which locations are errors for the
// property (property/errors.ts); edges remember the raw edges that they stand for.
import type { Program } from '../model.js'
import { markBackEdges } from './back-edges.js'
import { largeBlocks } from './large-block.js'
import { resetDeadLocals } from './liveness.js'
import { resolve } from './memory/resolve.js'
import { propagate } from './propagate.js'
import { sharing } from './shared.js'
import { slice, sliceForRaces } from './slice.js'

export interface PrepareOptions {
  /** Split memory into variables and regions; default true. */
  readonly resolve?: boolean
  /** Drop what the property cannot see; default true. For races all accesses that may race are kept. */
  readonly slice?: boolean | 'races'
  /** Join local work to steps; default true. Otherwise only atomic blocks become one edge. */
  readonly largeBlocks?: boolean
  /** Reset locals that nobody reads any more; default false. */
  readonly resetDead?: boolean
  /** Keep the end of the program a step of its own (termination); default false. */
  readonly keepExit?: boolean
}

export const prepare = (raw: Program, options: PrepareOptions = {}): Program => {
  const { slice: slices = true, resolve: resolves = true, largeBlocks: joins = true, keepExit = false } = options
  const fold = (program: Program): Program => propagate(program, { keepAccesses: slices !== true })
  const propagated = fold(raw)
  const resolved = resolves ? fold(resolve(propagated)) : propagated
  const sliced = slices === 'races' ? sliceForRaces(resolved) : slices ? slice(resolved) : resolved
  const { visible, isAlone } = sharing(sliced)
  // Paths that were joined know more: guards on them fold again.
  const joined = fold(largeBlocks(sliced, visible, { keepExit, isAlone, atomicOnly: !joins }))
  return markBackEdges(options.resetDead ? resetDeadLocals(joined) : joined)
}
