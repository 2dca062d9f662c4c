// soundness.md 1, 2, 14, 15: programs on which a block that is too large hides an error, or proves too much. Brute force
// says what is right; the engine has to agree with reduction and without.
import { describe, expect, test } from 'vitest'
import { reasonText } from '../../src/output/reason.js'
import { oracle } from '../../src/semantics/index.js'
import { rawOf, run } from '../engine/redcomp/support.js'

const program = (globals: string, first: string, second: string, main = ''): string => `
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
${globals}
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *first(void *argument) { ${first} return 0; }
void *second(void *argument) { ${second} return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  ${main}
  return 0;
}`

const lock = 'pthread_mutex_lock(&m);'
const unlock = 'pthread_mutex_unlock(&m);'

const TRAPS: readonly (readonly [string, string, 'true' | 'false'])[] = [
  [
    'a loop after the commit does not keep the effect inside its block',
    program('int x;', `${lock} x = 1; ${unlock} while (1) { }`, `${lock} assert(x == 0); ${unlock}`),
    'false',
  ],
  [
    'waiting after the commit does not, either',
    program(
      'int x;',
      `${lock} x = 1; ${unlock} pthread_mutex_lock(&n); pthread_mutex_unlock(&n);`,
      `pthread_mutex_lock(&n); ${lock} assert(x == 0); ${unlock}`,
    ),
    'false',
  ],
  ['a thread that ends with the lock held', program('int x;', `${lock} x = 1;`, 'assert(x == 0);'), 'false'],
  [
    'trylock sees that a lock is held inside a block',
    program('int x;', `${lock} x = 1; ${unlock}`, `if (pthread_mutex_trylock(&m) != 0) assert(0);`),
    'false',
  ],
  [
    'a lock that is taken on one branch only protects nothing',
    program(
      'int x, f, g;',
      `if (f) ${lock} else g = 1; x = x + 1; x = x - 1;`,
      `${lock} f = 1; assert(x == 0 || g == 2); ${unlock}`,
    ),
    'false',
  ],
  [
    'nor does one that is taken on the other branch only',
    program(
      'int x, f, g;',
      `if (f) g = 1; else ${lock} x = x + 1; x = x - 1;`,
      `f = 1; ${lock} assert(x == 0 || g == 2); ${unlock}`,
    ),
    'false',
  ],
  [
    'a place after the commit on one way and before it on another is outside',
    program(
      'int x, y; extern int __VERIFIER_nondet_int(void);',
      'int c = __VERIFIER_nondet_int(); if (c) x = 1; y = 1;',
      'int r = x; int s = y; assert(r == 0 || s == 1);',
    ),
    'false',
  ],
  [
    'what waits for ever for something of its own does not hide what it did before',
    program('#include <semaphore.h>\nint x; sem_t s;', 'x = 1; sem_wait(&s);', 'assert(x == 0);'),
    'false',
  ],
  [
    'what happens after a start is not seen at once',
    `#include <assert.h>
#include <pthread.h>
int x;
void *reader(void *argument) { assert(x == 1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, reader, 0); x = 1; return 0; }`,
    'false',
  ],
  [
    'another lock protects nothing',
    program(
      'int x;',
      `${lock} x = 1; x = 0; ${unlock}`,
      'pthread_mutex_lock(&n); assert(x == 0); pthread_mutex_unlock(&n);',
    ),
    'false',
  ],
  [
    'waiting for a condition ends a block: what was written before it is seen',
    program(
      'int x, go;',
      `${lock} x = 1; while (!go) pthread_cond_wait(&c, &m); x = 0; ${unlock}`,
      `${lock} assert(x == 0); go = 1; pthread_cond_signal(&c); ${unlock}`,
    ),
    'false',
  ],
  [
    'what happens before a start is seen by the new thread, what happens after it may be',
    `#include <assert.h>
#include <pthread.h>
int x;
void *reader(void *argument) { assert(x == 1); return 0; }
int main(void) { pthread_t t; x = 1; pthread_create(&t, 0, reader, 0); x = 2; return 0; }`,
    'false',
  ],
  [
    'a join is over only when its thread is',
    program('int x;', 'x = 1; x = 2;', '', 'pthread_join(t, 0); assert(x == 2);'),
    'true',
  ],
  [
    'without the join it is not',
    program('int x;', 'x = 1; x = 2;', '', 'pthread_join(u, 0); assert(x == 2);'),
    'false',
  ],
  ['the end of the program does not hide an error', program('', 'abort();', 'assert(0);'), 'false'],
  [
    'a thread that is blocked now can be released',
    program('int x;', `${lock} x = 1; assert(x == 1); ${unlock}`, 'x = 2;', `${lock} ${unlock}`),
    'false',
  ],
  [
    'blocks under one lock are not interrupted',
    program('int x;', `${lock} x = 1; x = 0; ${unlock}`, `${lock} assert(x == 0); ${unlock}`),
    'true',
  ],
]

describe.each(['on', 'off'])('reduction %s', (reduction) => {
  test.each(TRAPS)('%s', async (_, text, expected) => {
    const result = await run(text, { reduction, 'horn-limit': '20000' })
    expect(result.verdict === 'unknown' ? reasonText(result.reason) : result.verdict).toBe(expected)
  })
})

test.each(TRAPS)('brute force agrees: %s', async (_, text, expected) => {
  expect(oracle(await rawOf(text), 'assert').verdict).toBe(expected)
})
