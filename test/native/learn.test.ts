// What helps a search along: rhythms, threads that wait for what they assume, inputs by what they are compared with. Each
// program needed at least ten times as many runs without these, most often more.
import { describe, expect, it } from 'vitest'
import { findIn, hasCompiler, SKIPPED } from './harness.js'

/** The largest sums need strictly alternating additions. */
const RHYTHM = `#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int i = 1, j = 1;
#define ADD(name, to, from) static void *name(void *u) { \\
  for (int k = 0; k < 9; k++) { __VERIFIER_atomic_begin(); to += from; __VERIFIER_atomic_end(); } return 0; }
ADD(up, i, j)
ADD(down, j, i)
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, up, 0);
  pthread_create(&b, 0, down, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(i < 4181 && j < 6765);
  return 0;
}
`

/** Main must come when everybody else is done. */
const ASSUMED = `#include <assert.h>
#include <pthread.h>
void __VERIFIER_assume(int);
int count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *u) {
  for (int k = 0; k < 60; k++) { pthread_mutex_lock(&m); count++; pthread_mutex_unlock(&m); }
  return 0;
}
int main(void) {
  pthread_t t[6];
  for (int k = 0; k < 6; k++) pthread_create(&t[k], 0, add, 0);
  pthread_mutex_lock(&m);
  int seen = count;
  pthread_mutex_unlock(&m);
  __VERIFIER_assume(seen == 360);
  assert(0);
  return 0;
}
`

const INPUTS = `#include <assert.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  __VERIFIER_assume(low > 100100 && low < 100200);
  __VERIFIER_assume(high > low);
  unsigned key = __VERIFIER_nondet_uint();
  if (high == 7 * low + 13) assert(key != (0x9e3779b9u ^ (unsigned)low));
  return 0;
}
`

describe.skipIf(!hasCompiler)(`learning from runs${hasCompiler ? '' : ` (${SKIPPED})`}`, () => {
  it('a strict rhythm', async () => {
    expect(await findIn(RHYTHM, { strategy: 'random', maxRuns: 800 })).toBe('assert')
  })
  it('a thread that came too early for what it assumes comes later', async () => {
    expect(await findIn(ASSUMED, { strategy: 'random', maxRuns: 20 })).toBe('assert')
  })
  it('inputs are what they are compared with', async () => {
    expect(await findIn(INPUTS, { strategy: 'random', maxRuns: 4000 })).toBe('assert')
  })
})
