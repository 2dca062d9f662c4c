// Which values of an unbounded choice are tried: few, and none that matters is missing. Verdicts follow from C alone;
// brute force and the compiled explorer choose in the same way, so they are compared with the verdict, not each other.
import { describe, expect, it } from 'vitest'
import { explicitEngine } from '../../src/engine/explicit/index.js'
import { oracle } from '../../src/semantics/index.js'
import { compileText } from '../frontend/lower/support.js'

const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
const env = { stopped: () => undefined, progress: () => {} }

const verdicts = (text: string): readonly string[] => {
  const { program: raw } = compileText(`
    #include <pthread.h>
    #include <stdlib.h>
    extern int __VERIFIER_nondet_int(void);
    extern unsigned __VERIFIER_nondet_uint(void);
    extern void __VERIFIER_assume(int);
    extern void reach_error(void);
    int g, h, shared;
    void *other(void *argument) { shared = 1; return argument; }
    ${text}`)
  const { verdict } = explicitEngine.verify({ raw, property: 'assert', settings }, { por: 'both' }, env)
  return [oracle(raw, 'assert').verdict, verdict]
}

const main = (text: string): string => `int main(void) { pthread_t t; ${text} return 0; }`
const START = 'pthread_create(&t, 0, other, 0);'

describe('values to try', () => {
  it.each([
    ['a range without the values near zero', 'int r = rand(); if (r != 0 && r != 1 && r != 2) reach_error();', 'false'],
    ['nothing outside the range', 'int r = rand(); if (r < 0) reach_error();', 'true'],
    [
      'one value between two constants',
      `int x = __VERIFIER_nondet_int(); ${START} g = x > 5; h = x < 7; if (g && h) reach_error();`,
      'false',
    ],
    [
      'none between two constants',
      `int x = __VERIFIER_nondet_int(); ${START} g = x > 5; h = x < 6; if (g && h) reach_error();`,
      'true',
    ],
    [
      'the ends of the type',
      `int x = __VERIFIER_nondet_int(); ${START} if (shared && x == -2147483647 - 1) reach_error();`,
      'false',
    ],
    [
      'unsigned comparisons',
      `unsigned x = __VERIFIER_nondet_uint(); ${START} if (shared && x > 4294967294u) reach_error();`,
      'false',
    ],
    [
      'an unsigned choice that is read as an int',
      `int x = __VERIFIER_nondet_uint(); __VERIFIER_assume(x >= 5 && x < 8); ${START} if (shared && x * x == 36) reach_error();`,
      'false',
    ],
    [
      'and nothing beside it',
      `int x = __VERIFIER_nondet_uint(); __VERIFIER_assume(x >= 5 && x < 8); ${START} if (shared && x * x == 64) reach_error();`,
      'true',
    ],
    [
      'negative values of an unsigned choice',
      `int x = __VERIFIER_nondet_uint(); __VERIFIER_assume(x < -5 && x > -8); ${START} if (shared && x * x == 49) reach_error();`,
      'false',
    ],
    [
      'large values of a signed choice',
      `unsigned x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 4294967290u); ${START} if (shared && x % 10 == 5) reach_error();`,
      'false',
    ],
    [
      'both sides of an equality',
      `int x = __VERIFIER_nondet_int(); ${START} if (shared && x != 7) { if (x == 8) reach_error(); }`,
      'false',
    ],
    [
      'a global that main bounds before it starts anybody',
      `g = __VERIFIER_nondet_int(); __VERIFIER_assume(g >= 0 && g < 3); ${START} if (shared && g * g == 4) reach_error();`,
      'false',
    ],
    [
      'and not beyond its bounds',
      `g = __VERIFIER_nondet_int(); __VERIFIER_assume(g >= 0 && g < 3); ${START} if (shared && g * g > 4) reach_error();`,
      'true',
    ],
    ['all remainders', `int x = rand() % 3; ${START} if (shared && x == 2) reach_error();`, 'false'],
    ['no other remainders', `int x = rand() % 3; ${START} if (shared && (x < 0 || x > 2)) reach_error();`, 'true'],
    [
      'negative remainders',
      `int x = __VERIFIER_nondet_int() % 3; ${START} if (shared && x == -2) reach_error();`,
      'false',
    ],
    ['masks', `unsigned x = __VERIFIER_nondet_uint() & 7; ${START} if (shared && x == 6) reach_error();`, 'false'],
    [
      'remainders by two numbers',
      `unsigned x = __VERIFIER_nondet_uint(); g = x % 2; h = x % 3; ${START} if (shared && g == 1 && h == 2) reach_error();`,
      'false',
    ],
  ])('%s', (_, text, expected) => {
    expect(verdicts(main(text))).toEqual([expected, expected])
  })

  it.each([
    [
      'a value that arithmetic uses',
      `int x = __VERIFIER_nondet_int(); ${START} if (shared && x * x == 1522756) reach_error();`,
    ],
    [
      'a global that somebody else may change',
      `${START} g = __VERIFIER_nondet_int(); if (g >= 0 && g < 3) h = g; if (g * g == 1522756) reach_error();`,
    ],
  ])('%s is unbounded', (_, text) => {
    expect(verdicts(main(text))).not.toContain('true')
  })
})
