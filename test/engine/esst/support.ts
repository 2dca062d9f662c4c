// What tests of the engine share: from source text to a program, brute force, and the engine's answer.

import { bruteForce, type Outcome } from '../../../src/engine/esst/cooperative.js'
import { esstEngine } from '../../../src/engine/esst/index.js'
import { SCHEDULERS, type SchedulerName } from '../../../src/engine/esst/schedulers/index.js'
import type { Options } from '../../../src/engine/index.js'
import type { CParser } from '../../../src/frontend/c/index.js'
import { compileCooperative, interfaceOf } from '../../../src/frontend/cooperative/index.js'
import type { Smt } from '../../../src/smt/index.js'
import type { Result } from '../../../src/verdict/index.js'
import type { Program } from '../../../src/xcfa/index.js'

export const programOf = (parser: CParser, text: string, name = 'test.c'): Program =>
  compileCooperative([{ name, text }], { dataModel: 'lp64' }, parser).program

export const expected = (raw: Program, options: Options = {}, most = 20_000): Outcome => {
  const name = (options['scheduler'] ?? interfaceOf(raw)) as SchedulerName
  return bruteForce(raw, SCHEDULERS[name].create(options['order'] === 'fixed' ? 'fixed' : 'anew'), 'assert', most)
}

const MOST_QUESTIONS = 4_000

/** Stops after so many questions whether to go on: the same on every machine. */
export const decided = (raw: Program, smt: Smt, options: Options = {}, most = MOST_QUESTIONS): Result => {
  let asked = 0
  const env = { stopped: () => (++asked > most ? 'enough' : undefined), progress: () => {} }
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  return esstEngine.verify({ raw, property: 'assert', settings, smt }, options, env)
}

export const SETTINGS: readonly Options[] = [{ por: 'none' }, { por: 'persistent' }, { por: 'sleep' }, { por: 'both' }]
