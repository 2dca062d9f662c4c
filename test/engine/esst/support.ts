// What tests of the engine share: from source text to a program, brute force, and the engine's answer.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { esstEngine } from '../../../src/engine/esst/index.js'
import type { Options } from '../../../src/engine/index.js'
import type { CParser } from '../../../src/frontend/c/index.js'
import {
  type CxxParser,
  compileCooperative,
  interfaceOf,
  loadCxxParser,
} from '../../../src/frontend/cooperative/index.js'
import { bruteForce, type Outcome } from '../../../src/semantics/cooperative/configurations.js'
import { SCHEDULERS, type SchedulerName } from '../../../src/semantics/cooperative/schedulers/index.js'
import type { Smt } from '../../../src/smt/index.js'
import type { Result } from '../../../src/verdict/index.js'
import { inconclusive } from '../../../src/verdict/reason.js'
import type { Program } from '../../../src/xcfa/index.js'

export const programOf = (parser: CParser, text: string): Program =>
  compileCooperative([{ name: 'test.c', text }], { dataModel: 'lp64' }, parser).program

const require = createRequire(import.meta.url)

export const cxxParser = (): Promise<CxxParser> =>
  loadCxxParser({
    runtime: readFileSync(require.resolve('web-tree-sitter/web-tree-sitter.wasm')),
    grammar: readFileSync(require.resolve('tree-sitter-cpp/tree-sitter-cpp.wasm')),
  })

export const modelOf = (parser: CParser, cxx: CxxParser, text: string): Program =>
  compileCooperative([{ name: 'test.cpp', text }], { dataModel: 'lp64' }, parser, cxx).program

/** A FairThreads program with events e and f, variables x and y, and these bodies as threads, in this order. */
export const fairThreads = (...bodies: readonly string[]): string =>
  [
    '#include <fthread.h>',
    '#include <assert.h>',
    '#include <stdlib.h>',
    'ft_event_t e, f;',
    'int x, y;',
    ...bodies.map((_, i) => `ft_thread_t t${i + 1};`),
    ...bodies.map((body, i) => `void run${i + 1}(void *argument) { ${body} }`),
    'int main(void) {',
    '  ft_scheduler_t s = ft_scheduler_create();',
    '  e = ft_event_create(s); f = ft_event_create(s);',
    ...bodies.map((_, i) => `  t${i + 1} = ft_thread_create(s, run${i + 1}, 0, 0);`),
    '  ft_scheduler_start(s);',
    '  ft_exit();',
    '}',
    '',
  ].join('\n')

export const expected = (raw: Program, options: Options = {}, most = 20_000): Outcome => {
  const name = (options['scheduler'] ?? interfaceOf(raw)) as SchedulerName
  return bruteForce(raw, SCHEDULERS[name].create(options['order'] === 'fixed' ? 'fixed' : 'anew'), 'assert', most)
}

const MAX_QUESTIONS = 4_000

/** Stops after so many questions whether to go on: the same on every machine. */
export const decided = (raw: Program, smt: Smt, options: Options = {}, most = MAX_QUESTIONS): Result => {
  let asked = 0
  const env = { stopped: () => (++asked > most ? inconclusive('enough') : undefined), progress: () => {} }
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  return esstEngine.verify({ raw, property: 'assert', settings, smt }, options, env)
}

export const SETTINGS: readonly Options[] = [{ por: 'none' }, { por: 'persistent' }, { por: 'sleep' }, { por: 'both' }]
