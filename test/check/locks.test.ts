// Race freedom by locks, starts and joins as the checker works it out by itself: what it accepts has no race, by brute
// force, and it accepts what it is meant for.
import { describe, expect, test } from 'vitest'
import { mayRaceSomewhere } from '../../src/check/index.js'
import { errorsOf } from '../../src/property/index.js'
import { oracle } from '../../src/semantics/index.js'
import type { Program } from '../../src/xcfa/index.js'
import { prepare } from '../../src/xcfa/passes/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'
import { generate, generateLibrary } from '../generate/index.js'

const parser = await testParser()

const suspicion = (raw: Program): string | undefined =>
  mayRaceSomewhere(prepare(errorsOf(raw, 'no-data-race'), { slice: false, largeBlocks: false }))

const program = (globals: string, first: string, second: string, before = '', between = '', after = ''): string => `
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
${globals}
void *one(void *argument) { ${first} return 0; }
void *two(void *argument) { ${second} return 0; }
int main(void) {
  pthread_t t, u;
  ${before}
  pthread_create(&t, 0, one, 0);
  ${between}
  pthread_create(&u, 0, two, 0);
  ${after}
  return 0;
}`

const locked = (body: string, lock = 'm'): string =>
  `pthread_mutex_lock(&${lock}); ${body} pthread_mutex_unlock(&${lock});`
const JOINS = 'pthread_join(t, 0); pthread_join(u, 0);'

describe('programs without a race that are accepted', () => {
  test.each([
    ['one lock', program('int x;', locked('x++;'), locked('x++;'))],
    [
      'before the start and after the join',
      program('int x;', locked('x++;'), locked('x++;'), 'x = 1;', '', `${JOINS} x = 2;`),
    ],
    ['one after the other', program('int x;', 'x = 1;', 'x = 2;', '', 'pthread_join(t, 0);')],
    ['reads only', program('int x;', 'int r = x;', 'int r = x;', 'x = 5;')],
    [
      'a lock that is taken and given back in a loop',
      program('int x;', `while (1) { ${locked('x++;')} }`, locked('x--;')),
    ],
  ])('%s', (_, text) => {
    expect(suspicion(compileProgram(parser, text))).toBeUndefined()
  })
})

describe('programs with a race that are not', () => {
  test.each([
    ['no lock', program('int x;', 'x++;', 'x++;')],
    ['two locks', program('int x;', locked('x++;', 'm'), locked('x++;', 'n'))],
    [
      'a lock on one branch',
      program('int x;', 'if (__VERIFIER_nondet_int()) pthread_mutex_lock(&m); x++;', locked('x++;')),
    ],
    ['after the unlock', program('int x;', `${locked('x++;')} x = 3;`, locked('x++;'))],
    ['after the start', program('int x;', 'x = 1;', '', '', 'x = 2;')],
    ['the join of another', program('int x;', 'x = 1;', '', '', '', 'pthread_join(u, 0); x = 2;')],
    [
      'a lock that a third one resets',
      program('int x;', locked('x++;'), `pthread_mutex_init(&m, 0); ${locked('x++;')}`),
    ],
    [
      'two threads of one function',
      program('int x;', 'x = 1;', '').replace('pthread_create(&u, 0, two', 'pthread_create(&u, 0, one'),
    ],
  ])('%s', (_, text) => {
    const raw = compileProgram(parser, text)
    expect(oracle(raw, 'no-data-race', { maxStates: 20_000 }).verdict).toBe('false')
    expect(suspicion(raw)).toMatch(/ and /)
  })
})

test('generated programs: none that is accepted has a race', () => {
  let accepted = 0
  for (let seed = 0; seed < 20; seed++) {
    const raw = compileProgram(parser, seed % 2 ? generate(seed) : generateLibrary(seed))
    if (suspicion(raw) !== undefined) continue
    accepted++
    expect([seed, oracle(raw, 'no-data-race', { maxStates: 20_000 }).verdict]).not.toEqual([seed, 'false'])
  }
  expect(accepted).toBeGreaterThan(0)
})
