// Which engines run, side by side and one after the other. `--engine NAME` is a plan of one.
import { existsSync, readFileSync } from 'node:fs'
import { ENGINES } from '../engine/index.js'
import { isCooperativeSource } from '../frontend/cooperative/index.js'
import type { Property } from '../property/index.js'
import type { Request } from './request.js'

export interface Stage {
  readonly engine: string
  readonly options: Readonly<Record<string, string>>
  /** Of the time limit. */
  readonly share: number
}

/** Engines that run one after the other. */
export type Lane = readonly Stage[]

/** Two lanes for two cores: one that explores states and unrolls, one that abstracts. */
export const planFor = (request: Request): readonly Lane[] => {
  if (request.engine !== 'auto') return [[{ engine: request.engine, options: request.engineOptions, share: 1 }]]
  if (request.files.some((file) => existsSync(file) && isCooperativeSource(file, readFileSync(file, 'utf8'))))
    return [[{ engine: 'esst', options: {}, share: 1 }]]
  const stages = (lane: readonly Stage[]): Lane => lane.filter(({ engine }) => decides(engine, request.property))
  const explicit: Stage = { engine: 'explicit', options: {}, share: 1 }
  const bmc: Stage = { engine: 'bmc', options: {}, share: 1 }
  return [stages([explicit]), stages([bmc])].filter((lane) => lane.length > 0)
}

const decides = (name: string, property: string): boolean => {
  const engine = ENGINES.find((e) => e.name === name)
  return engine !== undefined && engine.senseless?.({}, property as Property) === undefined
}
