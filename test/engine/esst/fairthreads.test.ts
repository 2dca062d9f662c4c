// FairThreads: what may and may not happen in an instant, by the description of esst.txt, 6.1, worked out by hand.
// Brute force and the engine, with every reduction, must agree with it.
import { describe, expect, it } from 'vitest'
import { reasonText } from '../../../src/output/reason.js'
import { createSmt } from '../../../src/smt/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { decided, expected, fairThreads, programOf, SETTINGS } from './support.js'

const parser = await testParser()
const smt = await createSmt('auto')

const PRIORITY = { scheduler: 'priority' }

/** [what, verdict, threads, options] */
const FACTS: readonly (readonly [string, 'true' | 'false', readonly string[], Record<string, string>?])[] = [
  [
    'an event wakes who awaited it before, and passes who awaits it after, in the same instant',
    'true',
    ['ft_thread_await(e); assert(x == 1);', 'x = 1; ft_thread_generate(e); ft_thread_cooperate(); x = 2;'],
  ],
  [
    'the generator runs in either order: the other may see it before it cooperates, or after',
    'false',
    ['ft_thread_await(e); assert(y == 1);', 'y = 1; ft_thread_generate(e); y = 0; ft_thread_cooperate(); y = 1;'],
  ],
  [
    'an event is forgotten at the end of its instant',
    'true',
    ['ft_thread_generate(e);', 'ft_thread_cooperate(); ft_thread_await(e); assert(0);'],
  ],
  [
    'an event is there for the whole instant',
    'false',
    ['ft_thread_generate(e);', 'ft_thread_await(f); ft_thread_await(e); assert(0);', 'ft_thread_generate(f);'],
  ],
  [
    'who cooperates goes on in the next instant only',
    'true',
    ['x = 1; ft_thread_cooperate(); assert(y == 1);', 'y = 1;'],
  ],
  [
    'cooperate_n(2) lets two instants begin',
    'true',
    [
      'ft_thread_cooperate_n(2); assert(x == 2);',
      'x = 1; ft_thread_cooperate(); x = 2; ft_thread_cooperate_n(2); x = 3;',
    ],
  ],
  [
    'in its second instant another thread may or may not have run before',
    'false',
    ['ft_thread_cooperate_n(2); assert(x == 2);', 'x = 1; ft_thread_cooperate(); x = 2; ft_thread_cooperate(); x = 3;'],
  ],
  ['join waits for the end', 'true', ['ft_thread_cooperate(); x = 1;', 'ft_thread_join(t1); assert(x == 1);']],
  ['join does not wait longer', 'false', ['x = 1;', 'ft_thread_join(t1); assert(x != 1);']],
  [
    'await_n gives up after its instants',
    'true',
    [
      'int r = ft_thread_await_n(e, 1); assert(r == ETIMEOUT);',
      'ft_thread_cooperate(); ft_thread_cooperate(); ft_thread_generate(e);',
    ],
  ],
  [
    'await_n in time',
    'true',
    ['int r = ft_thread_await_n(e, 2); assert(r == OK);', 'ft_thread_cooperate(); ft_thread_generate(e);'],
  ],
  ['any order of the first round', 'false', ['x = 1;', 'assert(x == 1);']],
  [
    'the order of another round may differ',
    'false',
    ['x = 1; ft_thread_cooperate(); y = x;', 'assert(x == 1); x = 2; ft_thread_cooperate(); assert(y != 2);'],
  ],
  [
    'a fixed order is kept: who ran first in one instant runs first in the next',
    'true',
    ['x = 1; ft_thread_cooperate(); y = 1;', 'int r = x; ft_thread_cooperate(); assert(y == r);'],
    { order: 'fixed' },
  ],
  [
    'without it, it is not',
    'false',
    ['x = 1; ft_thread_cooperate(); y = 1;', 'int r = x; ft_thread_cooperate(); assert(y == r);'],
  ],
  ['fixed priority: the first thread goes first', 'true', ['x = 1;', 'assert(x == 1);'], PRIORITY],
  [
    'fixed priority: who is woken and higher goes first',
    'true',
    ['ft_thread_await(e); x = 1;', 'ft_thread_generate(e); ft_thread_await(f);', 'assert(x == 1);'],
    PRIORITY,
  ],
]

describe('FairThreads', () => {
  it.each(FACTS.map(([what, verdict, bodies, options = {}]) => ({ what, verdict, bodies, options })))(
    '$what',
    ({ verdict, bodies, options }) => {
      const raw = programOf(parser, fairThreads(...bodies))
      expect(expected(raw, options).verdict).toBe(verdict)
      for (const setting of SETTINGS) expect(decided(raw, smt, { ...options, ...setting }).verdict).toBe(verdict)
    },
  )

  it('names what it does not model', () => {
    const raw = programOf(parser, fairThreads('ft_scheduler_create();'))
    const result = decided(raw, smt)
    expect(result.verdict === 'unknown' && reasonText(result.reason)).toContain('more than one scheduler')
    expect(() => programOf(parser, fairThreads('ft_thread_unlink();'))).toThrow(/ft_thread_unlink/)
  })

  it('says nothing of a program that was cut by the bound of choices', () => {
    const raw = programOf(
      parser,
      fairThreads('while (1) ft_thread_cooperate();', 'ft_thread_cooperate_n(3); assert(0);'),
    )
    const result = decided(raw, smt, { switches: '3' })
    expect(result.verdict).toBe('unknown')
    expect(decided(raw, smt, { switches: '30' }).verdict).toBe('false')
  })
})
