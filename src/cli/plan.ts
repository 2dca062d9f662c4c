// Which engines run, and in which order. `--engine NAME` is a plan of one.
import { existsSync, readFileSync } from 'node:fs'
import { ENGINES } from '../engine/registry.js'
import { isCooperativeSource } from '../frontend/cooperative/source.js'
import type { Property } from '../property/index.js'
import type { Facts } from '../xcfa/passes/index.js'
import type { Request } from './request.js'

export interface Stage {
  readonly engine: string
  readonly options: Readonly<Record<string, string>>
  /** How long its turns are, beside those of others. Those of redcomp are long: limits inside it go on while it waits. */
  readonly weight: number
}

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
  if (!['sc', 'tso', 'pso'].includes(request.memoryModel)) return [stage('bmc', 1)]
  return stagesFor(request.property, facts).filter(({ engine }) => decides(engine, request.property))
}

const stagesFor = (property: string, facts: Facts | undefined): readonly Stage[] => {
  // Locks that are held tell most of it at once.
  if (property === 'no-data-race')
    return [stage('explicit', 3), stage('redcomp', 2), stage('bmc', 2), stage('cegar', 3), stage('impact', 2)]
  // Unrolling is complete then: nothing else is surer.
  if (facts && !facts.loops)
    return [stage('explicit', 3), stage('bmc', 8), stage('cegar', 3), stage('redcomp', 8), stage('impact', 2)]
  // Only a proof thread by thread holds for any number of them; bugs show with few.
  if (facts?.startsInLoop)
    return [stage('explicit', 3), stage('bmc', 2), stage('redcomp', 12), stage('cegar', 3), stage('impact', 2)]
  return [stage('explicit', 3), stage('bmc', 2), stage('cegar', 3), stage('redcomp', 8), stage('impact', 2)]
}

const stage = (engine: string, weight: number): Stage => ({ engine, weight, options: {} })

const decides = (name: string, property: string): boolean => {
  const engine = ENGINES.find((e) => e.name === name)
  return engine !== undefined && engine.senseless?.({}, property as Property) === undefined
}
