// Which engines run, side by side and one after the other. `--engine NAME` is a plan of one.
import { ENGINES } from '../engine/index.js'
import type { Request } from './request.js'

export interface Stage {
  readonly engine: string
  readonly options: Readonly<Record<string, string>>
  /** Of the time limit. */
  readonly share: number
}

/** Engines that run one after the other. */
export type Lane = readonly Stage[]

export const planFor = (request: Request): readonly Lane[] => {
  if (request.engine !== 'auto') return [[{ engine: request.engine, options: request.engineOptions, share: 1 }]]
  const has = (name: string): boolean => ENGINES.some((e) => e.name === name)
  const stage = (engine: string, share: number, options: Stage['options'] = {}): Lane =>
    has(engine) ? [{ engine, share, options }] : []
  return [[...stage('explicit', 1)]].filter((lane) => lane.length > 0)
}
