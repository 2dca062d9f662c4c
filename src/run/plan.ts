// Which engines run, and in which order. `--engine NAME` is a plan of one.
import { existsSync, readFileSync } from 'node:fs'
import { isCooperativeSource } from '../frontend/cooperative/source.js'
import type { Facts } from '../xcfa/passes/index.js'
import type { Request } from './call/request.js'
import { lastEngine } from './kept/results.js'
import { decides, type Stage, stagesFor } from './stages.js'

export type { Stage } from './stages.js'

/**
 * The order of the first turns. Exploring states and unrolling come first: they decide most programs within seconds, and
 * find bugs. What they leave (unbounded values, loops, threads) is for proofs by abstraction and thread by thread. The
 * first engine is the same in every plan, because it runs before the program's facts are known.
 */
export const planFor = (request: Request, facts?: Facts): readonly Stage[] => {
  if (request.engine !== 'auto') return [{ engine: request.engine, options: request.engineOptions, weight: 1 }]
  const textOf = (file: string): string => request.texts?.[file] ?? (existsSync(file) ? readFileSync(file, 'utf8') : '')
  if (request.files.some((file) => isCooperativeSource(file, textOf(file))))
    return [{ engine: 'esst', options: {}, weight: 1 }]
  // Unrolling needs a bound, visiting all executions needs few of them: neither is always better.
  if (request.memoryModel === 'rc11') {
    const own = ['bmc', 'graphs'].map((engine) => ({ engine, options: {}, weight: 1 }))
    return facts && !facts.weakOrders ? [...own, ...interleavingStages(request, facts)] : own
  }
  if (!['sc', 'tso', 'pso'].includes(request.memoryModel)) return [{ engine: 'bmc', options: {}, weight: 1 }]
  const stages = decidingStages(request, facts)
  const last = request.proofs === undefined ? undefined : lastEngine(request)
  return [...stages.filter(({ engine }) => engine === last), ...stages.filter(({ engine }) => engine !== last)]
}

const decidingStages = ({ property }: Request, facts: Facts | undefined): readonly Stage[] =>
  stagesFor(property, facts).filter(({ engine }) => decides(engine, property))

/** What proves under sequential consistency, for programs in which that is enough. */
const interleavingStages = (request: Request, facts: Facts): readonly Stage[] =>
  decidingStages(request, facts).filter(({ engine }) => engine !== 'bmc' && engine !== 'graphs')
