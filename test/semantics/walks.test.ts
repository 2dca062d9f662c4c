// Random walks find violations that are not deep, of every property, and only real ones.
import { describe, expect, test } from 'vitest'
import type { Property } from '../../src/property/index.js'
import { randomWalks, replay } from '../../src/semantics/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'

const STEPS = 3000

const walk = async (text: string, property: Property) => {
  const raw = compileProgram(await testParser(), text, property)
  let looks = 0
  return { raw, walked: randomWalks(raw, property, () => looks++ * 16 > STEPS) }
}

const HEAD = `#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x;`

const VIOLATED: readonly (readonly [Property, string])[] = [
  [
    'unreach-call',
    `void *t(void *p) { int k = x; x = k + 1; return 0; }
    int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); int k = x; x = k + 1; pthread_join(h, 0);
      if (x == 1) reach_error(); return 0; }`,
  ],
  ['unreach-call', 'int main(void) { if (__VERIFIER_nondet_int() == 123456) reach_error(); return 0; }'],
  ['no-overflow', 'int main(void) { int k = __VERIFIER_nondet_int(); return k + 1; }'],
  [
    'no-data-race',
    `void *t(void *p) { x = 1; return 0; }
    int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); x = 2; pthread_join(h, 0); return 0; }`,
  ],
  [
    'no-deadlock',
    `void *t(void *p) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); return 0; }
    int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_mutex_lock(&b); pthread_mutex_lock(&a);
      pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); pthread_join(h, 0); return 0; }`,
  ],
  ['termination', 'int main(void) { pthread_mutex_lock(&a); pthread_cond_wait(&c, &a); return 0; }'],
  [
    'valid-memsafety',
    'int main(void) { char *p = malloc(4); if (__VERIFIER_nondet_int()) return 1; free(p); return 0; }',
  ],
]

describe('random walks', () => {
  test.each(VIOLATED)('find a violation of %s', async (property, text) => {
    const { raw, walked } = await walk(HEAD + text, property)
    expect(walked.trace).toBeDefined()
    expect(replay(raw, walked.trace!, property).reached).toBe(true)
  })

  test('find none where there is none, and end', async () => {
    const { walked } = await walk(
      `${HEAD} void *t(void *p) { pthread_mutex_lock(&a); x++; pthread_cond_signal(&c); pthread_mutex_unlock(&a); return 0; }
      int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_mutex_lock(&a);
        while (x == 0) pthread_cond_wait(&c, &a); pthread_mutex_unlock(&a); pthread_join(h, 0); return 0; }`,
      'no-deadlock',
    )
    expect(walked.trace).toBeUndefined()
    expect(walked.steps).toBeGreaterThan(1000)
  })

  test.each([
    ['unlock of a mutex that the thread does not hold', 'int main(void) { pthread_mutex_unlock(&a); return 0; }'],
    [
      'unlock of a mutex that the thread does not hold',
      `void *t(void *p) { pthread_mutex_unlock(&a); return 0; }
      int main(void) { pthread_t h; pthread_mutex_lock(&a); pthread_create(&h, 0, t, 0); pthread_mutex_lock(&a);
        return 0; }`,
    ],
    ['shift by a negative or too large amount', 'int main(void) { return 1 << __VERIFIER_nondet_int(); }'],
    [
      'use of a lock that is not initialised',
      'int main(void) { pthread_mutex_t *m = malloc(sizeof *m); pthread_mutex_lock(m); return 0; }',
    ],
    [
      'use of a lock that is not initialised',
      'int main(void) { pthread_mutex_t m; if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m); return 0; }',
    ],
    ['use of a semaphore that is not initialised', 'int main(void) { sem_t s; sem_post(&s); return 0; }'],
    [
      'use of a semaphore that is not initialised',
      'sem_t s; int main(void) { sem_init(&s, 0, 1); sem_destroy(&s); sem_wait(&s); return 0; }',
    ],
    [
      'use of a lock that is not initialised',
      'int main(void) { pthread_mutex_destroy(&a); pthread_mutex_lock(&a); return 0; }',
    ],
    [
      'use of a condition variable that is not initialised',
      'int main(void) { pthread_cond_destroy(&c); pthread_cond_signal(&c); return 0; }',
    ],
    [
      'what is locked or waited for is initialised',
      'int main(void) { pthread_mutex_lock(&a); pthread_mutex_init(&a, 0); return 0; }',
    ],
    [
      'what is locked or waited for is destroyed',
      'pthread_spinlock_t l; int main(void) { pthread_spin_init(&l, 0); pthread_spin_lock(&l); pthread_spin_destroy(&l); return 0; }',
    ],
    [
      'what is locked or waited for is destroyed',
      `void *t(void *p) { pthread_mutex_lock(&a); return 0; }
      int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0); pthread_mutex_destroy(&a); return 0; }`,
    ],
    [
      'what is locked or waited for is destroyed',
      `void *t(void *p) { pthread_mutex_lock(&a); pthread_cond_wait(&c, &a); return 0; }
      int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_cond_destroy(&c); return 0; }`,
    ],
  ])('meet undefined behaviour after which programs go on: %s', async (text, program) => {
    const { walked } = await walk(HEAD + program, 'unreach-call')
    expect(walked.met).toMatchObject({ text, goesOn: true })
  })

  test.each([
    ['division by zero', 'int main(void) { return 1 / __VERIFIER_nondet_int(); }'],
    ['null pointer dereference', 'int main(void) { int *p = 0; return *p; }'],
    [
      'invalid access',
      'int g[2]; int main(void) { int k = __VERIFIER_nondet_int(); return k > 1 && k < 5 ? g[k] : 0; }',
    ],
  ])('meet what ends the program by definition: %s', async (text, program) => {
    const { walked } = await walk(HEAD + program, 'unreach-call')
    expect(walked.met).toMatchObject({ text: expect.stringContaining(text), goesOn: false })
  })

  test('meet nothing where a thread destroys the mutex that it holds, which fails', async () => {
    const { walked } = await walk(
      `${HEAD} int main(void) { pthread_mutex_init(&a, 0); pthread_mutex_lock(&a); pthread_mutex_destroy(&a);
        pthread_mutex_unlock(&a); pthread_mutex_lock(&a); return 0; }`,
      'unreach-call',
    )
    expect(walked.met).toBeUndefined()
  })

  test('meet nothing where what was destroyed is initialised again', async () => {
    const { walked } = await walk(
      `${HEAD} sem_t s; int main(void) { for (int i = 0; i < 3; i++) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_init(&a, 0); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_destroy(&a);
        sem_init(&s, 0, 1); sem_destroy(&s); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_destroy(&m);
        } return 0; }`,
      'unreach-call',
    )
    expect(walked.met).toBeUndefined()
  })

  test('meet nothing where locks are initialised and released by their owners', async () => {
    const { walked } = await walk(
      `${HEAD} void *t(void *p) { pthread_mutex_lock(p); x++; pthread_mutex_unlock(p); return 0; }
      int main(void) { pthread_t h; pthread_mutex_t *m = malloc(sizeof *m), copy = PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_init(m, 0); pthread_create(&h, 0, t, m); t(m); t(&copy); t(&a); pthread_join(h, 0); return 0; }`,
      'unreach-call',
    )
    expect(walked.met).toBeUndefined()
  })
})
