// C text to a verdict: by brute force, and by an engine whose FALSE must replay.
import { ENGINES } from '../../src/engine/index.js'
import { type CParser, compile } from '../../src/frontend/c/index.js'
import { reasonText } from '../../src/output/reason.js'
import type { Property } from '../../src/property/index.js'
import { oracle, replay } from '../../src/semantics/index.js'
import { createSmt } from '../../src/smt/index.js'
import { inconclusive } from '../../src/verdict/reason.js'
import type { Program } from '../../src/xcfa/index.js'
import { testParser } from '../frontend/parse/load.js'

let parser: Promise<CParser> | undefined

export const compiled = async (text: string, property: Property): Promise<Program> => {
  const checks = { checkOverflow: property === 'no-overflow', checkMemory: property === 'valid-memsafety' }
  const files = [{ name: 'program.c', text }]
  return compile(files, { dataModel: 'lp64', ...checks }, await (parser ??= testParser())).program
}

/** The verdict, of a violation with the kind of its error location: `false(deref)`. */
export const bruteForce = (raw: Program, property: Property, maxStates = 100_000): string => {
  const { verdict, violation, reason } = oracle(raw, property, { maxStates })
  if (verdict === 'unknown') return `unknown: ${reason}`
  return violation?.kind === 'error' ? `${verdict}(${violation.violation.kind})` : verdict
}

export const byEngine = async (raw: Program, property: Property, name: string, steps = 20_000): Promise<string> => {
  const engine = await ENGINES.find((e) => e.name === name)!.load()
  const options = Object.fromEntries(Object.entries(engine.options).map(([key, option]) => [key, option.default]))
  const smt = engine.needsSolver ? await createSmt('auto') : undefined
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  let asked = 0
  const env = { stopped: () => (++asked > steps ? inconclusive('enough') : undefined), progress: () => {} }
  try {
    const result = engine.verify({ raw, property, settings, ...(smt && { smt }) }, options, env)
    if (result.verdict !== 'false') return result.verdict === 'true' ? 'true' : `unknown: ${reasonText(result.reason)}`
    const replayed = replay(raw, result.trace, property)
    if (!replayed.reached) return `does not replay: ${replayed.reason}`
    return replayed.violation?.kind === 'error' ? `false(${replayed.violation.violation.kind})` : 'false'
  } finally {
    smt?.dispose()
  }
}
