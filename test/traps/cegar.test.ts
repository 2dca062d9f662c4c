// soundness.md 1 to 4 and 8 for cegar: programs whose error a naive reduction or abstraction would lose, and one that
// it would report. Every reduction must give the verdict that no reduction gives.
import { describe, expect, it } from 'vitest'
import { combinations, compiled, verdictOf } from '../engine/cegar/run.js'

const HEADER = '#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n'

const PROGRAMS: readonly (readonly [string, 'true' | 'false', string])[] = [
  [
    '1: the end of the program beside an error',
    'false',
    `void *t(void *a) { assert(0); return 0; }
     int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); abort(); }`,
  ],
  [
    '2: a thread that is blocked now conflicts later',
    'false',
    `int x, go; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
     void *t(void *a) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
     int main(void) { pthread_t h; pthread_mutex_lock(&m); pthread_create(&h, 0, t, 0);
       pthread_mutex_unlock(&m); int r = x; assert(r == 0); return 0; }`,
  ],
  [
    '2: a thread that is not started yet conflicts later',
    'false',
    `int x;
     void *u(void *a) { x = 1; return 0; }
     void *t(void *a) { pthread_t h; pthread_create(&h, 0, u, 0); return 0; }
     int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); int r = x; assert(r == 0); return 0; }`,
  ],
  [
    '3: a loop for ever beside an error',
    'false',
    `int y;
     void *t(void *a) { while (1) ; return 0; }
     int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); y = 1; assert(y == 0); return 0; }`,
  ],
  [
    '4: a lock that only the abstraction can take',
    'false',
    `int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
     void *t(void *a) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
     int main(void) { pthread_t h; pthread_mutex_lock(&m); pthread_create(&h, 0, t, 0);
       pthread_mutex_lock(&n); pthread_mutex_unlock(&n); assert(x == 1); return 0; }`,
  ],
  [
    '8: an untracked variable relates tracked ones',
    'true',
    `int x, y, z;
     void *t(void *a) { __VERIFIER_atomic_begin(); z = x; y = z; __VERIFIER_atomic_end(); return 0; }
     int main(void) { pthread_t h; pthread_create(&h, 0, t, 0);
       __VERIFIER_atomic_begin(); x = 1; y = 1; __VERIFIER_atomic_end();
       __VERIFIER_atomic_begin(); int ok = x == y; __VERIFIER_atomic_end(); assert(ok); return 0; }`,
  ],
  [
    'an unbounded input in a loop for ever is proved',
    'true',
    `extern int __VERIFIER_nondet_int(void); int x;
     void *t(void *a) { while (1) { int v = __VERIFIER_nondet_int(); if (v > 0) x = v; } return 0; }
     int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); int r = x; assert(r >= 0); return 0; }`,
  ],
]

describe.each(PROGRAMS)('%s', (name, expected, text) => {
  const domains = name.startsWith('an unbounded')
    ? ['pred-cart', 'pred-bool', 'product']
    : ['expl', 'pred-cart', 'product']
  const options = combinations({ domain: domains, por: ['none', 'basic', 'aapor'], prune: ['lazy', 'full'] })
  it(`is ${expected} with every reduction`, { timeout: 120_000 }, async () => {
    const raw = await compiled(HEADER + text)
    for (const each of options)
      expect({ options: each, verdict: await verdictOf(raw, each) }).toEqual({ options: each, verdict: expected })
  })
})
