// Where the engine would be wrong if it followed the paper to the letter (soundness.md: 3, 5, 17).
import { beforeAll, describe, expect, it } from 'vitest'
import type { CParser } from '../../src/frontend/c/index.js'
import { createSmt, type Smt } from '../../src/smt/index.js'
import { decided, expected, fairThreads, programOf, SETTINGS } from '../engine/esst/support.js'
import { testParser } from '../frontend/parse/load.js'

let parser: CParser
let smt: Smt
beforeAll(async () => {
  parser = await testParser()
  smt = await createSmt('auto')
})

const TRAPS: readonly (readonly [string, 'true' | 'false', readonly string[], Record<string, string>?])[] = [
  [
    'a thread whose last statement waits has not ended',
    'true',
    ['ft_thread_await(e);', 'ft_thread_join(t1); assert(0);'],
  ],
  ['a block that loops for ever beside an error', 'false', ['while (1);', 'assert(0);']],
  [
    'a block that loops for ever in a later instant',
    'false',
    ['ft_thread_cooperate(); while (1);', 'ft_thread_cooperate(); assert(0);'],
  ],
  ['the end of the program beside an error', 'false', ['exit(0);', 'assert(0);']],
  ['a failed assumption beside an error', 'false', ['__VERIFIER_assume(0);', 'assert(0);']],
  [
    'an await that passes: what comes after it belongs to the block',
    'false',
    ['ft_thread_generate(e);', 'ft_thread_await(e); y = x; ft_thread_cooperate(); assert(y == 1);', 'x = 1;'],
  ],
  [
    'threads that cooperate for ever do not hide another',
    'false',
    [
      'while (1) { ft_thread_cooperate(); }',
      'while (1) { ft_thread_await(e); ft_thread_cooperate(); }',
      'ft_thread_generate(e); ft_thread_cooperate(); x = 1; ft_thread_cooperate(); assert(x == 0);',
    ],
  ],
  [
    'a remembered order: the choices of the first round depend on each other',
    'false',
    ['ft_thread_cooperate(); x = 1;', 'ft_thread_cooperate(); assert(x == 1);'],
    { order: 'fixed' },
  ],
  [
    'a waiting thread that another one releases conflicts too',
    'false',
    ['x = 1;', 'ft_thread_generate(e);', 'ft_thread_await(e); assert(x == 1);'],
  ],
]

describe('esst', () => {
  it.each(TRAPS.map(([what, verdict, bodies, options = {}]) => ({ what, verdict, bodies, options })))(
    '$what',
    ({ verdict, bodies, options }) => {
      const text = `extern void __VERIFIER_assume(int);\n${fairThreads(...bodies)}`
      const raw = programOf(parser, text)
      expect(expected(raw, options).verdict).toBe(verdict)
      for (const setting of SETTINGS) expect(decided(raw, smt, { ...options, ...setting }).verdict).toBe(verdict)
    },
  )
})
