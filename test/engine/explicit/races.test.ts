// Races through addresses: those that a thread has before its step are compared without looking at memory, and those
// that the step itself finds out are not.
import { expect, test } from 'vitest'
import { explicitEngine } from '../../../src/engine/explicit/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'

const parser = await testParser()

/** `one` and `other` are the bodies of two threads; `at` is 2, or 3. */
const verdictOf = (one: string, other: string): string => {
  const text = `#include <pthread.h>
    extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
    extern int __VERIFIER_nondet_int(void);
    int a[4], from[4] = { 0, 0, 2, 3 }, at = 2;
    void *one(void *p) { ${one} return p; }
    void *other(void *p) { ${other} return p; }
    int main(void) {
      pthread_t t, u;
      if (__VERIFIER_nondet_int()) at = 3;
      pthread_create(&t, 0, one, 0), pthread_create(&u, 0, other, 0);
      pthread_join(t, 0), pthread_join(u, 0);
    }`
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const env = { stopped: () => undefined, write: () => {}, progress: () => {} }
  const raw = compileProgram(parser, text, 'no-data-race')
  return explicitEngine.verify({ raw, property: 'no-data-race', settings }, {}, env).verdict
}

test('an index that is read inside an atomic block', () => {
  const block = '__VERIFIER_atomic_begin(); a[from[at]] = 1; from[0] = 1; __VERIFIER_atomic_end();'
  expect(verdictOf(block, 'a[3] = 2;')).toBe('false')
  expect(verdictOf(block, 'a[1] = 2;')).toBe('true')
})

test('an index that a thread has at hand', () => {
  expect(verdictOf('int i = at; a[i] = 1;', 'int i = at; a[i - 1] = 1; a[(2 * i - 2) & 3] = 1;')).toBe('false')
  expect(verdictOf('int i = at; a[i] = 1;', 'int i = at; a[i - 1] = 1; a[i - 2] = 1;')).toBe('true')
})

test('a value among too many that is read where another thread may write', () => {
  const write = 'a[0] = __VERIFIER_nondet_int(); if (a[0] * a[0] == 1234) a[1] = 1;'
  expect(verdictOf(write, 'a[0] = 2;')).toBe('false')
  expect(verdictOf('int i = __VERIFIER_nondet_int(); a[i & 3] = i * i;', 'a[3] = 2;')).not.toBe('true')
})
