// Races and deadlocks in the engines that see location vectors: what a reduction may not put first (soundness.md 6). A
// spurious wake-up is always possible, and a deadlock leaves it enabled; the end of the program depends on everything.
import { describe, expect, test } from 'vitest'
import type { Property } from '../../src/property/index.js'
import { bruteForce, byEngine, compiled } from '../property/run.js'

const threads = (globals: string, one: string, two: string, main = ''): string => `
  #include <pthread.h>
  #include <stdlib.h>
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  int ready, x, y, cells[2];
  ${globals}
  void *one(void *argument) { ${one} return 0; }
  void *two(void *argument) { ${two} return 0; }
  int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    ${main}
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
  }`

const WAIT = 'pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&condition, &m); pthread_mutex_unlock(&m);'
const SIGNAL = 'pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&condition); pthread_mutex_unlock(&m);'
const MN = 'pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);'
const NM = 'pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);'

const CASES: readonly (readonly [string, Property, string, string])[] = [
  ['a waiter that nobody signals', 'no-deadlock', threads('', WAIT, 'cells[x & 1] = 1;'), 'false'],
  ['locks in one order', 'no-deadlock', threads('', MN, MN), 'true'],
  [
    'locks in both orders beside the end of the program',
    'no-deadlock',
    threads('', `y = 1; ${MN}`, NM, 'if (y) exit(0);'),
    'false',
  ],
  ['a lock held at the end', 'no-deadlock', threads('', 'pthread_mutex_lock(&m);', MN), 'false'],
  [
    'elements that are the same for some values',
    'no-data-race',
    threads('', 'cells[x] = 1;', 'cells[1] = 1;', 'x = 1;'),
    'false',
  ],
  [
    'a race behind a loop of another thread',
    'no-data-race',
    threads('', 'while (y < 2) y++; x = 1;', 'x = 2;'),
    'false',
  ],
  ['ordered by a flag under a lock', 'no-data-race', threads('', `x = 1; ${SIGNAL}`, `${WAIT} x = 2;`), 'true'],
  [
    'an atomic block is atomic to another, not to a plain access',
    'no-data-race',
    threads('', '__atomic_fetch_add(&x, 1, 5);', 'x = 2;'),
    'false',
  ],
]

describe.each(CASES)('%s', (_, property, text, expected) => {
  test.each(['cegar', 'impact'])('%s', { timeout: 60_000 }, async (engine) => {
    const raw = await compiled(text, property)
    expect(bruteForce(raw, property)).toBe(expected)
    expect(await byEngine(raw, property, engine, 3_000)).toBe(expected)
  })
})
