// Which engines run, side by side and one after the other. `--engine NAME` is a plan of one.
import { existsSync, readFileSync } from 'node:fs'
import { ENGINES } from '../engine/registry.js'
import { isCooperativeSource } from '../frontend/cooperative/source.js'
import type { Property } from '../property/index.js'
import type { Facts } from '../xcfa/passes/index.js'
import type { Request } from './request.js'

export interface Stage {
  readonly engine: string
  readonly options: Readonly<Record<string, string>>
  /** Of the time limit. */
  readonly share: number
}

/** Engines that run one after the other. */
export type Lane = readonly Stage[]

/**
 * Two lanes for two cores. Exploring states and unrolling come first: they decide most programs within seconds, and
 * find bugs. What they leave (unbounded values, loops, threads) is for proofs by abstraction and thread by thread.
 * The first engine is the same in every plan, because it runs before the program's facts are known.
 */
export const planFor = (request: Request, facts?: Facts): readonly Lane[] => {
  if (request.engine !== 'auto') return [[{ engine: request.engine, options: request.engineOptions, share: 1 }]]
  if (request.files.some((file) => existsSync(file) && isCooperativeSource(file, readFileSync(file, 'utf8'))))
    return [[{ engine: 'esst', options: {}, share: 1 }]]
  return lanesFor(request.property, facts)
    .map((lane) => lane.filter(({ engine }) => decides(engine, request.property)))
    .filter((lane) => lane.length > 0)
}

const lanesFor = (property: string, facts: Facts | undefined): readonly Lane[] => {
  // Locks that are held tell most of it at once.
  if (property === 'no-data-race')
    return [
      [stage('explicit', 0.6), stage('cegar', 1)],
      [stage('redcomp', 0.4), stage('bmc', 0.5), stage('impact', 1)],
    ]
  // Unrolling is complete then: nothing else is surer.
  if (facts && !facts.loops)
    return [
      [stage('explicit', 0.6), stage('cegar', 1)],
      [stage('bmc', 1), stage('redcomp', 1), stage('impact', 1)],
    ]
  // Only a proof thread by thread holds for any number of them; bugs show with few.
  if (facts?.startsInLoop)
    return [
      [stage('explicit', 0.6), stage('cegar', 1)],
      [stage('bmc', 0.2), stage('redcomp', 0.7), stage('impact', 1)],
    ]
  return [
    [stage('explicit', 0.6), stage('cegar', 1)],
    [stage('bmc', 0.4), stage('redcomp', 0.4), stage('impact', 1)],
  ]
}

const stage = (engine: string, share: number): Stage => ({ engine, share, options: {} })

const decides = (name: string, property: string): boolean => {
  const engine = ENGINES.find((e) => e.name === name)
  return engine !== undefined && engine.senseless?.({}, property as Property) === undefined
}
